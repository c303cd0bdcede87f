// Part of ServiceBox, released under the MIT License.
// One running making of a shared service, and what comes out of it.

/// The making of a service that runs now, for the threads that wait for it.
final class Making<Service: Sendable>: Sendable {
    private struct Outcome {
        /// The service, made and perhaps not finished.
        var early: Service?
        var result: Result<Service, ServiceBoxError>?
    }

    private let outcome = Guarded(Outcome())
    private let work: RunningWork

    /// Starts a making on the current thread.
    init(_ step: ServicePath.Step) {
        work = RunningWork(step, thread: CurrentThread.id)
    }

    /// Hands the service to those who could never wait for its end; called once it exists.
    func offerEarly(_ service: Service) {
        let old = outcome.withLock { outcome in
            let old = outcome.early
            outcome.early = service
            return old
        }
        // What was there goes when the lock is free.
        withExtendedLifetime(old) { work.spareWaiters() }
    }

    /// Ends the making.
    ///
    /// - Parameter result: What came out, or nil if whoever waited must ask again.
    func complete(_ result: Result<Service, ServiceBoxError>?) {
        outcome.withLock { $0.result = result }
        work.finish()
    }

    /// Waits for the service.
    ///
    /// - Returns: The service, or nil to ask again. On the maker's thread, and where waiting could never end,
    ///   the unfinished service.
    /// - Throws: The maker's error, or ``ServiceBoxError/Code/cycle``.
    func join() throws(ServiceBoxError) -> Service? {
        switch WaitGraph.wait(for: work) {
        case .finished: return try outcome.withLock { $0.result }?.get()
        case .spared: return outcome.withLock { $0.early }
        case .cycle(let path): throw ServiceBoxError(.cycle, path: path)
        }
    }
}
