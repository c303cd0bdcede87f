// Part of ServiceBox, released under the MIT License.
// Who holds a service. How it reads is in Reports/.

/// A property that holds a service from a box.
///
/// Thread-safe. It does not keep the object alive.
public struct ServiceHolder: Sendable {
    /// The type that the property was filled in.
    public let type: Any.Type
    /// The property's name.
    public let property: String
    /// The object that the property belongs to, to compare with `ObjectIdentifier(object)`; nil for a
    /// struct's property.
    public let object: ObjectIdentifier?
    /// Whether ``ServiceBox/refill(_:)-(String)`` reaches it: it has an injected slot and no table writes
    /// it.
    public let isRefillable: Bool

    init(_ holding: Holding) {
        type = holding.property.type
        property = holding.property.name
        object = holding.object
        isRefillable = !holding.isLine
    }
}
