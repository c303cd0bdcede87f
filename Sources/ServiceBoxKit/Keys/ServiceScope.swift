// Part of ServiceBox, released under the MIT License.
// Who shares a service that a box makes.

/// Whether child boxes share a service or make their own.
///
/// ```swift
/// box.register(as: "cart", per: .box) { _ in Cache() }        // each child makes its own
/// ```
public struct ServiceScope: Hashable, Sendable, CustomStringConvertible {
    /// The scope's name.
    public let description: String

    /// The box and its children share the service.
    public static let family = ServiceScope(description: "family")
    /// Each child box makes a service of its own when it first asks for one.
    public static let box = ServiceScope(description: "box")
}
