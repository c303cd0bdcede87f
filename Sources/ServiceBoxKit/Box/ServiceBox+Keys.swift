// Part of ServiceBox, released under the MIT License.
// Typed keys where only the name matters: a literal alone would not tell their type.

extension ServiceBox {
    /// Removes the service under a key's name.
    ///
    /// - Parameters:
    ///   - key: The key of a registration.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: Whether there was one.
    @discardableResult
    public func remove<Service>(
        _ key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Bool {
        remove(key.name, fileID: fileID, line: line)
    }

    /// Whether a service is registered under a key's name, in this box or in an ancestor.
    ///
    /// - Parameter key: The key.
    /// - Returns: Whether there is one.
    public func isRegistered<Service>(_ key: ServiceKey<Service>) -> Bool { isRegistered(key.name) }

    /// Marks a service that reaches outside the program, by its key.
    ///
    /// - Parameters:
    ///   - key: The key of a registration.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func markLive<Service>(
        _ key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        markLive(key.name, fileID: fileID, line: line)
    }

    /// Whether the service under a key's name is marked as one that reaches outside the program.
    ///
    /// - Parameter key: The key.
    /// - Returns: Whether this box, or the ancestor that it inherits the service from, or one between, marks it.
    public func isLive<Service>(_ key: ServiceKey<Service>) -> Bool { isLive(key.name) }

    /// Fills the properties again that hold the service under a key's name.
    ///
    /// - Parameter key: The key of the service.
    /// - Returns: Which properties got the service that is registered now, and which were left alone.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/notTracked`` if the box doesn't track
    ///   who holds its services.
    @discardableResult
    public func refill<Service>(
        _ key: ServiceKey<Service>
    ) throws(ServiceBoxError) -> (refilled: [ServiceHolder], left: [ServiceHolder]) {
        try refill(key.name)
    }
}
