// Part of ServiceBox, released under the MIT License.
// One running making of a service, and what comes out of it.

/// What finishes services, and keeps them if it shares them.
protocol FinishingSource<Service>: AnyObject, Sendable {
    associatedtype Service: Sendable

    /// Runs the second phase.
    func finish(_ service: Service) throws(ServiceBoxError) -> Announcement?
    /// Takes in what came of a making, when all that the service needs is finished.
    func end(_ making: Making<Service>, _ error: ServiceBoxError?)
}

/// The making of a service that runs now, for the thread that makes it and those that wait for it.
final class Making<Service: Sendable>: Construction, @unchecked Sendable {
    private struct Outcome {
        /// The service, perhaps not finished; strong until the making goes, whatever the lifetime.
        var service: Service?
        var held: Held<Service>?
    }

    private let outcome = Guarded(Outcome())
    private let source: any FinishingSource<Service>

    /// Starts a making on the current thread.
    init(_ step: ServicePath.Step, of source: any FinishingSource<Service>) {
        self.source = source
        super.init(step, thread: CurrentThread.id)
    }

    /// The service, if it exists.
    var service: Service? { outcome.withLock { $0.service } }

    /// The service as its source will hold it, if it exists.
    var held: Held<Service>? { outcome.withLock { $0.held } }

    /// Takes in the service that a factory has made.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - held: How its source will hold it, if it does.
    ///   - needs: What the factory has got that is not complete.
    func create(_ service: Service, _ held: Held<Service>?, with needs: [Construction]) {
        set(service, held)
        noteCreated(with: needs)
    }

    /// Hands the service to those who could never wait for its end.
    func offerEarly(_ service: Service) {
        set(service, nil)
        spareWaiters()
    }

    /// Ends a making that nothing had to be finished for.
    ///
    /// - Parameter service: What came out, or nil if whoever waited must ask again.
    func complete(_ service: Service?) {
        set(service, nil)
        advance(to: .ended)
    }

    private func set(_ service: Service?, _ held: Held<Service>?) {
        let old = outcome.withLock { outcome in
            defer { outcome = Outcome(service: service, held: held) }
            return outcome
        }
        // What was there goes when the lock is free.
        withExtendedLifetime(old) {}
    }

    override func finish() throws(ServiceBoxError) -> Announcement? {
        guard let service else { return nil }
        return try source.finish(service)
    }

    override func end() { source.end(self, error) }

    /// Takes the service for the filling of another one, which is complete no sooner than this one.
    ///
    /// - Returns: The service, which may be unfinished, or nil to ask again.
    /// - Throws: The maker's error, or ``ServiceBoxError/Code/cycle``.
    func takeCreated() throws(ServiceBoxError) -> Service? {
        if case .cycle(let path) = WaitGraph.wait(for: self, until: .created, .endless) {
            throw ServiceBoxError(.cycle, path: path)
        }
        // A change of a session that spares whoever asks is nothing to complete.
        let stage = stage
        if stage != .begun, stage != .ended { CurrentThread.stack.pointee.taken.append(self) }
        return try outcomeSoFar()
    }

    /// Takes the service when it is finished, with all that it needs but what is being filled further out on
    /// this thread, or on one that waits for it.
    ///
    /// - Returns: The service, or nil to ask again. Whoever fills a service gets an unfinished one where
    ///   waiting could never end.
    /// - Throws: The maker's error, or ``ServiceBoxError/Code/cycle``.
    func takeFinished() throws(ServiceBoxError) -> Service? {
        let stack = CurrentThread.stack
        if thread != CurrentThread.id { _ = WaitGraph.wait(for: self, until: .ended, .little) }
        if stage == .begun, case .cycle(let path) = WaitGraph.wait(for: self, until: .created, .endless) {
            throw ServiceBoxError(.cycle, path: path)
        }
        // A change of a session is still at work, and spares whoever asks.
        if stage == .begun { return service }
        let frame = stack.pointee.frame
        switch Completion.run(self, on: stack, frame == .filling ? .limited : .endless) {
        case .complete:
            // Another thread may be about to show it.
            _ = WaitGraph.wait(for: self, until: .ended, .limited)
        case .open:
            stack.pointee.taken.append(self)
            if frame == .crossFill { throw ServiceBoxError(.cycle, path: stack.pointee.circle(to: step)) }
        case .cycle(let path): throw ServiceBoxError(.cycle, path: path)
        }
        return try outcomeSoFar()
    }

    private func outcomeSoFar() throws(ServiceBoxError) -> Service? {
        if let error { throw error }
        return service
    }
}
