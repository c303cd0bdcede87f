// Part of ServiceBox, released under the MIT License.
// Asynchronous work that runs once, however many tasks wait for it.

/// Asynchronous work that runs once, however many tasks wait for it, and belongs to none of them.
///
/// It runs as a task of its own, which inherits no task-local values but ``Inherited``, and has the highest
/// priority of those who wait. Callers suspend. A cancelled caller stops waiting; when none is left, the
/// work is cancelled. The outcome isn't cached: the next caller runs the work again. Once every waiting
/// caller has the outcome, it is released here.
///
/// Thread-safe.
final class SharedWork<Value: Sendable>: Sendable {
    /// The outcome of the work.
    private typealias Outcome = Result<Value, any Error>

    /// The run in progress.
    private let current = Guarded<SharedTask<Outcome>?>(nil)
    /// The work's node in the graph, for finding cycles.
    let node: AwaitGraph.Node

    init(_ node: AwaitGraph.Node) {
        self.node = node
    }

    /// Runs the work, or waits for the run in progress.
    ///
    /// - Parameters:
    ///   - isPatient: Whether a cancelled caller still waits until the work ends, which may then be
    ///     cancelled.
    ///   - operation: The work, the same for all callers.
    /// - Returns: The work's result.
    /// - Throws: The work's error, `CancellationError` if the current task is cancelled, and
    ///   ``ServiceBoxError/Code/cycle`` if the work waits for the caller.
    nonisolated(nonsending) func value(
        isPatient: Bool = false, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await AwaitGraph.waiting(for: node) {
            let (run, answer) = join(operation)
            let outcome = await run.outcome(answer) {
                // Before the run may be cancelled, which gives its own answer.
                if !isPatient { answer.give(nil) }
                run.lose()
            }
            guard let outcome else { throw CancellationError() }
            return try outcome.get()
        }
    }

    /// Whether a run is in progress.
    var isBeingDone: Bool { current.withLock { $0 != nil } }

    /// Cancels the run in progress, if any, and waits until it has ended, unless it waits for the caller.
    nonisolated(nonsending) func cancel() async {
        current.withLock { $0 }?.cancel()
        await end()
    }

    /// Waits until the run in progress, if any, has ended, unless it waits for the caller.
    nonisolated(nonsending) func end() async {
        guard let run = current.withLock({ $0 }) else { return }
        try? await AwaitGraph.waiting(for: node) { await run.end() }
    }

    /// Adds a caller to the run in progress, or begins one; the success of an abandoned run, which nobody waited
    /// for any more, isn't wasted.
    private func join(
        _ operation: @escaping @Sendable () async throws -> Value
    ) -> (run: SharedTask<Outcome>, answer: Answer<Outcome?>) {
        let (new, answer) = (SharedTask<Outcome>(), Answer<Outcome?>())
        let (run, abandoned) = current.withLock { current in
            if let current, current.join(answer) { return (current, nil as Answer<Outcome?>?) }
            _ = new.join(answer)
            return (new, exchange(&current, with: new)?.follow())
        }
        if run === new {
            run.begin { [self] in
                let earlier = await abandoned?.value() ?? nil
                let outcome = await outcome {
                    if let value = try? earlier?.get() { return value }
                    // Nobody waits for this run any more, either.
                    if abandoned != nil { try Task.checkCancellation() }
                    return try await AwaitGraph.running(node) { try await operation() }
                }
                current.withLock { if $0 === run { $0 = nil } }
                return outcome
            }
        }
        return (run, answer)
    }
}

/// Which asynchronous work waits for which, process-wide, so that no work waits for itself.
///
/// Tasks that the work starts count as parts of it until it ends. Thread-safe.
enum AwaitGraph {
    /// Work, identified by the service that it creates.
    typealias Node = ConstantObject<ServicePath.Step>

    /// The work that the current task is a part of.
    @TaskLocal private static var current: Ongoing<Node>?
    private static let waits = Guarded(Waits())

    /// Does work in the current task.
    static nonisolated(nonsending) func running<Result>(
        _ node: Node, _ operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        let work = Ongoing(node)
        defer { work.end() }
        return try await $current.withValue(work, operation: operation)
    }

    /// Waits for work, on behalf of the work that the current task is a part of, if any.
    ///
    /// - Parameters:
    ///   - node: The work to wait for.
    ///   - others: What that work is about to wait for.
    ///   - operation: Waits for it.
    /// - Returns: What the operation returns.
    /// - Throws: The operation's error; ``ServiceBoxError/Code/cycle`` if the work waits for the caller.
    static nonisolated(nonsending) func waiting<Result>(
        for node: Node, andFor others: @autoclosure () -> [Node] = [],
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        guard let own = current?.value else { return try await operation() }
        let awaited = [node] + others()
        let circle = waits.withLock { waits -> [Node]? in
            for node in awaited { if let way = waits.way(from: node, to: own) { return way } }
            waits.note(1, from: own, to: node)
            return nil
        }
        if let circle {
            // If work waits for itself, the factories that the error passes through add the rest of the path.
            let steps = circle.count > 1 ? circle.map(\.value) : []
            let path = steps.reduce(into: [ServicePath.Step]()) { path, step in
                if path.last?.provider != step.provider { path.append(step) }
            }
            throw ServiceBoxError(.cycle, path: ServicePath(path + [node.value]))
        }
        defer { waits.withLock { $0.note(-1, from: own, to: node) } }
        return try await operation()
    }
}

// MARK: - What waits for what

extension AwaitGraph {
    /// The waits between work, recorded in both directions.
    fileprivate struct Waits: Sendable {
        /// Other work, with the number of waits that lead to it.
        typealias Ends = [ObjectIdentifier: (node: Node, count: Int)]

        private var awaited: [ObjectIdentifier: Ends] = [:]
        private var waiting: [ObjectIdentifier: Ends] = [:]

        /// Counts a wait, or with a negative number the end of one.
        ///
        /// The waiting caller holds both nodes, so nothing is released here.
        mutating func note(_ count: Int, from node: Node, to other: Node) {
            awaited.note(count, from: node, to: other)
            waiting.note(count, from: other, to: node)
        }

        /// The path of waits from one node to another, both included; nil if there is none.
        ///
        /// Searches from both ends, one wait at a time, until one of them leads no further: joining the end
        /// of a long chain costs no more than joining its beginning.
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
        /// The path to the node found last, with the waits left to follow from each node on it.
        fileprivate private(set) var open: [(node: Node, ends: Waits.Ends.Values.Iterator)] = []
        private let ends: [ObjectIdentifier: Waits.Ends]

        init(from start: Node, in ends: [ObjectIdentifier: Waits.Ends]) {
            self.ends = ends
            follow(start)
        }

        func hasFound(_ node: Node) -> Bool { found.contains(ObjectIdentifier(node)) }

        /// The node at the end of the next wait, known or not; nil if there are no more.
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
