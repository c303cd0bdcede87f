// Part of ServiceBox, released under the MIT License.
// Looking services up.

extension ServiceBox {
    /// Looks up a service by its key.
    ///
    /// ```swift
    /// let cache: Cache = try box.resolve("cache")
    /// ```
    ///
    /// The registered services are filled with each other first, as before any use of the box. A service that
    /// doesn't fit the type isn't created, unless it is registered as an interface, where only the service can tell.
    /// Services are created on the caller's thread. A service that lacks something it requires isn't returned,
    /// whether it was created or registered ready-made.
    ///
    /// - Parameter key: The name of the service, and the type that it has to fit; an optional type asks for
    ///   the type that it wraps.
    /// - Returns: The service, created if necessary.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/missing``,
    ///   ``ServiceBoxError/Code/typeMismatch``, ``ServiceBoxError/Code/incomplete`` if the service lacks
    ///   something, ``ServiceBoxError/Code/notReady`` if it must be awaited, ``ServiceBoxError/Code/stopped``
    ///   if its box has stopped, or the error of creating it.
    /// - Complexity: O(1) besides creating.
    @inlinable
    public func resolve<Service>(_ key: ServiceKey<Service>) throws(ServiceBoxError) -> Service {
        if let found = found(Service.self, named: key.name),
            let service = try unsafe take(Service.self, from: found)
        {
            return service
        }
        return try resolveSlowly(Service.self, named: key.name)
    }

    /// The service that was found for exactly a type, taken where the caller's code knows the type; nil if that
    /// isn't possible.
    @inlinable @inline(__always)
    @unsafe func take<Service>(
        _ type: Service.Type, from found: FoundService
    ) throws(ServiceBoxError) -> Service? {
        if let service = unsafe found.madeService(type) { return service }
        if let closure = unsafe found.closure { return try unsafe create(type, by: closure, of: found) }
        return try unsafe cell(from: found)?.value(as: type)
    }

    /// Looks up a service by its key, as ``resolve(_:)-(ServiceKey<Service>)`` does.
    ///
    /// - Parameter key: The name and the type of the service.
    /// - Returns: The service, created if necessary.
    /// - Throws: ``ServiceBoxError``.
    @inlinable
    public subscript<Service>(key: ServiceKey<Service>) -> Service {
        get throws(ServiceBoxError) { try resolve(key) }
    }

    /// Looks up a service when the fast path fails.
    @usableFromInline
    func resolveSlowly<Service>(
        _ type: Service.Type, named name: String
    ) throws(ServiceBoxError) -> Service {
        let query = ServiceQuery(request: CellRequest(type: type))
        return try resolve(type, from: try registration(named: name, for: query))
    }

    /// Looks up a service by its key, unless none is registered under the key's name.
    ///
    /// ```swift
    /// let cache = try box.resolveIfRegistered("cache" as ServiceKey<Cache>)     // a Cache?
    /// ```
    ///
    /// A service that is registered is as good as required: if it doesn't fit or can't be created, that is an
    /// error, which `try?` would turn into nil too.
    ///
    /// - Parameter key: The name of the service, and the type that it has to fit.
    /// - Returns: The service, created if necessary; nil if neither this box nor an ancestor has one.
    /// - Throws: ``ServiceBoxError`` as ``resolve(_:)-(ServiceKey<Service>)`` does, except
    ///   ``ServiceBoxError/Code/missing`` for the name itself.
    /// - Complexity: O(1) besides creating.
    public func resolveIfRegistered<Service>(
        _ key: ServiceKey<Service>
    ) throws(ServiceBoxError) -> Service? {
        guard let found = registration(named: key.name) else { return nil }
        return try resolve(Service.self, from: found)
    }

    /// Looks up a service by its type alone, unless none fits.
    ///
    /// ```swift
    /// let cache: Cache? = try box.resolveIfRegistered()
    /// ```
    ///
    /// - Parameter type: The type that the service has to fit.
    /// - Returns: The service, created if necessary; nil if no service of this box or an ancestor fits.
    /// - Throws: ``ServiceBoxError`` as ``resolve(_:)-(Service.Type)`` does, except
    ///   ``ServiceBoxError/Code/missing`` for the type itself; a preferred service has to be there.
    /// - Complexity: As for ``resolve(_:)-(Service.Type)``.
    public func resolveIfRegistered<Service>(
        _ type: Service.Type = Service.self
    ) throws(ServiceBoxError) -> Service? {
        guard let found = try registrationIfAny(fitting: type) else { return nil }
        return try resolve(type, from: found)
    }

    /// Looks up a service by its type alone.
    ///
    /// ```swift
    /// let cache: Cache = try box.resolve()
    /// ```
    ///
    /// Exactly one service has to be registered as the type; if none is, exactly one has to fit. If several
    /// do, ``prefer(_:for:fileID:line:)-(ServiceKey<Preferred>,_,_,_)`` decides. A service is judged by its
    /// registered type, a ready-made one also by its own: nothing is created to find out its type. Services
    /// are created on the caller's thread.
    ///
    /// - Parameter type: The type that the service has to fit; an optional type asks for the type that it
    ///   wraps.
    /// - Returns: The service, created if necessary.
    /// - Throws: ``ServiceBoxError`` as for a key, with the code ``ServiceBoxError/Code/missing`` if none fits,
    ///   ``ServiceBoxError/Code/ambiguous`` if several do, ``ServiceBoxError/Code/typeMismatch`` if the
    ///   preferred one doesn't.
    /// - Complexity: O(1) besides creating; for a type that no service is registered as, O(*n*) the first time
    ///   after a registration, for the *n* services of the box where that happened.
    @inlinable
    public func resolve<Service>(_ type: Service.Type = Service.self) throws(ServiceBoxError) -> Service {
        if let found = found(fitting: Service.self),
            let service = try unsafe take(Service.self, from: found)
        {
            return service
        }
        return try resolveSlowly(Service.self)
    }

    /// Looks up a service by its type when the fast path fails.
    @usableFromInline
    func resolveSlowly<Service>(_ type: Service.Type) throws(ServiceBoxError) -> Service {
        try resolve(type, from: try registration(fitting: type))
    }

    /// Looks up every service of a type: an ancestor's first, otherwise in the order of their registration.
    ///
    /// A service is judged by its registered type, a ready-made one also by its own. Services are created on
    /// the caller's thread. The box's own entry isn't among them. Called in the factory of a service that fits,
    /// it asks for that service too, which is a cycle.
    ///
    /// - Parameter type: The type that the services have to fit.
    /// - Returns: The services, created if necessary; empty if none fits.
    /// - Throws: ``ServiceBoxError`` of the first that can't be handed out, as for a key; those after it aren't
    ///   created.
    /// - Complexity: O(*m*) for *m* that fit, besides creating; the first time after a registration also
    ///   O(*n* log *n*), for the *n* services of the box where that happened.
    public func resolveAll<Service>(_ type: Service.Type = Service.self) throws(ServiceBoxError) -> [Service]
    {
        let request = CellRequest(type: type)
        let found = upToDate { registry.services(fitting: request) }.0.services
        for service in found { ledger.noteLookUp(of: service) }
        var services: [Service] = []
        for service in found {
            let cell = try take(service) { service throws(ServiceBoxError) in
                try service.supply(request, for: .code)
            }
            // Each cell is requested as the type.
            if let cell { services.append(unsafe cell.value(as: type)) }
        }
        return services
    }

    /// Creates a service from parameters.
    ///
    /// ```swift
    /// box.register(as: "greeting") { (_, name: String) in "Hello, \(name)" }
    /// let greeting: String = try box.resolve("greeting", with: "Ada")
    /// ```
    ///
    /// - Parameters:
    ///   - key: The name that it is registered under, and the type that it has to fit; an optional type asks
    ///     for the type that it wraps.
    ///   - first: The parameter, of exactly the type that its factory takes.
    ///   - rest: The other parameters, if its factory takes more than one.
    /// - Returns: A new service.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/missing``,
    ///   ``ServiceBoxError/Code/typeMismatch`` if no service of that type is created from such parameters,
    ///   otherwise as for a key.
    public func resolve<Service, First, each Rest>(
        _ key: ServiceKey<Service>, with first: First, _ rest: repeat each Rest
    ) throws(ServiceBoxError) -> Service {
        try resolve(key, parameters: (first, repeat each rest))
    }

    private func resolve<Service, Parameters>(
        _ key: ServiceKey<Service>, parameters: Parameters
    ) throws(ServiceBoxError) -> Service {
        let query = ServiceQuery(
            request: CellRequest(type: Service.self), form: .parameters(Parameters.self))
        let found = try registration(named: key.name, for: query)
        guard query.request.fit(found.serviceType).isPossible else { throw mismatch(found, query) }
        let service = try take(found) { found throws(ServiceBoxError) in
            try found.supplier.service(as: Service.self, from: parameters)
        }
        guard let service else { throw mismatch(found, query) }
        return service
    }

    /// Looks up the provider of a service; doesn't create the service.
    ///
    /// - Parameter key: The name and the type that the service was registered as.
    /// - Returns: The provider; for an instance, one that returns it.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/missing`` or
    ///   ``ServiceBoxError/Code/typeMismatch``.
    public func provider<Service: Sendable>(
        _ key: ServiceKey<Service>
    ) throws(ServiceBoxError) -> ServiceProvider<Service> {
        let query = ServiceQuery(request: CellRequest(type: Service.self), form: .provider)
        let found = try registration(named: key.name, for: query)
        if let provider = found.supplier.provider?.content(as: ServiceProvider<Service>.self) {
            return provider
        }
        throw mismatch(found, query)
    }

    /// The service under a name, if it was looked up before and is registered as exactly a type.
    ///
    /// It isn't generic, so the runtime needs no type look-ups: resolving a created service took twice as
    /// long otherwise (measured).
    @usableFromInline
    func found(_ type: Any.Type, named name: String) -> FoundService? {
        guard let generation = crossFiller.filledGeneration,
            let found = registry.lookUps.found(named: name, for: generation), found.serviceType == type
        else { return nil }
        ledger.noteAsk(of: found.registration)
        return found
    }

    /// The same for the only service that fits a type.
    @usableFromInline
    func found(fitting type: Any.Type) -> FoundService? {
        guard let generation = crossFiller.filledGeneration,
            case .found(let found)? = registry.lookUps.answer(for: type, for: generation),
            found.serviceType == type
        else { return nil }
        ledger.noteAsk(of: found.registration)
        return found
    }

    /// The service that was found, in its cell, created if necessary.
    @usableFromInline
    func cell(from found: FoundService) throws(ServiceBoxError) -> AnyCell? {
        try cell(from: found.registration)
    }

    /// The service of a registration, created if necessary.
    private func cell(from found: Registration) throws(ServiceBoxError) -> AnyCell? {
        try take(found) { found throws(ServiceBoxError) in try found.cell() }
    }

    /// What a registration supplies; its error is thrown as this box sees it, and a factory that asks doesn't need it.
    @inline(__always)
    private func take<Supply>(
        _ found: Registration, _ supply: (Registration) throws(ServiceBoxError) -> Supply
    ) throws(ServiceBoxError) -> Supply {
        do throws(ServiceBoxError) { return try supply(found) } catch {
            registry.noteFailure(of: found)
            throw registry.seen(error)
        }
    }

    /// The registration under a name; notes the look-up.
    func registration(named name: String) -> Registration? {
        if let generation = crossFiller.filledGeneration,
            let found = registry.lookUps.found(named: name, for: generation)
        {
            ledger.noteAsk(of: found.registration)
            return found.registration
        }
        let (found, generation) = upToDate { registry.registration(named: name) }
        guard let found else { return nil }
        ledger.noteLookUp(of: found)
        registry.lookUps.note(FoundService(found), named: name, for: generation)
        return found
    }

    /// The same; throws an error if there is none.
    func registration(named name: String, for query: ServiceQuery) throws(ServiceBoxError) -> Registration {
        guard let found = registration(named: name) else { throw missed(.missing, query, named: name) }
        return found
    }

    /// The only service that fits a type, unless none does; notes the look-up.
    private func registrationIfAny(fitting type: Any.Type) throws(ServiceBoxError) -> Registration? {
        let answer: LookUps<FoundService, Registration>.Answer
        if let generation = crossFiller.filledGeneration,
            let known = registry.lookUps.answer(for: type, for: generation)
        {
            answer = known
            if case .found(let found) = known { ledger.noteAsk(of: found.registration) }
        } else {
            ledger.noteLookUp(by: type)
            let (fitting, generation) = upToDate { registry.registrations(fitting: type) }
            let services = fitting.services
            answer = services.count == 1 ? .found(FoundService(services[0])) : .count(services.count)
            if services.count == 1 { ledger.noteLookUp(of: services[0]) }
            if fitting.holdAnywhere { registry.lookUps.note(answer, for: type, for: generation) }
        }
        switch answer {
        case .found(let found): return found.registration
        case .count(let count):
            let reason = FailedLookUp.Reason(found: count, fitting: type, in: registry)
            if case .missing = reason { return nil }
            throw missed(reason, ServiceQuery(request: CellRequest(type: type)))
        }
    }

    /// The same; throws an error if none does.
    func registration(fitting type: Any.Type) throws(ServiceBoxError) -> Registration {
        guard let found = try registrationIfAny(fitting: type) else {
            throw missed(.missing, ServiceQuery(request: CellRequest(type: type)))
        }
        return found
    }

    /// The service of a registration, which may have another type.
    func resolve<Service>(
        _ type: Service.Type, from found: Registration
    ) throws(ServiceBoxError) -> Service {
        if found.serviceType == type, let cell = try cell(from: found) { return unsafe cell.value(as: type) }
        let query = ServiceQuery(request: CellRequest(type: type))
        guard found.fit(query.request).isPossible else { throw mismatch(found, query) }
        let cell = try take(found) { found throws(ServiceBoxError) in
            try found.supply(query.request, for: .code)
        }
        guard let cell else { throw mismatch(found, query) }
        // It was requested for exactly this type.
        return unsafe cell.value(as: type)
    }

    /// The error of a failed look-up; tells observers about it.
    func missed(
        _ reason: FailedLookUp.Reason, _ query: ServiceQuery, named name: String? = nil
    ) -> ServiceBoxError {
        let error = ServiceBoxError(FailedLookUp(reason, of: query, named: name, in: registry))
        ledger.tell([
            ServiceEvent(kind: .missed, serviceName: name, type: query.request.type, error: error)
        ])
        return error
    }

    func mismatch(_ found: Registration, _ query: ServiceQuery) -> ServiceBoxError {
        missed(.mismatch(ServiceDescription(found)), query, named: found.name)
    }
}
