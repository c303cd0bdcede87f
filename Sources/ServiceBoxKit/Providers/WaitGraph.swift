// Part of ServiceBox, released under the MIT License.
// Who waits for whom, so that no thread waits for itself.

import Synchronization

/// Which thread waits for which work, for the whole process.
///
/// A thread that wants to wait follows the waits from the work to the thread that does it, to the work that
/// this thread waits for, and so on. If that leads back to the thread itself, waiting would never end.
/// Looking and entering the wait happen under one lock, so of the threads of a circle the last to ask finds
/// it; the one of them that loses least by it goes on without what it waits for. Work that has come far
/// enough blocks nobody, even if a thread that waited for it has not woken yet.
enum WaitGraph {
    /// What a thread can do if waiting would never end.
    enum Patience: UInt8, Comparable {
        /// It can only fail.
        case endless
        /// It can go on with what is there.
        case limited
        /// It can do what it waits for itself.
        case little

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// How a wait ended.
    enum Answer {
        /// The work has come far enough.
        case reached
        /// Waiting could never end; the thread goes on without.
        case spared
        /// Waiting could never end. The path leads round, from the work to itself, or else from the work to
        /// what the asking thread is making.
        case cycle(ServicePath)
    }

    private final class Waiter: Sendable {
        let work: RunningWork
        let stage: RunningWork.Stage
        let patience: Patience
        /// What the waiting thread is making, outermost first.
        let trail: [ServicePath.Step]
        let gate = Gate()
        private let isSpared = Atomic(false)

        init(_ work: RunningWork, _ stage: RunningWork.Stage, _ patience: Patience) {
            self.work = work
            self.stage = stage
            self.patience = work.canSpareWaiters ? max(patience, .limited) : patience
            trail = CurrentThread.stack.pointee.steps
        }

        var isReached: Bool { work.stage >= stage }

        var isBlocked: Bool { !isReached && !isSpared.load(ordering: .acquiring) }

        func spare() { isSpared.store(true, ordering: .releasing) }
    }

    private enum Entry {
        case answer(Answer)
        case wait(spared: Waiter?)
    }

    private static let waiters = Guarded<[UInt: Waiter]>([:])

    /// Waits until work has come to a stage, if it can come to it.
    static func wait(for work: RunningWork, until stage: RunningWork.Stage, _ patience: Patience) -> Answer {
        if work.stage >= stage { return .reached }
        let thread = CurrentThread.id
        let waiter = Waiter(work, stage, patience)
        let entry = waiters.withLock { waiters in
            let entry = enter(thread, waiter, among: waiters)
            if case .wait = entry {
                work.noteWaiter()
                waiters[thread] = waiter
            }
            return entry
        }
        switch entry {
        case .answer(let answer): return answer
        case .wait(let spared): spared?.gate.wake()
        }
        waiter.gate.wait { !waiter.isBlocked }
        waiters.withLock { _ = $0.removeValue(forKey: thread) }
        return waiter.isReached ? .reached : .spared
    }

    /// Wakes those who wait for work, which has come further.
    static func wake(for work: RunningWork) {
        let waiting = waiters.withLock { waiters in waiters.values.filter { $0.work === work } }
        for waiter in waiting where waiter.isReached { waiter.gate.wake() }
    }

    private static func enter(_ thread: UInt, _ asking: Waiter, among waiters: [UInt: Waiter]) -> Entry {
        var chain = [asking]
        while let last = chain.last, !last.isReached {
            if last.work.thread == thread {
                let patience = chain.map(\.patience).max() ?? .endless
                if patience == .endless { return .answer(.cycle(path(through: chain))) }
                if asking.patience == patience { return .answer(.spared) }
                let spared = chain.first { $0.patience == patience }
                spared?.spare()
                return .wait(spared: spared)
            }
            guard let next = waiters[last.work.thread], next.isBlocked else { break }
            chain.append(next)
        }
        return asking.isReached ? .answer(.reached) : .wait(spared: nil)
    }

    /// The path from the work that the first waiter asks for, through what each thread on the way makes for
    /// it, and round to that work again if the first waiter's thread makes something for it.
    private static func path(through chain: [Waiter]) -> ServicePath {
        var steps: [ServicePath.Step] = []
        for (waiter, next) in zip(chain, chain.dropFirst() + chain.prefix(1)) {
            steps.append(waiter.work.step)
            // The next waiter's thread does this work; what it makes inside comes next.
            let start = next.trail.lastIndex { $0.provider == waiter.work.step.provider }
            guard let start else { continue }
            steps += next.trail[(start + 1)...]
            if next === chain.first { steps.append(next.work.step) }
        }
        return ServicePath(steps)
    }
}
