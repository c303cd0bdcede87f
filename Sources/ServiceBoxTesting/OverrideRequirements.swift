// Part of ServiceBox, released under the MIT License.
// What a scope may require of its services.

/// What a scope requires of its overrides and live services, besides not throwing.
///
/// ```swift
/// import ServiceBoxKit
/// import ServiceBoxTesting
///
/// let strict: OverrideRequirements = [.everyOverrideIsUsed, .nothingLiveIsUsed]
/// ```
///
/// A service is used if a fill has chosen it for a property, or if it or its provider was looked up; see
/// `ServiceBox.uses`.
public struct OverrideRequirements: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates requirements from their bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Every service that the scope registered at its start is used before its end.
    ///
    /// This finds overrides with a typo in their name, those that nothing needs any more, and those that can't reach
    /// what would take them, because it is shared with the base and filled there. The error gives the reason.
    public static let everyOverrideIsUsed = OverrideRequirements(rawValue: 1)
    /// No service that is marked as live, by `ServiceBox.markLive`, is created or used without an override.
    ///
    /// This finds tests that talk to the real network because an override is missing. What the base itself
    /// does with its ready services doesn't count.
    public static let nothingLiveIsUsed = OverrideRequirements(rawValue: 2)
}
