// Part of ServiceBox, released under the MIT License.
// Stopping a box once, within a time, and its children before it.

extension Lifecycle {
    /// Whether the box has stopped, or is about to.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Whether somebody has to be waited for who stops the services.
    var isBeingStopped: Bool { state.withLock { $0.stopping != nil } }

    /// Notes that the box is about to stop.
    ///
    /// - Returns: Whether nothing was ever started, nor is there a child to stop, so that there is nothing to wait for but
    ///   services.
    func noteStopping() -> Bool {
        let isIdle = state.withLock { state in
            state.isStopping = true
            return state.stopping == nil && !state.isRunning && state.records.isEmpty
                && state.children.isEmpty
        }
        return isIdle && !starting.isBeingDone
    }

    /// Stops the services, once, and waits for that, unless it waits for whoever asks.
    ///
    /// - Parameter limit: How long to wait; then what still runs is cancelled.
    /// - Returns: What services have thrown so far, and if the time was over the names of those that haven't ended.
    nonisolated(nonsending) func stop(within limit: Duration?) async -> (
        errors: [ServiceBoxError], late: [String]?
    ) {
        let task = state.withLock { state in
            let task =
                state.stopping
                ?? Task.detached { [self] in
                    await AwaitGraph.running(stoppingNode) { await stopServices(self) }
                }
            (state.isStopping, state.stopping) = (true, task)
            return task
        }
        // A service that stops its box while it starts or stops itself would wait for itself.
        let isInTime = try? await AwaitGraph.waiting(for: stoppingNode) { await ends(task, within: limit) }
        if isInTime ?? true { return (errors, nil) }
        task.cancel()
        return (errors, left)
    }

    /// Whether what stops the services ends within a time.
    private nonisolated(nonsending) func ends(_ task: Task<Void, Never>, within limit: Duration?) async
        -> Bool
    {
        guard let limit else {
            await task.value
            return true
        }
        let answer = Answer<Bool>()
        let timer = Task.detached {
            try? await Task.sleep(for: min(max(limit, .zero), Self.longestWait))
            // Cancelled, it has been answered.
            answer.give(false)
        }
        Task.detached {
            await task.value
            answer.give(true)
        }
        defer { timer.cancel() }
        return await answer.value()
    }

    /// Some thirty years: the clock can't add whatever a duration can say.
    private static var longestWait: Duration { .seconds(1_000_000_000) }

    /// Stops the children, which are cancelled where this is.
    nonisolated(nonsending) func stopChildren() async {
        await withTaskGroup(of: Void.self) { group in
            for child in children {
                group.addTask { [self] in
                    let errors = await withTaskCancellationHandler {
                        await child.stop(within: nil).errors
                    } onCancel: {
                        child.cancelStop()
                    }
                    note(errors)
                }
            }
        }
    }

    private func cancelStop() { state.withLock { $0.stopping }?.cancel() }

    private var errors: [ServiceBoxError] { state.withLock { $0.errors } }

    /// The names of those that haven't ended, in the children and in the box.
    private var left: [String] { children.flatMap(\.left) + (state.withLock { $0.left }?() ?? []) }

    /// Notes who is still to be stopped.
    ///
    /// - Parameter names: Their names, the current one first; asked for when the time is over. Nil if nobody is.
    func note(left names: (@Sendable () -> [String])?) {
        state.letGo { exchange(&$0.left, with: names) }
    }

    func note(_ errors: [ServiceBoxError]) { state.withLock { $0.errors += errors } }
}

// MARK: - Children

extension Lifecycle {
    /// Notes a child that is to stop before this box.
    ///
    /// - Parameter child: What leads to its box.
    /// - Returns: Whether that can be: not when this box stops already.
    func enrol(_ child: WeakSupplier) -> Bool {
        // Now and then, so that those that are gone leave nothing behind.
        if state.withLock({ $0.children.count >= $0.countToPrune }) {
            for child in state.withLock({ $0.children }).values where child.object == nil { forget(child) }
            state.withLock { $0.countToPrune = max(64, 2 * $0.children.count) }
        }
        return state.withLock { state in
            if state.isStopping { return state.children[ObjectIdentifier(child)] != nil }
            state.children[ObjectIdentifier(child)] = child
            return true
        }
    }

    func forget(_ child: WeakSupplier) {
        state.letGo { $0.children.removeValue(forKey: ObjectIdentifier(child)) }
    }

    private var children: [Lifecycle] {
        state.withLock { $0.children }.values.compactMap { ($0.object as? any Living)?.life }
    }
}
