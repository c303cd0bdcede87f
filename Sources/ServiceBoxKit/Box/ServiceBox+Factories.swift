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
    /// created, it is handed out anywhere. An eager service is created as soon as it is registered, and keeps the
    /// error that its factory throws; where it lacks something, the next use tries again.
    ///
    /// What traps for an instance traps here too, before anything is created: an empty or reserved name, an optional, a
    /// type without a name where there is no key, a sealed box.
    ///
    /// - Parameters:
    ///   - key: The name that properties ask for, and the type to keep the service as. Without a key, the
    ///     service is named after the type that the closure returns.
    ///   - lifetime: When the service is created, and how long the box keeps it.
    ///   - scope: Whether child boxes share the service.
    ///   - fills: Whether the box fills the service's own properties; otherwise it hands it out as it is.
    ///   - onStop: Ends the service when the box is stopped, see ``stop(within:)``; for a transient service, which
    ///     belongs to whoever resolves it, it traps.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - make: Creates the service.
    /// - Returns: What removes the registration; letting it go removes nothing.
    @inlinable
    @discardableResult
    public func register<Service: Sendable>(
        as key: ServiceKey<Service>? = nil, lifetime: Lifetime = .lazy, per scope: ServiceScope = .family,
        fills: Bool = true, onStop: StopAction<Service>? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ make: @escaping @isolated(any) @Sendable (_ box: ServiceBox) throws -> Service
    ) -> ServiceRegistration {
        // What isolation an `@isolated(any)` function has lies beside its captures (SE-0431); called, it is a
        // function as any other. It is run in the `isolation` that it carries only.
        let run = unsafeBitCast(IsolatedFactory(run: make), to: PlainFactory<Service>.self).run
        // The closure is made here, where the type is known: elsewhere the runtime would have to look it up for each
        // service.
        let closure = lifetime == .transient ? TransientClosure(run) { AnyCell.holding($0) } : nil
        return register(
            Service.self, as: key?.name, lifetime, scope, fills, AnyCell.stopping(by: onStop), fileID, line,
            on: make.isolation, closure
        ) { AnyCell.holding(try run($0)) }
    }

    /// Registers a factory that must be awaited.
    ///
    /// The service is created by ``prepare(_:)-(ServiceKey<Service>)``, exactly once however many tasks ask, or by
    /// ``start()``. Asked for before, look-ups throw ``ServiceBoxError/Code/notReady``, and a property in need of it is
    /// a hole that says so. Afterwards it is a service like any other, at the same cost.
    ///
    /// ```swift
    /// final class Database: Sendable {
    ///     static func open() async throws -> Database { Database() }
    /// }
    ///
    /// box.register(as: "database") { _ in try await Database.open() }
    /// let database: Database = try await box.prepare("database")
    /// ```
    ///
    /// The factory runs in its closure's isolation, as a task of its own, which inherits no task-local value and has
    /// the highest priority of those who wait for it. When all of them are cancelled, it is. In it, await what else must
    /// be awaited: `try await box.prepare("settings")`.
    ///
    /// An eager service is created by ``start()``, a transient one by each `prepare` alone. What traps for a
    /// synchronous factory traps here too.
    ///
    /// - Parameters:
    ///   - key: The name that properties ask for, and the type to keep the service as. Without a key, the
    ///     service is named after the type that the closure returns.
    ///   - lifetime: When the service is created, and how long the box keeps it.
    ///   - scope: Whether child boxes share the service.
    ///   - fills: Whether the box fills the service's own properties; otherwise it hands it out as it is.
    ///   - onStop: Ends the service when the box is stopped, see ``stop(within:)``; for a transient service, which
    ///     belongs to whoever resolves it, it traps.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - make: Creates the service.
    /// - Returns: What removes the registration; letting it go removes nothing.
    @discardableResult
    public func register<Service: Sendable>(
        as key: ServiceKey<Service>? = nil, lifetime: Lifetime = .lazy, per scope: ServiceScope = .family,
        fills: Bool = true, onStop: StopAction<Service>? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ make: @escaping @isolated(any) @Sendable (_ box: ServiceBox) async throws -> Service
    ) -> ServiceRegistration {
        registerFactory(
            of: Service.self, as: key?.name, lifetime: lifetime, per: scope, fills: fills,
            stop: AnyCell.stopping(by: onStop), fileID, line, on: make.isolation,
            .awaited { AnyCell.holding(try await make($0)) })
    }

    /// Registers a closure that creates cells with services of a type.
    @usableFromInline
    func register(
        _ type: any Sendable.Type, as name: String?, _ lifetime: Lifetime, _ scope: ServiceScope,
        _ fills: Bool, _ stop: AnyStopAction?, _ fileID: StaticString, _ line: UInt,
        on isolation: (any Actor)?, _ closure: (any AnyObject & Sendable)?,
        _ make: @escaping @Sendable (ServiceBox) throws -> AnyCell
    ) -> ServiceRegistration {
        registerFactory(
            of: type, as: name, lifetime: lifetime, per: scope, fills: fills, stop: stop, fileID, line,
            on: isolation, .here(make, closure))
    }

    private func registerFactory(
        of type: any Sendable.Type, as name: String?, lifetime: Lifetime = .transient,
        per scope: ServiceScope = .family, fills: Bool, stop: AnyStopAction? = nil,
        _ fileID: StaticString, _ line: UInt, on isolation: (any Actor)? = nil, _ factory: Recipe.Factory
    ) -> ServiceRegistration {
        let (name, location) = named(name, type, fileID, line)
        if stop != nil, lifetime == .transient {
            location.trap(Message.transientStop(type, as: name, at: "\(location)"))
        }
        let recipe = Recipe(
            name: name, serviceType: type, lifetime: lifetime, scope: scope, isolation: isolation, factory)
        let history = ServiceHistory()
        let supplier = Creation(recipe, history, fills: fills, in: registry).supplier(isInherited: false)
        return insert(name, supplier, at: location, history, recipe, fills: fills, stop: stop)
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
    ///   - fills: Whether the box fills the properties of the services; otherwise it hands them out as they are.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - make: Creates a service.
    /// - Returns: What removes the registration; letting it go removes nothing.
    @discardableResult
    public func register<Service: Sendable, First, each Rest>(
        as key: ServiceKey<Service>? = nil, fills: Bool = true, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ make:
            @escaping @isolated(any) @Sendable (
                _ box: ServiceBox, _ first: First, _ rest: repeat each Rest
            ) throws -> Service
    ) -> ServiceRegistration {
        let closure = ParametersClosure<Service, First, repeat each Rest>(IsolatedClosure(run: make))
        return registerFactory(
            of: Service.self, as: key?.name, fills: fills, fileID, line, on: make.isolation, closure.factory)
    }

    /// Registers a factory object.
    ///
    /// As a factory closure, with the object's lifetime.
    ///
    /// - Parameters:
    ///   - factory: Creates the service.
    ///   - key: The name that properties ask for. Without a key, the service is named after its type.
    ///   - scope: Whether child boxes share the service.
    ///   - fills: Whether the box fills the service's own properties; otherwise it hands it out as it is.
    ///   - onStop: Ends the service when the box is stopped, see ``stop(within:)``.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: What removes the registration; letting it go removes nothing.
    @discardableResult
    public func register<Factory: ServiceFactory>(
        factory: Factory, as key: ServiceKey<Factory.Service>? = nil, per scope: ServiceScope = .family,
        fills: Bool = true, onStop: StopAction<Factory.Service>? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceRegistration {
        registerFactory(
            of: Factory.Service.self, as: key?.name, lifetime: factory.lifetime, per: scope, fills: fills,
            stop: AnyCell.stopping(by: onStop), fileID, line,
            .here { _ in AnyCell.holding(try factory.makeService()) })
    }

    /// Registers a factory object that creates services from parameters.
    ///
    /// As a factory closure with parameters.
    ///
    /// - Parameters:
    ///   - factory: Creates the services.
    ///   - key: The name that the service is asked for by. Without a key, it is named after its type.
    ///   - fills: Whether the box fills the properties of the services; otherwise it hands them out as they are.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: What removes the registration; letting it go removes nothing.
    @discardableResult
    public func register<Factory: ServiceParametersFactory>(
        factory: Factory, as key: ServiceKey<Factory.Service>? = nil, fills: Bool = true,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ServiceRegistration {
        registerFactory(
            of: Factory.Service.self, as: key?.name, fills: fills, fileID, line,
            .fromParameters { (_, parameters: Factory.Parameters) in try factory.makeService(parameters) })
    }

    /// Registers a provider, which may have created its service already and may be shared with others.
    ///
    /// A property of the provider's own type receives the provider, one that the service fits receives the
    /// service. A service is filled when the box first sees it: its empty properties alone, since others may be using it, and
    /// by slots, not by a table. What traps for an instance traps here too.
    ///
    /// - Parameters:
    ///   - provider: Creates the service.
    ///   - key: The name that properties ask for. Without a key, the service is named after its type.
    ///   - fills: Whether the box fills the service's empty properties.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: What removes the registration; letting it go removes nothing.
    @discardableResult
    public func register<Service: Sendable>(
        provider: ServiceProvider<Service>, as key: ServiceKey<Service>? = nil, fills: Bool = true,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ServiceRegistration {
        let (name, location) = named(key?.name, Service.self, fileID, line)
        let history = ServiceHistory()
        let isKept = provider.source.lifetime?.isKept ?? true
        let watched = WatchedSource(provider.source) {
            [weak self] service, isAnother throws(ServiceBoxError) in
            guard let self else { throw ServiceBoxError(.boxIsGone(name: name), path: ServicePath([])) }
            guard fills else { return nil }
            return try fillForeign(service, isAnother: isAnother, isKept: isKept, name, history)
        }
        return insert(name, ProviderSupplier(watched), at: location, history, fills: fills)
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
    /// - Returns: What removes the registration; letting it go removes nothing.
    @discardableResult
    public func register<Service: Sendable, Parameters>(
        provider: ServiceParametersProvider<Service, Parameters>, as key: ServiceKey<Service>? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ServiceRegistration {
        let (name, location) = named(key?.name, Service.self, fileID, line)
        return insert(name, ParametersSupplier(provider), at: location)
    }
}

/// A closure that may belong to an actor: cast in a struct that has it alone, since the cast of a closure wraps it twice.
@usableFromInline
struct IsolatedFactory<Service: Sendable>: Sendable {
    @usableFromInline let run: @isolated(any) @Sendable (ServiceBox) throws -> Service

    @usableFromInline
    init(run: @escaping @isolated(any) @Sendable (ServiceBox) throws -> Service) {
        self.run = run
    }
}

/// The same closure, to be called in its isolation.
@usableFromInline
struct PlainFactory<Service: Sendable>: Sendable {
    @usableFromInline let run: @Sendable (ServiceBox) throws -> Service
}

/// Creates services from parameters, for a box.
private protocol ParametersFactory<Service, Parameters>: Sendable {
    associatedtype Service: Sendable
    associatedtype Parameters

    func makeService(in box: ServiceBox, from parameters: Parameters) throws -> Service
}

extension ParametersFactory {
    /// Generic over the factory, since the compiler can't lower a closure that takes a tuple of a parameter pack.
    var factory: Recipe.Factory { .fromParameters { try makeService(in: $0, from: $1) } }
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
