// Part of ServiceBox, released under the MIT License.
// Registering what creates services: closures, factory objects and providers.

extension ServiceBox {
    /// Registers a factory.
    ///
    /// The closure receives the box and may look up what it needs. The service is filled from the box before
    /// anyone sees it, so lazy services may refer to each other. A closure that throws leaves a hole in the
    /// report of a fill, with its error; other properties are filled.
    ///
    /// ```swift
    /// struct Report: Sendable { let cache: Cache }
    /// @MainActor final class Dashboard {}
    ///
    /// box.register { _ in Cache() }                       // as "cache", after its type
    /// box.register(as: "report", lifetime: .transient) { box in Report(cache: try box["cache"]) }
    /// box.register { @MainActor _ in Dashboard() }        // on its actor
    /// ```
    ///
    /// The closure runs where the service is first asked for, under no lock. One that belongs to an actor runs
    /// on that actor only: asked for elsewhere before it is created, the service is a hole that says so. Once
    /// created, it is handed out anywhere. An eager service is created as soon as it is registered, and keeps its
    /// error if that fails.
    ///
    /// What traps for an instance traps here too, before anything is created.
    ///
    /// - Parameters:
    ///   - key: The name that properties ask for, and the type to keep the service as. Without a key, the
    ///     service is named after the type that the closure returns.
    ///   - lifetime: When the service is created, and how long the box keeps it.
    ///   - scope: Whether child boxes share the service.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - make: Creates the service.
    @inlinable
    public func register<Service: Sendable>(
        as key: ServiceKey<Service>? = nil, lifetime: Lifetime = .lazy, per scope: ServiceScope = .family,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @isolated(any) @Sendable (_ box: ServiceBox) throws -> Service
    ) {
        // What isolation an `@isolated(any)` function has lies beside its captures (SE-0431); called, it is a
        // function as any other. It is run in the `isolation` that it carries only.
        let run = unsafeBitCast(make, to: (@Sendable (ServiceBox) throws -> Service).self)
        // The closure is made here, where the type is known: elsewhere the runtime would have to look it up for each
        // service.
        register(key, lifetime, scope, fileID, line, on: make.isolation) {
            ServiceReference.strong(try run($0))
        }
    }

    /// Registers a closure that creates references of the service's type.
    @usableFromInline
    func register<Service: Sendable>(
        _ key: ServiceKey<Service>?, _ lifetime: Lifetime, _ scope: ServiceScope, _ fileID: StaticString,
        _ line: UInt, on isolation: (any Actor)?,
        _ make: @escaping @Sendable (ServiceBox) throws -> ServiceReference
    ) {
        let (name, location) = named(key, fileID, line)
        register(
            Recipe(
                name: name, location: location, serviceType: Service.self, lifetime: lifetime, scope: scope,
                isolation: isolation), make)
    }

    /// Registers a factory that creates services from parameters.
    ///
    /// The closure receives the box and what ``resolve(_:with:_:)`` was given. It creates a new service each
    /// time, which is filled from the box. Properties of type ``ServiceParametersProvider`` receive a provider.
    ///
    /// ```swift
    /// struct Page: Sendable { let number: Int, cache: Cache }
    ///
    /// box.register { (box, number: Int) in Page(number: number, cache: try box["cache"]) }
    /// let page: Page = try box.resolve("page", with: 3)
    /// ```
    ///
    /// What traps for an instance traps here too.
    ///
    /// - Parameters:
    ///   - key: The name that the service is asked for by, and its type. Without a key, it is named after the
    ///     type that the closure returns.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - make: Creates a service.
    public func register<Service: Sendable, First, each Rest>(
        as key: ServiceKey<Service>? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ make:
            @escaping @isolated(any) @Sendable (
                _ box: ServiceBox, _ first: First, _ rest: repeat each Rest
            ) throws -> Service
    ) {
        let (name, location) = named(key, fileID, line)
        let closure = ParametersClosure<Service, First, repeat each Rest>(IsolatedClosure(run: make))
        closure.register(
            Recipe(
                name: name, location: location, serviceType: Service.self, isolation: make.isolation),
            in: self)
    }

    /// Registers a factory object.
    ///
    /// As a factory closure, with the object's lifetime.
    ///
    /// - Parameters:
    ///   - factory: Creates the service.
    ///   - key: The name that properties ask for. Without a key, the service is named after its type.
    ///   - scope: Whether child boxes share the service.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Factory: ServiceFactory>(
        factory: Factory, as key: ServiceKey<Factory.Service>? = nil, per scope: ServiceScope = .family,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let (name, location) = named(key, fileID, line)
        register(
            Recipe(
                name: name, location: location, serviceType: Factory.Service.self, lifetime: factory.lifetime,
                scope: scope)
        ) { _ in ServiceReference.strong(try factory.makeService()) }
    }

    /// Registers a factory object that creates services from parameters.
    ///
    /// As a factory closure with parameters.
    ///
    /// - Parameters:
    ///   - factory: Creates the services.
    ///   - key: The name that the service is asked for by. Without a key, it is named after its type.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Factory: ServiceParametersFactory>(
        factory: Factory, as key: ServiceKey<Factory.Service>? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let (name, location) = named(key, fileID, line)
        register(Recipe(name: name, location: location, serviceType: Factory.Service.self)) {
            (_, parameters: Factory.Parameters) in try factory.makeService(parameters)
        }
    }

    /// Registers a provider, which may have created its service already and may be shared with others.
    ///
    /// A property of the provider's own type receives the provider, one that the service fits receives the
    /// service. A service that is a class instance is filled when the box first sees it: its empty properties
    /// alone, since others may be using it. What traps for an instance traps here too.
    ///
    /// - Parameters:
    ///   - provider: Creates the service.
    ///   - key: The name that properties ask for. Without a key, the service is named after its type.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Service: Sendable>(
        provider: ServiceProvider<Service>, as key: ServiceKey<Service>? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let (name, location) = named(key, fileID, line)
        let history = ServiceHistory()
        let watched = WatchedSource(provider.source) {
            [weak self] service, isAnother throws(ServiceBoxError) in
            guard let self else { throw ServiceBoxError(.boxIsGone(name: name), path: ServicePath([])) }
            return try fillForeign(service, isAnother: isAnother, name, history)
        }
        let supplier = ProviderSupplier(of: Service.self, watched) { watched.wasSupplied }
        insert(name, supplier, at: location, history)
    }

    /// Registers a provider of services that are created from parameters.
    ///
    /// Properties of the provider's own type receive it, and ``resolve(_:with:_:)`` asks it. The box doesn't
    /// fill what it creates: register a factory to have each service filled.
    ///
    /// - Parameters:
    ///   - provider: Creates the services.
    ///   - key: The name that the service is asked for by. Without a key, it is named after its type.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func register<Service: Sendable, Parameters>(
        provider: ServiceParametersProvider<Service, Parameters>, as key: ServiceKey<Service>? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let (name, location) = named(key, fileID, line)
        insert(name, ParametersSupplier(provider), at: location)
    }
}

/// Creates services from parameters, for a box.
private protocol ParametersFactory<Service, Parameters>: Sendable {
    associatedtype Service: Sendable
    associatedtype Parameters

    func makeService(in box: ServiceBox, from parameters: Parameters) throws -> Service
}

extension ParametersFactory {
    /// Generic over the factory, since the compiler can't lower a closure that takes a tuple of a parameter pack.
    func register(_ recipe: Recipe, in box: ServiceBox) {
        box.register(recipe) { try makeService(in: $0, from: $1) }
    }
}

/// A closure with parameters that may belong to an actor.
private struct IsolatedClosure<Service: Sendable, each Parameter>: Sendable {
    let run: @isolated(any) @Sendable (ServiceBox, repeat each Parameter) throws -> Service
}

/// The same closure, to be called in its isolation.
private struct ParametersClosure<Service: Sendable, each Parameter>: ParametersFactory {
    private let run: @Sendable (ServiceBox, repeat each Parameter) throws -> Service

    init(_ closure: IsolatedClosure<Service, repeat each Parameter>) {
        // As without parameters. The compiler can't pass a closure of a parameter pack to a generic function, so
        // the cast takes a struct that has it alone.
        self = unsafeBitCast(closure, to: Self.self)
    }

    func makeService(in box: ServiceBox, from parameters: (repeat each Parameter)) throws -> Service {
        try run(box, repeat each parameters)
    }
}
