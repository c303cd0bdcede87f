// Part of ServiceBox, released under the MIT License.
// Who waits for whom, so that no thread waits for itself.

import Synchronization

/// Which thread waits for which work, for the whole process.
///
/// A thread that wants to wait follows the waits from the work to the thread that does it, to the work that
/// this thread waits for, and so on. If that leads back to the thread itself, waiting would never end.
/// Looking and entering the wait happen under one lock, so of the threads of a circle the last to ask finds
/// it. Work that has finished blocks nobody, even if a thread that waited for it has not woken yet.
enum WaitGraph {
    /// How a wait ended.
    enum Answer {
        /// The work has finished.
        case finished
        /// The work goes on; waiting for its end could never end, and what is there already must do.
        case spared
        /// Waiting could never end. The path leads from the work to what the asking thread is making.
        case cycle(ServicePath)
    }

    private final class Waiter: Sendable {
        let work: RunningWork
        /// What the waiting thread is making, outermost first.
        let trail: [ServicePath.Step]
        let isSpared = Atomic(false)

        init(_ work: RunningWork) {
            self.work = work
            trail = CurrentThread.stack.pointee.steps
        }
    }

    private enum Entry {
        case answer(Answer)
        case wait(spared: Waiter?)
    }

    private static let waiters = Guarded<[UInt: Waiter]>([:])

    /// Waits for the end of work, if it can come.
    static func wait(for work: RunningWork) -> Answer {
        let thread = CurrentThread.id
        let waiter = Waiter(work)
        let entry = waiters.withLock { waiters in
            let entry = enter(thread, for: work, among: waiters)
            if case .wait = entry { waiters[thread] = waiter }
            return entry
        }
        switch entry {
        case .answer(let answer): return answer
        case .wait(let spared): spared?.work.gate.wake()
        }
        work.gate.wait { work.isFinished || waiter.isSpared.load(ordering: .acquiring) }
        waiters.withLock { _ = $0.removeValue(forKey: thread) }
        return work.isFinished ? .finished : .spared
    }

    private static func enter(
        _ thread: UInt, for wanted: RunningWork, among waiters: [UInt: Waiter]
    ) -> Entry {
        var chain: [Waiter] = []
        var work = wanted
        while !work.isFinished {
            if work.thread == thread {
                if wanted.canSpareWaiters { return .answer(.spared) }
                guard let spared = chain.first(where: { $0.work.canSpareWaiters }) else {
                    return .answer(.cycle(path(from: wanted, through: chain)))
                }
                spared.isSpared.store(true, ordering: .releasing)
                return .wait(spared: spared)
            }
            guard let next = waiters[work.thread], !next.isSpared.load(ordering: .acquiring) else { break }
            chain.append(next)
            work = next.work
        }
        return .wait(spared: nil)
    }

    /// The path from work through what each thread on the way makes for it.
    private static func path(from wanted: RunningWork, through chain: [Waiter]) -> ServicePath {
        var steps = [wanted.step]
        for waiter in chain {
            // The waiter's thread does the last work of the path; what it makes inside that work comes next.
            let start = waiter.trail.lastIndex { $0.provider == steps.last?.provider }
            steps += waiter.trail[(start.map { $0 + 1 } ?? waiter.trail.endIndex)...]
            steps.append(waiter.work.step)
        }
        return ServicePath(steps)
    }
}
