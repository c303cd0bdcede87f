// Part of ServiceBox, released under the MIT License.
// Registering factories: closures, factory objects and providers.

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
    /// The closure runs where the service is first resolved, under no lock. One that is isolated to an actor
    /// runs only on that actor: if the service is resolved elsewhere before it is created, it is a hole that
    /// says so. Once created, it is handed out anywhere. An eager service is created as soon as it is
    /// registered, and keeps its factory's error; if it lacks something, the next use tries again. A child's own,
    /// with ``ServiceScope/box``, is created when the child first uses it or starts.
    ///
    /// It traps in the same cases as for an instance, before anything is created.
    ///
    /// - Parameters:
    ///   - key: The name that properties ask for, and the type to keep the service as. Without a key, the
    ///     service is named after the type that the closure returns.
    ///   - lifetime: When the service is created, and how long the box keeps it.
    ///   - scope: Whether child boxes share the service.
    ///   - fills: Whether the box fills the service's own properties; otherwise they are left alone.
    ///   - onStop: Ends the service when the box is stopped, see ``stop(within:)``; it never runs for a service
    ///     registered after that. For a transient service, which belongs to whoever resolves it, it traps.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - make: Creates the service.
    /// - Returns: A token that removes the registration; releasing it removes nothing.
    @inlinable
    @discardableResult
    public func register<Service: Sendable>(
        as key: ServiceKey<Service>? = nil, lifetime: Lifetime = .lazy, per scope: ServiceScope = .family,
        fills: Bool = true, onStop: StopAction<Service>? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ make: @escaping @isolated(any) @Sendable (_ box: ServiceBox) throws -> Service
    ) -> ServiceRegistration {
        // An `@isolated(any)` function stores its isolation beside its captures (SE-0431) and is called like
        // any other function. It is run only in the `isolation` that it carries.
        let run = unsafe unsafeBitCast(IsolatedFactory(run: make), to: PlainFactory<Service>.self).run
        // The closure is created here, where the type is known: elsewhere the runtime would have to look it
        // up for each service.
        let closure = lifetime == .transient ? TransientClosure(run) { AnyCell.holding($0) } : nil
        return register(
            Service.self, as: key?.name, lifetime, scope, fills, AnyCell.stopping(by: onStop), fileID, line,
            on: make.isolation, closure
        ) { AnyCell.holding(try run($0)) }
    }

    /// Registers a factory that must be awaited.
    ///
    /// The service is created by ``prepare(_:)-(ServiceKey<Service>)``, exactly once however many tasks wait
    /// for it, or by ``start()``. Before that, look-ups throw ``ServiceBoxError/Code/notReady``, and a
    /// property that needs it is a hole that says so. Afterwards it is a service like any other, at the same
    /// cost.
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
    /// The factory runs in its closure's isolation, as a task of its own, which inherits no task-local
    /// values but ``default`` and has the highest priority of the waiting tasks. When all of them are
    /// cancelled, so is the factory. In it, await other asynchronous services:
    /// `try await box.prepare("settings")`.
    ///
    /// An eager service is created by ``start()``, a transient one only by each `prepare`. It traps in the
    /// same cases as for a synchronous factory.
    ///
    /// - Parameters:
    ///   - key: The name that properties ask for, and the type to keep the service as. Without a key, the
    ///     service is named after the type that the closure returns.
    ///   - lifetime: When the service is created, and how long the box keeps it.
    ///   - scope: Whether child boxes share the service.
    ///   - fills: Whether the box fills the service's own properties; otherwise they are left alone.
    ///   - onStop: Ends the service when the box is stopped, see ``stop(within:)``; it never runs for a service
    ///     registered after that. For a transient service, which belongs to whoever resolves it, it traps.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - make: Creates the service.
    /// - Returns: A token that removes the registration; releasing it removes nothing.
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
        return ServiceRegistration(
            insert(name, .recipe(recipe), at: location, fills: fills, stop: stop))
    }

    /// Registers a factory that creates services from parameters.
    ///
    /// The closure receives the box and the parameters passed to ``resolve(_:with:_:)``. It creates a new
    /// service each time, which is filled from the box. Properties of type ``ServiceParametersProvider``
    /// receive a provider.
    ///
    /// ```swift
    /// struct Page: Sendable { let number: Int, cache: Cache }
    ///
    /// box.register { (box, number: Int) in Page(number: number, cache: try box["cache"]) }
    /// let page: Page = try box.resolve("page", with: 3)
    /// ```
    ///
    /// It traps in the same cases as for an instance, and under a decorated name.
    ///
    /// - Parameters:
    ///   - key: The service's name and type. Without a key, it is named after the type that the closure
    ///     returns.
    ///   - fills: Whether the box fills the properties of the services; otherwise they are left alone.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - make: Creates a service.
    /// - Returns: A token that removes the registration; releasing it removes nothing.
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
    /// Like a factory closure, with the object's lifetime. With `onStop` it traps if that is transient, since
    /// such a service belongs to whoever resolves it.
    ///
    /// - Parameters:
    ///   - factory: Creates the service.
    ///   - key: The name that properties ask for. Without a key, the service is named after its type.
    ///   - scope: Whether child boxes share the service.
    ///   - fills: Whether the box fills the service's own properties; otherwise they are left alone.
    ///   - onStop: Ends the service when the box is stopped, see ``stop(within:)``; it never runs for a service
    ///     registered after that.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: A token that removes the registration; releasing it removes nothing.
    @discardableResult
    public func register<Service: Sendable>(
        factory: any ServiceFactory<Service>, as key: ServiceKey<Service>? = nil,
        per scope: ServiceScope = .family, fills: Bool = true, onStop: StopAction<Service>? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ServiceRegistration {
        // Here and below `any`: if these were generic over the object's type, the compiler would take a factory
        // closure with a mistake for such an object.
        registerFactory(
            of: Service.self, as: key?.name, lifetime: factory.lifetime, per: scope, fills: fills,
            stop: AnyCell.stopping(by: onStop), fileID, line,
            .here { _ in AnyCell.holding(try factory.makeService()) })
    }

    /// Registers a factory object that creates services from parameters.
    ///
    /// Like a factory closure with parameters.
    ///
    /// - Parameters:
    ///   - factory: Creates the services.
    ///   - key: The service's name. Without a key, it is named after its type.
    ///   - fills: Whether the box fills the properties of the services; otherwise they are left alone.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: A token that removes the registration; releasing it removes nothing.
    @discardableResult
    public func register<Service: Sendable, Parameters>(
        factory: any ServiceParametersFactory<Service, Parameters>, as key: ServiceKey<Service>? = nil,
        fills: Bool = true, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ServiceRegistration {
        registerFactory(
            of: Service.self, as: key?.name, fills: fills, fileID, line,
            .fromParameters { (_, parameters: Parameters) in try factory.makeService(parameters) })
    }

    /// Registers a provider, which may have created its service already and may be shared with others.
    ///
    /// A property of the provider's own type receives a provider of the same service, one that the service fits
    /// receives the service. A service is filled when the box first sees it: only its empty slots, and no table,
    /// since others may be using it. For the same reason the box neither starts nor stops it. It traps in the same
    /// cases as for an instance.
    ///
    /// - Parameters:
    ///   - provider: Creates the service.
    ///   - key: The name that properties ask for. Without a key, the service is named after its type.
    ///   - fills: Whether the box fills the service's empty properties.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: A token that removes the registration; releasing it removes nothing.
    @discardableResult
    public func register<Service: Sendable>(
        provider: ServiceProvider<Service>, as key: ServiceKey<Service>? = nil, fills: Bool = true,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ServiceRegistration {
        let (name, location) = named(key?.name, Service.self, fileID, line)
        let history = ServiceHistory()
        let isKept = provider.source.lifetime != .transient
        let isOfBox = provider.source.maker.delegate != nil
        let watched = WatchedSource(provider.source, history) {
            [weak self] service, isAnother throws(ServiceBoxError) in
            guard let self else { throw ServiceBoxError(.boxIsGone(name: name)) }
            guard fills else { return nil }
            return try fillForeign(
                service, isAnother: isAnother, isKept: isKept, isOfBox: isOfBox, name, history)
        }
        return ServiceRegistration(
            insert(name, .supplier(ProviderSupplier(watched)), at: location, history, fills: fills))
    }

    /// Registers a provider of services that are created from parameters.
    ///
    /// Properties of the provider's own type receive it, and ``resolve(_:with:_:)`` calls it. The box doesn't
    /// fill its services: register a factory to have each service filled. It traps in the same cases as for an
    /// instance, and if the name is decorated.
    ///
    /// - Parameters:
    ///   - provider: Creates the services.
    ///   - key: The service's name. Without a key, it is named after its type.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: A token that removes the registration; releasing it removes nothing.
    @discardableResult
    public func register<Service: Sendable, Parameters>(
        provider: ServiceParametersProvider<Service, Parameters>, as key: ServiceKey<Service>? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ServiceRegistration {
        let (name, location) = named(key?.name, Service.self, fileID, line)
        return ServiceRegistration(
            insert(name, .supplier(ParametersSupplier(provider)), at: location))
    }
}

/// A closure that may be isolated; cast as the only member of a struct, since casting a closure wraps it
/// twice.
@usableFromInline
struct IsolatedFactory<Service: Sendable>: Sendable {
    @usableFromInline let run: @isolated(any) @Sendable (ServiceBox) throws -> Service

    @usableFromInline
    init(run: @escaping @isolated(any) @Sendable (ServiceBox) throws -> Service) {
        self.run = run
    }
}

/// The same closure, callable in its isolation.
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
    /// Generic over the factory, because the compiler can't lower a closure that takes a tuple of a parameter
    /// pack.
    var factory: Recipe.Factory { .fromParameters { try makeService(in: $0, from: $1) } }
}

/// A closure with parameters that may be isolated to an actor.
private struct IsolatedClosure<Service: Sendable, each Parameter>: Sendable {
    let run: @isolated(any) @Sendable (ServiceBox, repeat each Parameter) throws -> Service
}

/// The same closure, callable in its isolation.
private struct ParametersClosure<Service: Sendable, each Parameter>: ParametersFactory {
    private let run: @Sendable (ServiceBox, repeat each Parameter) throws -> Service

    init(_ closure: IsolatedClosure<Service, repeat each Parameter>) {
        // As without parameters. The compiler can't pass a closure with a parameter pack to a generic
        // function, so a struct that contains only the closure is cast.
        self = unsafe unsafeBitCast(closure, to: Self.self)
    }

    func makeService(in box: ServiceBox, from parameters: (repeat each Parameter)) throws -> Service {
        try run(box, repeat each parameters)
    }
}
