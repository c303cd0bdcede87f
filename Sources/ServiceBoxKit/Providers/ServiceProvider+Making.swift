// Part of ServiceBox, released under the MIT License.
// What a provider can be made from.

extension ServiceProvider {
    /// Makes a provider of a service that is there already.
    ///
    /// - Parameter instance: The service.
    // Disfavored, or a trailing closure is taken for a service.
    @_disfavoredOverload
    public convenience init(instance: Service) {
        self.init(InstanceSource(instance))
    }

    /// Makes a provider from a factory.
    ///
    /// An eager service is made at once; if that fails, every ask throws the error until ``reset()``. Call
    /// ``validate()`` to get the error at once.
    ///
    /// - Parameter factory: Makes the service.
    public convenience init(_ factory: some ServiceFactory<Service>) {
        self.init(lifetime: factory.lifetime, Maker { _ in try factory.makeService() })
    }

    /// Makes a provider from a closure.
    ///
    /// An eager service is made at once; if that fails, every ask throws the error until ``reset()``. Call
    /// ``validate()`` to get the error at once.
    ///
    /// A closure that belongs to a global actor, as `{ @MainActor in Window() }` does, runs on that actor only:
    /// resolving elsewhere throws until the service is there, and then returns it. Create an eager provider on
    /// the actor of its closure.
    ///
    /// - Parameters:
    ///   - lifetime: When the service is made, and how long it is kept.
    ///   - make: Creates the service, on whatever thread asks or on its actor.
    public convenience init(
        _ lifetime: Lifetime = .lazy, _ make: @escaping @isolated(any) @Sendable () throws -> Service
    ) {
        self.init(lifetime: lifetime, Maker(make))
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

    /// Throws the error that ``resolve()`` is bound to throw, if there is one; creates nothing.
    ///
    /// ```swift
    /// let clock = ServiceProvider(.eager) { FileStore() }
    /// try clock.validate()
    ///
    /// final class FileStore: Sendable {}
    /// ```
    ///
    /// - Throws: ``ServiceBoxError/Code/weakValue`` if the service is to be held weakly and its type can't be
    ///   a class instance, and what creating an eager service has thrown.
    public func validate() throws(ServiceBoxError) {
        if let error = source.keptError { throw error }
    }
}
