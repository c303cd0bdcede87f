// Part of ServiceBox, released under the MIT License.
// Who waits for what is registered, and gets it from the registering call.

import Synchronization

/// Something that waits for a service, and is tried whenever one may have come, until it is over.
///
/// Thread-safe. It is tried under no lock and by one thread at a time. What comes while it is tried, on another thread or
/// on the same one, has it tried again by the thread that does so: it misses nothing, and is over once.
///
/// What a try has registered itself, by way of a factory, counts as news once: factories that register something and fail
/// each time must not keep the tries going, their own or each other's.
final class Arrival: Sendable {
    /// What a try came to.
    enum Outcome {
        /// Nothing that fits is registered under the name.
        case missing
        /// The service couldn't be created; whatever comes next may be what it lacks.
        case failed
        /// There is nothing to wait for any more, and something left to do unless the wait was cancelled.
        case over(then: (@Sendable () -> Void)? = nil)
    }

    fileprivate struct State {
        /// Nil once it is over.
        var attempt: (@Sendable () -> Outcome)?
        var isRunning = false
        /// What has come while it is tried, and what of it from tries.
        var hasNews = false
        var hasOwnNews = false
        var awaitsAny = false
    }

    /// Whether the thread tries one.
    private static let isTrying = ThreadLocal { false }

    private let name: String
    /// The slot that waits, if one does, and the registry of its box: two that share both wait for the same.
    fileprivate let subject: [ObjectIdentifier]
    private let isWanted: @Sendable () -> Bool
    private let state: Guarded<State>

    /// Begins nothing yet.
    ///
    /// - Parameters:
    ///   - name: The name of the service.
    ///   - subject: The slot that waits and the registry of its box; empty if it is no slot.
    ///   - isWanted: Whether who waits is still there.
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

    /// Ends the wait; what a try has begun to do goes on.
    func cancel() {
        state.letGo { $0.attempt.take() }
    }

    /// Tries it, if it waits for what has come.
    ///
    /// - Parameter news: The name under which something has come; nil for any.
    func attempt(for news: String?) {
        let isTrying = Self.isTrying.pointer
        let isInTry = isTrying.pointee
        let begun = state.withLock { $0.begin(for: news, of: name, isInTry: isInTry) }
        guard let attempt = begun else { return }
        var isRetry = false
        while true {
            isTrying.pointee = true
            // Whoever waits keeps what it gets, also if what is constructed around this fails.
            let outcome = ConstructionStack.crossFilling(attempt)
            isTrying.pointee = isInTry
            let (isAgain, end) = state.withLock { $0.finish(outcome, isRetry: &isRetry) }
            // The attempt, which is held here, goes with what it has captured when no lock is held.
            end.map { ConstructionStack.crossFilling($0) }
            if !isAgain { return }
        }
    }
}

extension Arrival.State {
    /// Notes that something has come.
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

    /// Notes what a try came to.
    ///
    /// - Returns: Whether to try again, and what is left to do if it is over.
    fileprivate mutating func finish(
        _ outcome: Arrival.Outcome, isRetry: inout Bool
    ) -> (isAgain: Bool, end: (@Sendable () -> Void)?) {
        if attempt == nil { return (false, nil) }
        switch outcome {
        case .over(let end):
            attempt = nil
            return (false, end)
        case .missing: awaitsAny = false
        case .failed: awaitsAny = true
        }
        let isAgain = hasNews || hasOwnNews && !isRetry
        if !hasNews { isRetry = isRetry || hasOwnNews }
        (hasNews, hasOwnNews) = (false, false)
        isRunning = isAgain
        return (isAgain, nil)
    }
}

/// Those who wait for what is registered in a box, the boxes that see it among them.
///
/// Thread-safe.
struct Arrivals: ~Copyable, Sendable {
    // Private, it breaks the module that the compiler makes of the registry (6.3.1).
    struct State {
        var all: [Arrival] = []
        var countToPrune = 32
    }

    private let state = Guarded(State())
    /// How many there are, so that where nobody waits a registration takes no lock.
    private let count = Atomic(0)

    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// Adds one, and lets go of those that are over when there are many.
    func add(_ arrival: Arrival) {
        let crowd = change { state -> [Arrival] in
            state.all.append(arrival)
            return state.all.count > state.countToPrune ? state.all : []
        }
        if !crowd.isEmpty { forgetThoseOver(among: crowd) }
    }

    /// Has those who wait tried.
    ///
    /// - Parameter news: The name under which something has come; nil for any.
    func attemptAll(for news: String?) {
        if isEmpty { return }
        // Those who come meanwhile are added to what is there, and try for themselves.
        let waiting = state.withLock { $0.all }
        for arrival in waiting { arrival.attempt(for: news) }
        forgetThoseOver(among: waiting)
    }

    /// Lets go of those that are over, or wait for what an earlier one does: an object may be filled again and again.
    ///
    /// `waiting` holds them until no lock is held.
    private func forgetThoseOver(among waiting: [Arrival]) {
        var subjects: Set<[ObjectIdentifier]> = []
        var over: Set<ObjectIdentifier> = []
        for arrival in waiting {
            let isOver = arrival.isOver
            if !isOver, arrival.subject.isEmpty || subjects.insert(arrival.subject).inserted { continue }
            if !isOver { arrival.cancel() }
            over.insert(ObjectIdentifier(arrival))
        }
        change { state in
            if !over.isEmpty { state.all.removeAll { over.contains(ObjectIdentifier($0)) } }
            state.countToPrune = max(32, 2 * state.all.count)
        }
        withExtendedLifetime(waiting) {}
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer { count.store(state.all.count, ordering: .releasing) }
            return body(&state)
        }
    }
}
