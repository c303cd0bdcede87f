// Part of ServiceBox, released under the MIT License.
// Types that several tests of tables use.

import Observation
import ServiceBoxKit

@Observable final class Model: Injectable {
    var theme: String?

    static var injections: InjectionTable { ["theme": .keyPath(\Model.theme)] }
}

/// A global actor that isn't the main actor.
@globalActor actor Engraver {
    static let shared = Engraver()
}
