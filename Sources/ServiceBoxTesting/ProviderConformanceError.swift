// Part of ServiceBox, released under the MIT License.
// What a provider did wrong.

public import ServiceBoxKit

/// Why a kind of provider doesn't pass ``ProviderConformance``.
///
/// Its text is for people and may change; compare ``failedChecks``.
public struct ProviderConformanceError: Error, Hashable, Sendable, CustomStringConvertible {
    struct Violation: Hashable, Sendable {
        let check: ProviderConformance.Check
        let text: String
    }

    /// The lifetime that the providers should have.
    public let lifetime: Lifetime
    let violations: [Violation]
    let checkCount: Int

    /// The checks that failed, in the order in which they ran.
    public var failedChecks: [ProviderConformance.Check] { violations.map(\.check) }

    /// What each check found, and what to do.
    public var description: String {
        TestingMessage.brokenProvider(lifetime, violations, checkCount: checkCount)
    }
}
