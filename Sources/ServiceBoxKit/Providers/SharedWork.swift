// Part of ServiceBox, released under the MIT License.
// Asynchronous work that is done once however many wait for it.

import Synchronization

/// Asynchronous work that is done once at a time, however many wait for it, and that belongs to none of them.
///
/// It runs as a task of its own, which inherits no task-local value and has the highest priority of those who wait.
/// They suspend; one who is cancelled waits no longer, and when nobody waits any more the work is cancelled. What ends
/// is forgotten: the next to ask has it done again. Once all who wait have got what came of it, nothing here keeps it.
///
/// Thread-safe.
final class SharedWork<Value: Sendable>: Sendable {
    /// What the work came to.
    private typealias Outcome = Result<Value, any Error>

    /// One time that the work is done; its task doesn't return the outcome, since tasks outlive those who wait for them.
    private final class Run: Sendable {
        struct State {
            /// How many wait, those who are patient among them, though they may be cancelled.
            var waiters = 1
            /// How many of those aren't cancelled.
            var interested = 1
            /// Moves to the last who waits.
            var outcome: Outcome?
        }

        let state = Guarded(State())

        /// Waits too, unless nobody is interested any more, so that it is cancelled.
        func join() -> Bool {
            state.withLock { state in
                guard state.interested > 0 else { return false }
                state.waiters += 1
                state.interested += 1
                return true
            }
        }

        /// Loses interest, once for each who is cancelled; cancels the task if nobody is interested any more.
        func lose(_ task: Task<Void, Never>) {
            let isLast = state.withLock { state in
                state.interested -= 1
                return state.interested == 0
            }
            if isLast { task.cancel() }
        }

        /// Waits no more, and takes the outcome along, if there is one.
        func leave() -> Outcome? {
            state.withLock { state in
                state.waiters -= 1
                return state.waiters > 0 ? state.outcome : state.outcome.take()
            }
        }
    }

    private let current = Guarded<(run: Run, task: Task<Void, Never>)?>(nil)
    let node: AwaitGraph.Node

    /// - Parameter node: Which work it is, for those who look for circles.
    init(_ node: AwaitGraph.Node) {
        self.node = node
    }

    /// Has the work done, or waits for whoever has had it begun.
    ///
    /// - Parameters:
    ///   - isPatient: Whether one who is cancelled waits all the same until the work, which may be cancelled then, ends.
    ///   - operation: The work, the same for all who ask.
    /// - Returns: What came of it.
    /// - Throws: What the work throws, `CancellationError` if the current task is cancelled, and
    ///   ``ServiceBoxError/Code/cycle`` if the work waits for whoever asks.
    nonisolated(nonsending) func value(
        isPatient: Bool = false, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await AwaitGraph.waiting(for: node) {
            let (run, task) = join(operation)
            let answer = Answer<Bool>()
            let hasEnded = await task.escalating {
                // A task that waits for another one lends it its priority.
                Task.detached(priority: Task.currentPriority) {
                    await task.value
                    answer.give(true)
                }
                return await answer.value {
                    run.lose(task)
                    if !isPatient { answer.give(false) }
                }
            }
            let outcome = run.leave()
            guard hasEnded, let outcome else { throw CancellationError() }
            return try outcome.get()
        }
    }

    /// Whether it is being done.
    var isBeingDone: Bool { current.withLock { $0 != nil } }

    /// Cancels the work, if it is being done, and waits until it has ended, unless it waits for whoever asks.
    nonisolated(nonsending) func cancel() async {
        current.withLock { $0?.task }?.cancel()
        await end()
    }

    /// Waits until the work has ended, if it is being done, unless it waits for whoever asks.
    nonisolated(nonsending) func end() async {
        guard let task = current.withLock({ $0?.task }) else { return }
        try? await AwaitGraph.waiting(for: node) { await task.value }
    }

    private func join(
        _ operation: @escaping @Sendable () async throws -> Value
    ) -> (run: Run, task: Task<Void, Never>) {
        current.withLock { current in
            if let current, current.run.join() { return current }
            let (run, abandoned) = (Run(), current)
            abandoned?.run.state.withLock { $0.waiters += 1 }
            let task = Task.detached(priority: Task.currentPriority) { [self] in
                await abandoned?.task.value
                await perform(run, after: abandoned?.run.leave(), operation)
            }
            current = (run, task)
            return (run, task)
        }
    }

    /// Does the work, and keeps what came of it for those who wait.
    ///
    /// - Parameters:
    ///   - run: What keeps it.
    ///   - abandoned: The outcome of work that nobody waited for any more; if it is a success, it isn't lost.
    ///   - operation: The work.
    private nonisolated(nonsending) func perform(
        _ run: Run, after abandoned: Outcome?, _ operation: @Sendable () async throws -> Value
    ) async {
        let outcome = await outcome {
            if let value = try? abandoned?.get() { return value }
            return try await AwaitGraph.running(node) { try await operation() }
        }
        current.withLock { current in
            run.state.withLock { if $0.waiters > 0 { $0.outcome = outcome } }
            if current?.run === run { current = nil }
        }
    }
}

extension Task {
    /// Runs an operation that waits for the task, which gets the priority that whoever waits is given meanwhile.
    fileprivate nonisolated(nonsending) func escalating<Result>(
        _ operation: nonisolated(nonsending) () async -> Result
    ) async -> Result {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return await operation()
        }
        return await withTaskPriorityEscalationHandler(operation: operation) { _, priority in
            escalatePriority(to: priority)
        }
    }
}

/// Which asynchronous work waits for which, for the whole process, so that none waits for itself.
///
/// Tasks that work has started are taken for parts of it until it ends. Thread-safe.
enum AwaitGraph {
    /// Some work, by what it makes.
    typealias Node = ConstantObject<ServicePath.Step>

    /// Work that is being done.
    private final class Run: Sendable {
        let node: Node
        /// Tasks that the work has started may outlive it.
        let isOver = Atomic(false)

        init(_ node: Node) {
            self.node = node
        }
    }

    /// The work that the current task is a part of.
    @TaskLocal private static var current: Run?
    private static let waits = Guarded(Waits())

    /// Does work in the current task.
    static nonisolated(nonsending) func running<Result>(
        _ node: Node, _ operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        let run = Run(node)
        defer { run.isOver.store(true, ordering: .releasing) }
        return try await $current.withValue(run, operation: operation)
    }

    /// Waits for work, as a part of what the current task does, if it is a part of any.
    ///
    /// - Parameters:
    ///   - node: The work to wait for.
    ///   - operation: Waits for it.
    /// - Returns: What the operation returns.
    /// - Throws: What it throws; ``ServiceBoxError/Code/cycle`` if the work waits for whoever asks.
    static nonisolated(nonsending) func waiting<Result>(
        for node: Node, _ operation: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        guard let run = current, !run.isOver.load(ordering: .acquiring) else { return try await operation() }
        let circle = waits.withLock { waits -> [Node]? in
            if let way = waits.way(from: node, to: run.node) { return way }
            waits.note(1, from: run.node, to: node)
            return nil
        }
        if let circle {
            // Of work that waits for itself the factories that the error passes say the rest.
            let steps = circle.count > 1 ? circle.map(\.value) : []
            let path = steps.reduce(into: [ServicePath.Step]()) { path, step in
                if path.last?.provider != step.provider { path.append(step) }
            }
            throw ServiceBoxError(.cycle, path: ServicePath(path + [node.value]))
        }
        defer { waits.withLock { $0.note(-1, from: run.node, to: node) } }
        return try await operation()
    }
}

// MARK: - What waits for what

extension AwaitGraph {
    /// The waits of work for other work, to follow them from both ends.
    fileprivate struct Waits: Sendable {
        /// Other work, with how often it is at the end of a wait.
        typealias Ends = [ObjectIdentifier: (node: Node, count: Int)]

        private var awaited: [ObjectIdentifier: Ends] = [:]
        private var waiting: [ObjectIdentifier: Ends] = [:]

        /// Counts a wait, or with a negative number one that is over.
        ///
        /// Whoever waits holds both, so nothing ends here.
        mutating func note(_ count: Int, from node: Node, to other: Node) {
            awaited.note(count, from: node, to: other)
            waiting.note(count, from: other, to: node)
        }

        /// The work on a way from some to other work that it waits for, both included; nil if there is none.
        ///
        /// It is looked for from both ends, one wait at a time, until one of them leads no further: whoever joins the end of
        /// a long chain follows it no more than whoever joins its beginning.
        func way(from start: Node, to end: Node) -> [Node]? {
            if start === end { return [start] }
            var ahead = Search(from: start, in: awaited)
            var behind = Search(from: end, in: waiting)
            while let next = ahead.next(), let previous = behind.next() {
                guard behind.hasFound(next) || ahead.hasFound(previous) else { continue }
                var search = Search(from: start, in: awaited)
                while search.open.last?.node !== end, search.next() != nil {}
                return search.open.map(\.node)
            }
            return nil
        }
    }

    /// A search along waits, one at a time.
    private struct Search {
        private var found: Set<ObjectIdentifier> = []
        /// The way to what was found last, with what is left to follow from each work on it.
        fileprivate private(set) var open: [(node: Node, ends: Waits.Ends.Values.Iterator)] = []
        private let ends: [ObjectIdentifier: Waits.Ends]

        init(from start: Node, in ends: [ObjectIdentifier: Waits.Ends]) {
            self.ends = ends
            follow(start)
        }

        func hasFound(_ node: Node) -> Bool { found.contains(ObjectIdentifier(node)) }

        /// The work at the end of the next wait, known or not; nil if there are no more.
        mutating func next() -> Node? {
            while let last = open.indices.last {
                if let (node, _) = open[last].ends.next() {
                    follow(node)
                    return node
                }
                open.removeLast()
            }
            return nil
        }

        private mutating func follow(_ node: Node) {
            guard found.insert(ObjectIdentifier(node)).inserted else { return }
            open.append((node, ends[ObjectIdentifier(node), default: [:]].values.makeIterator()))
        }
    }
}

extension [ObjectIdentifier: AwaitGraph.Waits.Ends] {
    fileprivate mutating func note(_ count: Int, from node: AwaitGraph.Node, to other: AwaitGraph.Node) {
        let (key, end) = (ObjectIdentifier(node), ObjectIdentifier(other))
        let total = (self[key]?[end]?.count ?? 0) + count
        self[key, default: [:]][end] = total > 0 ? (other, total) : nil
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}
