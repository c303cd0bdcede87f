// Part of ServiceBox, released under the MIT License.
// Asynchronous work that is done once however many wait for it.

import Synchronization

/// Asynchronous work that is done once at a time, however many wait for it, and that belongs to none of them.
///
/// It runs as a task of its own, which inherits no task-local value and has the highest priority of those who wait.
/// They suspend; one who is cancelled waits no longer, and when nobody waits any more the work is cancelled. What ends
/// is forgotten: the next to ask has it done again.
///
/// Thread-safe.
final class SharedWork<Value: Sendable>: Sendable {
    private struct State {
        var task: Task<Value, any Error>?
        /// Tells one run from those before it.
        var run = 0
        var waiters = 0
    }

    private let state = Guarded(State())
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
    func value(
        isPatient: Bool = false, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await AwaitGraph.waiting(for: node) {
            let (task, run) = join(operation)
            defer { leave(run) }
            let answer = Answer<Result<Value, any Error>>()
            let result = await task.escalating {
                // A task that waits for another one lends it its priority.
                Task.detached(priority: Task.currentPriority) { answer.give(await task.result) }
                return await answer.value {
                    // One who is patient leaves again at the end, when nobody counts any more.
                    if isPatient { leave(run) } else { answer.give(.failure(CancellationError())) }
                }
            }
            return try result.get()
        }
    }

    /// Whether it is being done.
    var isBeingDone: Bool { state.withLock { $0.task != nil } }

    /// Cancels the work, if it is being done, and waits until it has ended, unless it waits for whoever asks.
    func cancel() async {
        guard let task = state.withLock({ $0.task }) else { return }
        task.cancel()
        _ = try? await AwaitGraph.waiting(for: node) { await task.result }
    }

    private func join(
        _ operation: @escaping @Sendable () async throws -> Value
    ) -> (task: Task<Value, any Error>, run: Int) {
        state.withLock { state in
            if let task = state.task, state.waiters > 0 {
                state.waiters += 1
                return (task, state.run)
            }
            // Of one that nobody waited for any more: what it has come to all the same is not lost.
            let abandoned = state.task
            state.run += 1
            state.waiters = 1
            let task = Task.detached(priority: Task.currentPriority) { [self, run = state.run] in
                defer { self.state.withLock { if $0.run == run { $0.task = nil } } }
                if case .success(let value)? = await abandoned?.result { return value }
                return try await AwaitGraph.running(node) { try await operation() }
            }
            state.task = task
            return (task, state.run)
        }
    }

    private func leave(_ run: Int) {
        let abandoned = state.withLock { state -> Task<Value, any Error>? in
            guard state.run == run else { return nil }
            state.waiters -= 1
            return state.waiters == 0 ? state.task : nil
        }
        abandoned?.cancel()
    }
}

extension Task {
    /// Runs an operation that waits for the task, which gets the priority that whoever waits is given meanwhile.
    fileprivate func escalating<Result>(_ operation: () async -> Result) async -> Result {
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
    /// Some work.
    final class Node: Sendable {
        fileprivate let step: ServicePath.Step

        init(_ step: ServicePath.Step) {
            self.step = step
        }
    }

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
    static func running<Result>(
        _ node: Node, _ operation: () async throws -> Result
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
    static func waiting<Result>(
        for node: Node, _ operation: () async throws -> Result
    ) async throws -> Result {
        guard let run = current, !run.isOver.load(ordering: .acquiring) else { return try await operation() }
        let circle = waits.withLock { waits -> [Node]? in
            if waits.lead(from: node, to: run.node) { return waits.way(from: node, to: run.node) }
            waits.note(1, from: run.node, to: node)
            return nil
        }
        if let circle {
            // Of work that waits for itself the factories that the error passes say the rest.
            let steps = circle.count > 1 ? circle.map(\.step) : []
            let path = steps.reduce(into: [ServicePath.Step]()) { path, step in
                if path.last?.provider != step.provider { path.append(step) }
            }
            throw ServiceBoxError(.cycle, path: ServicePath(path + [node.step]))
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

        /// Whether some work waits for other work, or is the same.
        ///
        /// It is looked for from both ends, one wait at a time, until one of them leads no further: whoever joins the end of
        /// a long chain follows it no more than whoever joins its beginning.
        func lead(from start: Node, to end: Node) -> Bool {
            if start === end { return true }
            var ahead = Search(from: start, in: awaited)
            var behind = Search(from: end, in: waiting)
            while let next = ahead.next(), let previous = behind.next() {
                if behind.hasFound(next) || ahead.hasFound(previous) { return true }
            }
            return false
        }

        /// The work on a way from some to other work that it waits for, both included.
        func way(from start: Node, to end: Node) -> [Node] {
            var search = Search(from: start, in: awaited)
            while search.open.last?.node !== end, search.next() != nil {}
            return search.open.map(\.node)
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
            while !open.isEmpty {
                guard let (node, _) = open[open.count - 1].ends.next() else {
                    open.removeLast()
                    continue
                }
                follow(node)
                return node
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
