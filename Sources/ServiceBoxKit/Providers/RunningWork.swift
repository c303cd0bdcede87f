// Part of ServiceBox, released under the MIT License.
// Work that one thread does and others may wait for.

import Synchronization

/// Work that runs on one thread, and whose end other threads may wait for.
///
/// Wait through ``WaitGraph``, which refuses a wait that could never end.
final class RunningWork: Sendable {
    /// What is made, for messages.
    let step: ServicePath.Step
    /// The thread that does it.
    let thread: UInt
    let gate = Gate()
    private let finished = Atomic(false)
    private let sparesWaiters: Atomic<Bool>

    /// Starts work.
    ///
    /// - Parameters:
    ///   - step: What is made.
    ///   - thread: The thread that does it.
    ///   - sparesWaiters: Whether others can go on without its end, if waiting would never end.
    init(_ step: ServicePath.Step, thread: UInt, sparesWaiters: Bool = false) {
        self.step = step
        self.thread = thread
        self.sparesWaiters = Atomic(sparesWaiters)
    }

    var isFinished: Bool { finished.load(ordering: .acquiring) }

    /// Whether others can go on without its end, if waiting would never end.
    var canSpareWaiters: Bool { sparesWaiters.load(ordering: .acquiring) }

    /// Lets others go on without the end of the work from now on.
    func spareWaiters() {
        sparesWaiters.store(true, ordering: .releasing)
    }

    /// Ends the work and wakes all who wait.
    func finish() {
        finished.store(true, ordering: .releasing)
        gate.wake()
    }
}
