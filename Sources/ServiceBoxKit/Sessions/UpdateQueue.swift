// Part of ServiceBox, released under the MIT License.
// Changes, one after the other.

/// Runs changes one after the other, in the order in which they were handed in, under no lock.
///
/// The first thread to hand one in runs it, and then whatever was handed in meanwhile. Other threads wait
/// until their change is done. A change that is handed in from within another, or by a thread whose waiting
/// could never end, is left to the running thread.
final class UpdateQueue: Sendable {
    private struct State {
        var entries: [(change: @Sendable () -> Void, work: RunningWork)] = []
        /// The thread that runs changes.
        var runner: UInt?
    }

    private let state = Guarded(State())

    /// Runs a change, at once or when its turn comes.
    func run(_ change: @escaping @Sendable () -> Void) {
        let thread = CurrentThread.id
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: UpdateQueue.self)
        let (work, isRunner) = state.withLock { state in
            let isRunner = state.runner == nil
            let work = RunningWork(step, thread: state.runner ?? thread)
            state.runner = work.thread
            state.entries.append((change, work))
            return (work, isRunner)
        }
        while isRunner, let entry = next() {
            entry.change()
            entry.work.advance(to: .ended)
        }
        if work.thread != thread { _ = WaitGraph.wait(for: work, until: .ended, .limited) }
    }

    private func next() -> (change: @Sendable () -> Void, work: RunningWork)? {
        state.withLock { state in
            guard state.entries.isEmpty else { return state.entries.removeFirst() }
            state.runner = nil
            return nil
        }
    }
}
