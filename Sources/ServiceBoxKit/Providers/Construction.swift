// Part of ServiceBox, released under the MIT License.
// A service on its way from its factory to those who may see it, without its type.

/// What is left to do when a service has become visible: telling of it.
typealias Announcement = @Sendable () -> Void

/// The way of a service: created by its factory, then finished, then shown together with what it needs.
///
/// Only ``Making`` inherits from it.
class Construction: RunningWork, @unchecked Sendable {
    private struct State {
        /// The services that it was created or filled with before they were complete.
        var needs: [Construction] = []
        var error: ServiceBoxError?
        var announcement: Announcement?
        var isTakenUp = false
        var isShowing = false

        mutating func note(_ result: Result<Announcement?, ServiceBoxError>, _ new: [Construction]) {
            needs += new
            switch result {
            case .success(let announcement): self.announcement = announcement
            case .failure(let error): self.error = error
            }
        }
    }

    private let state = Guarded(State())

    /// Finishes the service, which exists.
    func finish() throws(ServiceBoxError) -> Announcement? { nil }

    /// Hands the service, or why there is none, to its source.
    func end() {}

    /// Why the service could not be made, if it could not.
    final var error: ServiceBoxError? { state.withLock { $0.error } }

    final var needs: [Construction] { state.withLock { $0.needs } }

    /// Whether somebody finishes the service, or has.
    final var isTakenUp: Bool { state.withLock { $0.isTakenUp } }

    /// Notes that the service exists.
    final func noteCreated(with needs: [Construction]) {
        if !needs.isEmpty { state.withLock { $0.needs = needs } }
        advance(to: .created)
    }

    /// Notes that the service was finished before anybody else knew of it.
    final func noteFinished(with needs: [Construction], _ result: Result<Announcement?, ServiceBoxError>) {
        state.withLock { state in
            state.isTakenUp = true
            state.note(result, needs)
        }
        advance(to: .finished)
    }

    /// Takes up finishing the service, if nobody else has.
    ///
    /// - Parameter thread: The thread that will do it.
    /// - Returns: Whether it is this thread's to do now.
    final func takeUp(on thread: UInt) -> Bool {
        let isMine = state.withLock { state in
            guard stage == .created, !state.isTakenUp else { return false }
            state.isTakenUp = true
            return true
        }
        if isMine { move(to: thread) }
        return isMine
    }

    /// Finishes the service, as the innermost making of this thread, where it stays.
    ///
    /// - Returns: What it was filled with that is not complete.
    final func run(on stack: UnsafeMutablePointer<MakingStack>) -> [Construction] {
        let taken = stack.pointee.taken.count
        let frame = stack.pointee.enter(step, .filling)
        let result = Result { () throws(ServiceBoxError) in try finish() }
        stack.pointee.go(on: frame)
        let new = stack.pointee.takeBack(downTo: taken)
        let needs = state.withLock { state in
            state.note(result, new)
            return state.needs
        }
        advance(to: .finished)
        return needs
    }

    /// Fails if something that it needs has failed.
    ///
    /// - Returns: Whether this is news.
    final func failWithNeeds() -> Bool {
        guard error == nil, let cause = needs.lazy.compactMap(\.error).first else { return false }
        let error = ServiceBoxError.escaping(cause, from: step)
        state.withLock { $0.error = error }
        return true
    }

    /// Ends a making whose service could not be created.
    final func fail(_ error: ServiceBoxError) {
        state.withLock { $0.error = error }
        _ = show()
    }

    /// Shows the service to everyone, or ends the making with its error, once.
    ///
    /// - Returns: What is left to do.
    final func show() -> Announcement? {
        // What it needed goes when the lock is free; a chain of makings must not go link by link.
        let old = state.withLock { state -> State? in
            guard !state.isShowing else { return nil }
            state.isShowing = true
            defer {
                state.needs = []
                state.announcement = nil
            }
            return state
        }
        guard let old else { return nil }
        end()
        advance(to: .ended)
        return old.announcement
    }
}
