// Part of ServiceBox, released under the MIT License.
// A box for each request.

import HeapCount
import ServiceBoxKit
import Synchronization

extension Suite {
    /// A child, two values, a repository for each box and a handler: made, filled, used and dropped.
    static func requestComparisons() -> [Comparison] {
        let server = Server()
        let byHand = answerer("by hand") { server.answerByHand($0) }
        return [
            Comparison(
                "a request, handled by an object", answerer("a box") { try server.answer($0) },
                against: byHand,
                atMost: 8),
            Comparison(
                "a request, handled by a struct", answerer("a box") { try server.answerByStruct($0) },
                against: byHand, atMost: 8),
            Comparison(
                "a request, three levels down", answerer("a box") { try server.answerThreeLevelsDown($0) },
                against: answerer("one level down") { try server.answer($0) }),
            // What any box with these slots and children comes to.
            Comparison(
                "a request's objects, their slots set by hand",
                answerer("slots") { server.answerBySlots($0) }, against: byHand),
            Comparison(
                "a request's box with its two values", answerer("a box") { server.answerByBoxAlone($0) },
                against: byHand),
            collecting(100),
        ] + largeServerComparisons()
    }

    /// What a child finds among many services of its parent, beside among few.
    private static func largeServerComparisons() -> [Comparison] {
        let (few, many) = (LargeServer(16), LargeServer(10_000))
        return [
            Comparison(
                "a request that asks by an interface, 10 000 services",
                answerer("10 000 services") { try many.answerByInterface($0) },
                against: answerer("16 services") { try few.answerByInterface($0) }, atMost: 1.5),
            Comparison(
                "a request that takes all of an interface, 10 000 services",
                answerer("10 000 services") { many.answerByList($0) },
                against: answerer("16 services") { few.answerByList($0) }, atMost: 1.5),
        ]
    }

    /// What a parent has left of children that are gone.
    static func requestOutcomes() -> [Outcome] {
        let name = "heap bytes left by a request, of 100 000"
        let server = Server()
        func answer(_ count: Int) { for number in 0..<count { Opaque.sink(try? server.answer(number)) } }
        answer(1000)
        let (before, count) = (heapBytesInUse(), 100_000)
        if before == 0 { return [Outcome(name, unit: "bytes", atMost: 1, note: HeapCounter.absence)] }
        answer(count)
        let each = (Double(heapBytesInUse()) - Double(before)) / Double(count)
        return [Outcome(name, unit: "bytes", value: each, figure: each, atMost: 1)]
    }

    private static func collecting(_ count: Int) -> Comparison {
        let box = ServiceBox()
        let services = (0..<count).map(Service.init)
        for (number, service) in services.enumerated() { box.register(service, as: "service\(number)") }
        let collector = Collector()
        let locked = Opaque.value(Holder(services))
        return Comparison(
            "fill a slot with all of \(count) services",
            Contender("fill") { count in
                Stopwatch.time { for _ in 0..<count { box.fill(collector) } }
            } isRight: {
                box.fill(collector)
                return collector.services.count == services.count
            },
            against: Contender("copy the array under a lock") { count in
                Stopwatch.time { for _ in 0..<count { Opaque.sink(locked.mutex.withLock { $0 }) } }
            } isRight: {
                true
            })
    }

    private static func answerer(_ name: String, _ answer: @escaping (Int) throws -> Int) -> Contender {
        Contender(name) { count in
            Stopwatch.time { for number in 0..<count { Opaque.sink(try? answer(number)) } }
        } isRight: {
            (try? answer(7)) == 21
        }
    }
}
