// Part of ServiceBox, released under the MIT License.
// Looking services up by type, from other boxes of a family, and on two threads.

import Foundation
import ServiceBoxKit

extension Suite {
    static func lookUpComparisons(_ bench: Bench) -> [Comparison] {
        [16, 1000, 100_000].map(byType) + families() + transients()
            + [
                onTwoThreads("different services", ["service0", "service15"], atMost: 1 / 1.5),
                onTwoThreads("one service", ["service0", "service0"]),
            ]
    }

    /// By type and by key, in a box with so many services of the sixteen's type and one of another.
    private static func byType(_ count: Int) -> Comparison {
        let box = ServiceBox()
        for number in 0..<count { box.register(Service(number), as: "service\(number)") }
        box.register { _ in Database() }
        return Comparison(
            "look up by type, \(count) services",
            asker("box.resolve(Database.self)") { try box.resolve(Database.self) },
            against: asker("box[\"database\"]") { try box["database"] as Database }, atMost: 2)
    }

    /// From boxes that build on the one that has the service.
    private static func families() -> [Comparison] {
        let box = ServiceBox()
        box.register { _ in Database() }
        let child = box.makeChild(name: "child")
        let boxes = [
            ("child", child), ("grandchild", child.makeChild(name: "grandchild")), ("copy", box.copy()),
        ]
        return boxes.map { name, other in
            Comparison(
                "look up by key from a \(name)", asker("a \(name)") { try other["database"] as Database },
                against: asker("its own box") { try box["database"] as Database }, atMost: 1.5)
        }
    }

    /// Ten transient services of ten types.
    private static func transients() -> [Comparison] {
        let (byKey, byType) = (ServiceBox(), ServiceBox())
        TypedGraph.registerByKey(in: byKey)
        TypedGraph.registerByType(in: byType)
        let provider = Opaque.value(TypedGraph.provider())
        let nested = grower("nested initialisers") { TypedGraph.nested() }
        return [
            Comparison(
                "make 10 transient services by key", grower("box[key]") { try byKey[.part0] },
                against: nested,
                atMost: 6),
            Comparison(
                "make 10 transient services by type", grower("resolve") { try byType.resolve(Part0.self) },
                against: nested, atMost: 7),
            Comparison(
                "make 10 transient services by providers", grower("resolve") { try provider.resolve() },
                against: nested, atMost: 2.5),
            onTwoThreads("make 10 transient services by key on 2 threads", 20_000, atMost: 1 / 1.5) {
                _, count in
                (0..<count).count { _ in (try? byKey[.part0])?.count == TypedGraph.size }
            },
        ]
    }

    /// Threads that look the first or the first two of the services up.
    private static func onTwoThreads(_ what: String, _ names: [String], atMost bar: Double? = nil)
        -> Comparison
    {
        let box = ServiceBox()
        for number in 0..<16 {
            let key = ServiceKey<Service>("service\(number)")
            box.register(as: key) { _ in Service(1) }
            // Created here, so that those that are asked for don't lie in one line of the processor's cache.
            Opaque.sink(try? box[key])
        }
        return onTwoThreads("look \(what) up on 2 threads", atMost: bar) { thread, count in
            let key = ServiceKey<Service>(names[thread])
            return (0..<count).reduce(0) { sum, _ in sum &+ ((try? box[key])?.number ?? 0) }
        }
    }

    /// Two threads that do together what one does alone.
    ///
    /// - Parameters:
    ///   - title: What they do.
    ///   - count: How often.
    ///   - bar: The bar of the ratio.
    ///   - work: Does something a number of times, and returns how often it worked.
    /// - Returns: The comparison.
    private static func onTwoThreads(
        _ title: String, _ count: Int = 200_000, atMost bar: Double?,
        _ work: @escaping @Sendable (_ thread: Int, _ count: Int) -> Int
    ) -> Comparison {
        Comparison(
            title,
            Contender("2 threads", fixedCount: count) { _ in
                Race.time((0..<2).map { thread in { Opaque.sink(work(thread, count / 2)) } })
            } isRight: {
                work(1, 20) == 20
            },
            against: Contender("1 thread", fixedCount: count) { _ in
                Race.time([{ Opaque.sink(work(0, count)) }])
            } isRight: {
                work(0, 20) == 20
            }, atMost: bar)
    }

    // MARK: - Contenders

    private static func asker<Result>(_ name: String, _ ask: @escaping () throws -> Result) -> Contender {
        Contender(name) { count in
            Stopwatch.time { for _ in 0..<count { Opaque.sink(try? ask()) } }
        } isRight: {
            for _ in 0..<20 where (try? ask()) == nil { return false }
            return true
        }
    }

    private static func grower(_ name: String, _ make: @escaping () throws -> Part) -> Contender {
        Contender(name) { count in
            Stopwatch.time { for _ in 0..<count { Opaque.sink(try? make()) } }
        } isRight: {
            (try? make())?.count == TypedGraph.size
        }
    }
}
