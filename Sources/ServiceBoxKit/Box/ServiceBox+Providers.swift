// Part of ServiceBox, released under the MIT License.
// Registering factories and providers.

import Synchronization

// No parameter but the place has a default: one that has would lose against the registration of an instance,
// which would then put the factory itself into the box.
extension ServiceBox {
    /// Registers a factory under the name of its service's type; the service is shared with child boxes.
    ///
    /// As ``register(as:of:lifetime:per:fileID:line:_:)``, with the factory's lifetime.
    ///
    /// - Parameters:
    ///   - factory: Makes the service.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Factory: ServiceFactory>(
        _ factory: Factory, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        register(factory, per: .family, fileID: fileID, line: line)
    }

    /// Registers a factory under the name of its service's type.
    ///
    /// As ``register(as:of:lifetime:per:fileID:line:_:)``, with the factory's lifetime.
    ///
    /// - Parameters:
    ///   - factory: Makes the service.
    ///   - scope: Whether child boxes share the service.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Factory: ServiceFactory>(
        _ factory: Factory, per scope: ServiceScope, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let name = derivedName(for: Factory.Service.self, at: Place(file: fileID, line: line))
        register(factory, as: name, per: scope, fileID: fileID, line: line)
    }

    /// Registers a factory; its service is shared with child boxes.
    ///
    /// As ``register(as:of:lifetime:per:fileID:line:_:)``, with the factory's lifetime.
    ///
    /// - Parameters:
    ///   - factory: Makes the service.
    ///   - name: The name that properties ask for.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Factory: ServiceFactory>(
        _ factory: Factory, as name: String, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        register(factory, as: name, per: .family, fileID: fileID, line: line)
    }

    /// Registers a factory.
    ///
    /// As ``register(as:of:lifetime:per:fileID:line:_:)``, with the factory's lifetime.
    ///
    /// - Parameters:
    ///   - factory: Makes the service.
    ///   - name: The name that properties ask for.
    ///   - scope: Whether child boxes share the service.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Factory: ServiceFactory>(
        _ factory: Factory, as name: String, per scope: ServiceScope, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let place = Place(file: fileID, line: line)
        register(
            Recipe(
                name: name, lifetime: factory.lifetime, scope: scope, place: place, isOnMainActor: false,
                make: { _ in try factory.makeService() }))
    }

    /// Registers a provider under the name of its service's type.
    ///
    /// As with a name of your choice. May be called from anywhere.
    ///
    /// - Parameters:
    ///   - provider: Makes the service.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Service: Sendable>(
        _ provider: ServiceProvider<Service>, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let name = derivedName(for: Service.self, at: Place(file: fileID, line: line))
        register(provider, as: name, fileID: fileID, line: line)
    }

    /// Registers a provider, which may have made its service already and may be shared with others.
    ///
    /// A property of the provider's own type receives the provider, one that the service fits receives the
    /// service. A service that is a class instance is filled when the box first sees it: its empty properties
    /// alone, since others may be using it. A sealed box, an empty or reserved name, or an optional stops the
    /// program with an explanation. May be called from anywhere.
    ///
    /// - Parameters:
    ///   - provider: Makes the service.
    ///   - name: The name that properties ask for.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Service: Sendable>(
        _ provider: ServiceProvider<Service>, as name: String, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let place = Place(file: fileID, line: line)
        check(name, for: Service.self, at: place)
        let livesOn = provider.source.lifetime == .lazy || provider.source.lifetime == .eager
        let made = MadeService(onSight: { [weak self] made, service, isAnother in
            if isAnother { self?.reorderings.add(1, ordering: .releasing) }
            self?.fill(newlySeen: service)
            if livesOn { self?.reconsider(made, named: name) }
            self?.tell([ServiceEvent(.made, serviceName: name, type: Service.self)])
        })
        insert { ProviderRegistration(provider, made: made, name: name, number: $0, place: place) }
    }
}

extension ServiceBox {
    /// Registers a provider of services that are made with parameters, under the name of their type.
    ///
    /// As with a name of your choice. May be called from anywhere.
    ///
    /// - Parameters:
    ///   - provider: Makes the services.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Service: Sendable, Parameters>(
        _ provider: ServiceParametersProvider<Service, Parameters>, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let name = derivedName(for: Service.self, at: Place(file: fileID, line: line))
        register(provider, as: name, fileID: fileID, line: line)
    }

    /// Registers a provider of services that are made with parameters.
    ///
    /// Properties of the provider's own type receive it, and ``resolve(_:named:with:)`` asks it. What it
    /// makes is its own matter: register a ``ServiceParametersFactory`` to have each service filled from the
    /// box. May be called from anywhere.
    ///
    /// - Parameters:
    ///   - provider: Makes the services.
    ///   - name: The name that properties ask for.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Service: Sendable, Parameters>(
        _ provider: ServiceParametersProvider<Service, Parameters>, as name: String,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let place = Place(file: fileID, line: line)
        check(name, for: Service.self, at: place)
        insert { ParametersRegistration(provider, name: name, number: $0, place: place) }
    }

    /// Registers a factory of services that are made with parameters, under the name of their type.
    ///
    /// As with a name of your choice. May be called from anywhere.
    ///
    /// - Parameters:
    ///   - factory: Makes the services.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Factory: ServiceParametersFactory>(
        _ factory: Factory, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let name = derivedName(for: Factory.Service.self, at: Place(file: fileID, line: line))
        register(factory, as: name, fileID: fileID, line: line)
    }

    /// Registers a factory of services that are made with parameters.
    ///
    /// Each service is filled from the box. Properties of type ``ServiceParametersProvider`` receive a
    /// provider, and ``resolve(_:named:with:)`` asks the factory. May be called from anywhere.
    ///
    /// - Parameters:
    ///   - factory: Makes the services.
    ///   - name: The name that properties ask for.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Factory: ServiceParametersFactory>(
        _ factory: Factory, as name: String, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let place = Place(file: fileID, line: line)
        check(name, for: Factory.Service.self, at: place)
        insert { registration(of: factory, name: name, number: $0, place: place) }
    }

    /// A registration whose services this box fills.
    private func registration<Factory: ServiceParametersFactory>(
        of factory: Factory, name: String, number: Int, place: Place
    ) -> Registration {
        let maker = Maker<Factory.Service, Factory.Parameters>(
            finish: { [weak self] service in
                guard let self else { return nil }
                let report = fill(fresh: service)
                guard hasObservers else { return nil }
                return { [weak self] in self?.tellMade(name, Factory.Service.self, report) }
            },
            fail: { [weak self] error in
                self?.tell([
                    ServiceEvent(.failed, serviceName: name, type: Factory.Service.self, error: error)
                ])
            },
            make: { try factory.makeService($0) })
        return ParametersRegistration(
            ServiceParametersProvider(maker), name: name, number: number, place: place,
            makeInherited: { $0.registration(of: factory, name: name, number: number, place: place) })
    }
}
