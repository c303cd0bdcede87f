// Part of ServiceBox, released under the MIT License.
// Stops a box once, within a time limit, and its children before it.

extension Lifecycle {
    /// Whether the box has stopped, or is about to.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Whether stopping the services has begun, so that other callers must wait for it.
    var isBeingStopped: Bool { state.withLock { $0.stopping != nil } }

    /// Notes that the box is about to stop.
    ///
    /// - Returns: Whether nothing was ever started and no child has to stop, so that only services may have
    ///   to be awaited.
    func noteStopping() -> Bool {
        let isIdle = state.withLock { state in
            state.isStopping = true
            return state.stopping == nil && !state.isRunning && state.records.isEmpty
                && state.children.isEmpty
        }
        return isIdle && !starting.isBeingDone
    }

    /// Stops the services once, and waits for that, unless stopping waits for the caller.
    ///
    /// - Parameters:
    ///   - limit: How long to wait before the rest is cancelled.
    ///   - passesCancellation: Whether cancelling the caller cancels the rest, too.
    ///   - factories: The running factories of the box.
    /// - Returns: The errors of services so far, and after a timeout the names of those that haven't ended.
    nonisolated(nonsending) func stop(
        within limit: Duration?, passesCancellation: Bool = false,
        after factories: @autoclosure () -> [AwaitGraph.Node] = []
    ) async -> (errors: [ServiceBoxError], late: [String]?) {
        let new = SharedTask<Void>()
        let task = state.withLock { state in
            let task = state.stopping ?? new
            (state.isStopping, state.stopping) = (true, task)
            return task
        }
        if task === new {
            task.begin { [self] in await AwaitGraph.running(stoppingNode) { await stopServices() } }
        }
        // A service that stops its box, or an ancestor, from its factory, start or stop would otherwise wait for
        // itself.
        let isInTime = try? await AwaitGraph.waiting(for: stoppingNode, andFor: nodesBelow + factories()) {
            await ends(task, within: limit, passesCancellation: passesCancellation)
        }
        if isInTime ?? true { return (errors, nil) }
        // Before they may end since they are cancelled.
        defer { task.cancel() }
        return (errors, left)
    }

    /// Whether the task that stops the services ends within a time limit.
    private nonisolated(nonsending) func ends(
        _ task: SharedTask<Void>, within limit: Duration?, passesCancellation: Bool
    ) async -> Bool {
        guard let answer = task.follow() else { return true }
        let timer = limit.map { limit in
            Task.detached {
                try? await Task.sleep(for: min(max(limit, .zero), Self.longestWait))
                // If the timer is cancelled, the answer was given before.
                answer.give(nil)
            }
        }
        defer { timer?.cancel() }
        return await task.outcome(answer) { if passesCancellation { task.cancel() } } != nil
    }

    /// About thirty years, since the clock can't add every duration.
    private static var longestWait: Duration { .seconds(1_000_000_000) }

    /// Stops the children; cancelling this cancels them.
    nonisolated(nonsending) func stopChildren() async {
        await withTaskGroup(of: Void.self) { group in
            for child in children {
                group.addTask { [self] in note(await child.stop(within: nil, passesCancellation: true).errors)
                }
            }
        }
    }

    private var errors: [ServiceBoxError] { state.withLock { $0.errors } }

    /// The names of services that haven't ended, in the children and in the box.
    private var left: [String] { children.flatMap(\.left) + (state.withLock { $0.left }?() ?? []) }

    /// Notes which services are still to be stopped.
    ///
    /// - Parameter names: Their names, the current one first, read after a timeout; nil if there are none.
    func note(left names: (@Sendable () -> [String])?) {
        state.letGo { exchange(&$0.left, with: names) }
    }

    func note(_ errors: [ServiceBoxError]) { state.withLock { $0.errors += errors } }
}

// MARK: - Children

extension Lifecycle {
    /// Notes a child that must stop before this box.
    ///
    /// - Parameter child: A reference to the child's box.
    /// - Returns: Whether it was added; false if this box is already stopping.
    func enrol(_ child: WeakSupplier) -> Bool {
        // Now and then children that are gone are dropped.
        if state.withLock({ $0.childrenLimit.isExceeded(by: $0.children.count) }) {
            for child in state.withLock({ $0.children }).values where child.object == nil { forget(child) }
            state.withLock { $0.childrenLimit.reset(to: $0.children.count) }
        }
        return state.withLock { state in
            if state.isStopping { return false }
            state.children[ObjectIdentifier(child)] = child
            return true
        }
    }

    func forget(_ child: WeakSupplier) {
        state.letGo { $0.children.removeValue(forKey: ObjectIdentifier(child)) }
    }

    /// The stops and the running factories of the children, of their children and so on.
    private var nodesBelow: [AwaitGraph.Node] {
        living.flatMap { [$0.life.stoppingNode] + $0.runningFactories + $0.life.nodesBelow }
    }

    private var children: [Lifecycle] { living.map(\.life) }

    private var living: [any Living] {
        state.withLock { $0.children }.values.compactMap { $0.object as? any Living }
    }
}
