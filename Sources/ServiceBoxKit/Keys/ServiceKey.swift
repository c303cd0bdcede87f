// Part of ServiceBox, released under the MIT License.
// Names that know the type of their service.

/// The name of a service together with its type, so that it can be looked up without a cast or a slip.
///
/// Declare keys once, as static members of the key type for your service type:
///
/// ```swift
/// extension ServiceKey where Service == any Analytics {
///     static var analytics: Self { ServiceKey("analytics") }
/// }
///
/// final class Screen {
///     @Injected(.analytics) var events: (any Analytics)?
/// }
///
/// box.register(FileAnalytics(), for: .analytics)
/// let analytics = try box[.analytics]
/// ```
///
/// A box has one service under a name. Two keys of the same name and different types name the same
/// registration; the one that its service does not fit is refused with an error.
///
/// May be used from anywhere.
public struct ServiceKey<Service>: Hashable, Sendable {
    /// The name that the service is registered under.
    public let name: String

    /// Makes a key.
    ///
    /// - Parameter name: The name that the service is registered under.
    public init(_ name: String) {
        self.name = name
    }
}

extension ServiceKey: CustomStringConvertible {
    /// The name and the type.
    public var description: String { "'\(name)' (\(TypeName.of(Service.self)))" }
}
