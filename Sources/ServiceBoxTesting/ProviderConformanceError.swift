// Part of ServiceBox, released under the MIT License.
// What a provider did wrong, and in which words it is said.

public import ServiceBoxKit

/// Why a kind of provider does not pass ``ProviderConformance``.
///
/// Its text is for people and may change; compare ``failedChecks``. May be used from anywhere.
public struct ProviderConformanceError: Error, Hashable, Sendable, CustomStringConvertible {
    struct Violation: Hashable, Sendable {
        let check: ProviderConformance.Check
        let text: String
    }

    /// The lifetime that the providers were to have.
    public let lifetime: Lifetime
    let violations: [Violation]
    let checkCount: Int

    /// The checks that failed, in the order in which they ran.
    public var failedChecks: [ProviderConformance.Check] { violations.map(\.check) }

    /// What each check found, and what to do.
    public var description: String {
        let reason = "\(violations.count) of \(checkCount) check\(checkCount == 1 ? "" : "s") failed"
        return Explanation(
            reason: reason, headline: "Can't take these providers for \(lifetime) ones: \(reason).",
            facts: violations.map { (label: $0.check.description, value: $0.text) },
            instruction:
                "To fix, let the factory call the closure that it is given once for each service and hand on "
                + "what that makes or throws, and leave keeping and sharing to the provider."
        ).text
    }
}
