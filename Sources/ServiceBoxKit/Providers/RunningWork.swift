// Part of ServiceBox, released under the MIT License.
// Work that one thread does and others may wait for.

import Synchronization

/// Work that runs on one thread, and that other threads may wait for.
///
/// Wait through ``WaitGraph``, which refuses a wait that could never end.
///
/// `Sendable` is unchecked because the class is not final. It holds: it and its subclasses have constants of
/// `Sendable` types alone.
class RunningWork: @unchecked Sendable {
    /// How far work has come, in this order.
    enum Stage: UInt8, Comparable {
        /// A factory runs, or an update.
        case begun
        /// A service is there.
        case created
        /// The service is filled.
        case finished
        /// The work is over: everyone may see what came of it.
        case ended

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// What is made, for messages.
    final let step: ServicePath.Step
    private final let doer: Atomic<UInt>
    private final let rawStage = Atomic(Stage.begun.rawValue)
    private final let isWaitedFor = Atomic(false)
    private final let sparesWaiters: Atomic<Bool>

    /// Starts work.
    ///
    /// - Parameters:
    ///   - step: What is made.
    ///   - thread: The thread that does it.
    ///   - sparesWaiters: Whether others can go on without its end, if waiting would never end.
    init(_ step: ServicePath.Step, thread: UInt, sparesWaiters: Bool = false) {
        self.step = step
        doer = Atomic(thread)
        self.sparesWaiters = Atomic(sparesWaiters)
    }

    /// The thread that does the work.
    final var thread: UInt { doer.load(ordering: .acquiring) }

    /// Has another thread do the rest of the work.
    final func move(to thread: UInt) { doer.store(thread, ordering: .releasing) }

    /// How far the work has come.
    final var stage: Stage {
        // What is stored are raw values of stages.
        Stage(rawValue: rawStage.load(ordering: .sequentiallyConsistent)) ?? .ended
    }

    /// Whether others can go on without its end, if waiting would never end.
    final var canSpareWaiters: Bool { sparesWaiters.load(ordering: .acquiring) }

    /// Lets others go on without the end of the work from now on.
    final func spareWaiters() {
        sparesWaiters.store(true, ordering: .releasing)
    }

    /// Says that somebody waits; whoever waits looks at the stage afterwards.
    final func noteWaiter() { isWaitedFor.store(true, ordering: .sequentiallyConsistent) }

    /// Comes to a stage and wakes those who wait for it.
    final func advance(to stage: Stage) {
        rawStage.store(stage.rawValue, ordering: .sequentiallyConsistent)
        // Either this sees the waiter, or the waiter sees the stage.
        if isWaitedFor.load(ordering: .sequentiallyConsistent) { WaitGraph.wake(for: self) }
    }
}
