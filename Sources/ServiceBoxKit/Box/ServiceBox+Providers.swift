// Part of ServiceBox, released under the MIT License.
// Registering factory objects and providers.

extension ServiceBox {
    /// Registers a factory object.
    ///
    /// As a factory closure, with the object's lifetime.
    ///
    /// - Parameters:
    ///   - factory: Makes the service.
    ///   - key: The name that properties ask for. Without a key, the service is named after its type.
    ///   - scope: Whether child boxes share the service.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Factory: ServiceFactory>(
        factory: Factory, as key: ServiceKey<Factory.Service>? = nil, per scope: ServiceScope = .family,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let location = SourceLocation(file: fileID, line: line)
        register(
            Recipe<Factory.Service, Void>(
                name: name(of: key, at: location), lifetime: factory.lifetime, scope: scope, location: location,
                make: { _, _ in try factory.makeService() }))
    }

    /// Registers a factory object that makes services from parameters.
    ///
    /// As a factory closure with parameters.
    ///
    /// - Parameters:
    ///   - factory: Makes the services.
    ///   - key: The name that the service is asked for by. Without a key, it is named after its type.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Factory: ServiceParametersFactory>(
        factory: Factory, as key: ServiceKey<Factory.Service>? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let location = SourceLocation(file: fileID, line: line)
        register(
            Recipe<Factory.Service, Factory.Parameters>(
                name: name(of: key, at: location), location: location,
                make: { _, parameters in try factory.makeService(parameters) }))
    }

    /// Registers a provider, which may have made its service already and may be shared with others.
    ///
    /// A property of the provider's own type receives the provider, one that the service fits receives the
    /// service. A service that is a class instance is filled when the box first sees it: its empty properties
    /// alone, since others may be using it. What traps for an instance traps here too.
    ///
    /// - Parameters:
    ///   - provider: Makes the service.
    ///   - key: The name that properties ask for. Without a key, the service is named after its type.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Service: Sendable>(
        provider: ServiceProvider<Service>, as key: ServiceKey<Service>? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let location = SourceLocation(file: fileID, line: line)
        let name = name(of: key, at: location)
        let history = ServiceHistory()
        let watched = WatchedSource(provider) { [weak self] in
            self?.fillForeign($0, isAnother: $1, name, history)
        }
        let supplier = ProviderSupplier(ServiceProvider(watched)) { watched.wasSupplied }
        insert(name) { [registry] number in
            Registration(
                name: name, type: Service.self,
                .provided(provider.source.lifetime, by: ServiceProvider<Service>.self), supplier,
                number: number, location: location, home: registry, history: history)
        }
    }

    /// Registers a provider of services that are made from parameters.
    ///
    /// Properties of the provider's own type receive it, and ``resolve(_:with:_:)`` asks it. The box doesn't
    /// fill what it makes: register a factory to have each service filled.
    ///
    /// - Parameters:
    ///   - provider: Makes the services.
    ///   - key: The name that the service is asked for by. Without a key, it is named after its type.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Service: Sendable, Parameters>(
        provider: ServiceParametersProvider<Service, Parameters>, as key: ServiceKey<Service>? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let location = SourceLocation(file: fileID, line: line)
        let name = name(of: key, at: location)
        insert(name) { [registry] number in
            Registration(
                name: name, type: Service.self,
                .fromParameters(
                    Parameters.self, provider: ServiceParametersProvider<Service, Parameters>.self),
                ParametersSupplier(provider), number: number, location: location, home: registry)
        }
    }
}
