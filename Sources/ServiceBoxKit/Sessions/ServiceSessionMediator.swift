// Part of ServiceBox, released under the MIT License.
// Holds the current session and tells its providers.

/// Holds the current session, and tells the providers of its services when it changes.
///
/// ```swift
/// struct UserSession: ServiceSession {
///     let userID: Int
///     var key: Int { userID }
/// }
/// let mediator = ServiceSessionMediator(UserSession(userID: 1))
/// let observation = mediator.observe { session in print("user", session.userID) }
/// mediator.update(UserSession(userID: 2))      // prints "user 2"
/// observation.cancel()
/// ```
///
/// ## Order
///
/// Updates are applied one after the other, each as a whole, in the order in which `update` was called: first
/// the session changes; then every provider, in the order of creation, deactivates, adopts and activates;
/// then every provider creates its eager service; then the observers are told, in the order in which they
/// were added. So a factory that resolves another provider of the same mediator finds it in the new session
/// already.
///
/// Thread-safe. ``update(_:policy:)`` returns when its update is applied, on this thread or on the one that
/// is already applying updates. An update from inside a factory or an observer that an update called returns
/// at once and is applied after the running one; so does one by a thread that is creating a service for which
/// the running one waits. No factory and no observer runs under a lock, but none may wait by its own means,
/// such as a semaphore, for another thread that updates the mediator: that one waits for the running update.
public final class ServiceSessionMediator<Session: ServiceSession>: Sendable {
    private struct State {
        var session: Session
        /// Weak references to the sources of providers.
        var subscribers: [@Sendable () -> (any SessionSubscriber<Session>)?] = []
        var observers = ObserverList<Session>()

        /// The number of subscribers at which those that are gone are forgotten; grows with the living ones, so
        /// that adding one costs little.
        var limit = 32

        /// Returns the living subscribers and forgets the others.
        mutating func living() -> [any SessionSubscriber<Session>] {
            let living = subscribers.compactMap { $0() }
            subscribers.removeAll { $0() == nil }
            limit = max(32, living.count * 2)
            return living
        }
    }

    private let state: Guarded<State>
    /// The queue of changes to sessions, and to the services that belong to them.
    let changes = UpdateQueue()

    /// Creates a mediator.
    ///
    /// - Parameter session: The current session.
    public init(_ session: Session) {
        state = Guarded(State(session: session))
    }

    /// The current session; the new one during an update.
    public var session: Session { state.withLock { $0.session } }

    /// Changes the session, and tells all providers and observers.
    ///
    /// Each provider looks through the services that it keeps for other keys.
    ///
    /// - Parameters:
    ///   - session: The new session.
    ///   - policy: What happens to the existing services.
    public func update(_ session: Session, policy: ServiceSessionPolicy = .keep) {
        changes.run { self.apply(session, policy) }
    }

    private func apply(_ session: Session, _ policy: ServiceSessionPolicy) {
        let (old, subscribers) = state.withLock { (exchange(&$0.session, with: session), $0.living()) }
        for subscriber in subscribers { subscriber.adopt(session, policy: policy) }
        for subscriber in subscribers { subscriber.makeIfEager() }
        for observer in state.withLock({ $0.observers.all }) { observer.notify.value?(session) }
        // The old session is released here, while no lock is held.
        withExtendedLifetime(old) {}
    }

    /// Adds a provider's source, which is told the current session and misses no later one.
    func subscribe(_ subscriber: some SessionSubscriber<Session>) {
        state.letGo { state in
            state.subscribers.append { [weak subscriber] in subscriber }
            // `begin` runs no user code; the lock that it takes is never held while this one is acquired.
            return (
                subscriber.begin(state.session), state.subscribers.count >= state.limit ? state.living() : []
            )
        }
    }
}

// MARK: - Observing

extension ServiceSessionMediator {
    /// Calls a closure after each update, when all providers have been told.
    ///
    /// - Parameter observer: Called with the new session, on the thread that applies the update.
    /// - Returns: The observation, which ends when it is released or cancelled.
    public func observe(_ observer: @escaping @Sendable (Session) -> Void) -> ServiceObservation {
        let notify = state.withLock { $0.observers.add(observer) }
        return ServiceObservation { [weak self, weak notify] in
            notify.map { notify in self?.state.letGo { $0.observers.remove(notify) } }
        }
    }
}

extension ServiceSessionMediator where Session == ServiceConstantSession {
    /// Creates the mediator of a session that never changes.
    public convenience init() {
        self.init(ServiceConstantSession())
    }

    /// Deactivates and drops all services; eager ones are created again at once, others on demand.
    public func clearServices() {
        update(ServiceConstantSession(), policy: .clearAll)
    }
}

/// A source that a mediator tells about updates, before any observer.
protocol SessionSubscriber<Session>: AnyObject, Sendable {
    associatedtype Session: ServiceSession

    /// Adopts the current session; runs no user code.
    ///
    /// - Returns: The previous session, for the caller to release after unlocking.
    func begin(_ session: Session) -> Session
    /// Deactivates, adopts and activates.
    func adopt(_ session: Session, policy: ServiceSessionPolicy)
    /// Creates the service of the current session, if it is eager.
    func makeIfEager()
}

/// Runs changes one after the other, in the order in which they were submitted, under no lock.
///
/// The first thread to submit one runs it, and then those that were submitted meanwhile. Other threads wait
/// until their change is done. A change submitted from within another, or by a thread whose waiting would
/// never end, is left to the running thread.
final class UpdateQueue: Sendable {
    private struct State {
        var entries: [(change: @Sendable () -> Void, work: RunningWork)] = []
        /// The thread that runs changes.
        var runner: UInt?
    }

    private let state = Guarded(State())

    /// Runs a change, at once or when its turn comes.
    func run(_ change: @escaping @Sendable () -> Void) {
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: UpdateQueue.self)
        let (work, isRunner) = state.withLock { state in
            let isRunner = state.runner == nil
            let work = RunningWork(step, thread: state.runner ?? CurrentThread.id)
            state.runner = work.thread
            state.entries.append((change, work))
            return (work, isRunner)
        }
        while isRunner, let entry = next() {
            entry.change()
            entry.work.advance(to: .ended)
        }
        _ = WaitGraph.wait(for: work, until: .ended, .limited)
    }

    private func next() -> (change: @Sendable () -> Void, work: RunningWork)? {
        state.withLock { state in
            guard state.entries.isEmpty else { return state.entries.removeFirst() }
            state.runner = nil
            return nil
        }
    }
}
