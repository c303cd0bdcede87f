// Part of ServiceBox, released under the MIT License.
// What two threads do together with one box, and one alone.

import Foundation
import ServiceBoxKit
import Synchronization

extension Suite {
    /// What two threads do in half as long as one, if nothing holds them up.
    ///
    /// Threads that hand out the same objects contend for their reference counts, as those that assign them by
    /// hand do.
    static func threadComparisons(_ bench: Bench) -> [Comparison] {
        let (box, graph, server) = (bench.box, ServiceBox(), Server())
        TypedGraph.registerByKey(in: graph)
        return [
            onTwoThreads("fill 4 slots", 40_000) { _, count in
                let object = Opaque.value(Slots4())
                for _ in 0..<count { box.fill(object) }
                return object.isFilled ? count : 0
            },
            lookUps("different services", ["service0", "service15"], atMost: 1 / 1.5),
            lookUps("one service", ["service0", "service0"]),
            onTwoThreads("make 10 transient services by key", 20_000, atMost: 1 / 1.5) { _, count in
                (0..<count).count { _ in (try? graph[.part0])?.count == TypedGraph.size }
            },
            onTwoThreads("answer a request", 4000) { _, count in
                (0..<count).count { (try? server.answer($0)) != nil }
            },
        ]
    }

    /// Threads that look the first and the second of two services up.
    private static func lookUps(_ what: String, _ names: [String], atMost bar: Double? = nil) -> Comparison {
        let box = ServiceBox()
        for number in 0..<16 {
            let key = ServiceKey<Service>("service\(number)")
            box.register(as: key) { _ in Service(1) }
            // Created here, so that those that are asked for don't lie in one line of the processor's cache.
            Opaque.sink(try? box[key])
        }
        return onTwoThreads("look \(what) up", 200_000, atMost: bar) { thread, count in
            let key = ServiceKey<Service>(names[thread])
            return (0..<count).reduce(0) { sum, _ in sum &+ ((try? box[key])?.number ?? 0) }
        }
    }

    /// Two threads that do together what one does alone.
    ///
    /// - Parameters:
    ///   - what: What they do.
    ///   - total: How often.
    ///   - bar: The bar of the ratio.
    ///   - work: Does it a number of times, and returns how often it worked.
    /// - Returns: The comparison.
    private static func onTwoThreads(
        _ what: String, _ total: Int, atMost bar: Double? = nil,
        _ work: @escaping @Sendable (_ thread: Int, _ count: Int) -> Int
    ) -> Comparison {
        func racer(_ name: String, threads: Int) -> Contender {
            Contender(name, fixedCount: total) { _ in
                Race.time((0..<threads).map { thread in { Opaque.sink(work(thread, total / threads)) } })
            } isRight: {
                work(threads - 1, 20) == 20
            }
        }
        return Comparison(
            "\(what) on 2 threads", racer("2 threads", threads: 2), against: racer("1 thread", threads: 1),
            atMost: bar)
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
