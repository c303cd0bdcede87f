// Part of ServiceBox, released under the MIT License.
// What hands out a service.

/// Hands out a service: makes it when its lifetime says so, and shares it or not.
///
/// Make one from an instance, from a closure, or from a ``ServiceFactory``. Factories ask other providers for
/// what they need.
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
/// A provider may be used from any thread and any isolation. A service that is shared is made **exactly
/// once**: threads that ask while it is made wait for it, and get it or the maker's error. No factory runs
/// under a lock. A factory that needs its own service to make it, through whatever other providers, on one
/// thread or across several, ends in an error with the code ``ServiceBoxError/Code/cycle``, never in a
/// deadlock; a chain of factories that is too long for the thread's stack in one with the code
/// ``ServiceBoxError/Code/tooDeep``.
///
/// For an optional instead of an error write `try? provider.resolve()`, for a result `Result { try
/// provider.resolve() }`.
///
/// - Important: Waiting blocks the thread. A factory that itself waits for another thread to ask the same
///   provider, by a semaphore or a queue, waits for ever: such waits are not seen.
public final class ServiceProvider<Service: Sendable>: Sendable {
    let source: any ServiceSource<Service>
    @usableFromInline let made: MadeCell?

    init(_ source: any ServiceSource<Service>) {
        self.source = source
        made = source.made
    }

    /// Returns the service, and makes it if need be.
    ///
    /// - Returns: The service.
    /// - Throws: ``ServiceBoxError`` with the path from this service to the one that failed, and the code
    ///   ``ServiceBoxError/Code/factoryFailed``, ``ServiceBoxError/Code/cycle``,
    ///   ``ServiceBoxError/Code/tooDeep``, ``ServiceBoxError/Code/wrongIsolation`` or
    ///   ``ServiceBoxError/Code/weakValue``.
    /// - Complexity: O(1) once the service is made; for one that must be made O(*n*) more than its factory,
    ///   where *n* is the number of makings that run on this thread.
    @inlinable
    public func resolve() throws(ServiceBoxError) -> Service {
        if let service = made?.load(Service.self) { return service }
        return try resolveSlowly()
    }

    /// Returns the service when it is not simply there.
    @usableFromInline
    func resolveSlowly() throws(ServiceBoxError) -> Service { try source.resolve() }

    /// Returns the service, or stops the program with the whole explanation.
    ///
    /// Use it where a missing service is a mistake of the programmer.
    ///
    /// - Parameters:
    ///   - file: The file that the message names.
    ///   - line: The line that the message names.
    /// - Returns: The service.
    public func resolveOrFail(file: StaticString = #fileID, line: UInt = #line) -> Service {
        do {
            return try resolve()
        } catch {
            fatalError(error.description, file: file, line: line)
        }
    }

    /// Whether the service is there and an ask would make nothing.
    ///
    /// Never true for a transient service; no longer true for a weak one that is gone.
    public var isMade: Bool { source.isMade }

    /// Forgets what was made, and the error of an eager service; the next ask makes the service anew.
    ///
    /// Those who hold the old service keep it. A making that runs meanwhile serves those who wait for it, and
    /// is then forgotten too. A ready instance and a transient service have nothing to forget. For the
    /// services of a session see ``ServiceSessionFactory``.
    public func reset() {
        source.reset()
    }
}
