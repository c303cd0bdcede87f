// Part of ServiceBox, released under the MIT License.
// Who holds a service, as lists and as text.

extension ServiceBox {
    /// The living properties that hold a service from this box, sorted by the names of their types and their
    /// own.
    ///
    /// It knows the properties that this box has filled since ``trackHolders()``, those of registered
    /// services too. A slot that its owner has set to something else does not count; of a property that a
    /// table writes it cannot be told, and it counts as long as its object lives. May be called from anywhere
    /// and reads no object.
    ///
    /// - Parameter name: The name that the service is, or was, registered under.
    /// - Returns: The properties, one for each object.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/notTracked`` if the box does not
    ///   track who holds its services.
    /// - Complexity: O(*n*) for *n* tracked properties.
    public func holders(of name: String) throws(ServiceBoxError) -> [ServiceHolder] {
        try checkTracking(of: name, to: Message.tellingHolders(of: name))
        return holdings { $0.names.contains(name) }.map(ServiceHolder.init)
    }

    /// The living properties that hold the service under a key's name.
    ///
    /// - Parameter key: The key that the service is, or was, registered under.
    /// - Returns: The properties, one for each object.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/notTracked`` if the box doesn't track
    ///   who holds its services.
    public func holders<Service>(of key: ServiceKey<Service>) throws(ServiceBoxError) -> [ServiceHolder] {
        try holders(of: key.name)
    }
}

extension ServiceHolder: CustomStringConvertible {
    /// The property, as `Screen.cache`.
    public var description: String { "\(TypeName.of(type)).\(property)" }
}

extension ServiceRefill: CustomStringConvertible {
    /// How many properties were refilled, and which were left, on one line.
    public var description: String {
        Message.refilled(serviceName, count: refilled.count, left: left.map(\.description))
    }
}
