// Part of ServiceBox, released under the MIT License.
// The type that hands out a service.

/// Hands out a service: creates it when its lifetime says so, and shares it or not.
///
/// Create one from an instance, from a closure, or from a ``ServiceFactory``. Factories resolve what they
/// need from other providers.
///
/// ```swift
/// let store = ServiceProvider { FileStore() }
/// let logger = ServiceProvider(.transient) { try FileLogger(writingTo: store.resolve()) }
///
/// final class FileLogger: Sendable {
///     let store: FileStore
///     init(writingTo store: FileStore) { self.store = store }
/// }
/// let first = try logger.resolve()
/// ```
///
/// Thread-safe, and usable in any isolation. A shared service is created **exactly once**: threads that
/// resolve it meanwhile wait, and get it or its factory's error. No factory runs under a lock. A factory that
/// needs its own service, through whatever other providers, on one thread or across several, ends in an error
/// with the code ``ServiceBoxError/Code/cycle``, never in a deadlock. A chain of factories that is too long
/// for the thread's stack ends in one with the code ``ServiceBoxError/Code/tooDeep``.
///
/// For an optional instead of an error write `try? provider.resolve()`, for a result `Result { try
/// provider.resolve() }`.
///
/// - Important: Waiting blocks the thread. A factory that waits, by a semaphore or a queue, for another
///   thread to resolve the same provider waits forever: such waits aren't detected.
public final class ServiceProvider<Service: Sendable>: Sendable {
    let source: any ServiceSource
    @usableFromInline let shared: SharedSource?
    @usableFromInline let direct: Direct?

    /// Creates services of a statically known type, without a cell around each (measured: half of what one
    /// costs beyond its initialiser).
    @usableFromInline
    struct Direct: Sendable {
        @usableFromInline let source: TransientSource
        @usableFromInline let make: @Sendable () throws -> Service

        @inlinable
        func resolve() throws(ServiceBoxError) -> Service? {
            var service: Service?
            try source.make { service = try make() }
            return service
        }
    }

    /// - Parameters:
    ///   - source: A source of services of exactly this type.
    ///   - make: Creates one, for a source that does nothing else with it.
    init(_ source: any ServiceSource, _ make: (@Sendable () throws -> Service)? = nil) {
        self.source = source
        shared = source.shared
        direct =
            if let make, let source = source as? TransientSource {
                Direct(source: source, make: make)
            } else {
                nil
            }
    }

    /// Returns the service, and creates it if necessary.
    ///
    /// - Returns: The service.
    /// - Throws: ``ServiceBoxError`` with the path from this service to the one that failed, and the code
    ///   ``ServiceBoxError/Code/factoryFailed``, ``ServiceBoxError/Code/cycle``,
    ///   ``ServiceBoxError/Code/tooDeep``, ``ServiceBoxError/Code/wrongIsolation`` or
    ///   ``ServiceBoxError/Code/weakValue``; if it is a box's, also ``ServiceBoxError/Code/incomplete``,
    ///   ``ServiceBoxError/Code/notReady``, ``ServiceBoxError/Code/boxIsGone``, ``ServiceBoxError/Code/stopped``, and
    ///   what a look-up in its factory has thrown.
    /// - Complexity: O(1) once the service exists; for one that must be created O(*n*) more than its factory,
    ///   where *n* is the number of factories that run on this thread.
    @inlinable
    public func resolve() throws(ServiceBoxError) -> Service {
        if let service = unsafe shared?.load(Service.self) { return service }
        if let service = try direct?.resolve() { return service }
        return try unsafe cell().value(as: Service.self)
    }

    /// Returns the service when it can't be loaded or created directly.
    @usableFromInline
    func cell() throws(ServiceBoxError) -> AnyCell { try source.resolve() }

    /// Returns the service, or traps with the full explanation.
    ///
    /// Use it where a missing service is a programming error.
    ///
    /// - Parameters:
    ///   - fileID: The file that the message names.
    ///   - line: The line that the message names.
    /// - Returns: The service.
    public func resolveOrFail(fileID: StaticString = #fileID, line: UInt = #line) -> Service {
        orFail(fileID, line) { () throws(ServiceBoxError) in try resolve() }
    }

    /// Throws the error that ``resolve()`` is known to throw, if there is one; creates nothing.
    ///
    /// ```swift
    /// let clock = ServiceProvider(.eager) { FileStore() }
    /// try clock.validate()
    ///
    /// final class FileStore: Sendable {}
    /// ```
    ///
    /// - Throws: ``ServiceBoxError/Code/weakValue`` if the service is to be held weakly and its type can't be
    ///   a class instance; ``ServiceBoxError/Code/factoryFailed`` if the factory of an eager service has
    ///   thrown an error of its own or of another service that it needs; ``ServiceBoxError/Code/stopped`` if
    ///   the provider was looked up in a box that had stopped.
    public func validate() throws(ServiceBoxError) {
        if let error = source.keptError { throw error }
    }

    /// Whether the service exists and resolving it would create nothing.
    ///
    /// Never true for a transient service; no longer true for a weak one that was deinitialised.
    public var isMade: Bool { source.isMade }

    /// Forgets the created service, and the error of an eager one; the next resolve creates it again.
    ///
    /// Existing references to the old service stay valid, but no box stops it any more. A construction that is
    /// running serves those who wait for it, and is then forgotten too; a `prepare` that is running creates another
    /// service, but one that is just ending may still hand out the old one. A ready-made instance and a transient
    /// service have nothing to forget. For the services of a session see ``ServiceSessionFactory``.
    public func reset() {
        source.reset()
    }
}

// MARK: - Creating providers

extension ServiceProvider {
    // Disfavoured, or a trailing closure would be taken for a service.
    /// Creates a provider of a service that exists already.
    ///
    /// - Parameter instance: The service.
    @_disfavoredOverload
    public convenience init(instance: Service) {
        let cell = AnyCell.holding(instance)
        self.init(FixedSource(of: Service.self, nil) { _ in cell })
    }

    /// Creates a provider from a factory.
    ///
    /// An eager service is created at once; if its factory, or that of a service that it needs, throws an error of
    /// its own, every resolve throws that until ``reset()``. Call ``validate()`` to get the error at once.
    ///
    /// - Parameter factory: Creates the service.
    public convenience init(_ factory: some ServiceFactory<Service>) {
        self.init(factory.lifetime) { try factory.makeService() }
    }

    /// Creates a provider from a closure.
    ///
    /// An eager service is created at once; if its factory, or that of a service that it needs, throws an error of
    /// its own, every resolve throws that until ``reset()``. Call ``validate()`` to get the error at once.
    ///
    /// A closure that is isolated to a global actor, as `{ @MainActor in Window() }` is, runs on that actor
    /// only: resolving elsewhere throws until the service exists, and then returns it. Create an eager
    /// provider on the actor of its closure.
    ///
    /// - Parameters:
    ///   - lifetime: When the service is created, and how long it is kept.
    ///   - make: Creates the service, on the calling thread or on the closure's actor.
    @inlinable
    public convenience init(
        _ lifetime: Lifetime = .lazy, _ make: @escaping @isolated(any) @Sendable () throws -> Service
    ) {
        // An `@isolated(any)` function stores its isolation beside its captures (SE-0431) and is called like
        // any other function. A maker runs it only in the `isolation` that it carries.
        let run = unsafe unsafeBitCast(make, to: (@Sendable () throws -> Service).self)
        self.init(lifetime, on: make.isolation, run) { AnyCell.holding(try run()) }
    }

    /// Makes a provider from a closure that creates cells with services.
    ///
    /// The caller's code creates the closure, since it knows the type: here the runtime would have to look
    /// the type up for each service.
    @usableFromInline
    convenience init(
        _ lifetime: Lifetime, on isolation: (any Actor)?, _ run: @escaping @Sendable () throws -> Service,
        _ make: @escaping @Sendable () throws -> AnyCell
    ) {
        self.init(makeSource(of: Service.self, lifetime, Maker(isolation: isolation), make), run)
        source.makeIfEager()
    }
}
