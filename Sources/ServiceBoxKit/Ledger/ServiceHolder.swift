// Part of ServiceBox, released under the MIT License.
// Who holds a service. How it reads is in Reports/.

/// A property that holds a service from a box.
///
/// May be read from anywhere; it does not keep the object alive.
public struct ServiceHolder: Hashable, Sendable {
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

extension ServiceHolder {
    /// Compares what they are: the type, the property and the object.
    public static func == (left: Self, right: Self) -> Bool {
        left.type == right.type && left.property == right.property && left.object == right.object
            && left.isRefillable == right.isRefillable
    }

    /// Feeds the type, the property and the object into a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(property)
        hasher.combine(object)
    }
}

/// What came of filling the holders of a service again.
///
/// May be read from anywhere.
public struct ServiceRefill: Hashable, Sendable {
    /// The name of the service.
    public let serviceName: String
    /// The properties that have the service that is registered now.
    public internal(set) var refilled: [ServiceHolder] = []
    /// The properties that were left with what they had: a table writes them, the service does not fit, could
    /// not be made or is no longer registered, or their owners set them meanwhile.
    public internal(set) var left: [ServiceHolder] = []

    /// Whether every holder has the service that is registered now.
    public var isComplete: Bool { left.isEmpty }

    init(serviceName: String) {
        self.serviceName = serviceName
    }
}
