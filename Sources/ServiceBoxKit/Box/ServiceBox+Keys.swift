// Part of ServiceBox, released under the MIT License.
// Registering and looking up by typed keys.

extension ServiceBox {
    /// Registers a ready service under a key, as the key's type.
    ///
    /// As ``register(_:as:of:fileID:line:)``. May be called from anywhere.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - key: Its name and the type to keep it as.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Service: Sendable>(
        _ service: Service, for key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        register(service, as: key.name, of: Service.self, fileID: fileID, line: line)
    }

    /// Registers a closure that makes a service, under a key.
    ///
    /// As ``register(as:of:lifetime:per:fileID:line:_:)``. May be called from anywhere.
    ///
    /// - Parameters:
    ///   - key: The service's name and the type to keep it as.
    ///   - lifetime: When the service is made, and how long the box keeps it.
    ///   - scope: Whether child boxes share the service.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - make: Makes the service.
    public func register<Service: Sendable>(
        for key: ServiceKey<Service>, lifetime: Lifetime = .lazy, per scope: ServiceScope = .family,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (_ box: ServiceBox) throws -> Service
    ) {
        register(
            as: key.name, of: Service.self, lifetime: lifetime, per: scope, fileID: fileID, line: line, make)
    }

    /// Looks a service up by its key.
    ///
    /// - Parameter key: The name and the type of the service.
    /// - Returns: The service, made if need be.
    /// - Throws: ``ServiceBoxError`` as ``resolve(_:named:)`` does.
    @inlinable
    public subscript<Service>(key: ServiceKey<Service>) -> Service {
        get throws(ServiceBoxError) { try resolve(Service.self, named: key.name) }
    }
}

extension Injected {
    /// Makes an empty property that takes the service of a key.
    ///
    /// - Parameters:
    ///   - key: The name of the service; its type is the property's.
    ///   - fileID: The file of the declaration, for messages.
    ///   - line: The line of the declaration, for messages.
    public init(_ key: ServiceKey<Value>, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(key.name, fileID: fileID, line: line)
    }

    /// Makes an empty optional property that takes the service of a key.
    ///
    /// - Parameters:
    ///   - key: The name of the service; its type is what the property wraps.
    ///   - fileID: The file of the declaration, for messages.
    ///   - line: The line of the declaration, for messages.
    public init<Service>(
        _ key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line
    ) where Value == Service? {
        self.init(key.name, fileID: fileID, line: line)
    }
}
