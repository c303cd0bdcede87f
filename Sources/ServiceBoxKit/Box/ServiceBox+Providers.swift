// Part of ServiceBox, released under the MIT License.
// Registering factory objects and providers.

import Synchronization

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
        let place = Place(file: fileID, line: line)
        register(
            Recipe(
                name: name(of: key, at: place), lifetime: factory.lifetime, scope: scope, place: place,
                isolation: nil, make: { _ in try factory.makeService() }))
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
        register(ObjectFactory(factory: factory), as: key, at: Place(file: fileID, line: line))
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
        let place = Place(file: fileID, line: line)
        let name = name(of: key, at: place)
        let livesOn = provider.source.lifetime == .lazy || provider.source.lifetime == .eager
        let made = MadeService(onSight: { [weak self] made, service, isAnother in
            if isAnother { self?.reorderings.add(1, ordering: .releasing) }
            self?.fill(newlySeen: service)
            if livesOn { self?.reconsider(made, named: name) }
            self?.tell([ServiceEvent(.made, serviceName: name, type: Service.self)])
        })
        insert { ProviderRegistration(provider, made: made, name: name, number: $0, place: place) }
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
        let place = Place(file: fileID, line: line)
        let name = name(of: key, at: place)
        insert { ParametersRegistration(provider, name: name, number: $0, place: place) }
    }
}

/// Makes services from parameters for a box.
protocol ParametersFactory<Service, Parameters>: Sendable {
    associatedtype Service: Sendable
    associatedtype Parameters

    func makeService(in box: ServiceBox, from parameters: Parameters) throws -> Service
}

/// A closure with parameters that may belong to an actor.
struct IsolatedClosure<Service: Sendable, each Parameter>: Sendable {
    let run: @isolated(any) @Sendable (ServiceBox, repeat each Parameter) throws -> Service
}

/// Calls a closure with parameters in the isolation that the caller has made sure of.
struct ClosureFactory<Service: Sendable, each Parameter>: ParametersFactory {
    private let run: @Sendable (ServiceBox, repeat each Parameter) throws -> Service

    init(_ closure: IsolatedClosure<Service, repeat each Parameter>) {
        // As without parameters. The compiler can't pass a closure of a parameter pack to a generic function,
        // so the cast takes a struct that has it alone.
        self = unsafeBitCast(closure, to: Self.self)
    }

    func makeService(in box: ServiceBox, from parameters: (repeat each Parameter)) throws -> Service {
        try run(box, repeat each parameters)
    }
}

/// Calls a factory object.
private struct ObjectFactory<Factory: ServiceParametersFactory>: ParametersFactory {
    let factory: Factory

    func makeService(in box: ServiceBox, from parameters: Factory.Parameters) throws -> Factory.Service {
        try factory.makeService(parameters)
    }
}

extension ServiceBox {
    func register<Factory: ParametersFactory>(
        _ factory: Factory, as key: ServiceKey<Factory.Service>?, isolation: (any Actor)? = nil,
        at place: Place
    ) {
        let name = name(of: key, at: place)
        insert {
            registration(of: factory, name: name, isolation: isolation, number: $0, place: place)
        }
    }

    /// A registration whose services this box fills.
    private func registration<Factory: ParametersFactory>(
        of factory: Factory, name: String, isolation: (any Actor)?, number: Int, place: Place
    ) -> Registration {
        let maker = Maker<Factory.Service, Factory.Parameters>(
            isolation: isolation,
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
            make: { [weak self] parameters in
                guard let self else { throw ServiceBoxError(.boxIsGone(name: name), path: ServicePath([])) }
                return try factory.makeService(in: self, from: parameters)
            })
        return ParametersRegistration(
            ServiceParametersProvider(maker), name: name, number: number, place: place,
            makeInherited: {
                $0.registration(of: factory, name: name, isolation: isolation, number: number, place: place)
            })
    }
}
