// Part of ServiceBox, released under the MIT License.
// An observable class for the tests of tables.

import Observation
import ServiceBoxKit

@Observable final class Model: Injectable {
    var theme: String?

    static var injections: InjectionTable { ["theme": .keyPath(\Model.theme)] }
}
