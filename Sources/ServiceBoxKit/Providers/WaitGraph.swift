// Part of ServiceBox, released under the MIT License.
// Which thread waits for which work, so that no thread waits for itself.

import Synchronization

/// Work that runs on one thread, and that other threads may wait for through ``WaitGraph``.
///
/// `Sendable` is unchecked because the class isn't final. It is safe: it and its subclasses have only
/// constants of `Sendable` types.
@usableFromInline
class RunningWork: @unchecked Sendable {
    /// The stages of work, in order.
    enum Stage: UInt8, AtomicRepresentable, Comparable {
        /// A factory or an update is running.
        case begun
        /// The service exists.
        case created
        /// A thread is filling the service.
        case filling
        /// The service is filled.
        case filled
        /// Its table is given the services that were incomplete when it was filled.
        case settling
        case settled
        /// The service is about to be published.
        case showing
        /// The work is over: everyone may see its result.
        case ended

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// What is constructed, for messages.
    final let step: ServicePath.Step
    private final let worker: Atomic<UInt>
    private final let currentStage = Atomic(Stage.begun)
    private final let isWaitedFor = Atomic(false)
    /// Counts the threads that are taking the work over, or have just failed to.
    private final let takers = Atomic(0)

    init(_ step: ServicePath.Step, thread: UInt = CurrentThread.id) {
        self.step = step
        worker = Atomic(thread)
    }

    /// The thread that does the work.
    final var thread: UInt { worker.load(ordering: .acquiring) }

    final var stage: Stage { currentStage.load(ordering: .sequentiallyConsistent) }

    /// Reaches a stage and wakes the threads that wait for it.
    final func advance(to stage: Stage) {
        currentStage.store(stage, ordering: .sequentiallyConsistent)
        wakeWaiters()
    }

    /// Wakes the threads that wait for it: either this sees the waiter, or the waiter sees the stage.
    final func wakeWaiters() {
        if isWaitedFor.load(ordering: .sequentiallyConsistent) { WaitGraph.wakeAll() }
    }

    /// Whether a thread is just taking the work over, so that its worker is uncertain.
    final var isMoving: Bool { takers.load(ordering: .sequentiallyConsistent) != 0 }

    /// Takes over the rest of the work for the current thread, unless another was faster; nobody waits for
    /// `new`.
    final func tryTakeOver(from old: Stage, to new: Stage) -> Bool {
        takers.add(1, ordering: .sequentiallyConsistent)
        defer { takers.subtract(1, ordering: .sequentiallyConsistent) }
        guard tryAdvance(from: old, to: new) else { return false }
        worker.store(CurrentThread.id, ordering: .releasing)
        return true
    }

    /// Reaches a stage that nobody waits for, unless another thread was faster.
    final func tryAdvance(from old: Stage, to new: Stage) -> Bool {
        currentStage.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
    }

    /// Notes that a thread waits; it must check the stage afterwards.
    fileprivate final func noteWaiter() { isWaitedFor.store(true, ordering: .sequentiallyConsistent) }
}

/// Which thread waits for which work, process-wide.
///
/// A thread that wants to wait follows the waits from the work to the thread that does it, to the work that
/// that thread waits for, and so on. If that leads back to itself, waiting would never end. Checking and
/// entering the wait happen under one lock, so the last thread to close a circle finds it; the thread in the
/// circle that loses least goes on without waiting. Work that has come far enough blocks nobody, even if a
/// thread that waited for it hasn't woken up yet.
enum WaitGraph {
    /// What a thread can do if waiting would never end.
    enum Patience: Comparable {
        /// It can only fail.
        case endless
        /// It can go on with what exists.
        case limited
        /// It can do the work itself.
        case little
    }

    /// How a wait ended.
    enum Answer {
        /// The work has come far enough.
        case reached
        /// Waiting would never end; the thread goes on without.
        case gaveUp
        /// Waiting would never end. The path leads from the work round to itself, or else from the work to
        /// what the asking thread constructs.
        case cycle(ServicePath)
    }

    private struct Waiter: Sendable {
        let work: RunningWork
        let stage: RunningWork.Stage
        let patience: Patience
        /// What the waiting thread constructs, outermost first.
        let trail: [ServicePath.Step]
        /// How many of those constructions enclose the one for an optional property or a cross-fill.
        let optionalDepth: Int?
        /// The answer that ends the wait although the work hasn't come far enough.
        var answer: Answer?

        init(_ work: RunningWork, until stage: RunningWork.Stage, _ patience: Patience) {
            let stack = ConstructionStack.here
            (self.work, self.stage, self.patience) = (work, stage, patience)
            (trail, optionalDepth) = (stack.value.steps, stack.value.optionalDepth)
        }

        var isReached: Bool { work.stage >= stage }
        var isBlocked: Bool { !isReached && answer == nil }

        /// Whether the wait is for an optional property of the work's service, or of one inside it.
        func isOptional(for work: RunningWork) -> Bool {
            guard let optionalDepth else { return false }
            let index = trail.lastIndex { $0.provider == work.step.provider }
            return index.map { $0 < optionalDepth } ?? false
        }
    }

    /// Waiters by thread.
    ///
    /// Each thread removes its own entry, and keeps the work itself, so the lock releases nothing.
    private static let waiters = Monitor<[UInt: Waiter]>([:])

    /// Waits until work has reached a stage, unless that would never end.
    static func wait(for work: RunningWork, until stage: RunningWork.Stage, _ patience: Patience) -> Answer {
        if work.stage >= stage { return .reached }
        let thread = CurrentThread.id
        let asking = Waiter(work, until: stage, patience)
        return waiters.wait { waiters in
            guard let waiter = waiters[thread] else {
                work.noteWaiter()
                return enter(thread, asking, among: &waiters)
            }
            guard !waiter.isBlocked else { return nil }
            waiters[thread] = nil
            return waiter.isReached ? .reached : waiter.answer
        }
    }

    static func wakeAll() { waiters.wakeAll() }

    /// Enters a wait, or returns why there is none.
    private static func enter(
        _ thread: UInt, _ asking: Waiter, among waiters: inout [UInt: Waiter]
    ) -> Answer? {
        var chain = [(thread: thread, waiter: asking)]
        while let last = chain.last?.waiter {
            // Until it is certain who does the work; a thread that takes it over needs no lock for that.
            while last.work.isMoving { CurrentThread.yield() }
            if last.isReached { break }
            if last.work.thread == thread {
                let patience = chain.map(\.waiter.patience).max() ?? .endless
                var (index, answer) = (chain.firstIndex { $0.waiter.patience == patience }, Answer.gaveUp)
                if patience == .endless {
                    // A thread that fills an optional property can do without; any other can only fail.
                    index = chain.indices.first { index in
                        let previous = chain[index == 0 ? chain.count - 1 : index - 1].waiter.work
                        return chain[index].waiter.isOptional(for: previous)
                    }
                    let chain = chain.map(\.waiter)
                    var path = path(through: Array(chain[(index ?? 0)...] + chain[..<(index ?? 0)]))
                    path.isAvoidable = index != nil
                    answer = .cycle(path)
                }
                guard let index, index != 0 else { return answer }
                waiters[chain[index].thread]?.answer = answer
                self.waiters.wakeAllInside()
                break
            }
            // A circle of other threads is for them to find.
            guard let next = waiters[last.work.thread], next.isBlocked,
                !chain.contains(where: { $0.thread == last.work.thread })
            else { break }
            chain.append((last.work.thread, next))
        }
        if asking.isReached { return .reached }
        waiters[thread] = asking
        return nil
    }

    /// The path from the first waiter's work, through what each thread on the way constructs for it, and back
    /// to that work if the first waiter's thread constructs something for it.
    private static func path(through chain: [Waiter]) -> ServicePath {
        var steps: [ServicePath.Step] = []
        for (index, waiter) in chain.enumerated() {
            let isLast = index == chain.count - 1
            let next = isLast ? chain[0] : chain[index + 1]
            steps.append(waiter.work.step)
            // The next waiter's thread does this work; what it constructs inside comes next.
            let start = next.trail.lastIndex { $0.provider == waiter.work.step.provider }
            guard let start else { continue }
            steps += next.trail[(start + 1)...]
            if isLast { steps.append(next.work.step) }
        }
        return ServicePath(steps)
    }
}
