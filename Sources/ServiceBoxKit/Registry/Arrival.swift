// Part of ServiceBox, released under the MIT License.
// Waiting for a service to be registered, and getting it from the registering call.

import Synchronization

/// A wait for a service, tried whenever the service may have been registered, until it is over.
///
/// Thread-safe. It is tried under no lock and by one thread at a time. A registration during a try, on
/// another thread or the same one, makes the trying thread try again: the wait misses nothing, and ends once.
///
/// Registrations made by a try itself, through a factory, count as news only once: factories that register
/// something and fail each time must not keep the tries going, their own or each other's.
final class Arrival: Sendable {
    /// The result of a try.
    enum Outcome {
        /// Nothing that fits is registered under the name.
        case missing
        /// The service couldn't be created; whatever is registered next may be what it lacks.
        case failed
        /// The wait is over; `then` is left to do unless it was cancelled.
        case over(then: (@Sendable () -> Void)? = nil)
    }

    fileprivate struct State {
        /// Nil once it is over.
        var attempt: (@Sendable () -> Outcome)?
        var isRunning = false
        /// Whether something was registered during the try, and whether by tries themselves.
        var hasNews = false
        var hasOwnNews = false
        /// Whether any service may help, since the last try has failed.
        private(set) var awaitsAny = false

        mutating func note(awaitsAny new: Bool) {
            if new != awaitsAny { Arrival.unsettled.add(new ? 1 : -1, ordering: .acquiringAndReleasing) }
            awaitsAny = new
        }
    }

    /// How many waits of the process are being tried, or have found a service that couldn't be created.
    private static let unsettled = Atomic(0)

    /// Whether there are any; otherwise a new transient service is of no use to any wait, for one load.
    static var areUnsettled: Bool { unsettled.load(ordering: .acquiring) != 0 }

    /// Whether the current thread is running a try.
    static var isTrying: Bool { trying.here.value }

    private static let trying = ThreadLocal { false }

    private let name: String
    /// The waiting slot, if any, and its box's registry: equal subjects wait for the same service.
    fileprivate let subject: [ObjectIdentifier]
    private let isWanted: @Sendable () -> Bool
    private let state: Guarded<State>

    /// Doesn't begin to wait yet.
    ///
    /// - Parameters:
    ///   - name: The name of the service.
    ///   - subject: The waiting slot and its box's registry; empty if it isn't a slot that waits.
    ///   - isWanted: Whether the waiting object still exists.
    ///   - attempt: Looks for the service.
    init(
        of name: String, for subject: [ObjectIdentifier] = [],
        while isWanted: @escaping @Sendable () -> Bool, _ attempt: @escaping @Sendable () -> Outcome
    ) {
        self.name = name
        self.subject = subject
        self.isWanted = isWanted
        state = Guarded(State(attempt: attempt))
    }

    var isOver: Bool { state.withLock { $0.attempt == nil } || !isWanted() }

    /// Ends the wait; a try in progress goes on.
    func cancel() {
        state.letGo { state in
            state.note(awaitsAny: false)
            return state.attempt.take()
        }
    }

    deinit { cancel() }

    /// Tries it, if it waits for what was registered under a name, where nil stands for any; returns whether it
    /// was tried.
    @discardableResult
    func attempt(for news: String?) -> Bool {
        let isTrying = Self.trying.here
        let isInTry = isTrying.value
        let begun = state.withLock { $0.begin(for: news, of: name, isInTry: isInTry) }
        guard let attempt = begun else { return false }
        Self.unsettled.add(1, ordering: .acquiringAndReleasing)
        defer { Self.unsettled.subtract(1, ordering: .acquiringAndReleasing) }
        var isRetry = false
        while true {
            isTrying.value = true
            // The waiting object keeps what it gets, even if an enclosing construction fails.
            let outcome = ConstructionStack.crossFilling(attempt)
            isTrying.value = isInTry
            let (isAgain, end) = state.withLock { $0.finish(outcome, isRetry: &isRetry) }
            // The attempt, which is held here, is released with its captures while no lock is held.
            if let end { Self.call(end) }
            if !isAgain { return true }
        }
    }
}

extension Arrival {
    /// The handlers that run on one thread, each in a registration by the one before.
    private struct Handlers {
        var depth = 0
        /// Those that the thread's stack had no room for.
        var postponed: [@Sendable () -> Void] = []
    }

    private static let handlers = ThreadLocal { Handlers() }

    /// Calls what is left to do; where the thread's stack has no room, once the outermost handler has returned.
    private static func call(_ handler: @Sendable @escaping () -> Void) {
        let handlers = handlers.here
        if handlers.value.depth > 0, !ConstructionStack.here.value.hasRoom {
            return handlers.value.postponed.append(handler)
        }
        handlers.value.depth += 1
        defer { handlers.value.depth -= 1 }
        ConstructionStack.crossFilling(handler)
        while handlers.value.depth == 1, !handlers.value.postponed.isEmpty {
            ConstructionStack.crossFilling(handlers.value.postponed.removeFirst())
        }
    }
}

extension Arrival.State {
    /// Notes that something was registered.
    ///
    /// - Returns: What to try; nil if there is nothing to try, or another call will.
    fileprivate mutating func begin(
        for news: String?, of name: String, isInTry: Bool
    ) -> (@Sendable () -> Arrival.Outcome)? {
        guard let attempt else { return nil }
        if isRunning {
            if isInTry { hasOwnNews = true } else { hasNews = true }
            return nil
        }
        guard awaitsAny || news == nil || news == name else { return nil }
        isRunning = true
        return attempt
    }

    /// Notes the result of a try.
    ///
    /// - Returns: Whether to try again, and what is left to do if the wait is over.
    fileprivate mutating func finish(
        _ outcome: Arrival.Outcome, isRetry: inout Bool
    ) -> (isAgain: Bool, end: (@Sendable () -> Void)?) {
        if attempt == nil { return (false, nil) }
        switch outcome {
        case .over(let end):
            attempt = nil
            note(awaitsAny: false)
            return (false, end)
        case .missing: note(awaitsAny: false)
        case .failed: note(awaitsAny: true)
        }
        let isAgain = hasNews || hasOwnNews && !isRetry
        if !hasNews { isRetry = hasOwnNews }
        (hasNews, hasOwnNews) = (false, false)
        isRunning = isAgain
        return (isAgain, nil)
    }
}

/// The waits for services of a box, including those in boxes that inherit from it.
///
/// Thread-safe.
struct Arrivals: ~Copyable, Sendable {
    // Not private: that breaks the module that the compiler makes of the registry (6.3.1).
    struct State {
        var all: [Arrival] = []
        /// How often waits were added or tried since those that are over were dropped.
        private var turns = 0

        /// Counts a turn.
        ///
        /// - Returns: Those to look through for what is over, now and then, so that a turn costs little.
        mutating func takeTurn() -> [Arrival] {
            turns += 1
            if turns < max(32, all.count / 2) { return [] }
            turns = 0
            return all
        }
    }

    private let state = Guarded(State())
    /// The number of waits, so that a registration takes no lock where nobody waits.
    private let count = Atomic(0)

    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// Adds a wait, and drops those that are over when there are many.
    func add(_ arrival: Arrival) {
        let crowd = change { state in
            state.all.append(arrival)
            return state.takeTurn()
        }
        forgetThoseOver(among: crowd)
    }

    /// Tries all waits, after a registration under a name, where nil stands for any.
    func attemptAll(for news: String?) {
        if isEmpty { return }
        // Waits added meanwhile see the new registration, and try by themselves.
        let (waiting, crowd) = state.withLock { ($0.all, $0.takeTurn()) }
        // Most wait for other names.
        let tried = waiting.filter { $0.attempt(for: news) }
        forgetThoseOver(among: crowd.isEmpty ? tried : crowd)
    }

    /// Drops waits that are over or that a later one repeats: an object may be filled again and again.
    ///
    /// `waiting` keeps them until no lock is held.
    private func forgetThoseOver(among waiting: [Arrival]) {
        if waiting.isEmpty { return }
        var subjects: Set<[ObjectIdentifier]> = []
        // The later one knows what the object has lost since.
        let needless = waiting.reversed().filter { arrival in
            arrival.isOver || !arrival.subject.isEmpty && !subjects.insert(arrival.subject).inserted
        }
        let over = Set(needless.map(ObjectIdentifier.init))
        if !over.isEmpty { change { $0.all.removeAll { over.contains(ObjectIdentifier($0)) } } }
        withExtendedLifetime(waiting) {}
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer { count.store(state.all.count, ordering: .releasing) }
            return body(&state)
        }
    }
}
