// Part of ServiceBox, released under the MIT License.
// Looking at the wiring of a large box.

import ServiceBoxKit

/// A service that takes four others.
private final class Link: @unchecked Sendable {
    @Injected var service0: Service?
    @Injected var service1: Service?
    @Injected var service2: Service?
    @Injected var service3: Service?
}

/// A service that asks for another by a name that is none.
private final class Slip: @unchecked Sendable {
    @Injected var service: Service?

    init(_ name: String) { _service = Injected(ServiceKey(name)) }
}

extension Suite {
    private static let halfCount = 1000
    private static let holderCount = 500
    private static let rounds = 7

    /// A thousand services and a thousand types, with four properties each.
    static func wiringOutcomes(_ bench: Bench) throws -> [Outcome] {
        let box = ServiceBox()
        bench.services.register(in: box)
        for number in 0..<halfCount { box.register(Link(), as: "link\(number)") }
        var types = FreshTypes()
        for _ in 0..<halfCount { box.fill(types.next() as AnyObject) }
        let nodeCount = box.registrations.count - 1 + halfCount
        return try [
            outcome("graph of 2 000 nodes, in all formats", atMost: 1000) {
                let graph = box.graph()
                let texts = [graph.description, graph.mermaid, graph.dot]
                return graph.nodes.count == nodeCount && graph.holes.isEmpty && !texts.contains("")
            },
            outcome("planned graph of 2 000 nodes") {
                box.graph(planned: true).edges.count == 8 * halfCount
            },
            outcome("audit of 2 000 services and types") {
                box.audit().findings.count { $0.kind == .missing } == 0
            },
            outcome("wiring text of 2 000 services and types") { !box.wiring().isEmpty },
        ] + auditOutcomes() + holderOutcomes()
    }

    /// Boxes with as many holes as services, each hole a slip of a service's name.
    private static func auditOutcomes() throws -> [Outcome] {
        let box = boxWithHoles(halfCount)
        var holes: [AuditFinding] = []
        let audit = try outcome("audit of 1 000 holes and 1 000 services", atMost: 200) {
            holes = box.audit().findings.filter { $0.kind == .missing }
            return holes.count == halfCount
        }
        let reading = try outcome("read the findings of 1 000 holes", atMost: 200) {
            holes.allSatisfy { $0.explanation.contains("Did you mean") }
        }
        let reports = try outcome("read the reports of 1 000 services with holes", atMost: 200) {
            box.crossFill().allSatisfy { $0.holes.first?.explanation.contains("Did you mean") == true }
        }
        return [audit, reading, reports]
    }

    /// An audit of twice as many holes and services, for each of them.
    static func auditComparisons() -> [Comparison] {
        func auditor(of count: Int) -> Contender {
            let box = boxWithHoles(count)
            return Contender("of \(count / halfCount) 000", fixedCount: count) { _ in
                Stopwatch.time { Opaque.sink(box.audit()) }
            } isRight: {
                box.audit().findings.count { $0.kind == .missing } == count
            }
        }
        return [
            Comparison(
                "audit of 4 000 holes and services, each", auditor(of: 4 * halfCount),
                against: auditor(of: 2 * halfCount), atMost: 1.6)
        ]
    }

    private static func boxWithHoles(_ count: Int) -> ServiceBox {
        let box = ServiceBox()
        for number in 0..<count {
            box.register(Service(number), as: "service\(number)")
            box.register(Slip("servise\(number)"), as: "slip\(number)")
        }
        box.crossFill()
        return box
    }

    /// Many objects that hold one service.
    private static func holderOutcomes() throws -> [Outcome] {
        let box = ServiceBox()
        box.trackHolders()
        box.register(Service(0), as: "service0")
        let holders = (0..<holderCount).map { _ in Slots1() }
        for holder in holders { box.fill(holder) }
        return try [
            outcome("tell a holder, of 500", of: holderCount, unit: "ns", atMost: 1000) {
                (try? box.holders(of: "service0").count) == holderCount
            },
            outcome("refill a holder, of 500", of: holderCount, unit: "ns", atMost: 1000) {
                let new = Service(0)
                box.register(new, as: "service0")
                let refill = try? box.refill("service0")
                return refill?.refilled.count == holderCount && holders.allSatisfy { $0.service0 === new }
            },
        ]
    }

    /// Measures a piece of work some times.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - count: How many things it does.
    ///   - unit: The unit of the time for each of them: `ns` or `ms`.
    ///   - bar: The most that the median may be.
    ///   - body: The work; tells whether it was done right.
    /// - Returns: The outcome.
    /// - Throws: `WrongEffect` if it was not.
    static func outcome(
        _ name: String, of count: Int = 1, unit: String = "ms", atMost bar: Double? = nil, _ body: () -> Bool
    ) throws -> Outcome {
        var times: [Double] = []
        let scale = (unit == "ms" ? 1_000_000 : 1) * Double(count)
        for _ in 0..<rounds {
            var isRight = false
            times.append(Stopwatch.time { isRight = body() } / scale)
            guard isRight else { throw WrongEffect(measure: name, contender: "the box") }
        }
        let median = times.sorted()[rounds / 2]
        return Outcome(name, unit: unit, value: median, figure: median, atMost: bar)
    }
}
