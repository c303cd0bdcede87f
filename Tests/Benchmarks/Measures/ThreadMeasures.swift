// Part of ServiceBox, released under the MIT License.
// Fills on two threads.

import Foundation
import ServiceBoxKit
import Synchronization

extension Suite {
    /// Half the time of one thread would be perfect; each fill takes the lock of the one box.
    static func threadComparisons(_ bench: Bench) -> [Comparison] {
        [
            Comparison(
                "the same fills on 2 threads, 4 slots", threads(2, bench), against: threads(1, bench))
        ]
    }

    /// Fills objects of its own on each thread, all from one box.
    private static func threads(_ count: Int, _ bench: Bench) -> Contender {
        let box = bench.box
        let fills = 40_000
        return Contender("\(count) thread\(count == 1 ? "" : "s")", fixedCount: fills) { _ in
            Race.time((0..<count).map { _ in { fillRepeatedly(fills / count, from: box) } })
        } isRight: {
            fillRepeatedly(1, from: box)
        }
    }

    @discardableResult
    private static func fillRepeatedly(_ count: Int, from box: ServiceBox) -> Bool {
        let object = Opaque.value(Slots4())
        for _ in 0..<count { box.fill(object) }
        return object.isFilled
    }
}

/// Threads that start together.
final class Race: Sendable {
    private let waiting = Atomic(0)
    private let isOpen = Atomic(false)

    /// How long it takes until all threads have done their work, from when all are there, in nanoseconds.
    static func time(_ bodies: [@Sendable () -> Void]) -> Double {
        let race = Race()
        let finished = DispatchSemaphore(value: 0)
        for body in bodies {
            Thread.detachNewThread {
                race.waiting.add(1, ordering: .relaxed)
                while !race.isOpen.load(ordering: .acquiring) {}
                body()
                finished.signal()
            }
        }
        while race.waiting.load(ordering: .relaxed) < bodies.count { Thread.sleep(forTimeInterval: 0.000_01) }
        return Stopwatch.time {
            race.isOpen.store(true, ordering: .releasing)
            for _ in bodies { finished.wait() }
        }
    }
}
