// Part of ServiceBox, released under the MIT License.
// Changes, one after the other.

/// Runs changes one after the other, in the order in which they were handed in, under no lock.
///
/// The first thread to hand one in runs it, and then whatever was handed in meanwhile. Other threads wait
/// until their change is done. A change that is handed in from within another, or by a thread whose waiting
/// could never end, is left to the running thread.
final class UpdateQueue: Sendable {
    private struct Entry: Sendable {
        let change: @Sendable () -> Void
        let work: RunningWork
    }

    private struct State {
        var entries: [Entry] = []
        /// The thread that runs changes.
        var runner: UInt?
    }

    private let state = Guarded(State())

    /// Runs a change, at once or when its turn comes.
    func run(_ change: @escaping @Sendable () -> Void) {
        let thread = CurrentThread.id
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: UpdateQueue.self)
        let (work, isRunner) = state.withLock { state in
            let runner = state.runner ?? thread
            let isRunner = state.runner == nil
            let work = RunningWork(step, thread: runner, sparesWaiters: true)
            state.runner = runner
            state.entries.append(Entry(change: change, work: work))
            return (work, isRunner)
        }
        if isRunner {
            runAll()
        } else if work.thread != thread {
            _ = WaitGraph.wait(for: work, until: .ended, .endless)
        }
    }

    private func runAll() {
        while let entry = next() {
            entry.change()
            entry.work.advance(to: .ended)
        }
    }

    private func next() -> Entry? {
        state.withLock { state in
            guard state.entries.isEmpty else { return state.entries.removeFirst() }
            state.runner = nil
            return nil
        }
    }
}
