// Part of ServiceBox, released under the MIT License.
// Tests that nothing calls a property empty that has a value of its own.

import ServiceBoxKit
import Testing

private final class Owner: @unchecked Sendable {
    @Injected var clock: Clock?
    @Injected var cache: Cache

    init() {
        clock = Clock()
        cache = Cache()
    }
}

private final class TableOwner: Injectable, @unchecked Sendable {
    var clock: Clock? = Clock()
    static var injections: InjectionTable { ["clock": .keyPath(\TableOwner.clock)] }
}

private final class FixedOwner: Injectable {
    var clock = Clock()
    static var injections: InjectionTable { ["clock": .keyPath(\FixedOwner.clock)] }
}

@Suite("A property with a value of its own")
struct OwnValueTests {
    private let box = ServiceBox()

    private func firstLine(_ report: FillReport) -> String {
        String("\(report)".prefix { !$0.isNewline })
    }

    @Test("is kept by a registered service, in its report, the graphs, the wiring and the audit")
    func services() throws {
        box.register(Owner())
        box.register(TableOwner())
        box.register(as: "made") { _ in Owner() }
        box.register(as: "madeTable") { _ in TableOwner() }
        let _: Owner = try box["made"]
        let _: TableOwner = try box["madeTable"]
        for report in box.crossFill() { #expect(report.properties.allSatisfy { $0.outcome == .kept }) }
        for graph in [box.graph(), box.graph(planned: true)] {
            #expect(graph.edges.count == 6)
            #expect(graph.edges.allSatisfy { $0.outcome == "kept" })
        }
        #expect(box.wiring().isEmpty)
        #expect(box.audit().findings.allSatisfy { $0.kind == .unused })
    }

    @Test("is kept in the graph of a type whose latest object had it, whether or not it is required")
    func types() {
        box.fill(Owner())
        #expect(box.graph().edges.map(\.outcome) == ["kept", "kept"])
        let other = ServiceBox()
        other.register(Clock())
        other.register(Cache())
        other.fill(Owner(), keepingExisting: true)
        #expect(other.graph().edges.map(\.outcome) == ["kept", "kept"])
        other.fill(Owner())
        #expect(other.graph().edges.map(\.outcome) == ["filled", "filled"])
    }

    @Test("is kept by a line without a service, in fills and in plans")
    func lines() {
        #expect(box.fill(TableOwner(), keepingExisting: true).outcome(of: "clock") == .kept)
        #expect(box.fill(TableOwner()).outcome(of: "clock") == .kept)
        #expect(box.plan(for: TableOwner()).outcome(of: "clock") == .kept)
        #expect(box.fill(FixedOwner(), keepingExisting: true).outcome(of: "clock") == .kept)
        #expect(!box.fill(FixedOwner()).isComplete)
        let empty = TableOwner()
        empty.clock = nil
        #expect(box.fill(empty, keepingExisting: true).outcome(of: "clock") == .missing)
        #expect(box.plan(for: empty).outcome(of: "clock") == .missing)
    }

    @Test("isn't called empty when its service can't be created")
    func failures() {
        box.register(as: "clock") { _ -> Clock in throw Broken() }
        box.register(as: "cache") { _ -> Cache in throw Broken() }
        #expect(firstLine(box.fill(Owner())) == "Owner: 0 of 2 filled, 2 left with their own value.")
        #expect(firstLine(box.fill(TableOwner())) == "TableOwner: 0 of 1 filled, 1 left with its own value.")
        #expect(box.fill(Owner()).isComplete)
    }

    @Test("keeps the service of its line from being created")
    func nothingCreated() {
        box.register(as: "clock") { _ -> Clock in
            Issue.record("It was created for a property that keeps its value.")
            return Clock()
        }
        box.register(TableOwner())
        #expect(box.crossFill().first?.outcome(of: "clock") == .kept)
    }
}
