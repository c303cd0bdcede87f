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

extension Suite {
    private static let halfCount = 1000
    private static let rounds = 7

    /// A thousand services and a thousand types, with four properties each.
    static func wiringOutcomes(_ bench: Bench) throws -> [Outcome] {
        let box = ServiceBox()
        bench.services.register(in: box)
        for number in 0..<halfCount { box.register(Link(), as: "link\(number)") }
        var types = FreshTypes()
        for _ in 0..<halfCount { box.fill(types.next() as AnyObject) }
        let nodeCount = box.registrations.count - 1 + halfCount
        return [
            try outcome("graph of 2 000 nodes, in all formats", atMost: 1000) {
                let graph = box.graph
                let texts = [graph.description, graph.mermaid, graph.dot, graph.json]
                return graph.nodes.count == nodeCount && graph.holes.isEmpty && !texts.contains("")
            },
            try outcome("planned graph of 2 000 nodes") {
                box.graph(planned: true).edges.count == 8 * halfCount
            },
            try outcome("audit of 2 000 services and types") {
                box.audit().findings.count { $0.kind == .hole } == 0
            },
            try outcome("wiring text of 2 000 services and types") { !box.wiring().isEmpty },
        ]
    }

    private static func outcome(
        _ name: String, atMost bar: Double? = nil, _ body: () -> Bool
    ) throws -> Outcome {
        var times: [Double] = []
        for _ in 0..<rounds {
            var isRight = false
            times.append(Stopwatch.time { isRight = body() } / 1_000_000)
            guard isRight else { throw WrongEffect(measure: name, contender: "the box") }
        }
        let median = times.sorted()[rounds / 2]
        return Outcome(name, unit: "ms", value: median, figure: median, atMost: bar)
    }
}
