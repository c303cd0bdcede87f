// Part of ServiceBox, released under the MIT License.
// What a scope may be required to do with its services.

/// What is required of a scope whose services are partly overridden, beside that it does not throw.
///
/// ```swift
/// import ServiceBoxKit
/// import ServiceBoxTesting
///
/// let strict: OverrideRequirements = [.everyOverrideIsUsed, .nothingLiveIsUsed]
/// ```
///
/// A service counts as used when a fill has chosen it for a property, or when it or its provider was looked
/// up; see `ServiceBox.uses`. May be used from anywhere.
public struct OverrideRequirements: OptionSet, Hashable, Sendable {
    /// The bits; of no use but for set operations.
    public let rawValue: Int

    /// Makes requirements from their bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Every service that the scope registered at its start is used before its end.
    ///
    /// It finds the override whose name has a slip, or whose service nobody needs any more.
    public static let everyOverrideIsUsed = OverrideRequirements(rawValue: 1)
    /// No service is made or used that is marked as live, by `ServiceBox.markLive`, and not overridden.
    ///
    /// It finds the test that talks to the real network because an override is missing. What the base does by
    /// itself with its own ready services is not the scope's use.
    public static let nothingLiveIsUsed = OverrideRequirements(rawValue: 2)
}
