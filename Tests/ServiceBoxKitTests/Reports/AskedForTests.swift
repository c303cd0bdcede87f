// Part of ServiceBox, released under the MIT License.
// Who asked for whom while being made.

import ServiceBoxKit
import Testing

private struct Report: Sendable {
    let clock: Clock
    let cache: Cache
}

private struct Part: Sendable { let clock: Clock }

@Suite("What a factory asks for")
struct AskedForTests {
    private let box = ServiceBox()

    init() {
        box.register(as: "clock", fileID: "App/Services.swift", line: 1) { _ in Clock() }
        box.register(Cache(), as: "cache", fileID: "App/Services.swift", line: 2)
        box.register(as: "report", fileID: "App/Services.swift", line: 3) { box in
            Report(clock: try box["clock"], cache: try box.resolve())
        }
    }

    private func make() throws { let _: Report = try box["report"] }

    private func asked(_ graph: ServiceGraph) -> [String] {
        graph.edges.filter(\.isAskedFor).map { "\($0.source) -> \($0.target ?? "")" }
    }

    @Test("is an edge of the graph, planned or not, that is no property")
    func edges() throws {
        #expect(asked(box.graph()) == [])
        try make()
        let expected = ["service:report -> service:clock", "service:report -> service:cache"]
        #expect(asked(box.graph()) == expected)
        #expect(asked(box.graph(planned: true)) == expected)
        #expect(box.graph().edges.filter(\.isAskedFor).map(\.property) == ["", ""])
        #expect(box.graph().description.contains("  asked for → 'clock'"))
        #expect(
            box.graph().description.hasPrefix("Graph of a box: 3 services, 0 types, 0 properties, 0 holes."))
    }

    @Test("is an edge in a child, though another ancestor's service has the same number")
    func numbersOfTwoAncestors() throws {
        let (first, second): (ServiceKey<Page>, ServiceKey<Page>) = ("first", "second")
        let top = ServiceBox()
        top.register(as: first, per: .box) { _ in Page() }
        let middle = top.makeChild(name: "middle")
        middle.register(as: second, per: .box) { _ in Page() }
        let page = middle.makeChild(name: "page")
        page.register(as: "user") { box in
            _ = (try box[first], try box[second])
            return Clock()
        }
        _ = try page["user"] as Clock
        #expect(asked(page.graph()) == ["service:user -> service:first", "service:user -> service:second"])
    }

    @Test("is an edge if it is the box itself, also in a child")
    func boxItself() throws {
        for asked in [ServiceBox(), box.makeChild(name: "child")] {
            asked.register(as: "page") { box in Page(title: try box.resolve(ServiceBox.self).name ?? "") }
            _ = try asked["page"] as Page
            #expect(self.asked(asked.graph()) == ["service:page -> service:serviceBox"])
        }
    }

    @Test("is dashed and named so in drawings")
    func drawings() throws {
        try make()
        #expect(box.graph().mermaid.contains("n2 -.->|\"asked for\"| n1"))
        #expect(box.graph().dot.contains("n2 -> n1 [label=\"asked for\", style=dashed];"))
    }

    @Test("is a line of the wiring")
    func wiring() throws {
        try make()
        #expect(
            box.wiring().split(separator: "\n").map { $0.prefix { $0 != "," } } == [
                "'report' asked for: 'cache'", "'report' asked for: 'clock'",
            ])
    }

    @Test("counts as a use, and nothing is unused")
    func uses() throws {
        try make()
        #expect(box.uses.map(\.factories) == [["report"], ["report"], []])
        #expect(box.uses.first?.description == "'cache' (Cache): looked up, asked for by 1 factory")
        #expect(box.audit().findings.isEmpty)
    }

    @Test("is used once its box has started it, though nothing asks for it")
    func started() async throws {
        box.register(as: "part") { _ in LifePart("part", Journal()) }
        #expect(box.uses.contains(where: \.isUsed) == false)
        try await box.start()
        #expect(box.uses.filter(\.isUsed).map(\.description) == ["'part' (LifePart): started"])
        let other = ServiceBox()
        other.register(as: "part") { _ in LifePart("part", Journal()) }
        other.decorate("part" as ServiceKey<LifePart>) { _, _ in LifePart("outer", Journal()) }
        other.register(1, as: "number")
        try await other.start()
        #expect(other.uses.map(\.isUsed) == [false, true])
    }

    @Test("is that of the innermost factory, and of no other look-up")
    func nested() throws {
        box.register(as: "part") { box in Part(clock: try box["clock"]) }
        box.register(as: "whole") { box in
            let _: Part = try box["part"]
            return Report(clock: Clock(), cache: try box["cache"])
        }
        let _: Report = try box["whole"]
        _ = try box[ServiceKey<Clock>("clock")]
        #expect(
            asked(box.graph()) == [
                "service:part -> service:clock", "service:whole -> service:part",
                "service:whole -> service:cache",
            ])
    }

    @Test("is known of a service that is created from parameters, and of a transient one, once")
    func repeated() throws {
        box.register(as: "page") { (box, _: Int) in Part(clock: try box["clock"]) }
        box.register(as: "part", lifetime: .transient) { box in Part(clock: try box["clock"]) }
        for number in 1...2 {
            let _: Part = try box.resolve("page", with: number)
            let _: Part = try box["part"]
        }
        #expect(asked(box.graph()) == ["service:page -> service:clock", "service:part -> service:clock"])
    }

    @Test("comes before it in the order in which services are filled")
    func order() throws {
        try make()
        let orders = Dictionary(
            uniqueKeysWithValues: box.graph().nodes.compactMap { node in node.order.map { (node.id, $0) } })
        let (clock, report) = (try #require(orders["service:clock"]), try #require(orders["service:report"]))
        #expect(clock < report)
    }

    @Test("is told apart by thread")
    func threads() throws {
        let (isAsking, hasLookedUp) = (Signal(), Signal())
        let box = box
        box.register(as: "slow") { box in
            isAsking.send()
            hasLookedUp.wait()
            return Part(clock: try box["clock"])
        }
        onThreads([
            { _ = try? box[ServiceKey<Part>("slow")] },
            {
                isAsking.wait()
                _ = try? box[ServiceKey<Cache>("cache")]
                hasLookedUp.send()
            },
        ])
        #expect(asked(box.graph()) == ["service:slow -> service:clock"])
    }

    @Test("is told once of each name, though another service has it now")
    func replaced() throws {
        box.register(as: "page", lifetime: .transient) { box in
            _ = try box["clock"] as Clock
            return Page()
        }
        for _ in 1...3 {
            _ = try box["page"] as Page
            box.register(Clock(), as: "clock")
        }
        #expect(asked(box.graph()) == ["service:page -> service:clock"])
    }
}
