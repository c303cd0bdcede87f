// Part of ServiceBox, released under the MIT License.
// How a scope failed its requirements.

import ServiceBoxKit

/// Why a scope didn't meet its ``OverrideRequirements``.
///
/// One error lists every problem. Its text is for people and may change; compare ``unusedOverrides`` and
/// ``usedLiveServices``.
public struct ServiceOverrideError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the scope: that of the test, or of the function that opened it.
    public let scopeName: String
    /// The names of the overrides that nothing used, sorted.
    public let unusedOverrides: [String]
    /// The names of the live services that were used, sorted.
    public let usedLiveServices: [String]
    /// Each problem with its reason, what the used overrides went into, and what to do.
    public let description: String

    init(
        scopeName: String, unused: [TestingMessage.Unused], live: [ServiceUse], used: [ServiceUse]
    ) {
        self.scopeName = scopeName
        unusedOverrides = unused.map(\.use.name)
        usedLiveServices = live.map(\.name)
        description = TestingMessage.unmet(scopeName, unused: unused, live: live, used: used)
    }
}
