// Part of ServiceBox, released under the MIT License.
// Work that one thread does, and who waits for it, so that no thread waits for itself.

import Synchronization

/// Work that runs on one thread, and that other threads may wait for through ``WaitGraph``.
///
/// `Sendable` is unchecked because the class is not final. It holds: it and its subclasses have constants of
/// `Sendable` types alone.
@usableFromInline
class RunningWork: @unchecked Sendable {
    /// How far work has come, in this order.
    enum Stage: UInt8, AtomicRepresentable, Comparable {
        /// A factory runs, or an update.
        case begun
        /// A service exists.
        case created
        /// Somebody fills the service.
        case filling
        /// The service is filled.
        case filled
        /// It is given what it couldn't be given before all was complete that it needs.
        case settling
        case settled
        /// The service is about to be shown.
        case showing
        /// The work is over: everyone may see what came of it.
        case ended

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// What is constructed, for messages.
    final let step: ServicePath.Step
    private final let worker: Atomic<UInt>
    private final let currentStage = Atomic(Stage.begun)
    private final let isWaitedFor = Atomic(false)
    /// Counts the threads that are about to take the work over, or have just failed to.
    private final let takers = Atomic(0)

    /// Starts work.
    ///
    /// - Parameters:
    ///   - step: What is constructed.
    ///   - thread: The thread that does the work.
    init(_ step: ServicePath.Step, thread: UInt = CurrentThread.id) {
        self.step = step
        worker = Atomic(thread)
    }

    /// The thread that does the work.
    final var thread: UInt { worker.load(ordering: .acquiring) }

    final var stage: Stage { currentStage.load(ordering: .sequentiallyConsistent) }

    /// Reaches a stage and wakes those who wait for it.
    final func advance(to stage: Stage) {
        currentStage.store(stage, ordering: .sequentiallyConsistent)
        // Either this sees the waiter, or the waiter sees the stage.
        if isWaitedFor.load(ordering: .sequentiallyConsistent) { WaitGraph.wakeAll() }
    }

    /// Whether it can't be told which thread does the work: one is just taking it over.
    final var isMoving: Bool { takers.load(ordering: .sequentiallyConsistent) != 0 }

    /// Has the current thread do the rest of the work, from a stage on that nobody waits for, unless another was faster.
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

    /// Notes that somebody waits, who looks at the stage afterwards.
    fileprivate final func noteWaiter() { isWaitedFor.store(true, ordering: .sequentiallyConsistent) }
}

/// Which thread waits for which work, for the whole process.
///
/// A thread that wants to wait follows the waits from the work to the thread that does it, to the work that
/// this thread waits for, and so on. If that leads back to the thread itself, waiting would never end.
/// Looking and entering the wait happen under one lock, so the last thread of a circle to ask finds it; the one
/// that loses least by it goes on without what it waits for. Work that has come far enough blocks nobody, even
/// if a thread that waited for it has not woken yet.
enum WaitGraph {
    /// What a thread can do if waiting would never end.
    enum Patience: Comparable {
        /// It can only fail.
        case endless
        /// It can go on with what is there.
        case limited
        /// It can do what it waits for itself.
        case little
    }

    /// How a wait ended.
    enum Answer {
        /// The work has come far enough.
        case reached
        /// Waiting could never end; the thread goes on without.
        case gaveUp
        /// Waiting could never end. The path leads round, from the work to itself, or else from the work to
        /// what the asking thread constructs.
        case cycle(ServicePath)
    }

    private struct Waiter: Sendable {
        let work: RunningWork
        let stage: RunningWork.Stage
        let patience: Patience
        /// What the waiting thread constructs, outermost first.
        let trail: [ServicePath.Step]
        /// How much of that is around what it creates for an optional property.
        let optionalDepth: Int?
        /// How the wait ends although the work hasn't come far enough.
        var answer: Answer?

        init(_ work: RunningWork, until stage: RunningWork.Stage, _ patience: Patience) {
            let stack = ConstructionStack.current
            (self.work, self.stage, self.patience) = (work, stage, patience)
            (trail, optionalDepth) = (stack.pointee.steps, stack.pointee.optionalDepth)
        }

        var isReached: Bool { work.stage >= stage }
        var isBlocked: Bool { !isReached && answer == nil }

        /// Whether what the thread waits for is for an optional property of a service that it makes, or of one inside.
        func isOptional(for work: RunningWork) -> Bool {
            guard let optionalDepth else { return false }
            let index = trail.lastIndex { $0.provider == work.step.provider }
            return index.map { $0 < optionalDepth } ?? false
        }
    }

    /// By thread.
    ///
    /// Each thread removes its own entry, and holds the work by itself, so nothing ends under the lock.
    private static let waiters = Monitor<[UInt: Waiter]>([:])

    /// Waits until work has reached a stage, if it can.
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
        // Who is taking work over doesn't wait; if that closes a circle, it finds out when it does.
        while let last = chain.last?.waiter, !last.isReached, !last.work.isMoving {
            if last.work.thread == thread {
                let patience = chain.map(\.waiter.patience).max() ?? .endless
                let answer: Answer
                let index: Int?
                if patience == .endless {
                    // Whoever fills an optional property can do without; any other can only fail.
                    index = chain.indices.first { index in
                        let previous = chain[index == 0 ? chain.count - 1 : index - 1].waiter.work
                        return chain[index].waiter.isOptional(for: previous)
                    }
                    let chain = chain.map(\.waiter)
                    answer = .cycle(path(through: Array(chain[(index ?? 0)...] + chain[..<(index ?? 0)])))
                } else {
                    index =
                        asking.patience == patience ? 0 : chain.firstIndex { $0.waiter.patience == patience }
                    answer = .gaveUp
                }
                guard let index, index != 0 else { return answer }
                waiters[chain[index].thread]?.answer = answer
                self.waiters.wakeAllInside()
                break
            }
            guard let next = waiters[last.work.thread], next.isBlocked else { break }
            chain.append((last.work.thread, next))
        }
        if asking.isReached { return .reached }
        waiters[thread] = asking
        return nil
    }

    /// The path from the work that the first waiter asks for, through what each thread on the way constructs for
    /// it, and round to that work again if the first waiter's thread constructs something for it.
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
