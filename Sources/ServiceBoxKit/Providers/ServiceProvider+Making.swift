// Part of ServiceBox, released under the MIT License.
// What a provider can be made from.

extension ServiceProvider {
    /// Makes a provider of a service that is there already.
    ///
    /// - Parameter instance: The service.
    public convenience init(instance: Service) {
        self.init(InstanceSource(instance))
    }

    /// Makes a provider from a factory.
    ///
    /// An eager service is made at once; if that fails, every ask throws the error until ``reset()``. Use
    /// ``init(validating:)`` to get the error at once.
    ///
    /// - Parameter factory: Makes the service.
    public convenience init(_ factory: some ServiceFactory<Service>) {
        self.init(lifetime: factory.lifetime, Maker { try factory.makeService() })
    }

    /// Makes a provider from a factory, or throws if every ask would fail.
    ///
    /// - Parameter factory: Makes the service.
    /// - Throws: ``ServiceBoxError/Code/weakValue`` if the service is to be held weakly and its type is no
    ///   class, and what ``resolve()`` throws if the service is eager.
    public convenience init(validating factory: some ServiceFactory<Service>) throws(ServiceBoxError) {
        self.init(factory)
        try validate()
    }

    /// Makes a provider from a closure.
    ///
    /// An eager service is made at once; if that fails, every ask throws the error until ``reset()``. Use
    /// ``init(validating:_:)`` to get the error at once.
    ///
    /// - Parameters:
    ///   - lifetime: When the service is made, and how long it is kept.
    ///   - make: Makes the service, on whatever thread asks.
    public convenience init(_ lifetime: Lifetime = .lazy, _ make: @escaping @Sendable () throws -> Service) {
        self.init(lifetime: lifetime, Maker { try make() })
    }

    /// Makes a provider from a closure, or throws if every ask would fail.
    ///
    /// - Parameters:
    ///   - lifetime: When the service is made, and how long it is kept.
    ///   - make: Makes the service, on whatever thread asks.
    /// - Throws: As ``init(validating:)``.
    public convenience init(
        validating lifetime: Lifetime, _ make: @escaping @Sendable () throws -> Service
    ) throws(ServiceBoxError) {
        self.init(lifetime, make)
        try validate()
    }

    /// Makes a provider from a closure that belongs to the main actor.
    ///
    /// The service is made on the main actor only: an ask elsewhere throws until it is made, and then gets
    /// it. An eager one is made at once, so make its provider on the main actor.
    ///
    /// - Parameters:
    ///   - lifetime: When the service is made, and how long it is kept.
    ///   - make: Makes the service, on the main actor.
    public convenience init(
        _ lifetime: Lifetime = .lazy, onMainActor make: @escaping @MainActor () throws -> Service
    ) {
        self.init(lifetime: lifetime, Maker.onMainActor(make))
    }

    /// Makes a provider from a closure that belongs to the main actor, or throws if every ask would fail.
    ///
    /// - Parameters:
    ///   - lifetime: When the service is made, and how long it is kept.
    ///   - make: Makes the service, on the main actor.
    /// - Throws: As ``init(validating:)``, and ``ServiceBoxError/Code/wrongIsolation`` if the service is
    ///   eager and this is not the main actor.
    public convenience init(
        validating lifetime: Lifetime, onMainActor make: @escaping @MainActor () throws -> Service
    ) throws(ServiceBoxError) {
        self.init(lifetime, onMainActor: make)
        try validate()
    }

    /// Makes a provider in two phases.
    ///
    /// While a shared service is finished, the second phase of another one that could otherwise never get an
    /// answer is handed the unfinished service; everyone else waits until both are finished, and for a
    /// factory that could never get an answer it is a cycle. A transient service cannot be met while it is
    /// finished: asking for it again is a cycle.
    ///
    /// - Parameters:
    ///   - lifetime: When the service is made, and how long it is kept.
    ///   - make: Makes the service.
    ///   - finish: Finishes the service before it is handed out. If it throws, the making has failed.
    convenience init(
        lifetime: Lifetime, make: @escaping @Sendable () throws -> Service,
        finish: @escaping @Sendable (Service) throws -> Void
    ) {
        self.init(
            lifetime: lifetime,
            Maker(
                finish: { service in
                    try finish(service)
                    return nil
                }, make: make))
    }

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - lifetime: When the service is made, and how long it is kept.
    ///   - maker: Makes the service.
    ///   - isLate: Whether an eager service is made later, by `makeIfEager()` of the source.
    convenience init(lifetime: Lifetime, _ maker: Maker<Service, Void>, isLate: Bool = false) {
        let step = ServicePath.Step(provider: ObjectIdentifier(Self.self), type: Service.self)
        if let refusal = Held<Service>.refusal(lifetime, step: step) {
            self.init(RefusedSource(refusal, lifetime: lifetime))
        } else if lifetime == .transient {
            self.init(TransientSource(maker))
        } else {
            self.init(SharedSource(lifetime, maker))
        }
        if !isLate { source.makeIfEager() }
    }

    /// Throws the error that every ask would get.
    func validate() throws(ServiceBoxError) {
        if let error = source.keptError { throw error }
    }
}
