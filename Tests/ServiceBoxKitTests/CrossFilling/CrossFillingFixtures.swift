// Part of ServiceBox, released under the MIT License.
// Types that several tests of cross-filling use.

import ServiceBoxKit

/// Refers to `Switcher`, which refers back.
final class Lamp: @unchecked Sendable {
    @Injected var switcher: Switcher?
}

/// Refers to `Lamp`, which refers back.
final class Switcher: @unchecked Sendable {
    @Injected var lamp: Lamp?
}
