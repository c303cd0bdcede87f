// Part of ServiceBox, released under the MIT License.
// A task that several callers wait for.

/// The one task-local value that shared tasks inherit from the task that begins them.
enum Inherited {
    /// The default box of the task, if it has one of its own; this room doesn't know the type.
    @TaskLocal static var defaultBox: (any AnyObject & Sendable)?
}

/// A task that several callers wait for, and that belongs to none of them.
///
/// It inherits no task-local values but ``Inherited``, and has the highest priority of those who wait. It
/// doesn't return its outcome, since tasks outlive those who wait for them: each caller gets an answer, nil
/// if it has given up.
///
/// Thread-safe.
final class SharedTask<Outcome: Sendable>: Sendable {
    private struct State {
        /// Nil before the task begins and after it has ended.
        var task: Task<Void, Never>?
        /// The answers to the callers that wait; nil after it has ended.
        var answers: [Answer<Outcome?>]? = []
        /// The highest priority of the callers.
        var priority = Task.currentPriority
        /// How many of the callers that have joined aren't cancelled.
        var interested = 0
        var isCancelled = false
    }

    private let state = Guarded(State())

    /// Begins the task; called once, and under no lock that it takes, since it may run at once.
    func begin(_ operation: @escaping @Sendable () async -> Outcome) {
        let task = Task.detached(priority: Task.currentPriority) { [self, box = Inherited.defaultBox] in
            let outcome = await Inherited.$defaultBox.withValue(box, operation: operation)
            let old = state.withLock { exchange(&$0, with: State(answers: nil)) }
            for answer in old.answers ?? [] { answer.give(outcome) }
        }
        let (priority, isCancelled) = state.withLock { state in
            if state.answers != nil { state.task = task }
            return (state.priority, state.isCancelled)
        }
        if priority > Task.currentPriority { task.escalate(to: priority) }
        if isCancelled { task.cancel() }
    }

    /// Cancels the task.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    /// Adds a caller in whose interest the task runs.
    ///
    /// Not to be called when the task may have ended: nobody would give the answer.
    ///
    /// - Returns: Whether that was possible; false if all such callers were cancelled, and with them the task.
    func join(_ answer: Answer<Outcome?>) -> Bool {
        state.withLock { state in
            if state.isCancelled, state.interested == 0 { return false }
            state.answers?.append(answer)
            state.interested += 1
            return true
        }
    }

    /// Called once for each cancelled caller that has joined; cancels the task when none is left.
    func lose() {
        let abandoned = state.withLock { state in
            state.interested -= 1
            if state.interested > 0 { return nil as Task<Void, Never>? }
            state.isCancelled = true
            return state.task
        }
        abandoned?.cancel()
    }

    /// Adds a caller that only waits.
    ///
    /// - Returns: The answer to wait for; nil if the task has ended.
    func follow() -> Answer<Outcome?>? {
        let answer = Answer<Outcome?>()
        return state.withLock { state in
            state.answers?.append(answer)
            return state.answers.map { _ in answer }
        }
    }

    /// Waits for an answer, and lends the task the caller's priority meanwhile.
    nonisolated(nonsending) func outcome(
        _ answer: Answer<Outcome?>, onCancel cancel: @Sendable () -> Void = {}
    ) async -> Outcome? {
        let (task, isRaised) = state.withLock { state in
            let known = exchange(&state.priority, with: max(state.priority, Task.currentPriority))
            return (state.task, state.priority > known)
        }
        if isRaised { task?.escalate(to: Task.currentPriority) }
        guard let task, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return await answer.value(onCancel: cancel)
        }
        return await withTaskPriorityEscalationHandler {
            await answer.value(onCancel: cancel)
        } onPriorityEscalated: { _, priority in
            task.escalate(to: priority)
        }
    }

    /// Waits until the task has ended.
    nonisolated(nonsending) func end() async {
        if let answer = follow() { _ = await outcome(answer) }
    }
}

extension Task<Void, Never> {
    /// Raises the task's priority, if it is lower.
    fileprivate func escalate(to priority: TaskPriority) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            escalatePriority(to: priority)
        } else {
            // A task that waits for another one lends it its priority.
            Task.detached(priority: priority) { await value }
        }
    }
}
