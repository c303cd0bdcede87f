// Part of ServiceBox, released under the MIT License.
// The wiring that a child and a copy show of what another box fills.

import ServiceBoxKit
import Testing

private final class LinkedCache: Cache, @unchecked Sendable { @Injected var stock: Stock? }
private final class Stock: @unchecked Sendable { @Injected var cache: Cache? }
private final class Owner: @unchecked Sendable { @Injected var serviceBox: ServiceBox? }
private final class Panel: @unchecked Sendable {
    @Injected var cache: Cache?
    @Injected var stock: Stock
}

@Suite("The wiring of a family of boxes")
struct FamilyWiringTests {
    private let parent = ServiceBox()
    private let child: ServiceBox

    init() {
        child = parent.makeChild(name: "child")
        parent.register(Cache(), as: "cache", fileID: "App/Parent.swift", line: 1)
    }

    private func edges(_ graph: ServiceGraph) -> [String] {
        graph.edges.map { "\($0.source).\($0.property) -> \($0.target ?? $0.outcome)" }
    }

    private func findings(_ audit: ServiceAudit) -> [String] {
        audit.findings.map { "\($0.kind) \($0.subject)" }
    }

    private func override(with cache: Cache) {
        parent.register(Stock())
        parent.register(Owner())
        child.register(cache, as: "cache", fileID: "App/Child.swift", line: 1)
        child.crossFill()
    }

    @Test(
        "shows no service of a child in a property of its parent's service", arguments: [false, true])
    func overriddenEdges(isPlanned: Bool) {
        override(with: Cache())
        let graph = child.graph(planned: isPlanned)
        #expect(edges(graph) == ["service:owner.serviceBox -> kept", "service:stock.cache -> kept"])
        #expect(graph.nodes.map(\.id) == ["service:cache", "service:owner", "service:stock"])
    }

    @Test("shows no service of a child, nor its box, as what a factory of its parent has asked for")
    func overriddenAsk() throws {
        parent.register(as: "page") { box in
            _ = (try box["cache"] as Cache, try box.resolve(ServiceBox.self))
            return Page()
        }
        _ = try parent["page"] as Page
        #expect(
            parent.graph().edges.compactMap(\.target) == ["service:cache", "service:serviceBox"])
        child.register(Cache(), as: "cache")
        #expect(child.graph().edges.compactMap(\.target) == [])
    }

    @Test("reports on a service per box in the child that has created it")
    func perBoxReport() throws {
        parent.register(as: "panel", per: .box) { _ in Panel() }
        child.register(Stock())
        _ = try child["panel"] as Panel
        #expect(child.crossFill().contains { $0.subjectType == Panel.self })
    }

    @Test("tells in a child's text which service of its parent another one of its parent gets")
    func overriddenText() {
        override(with: Cache())
        #expect(
            child.wiring() == """
                Owner.serviceBox: 'serviceBox'
                Stock.cache: 'cache', Cache, ready-made, App/Parent.swift

                """)
    }

    @Test("reports a service of a child as unused if only a service of its parent has its name")
    func overriddenUnused() {
        override(with: Cache())
        #expect(findings(child.audit()) == ["strongCycle Owner.serviceBox", "unused cache"])
    }

    @Test("has no cycle through a service of a child that its parent's services don't hold")
    func overriddenCycle() {
        override(with: LinkedCache())
        #expect(findings(child.audit()) == ["strongCycle Owner.serviceBox", "unused cache"])
    }

    @Test("lists the objects that a child fills apart from its parent's service of their type")
    func sameTypeInParent() {
        parent.register(Panel())
        child.register(Stock())
        let panel = Panel()
        child.fill(panel)
        #expect(
            edges(child.graph()) == [
                "service:panel.cache -> service:cache", "service:panel.stock -> missing",
                "service:stock.cache -> service:cache",
                "type:Panel.cache -> service:cache", "type:Panel.stock -> service:stock",
            ])
        #expect(child.audit().description.hasPrefix("Audit of 3 services and 1 type: 1 finding."))
    }

    @Test("tells what the parent would fill its service with that isn't created")
    func unmadeInParent() {
        parent.register(as: "panel") { _ in Panel() }
        child.register(Stock())
        child.fill(Panel())
        #expect(
            edges(child.graph(planned: true)) == [
                "service:panel.cache -> service:cache", "service:panel.stock -> missing",
                "service:stock.cache -> service:cache",
                "type:Panel.cache -> service:cache", "type:Panel.stock -> service:stock",
            ])
    }

    @Test("numbers what a copy fills after what was filled before the copy")
    func copyOrder() {
        parent.register(Stock())
        parent.register(Owner())
        let copy = parent.copy()
        copy.fill(Panel())
        let orders = copy.graph().nodes.map { "\($0.id) \($0.order ?? 0)" }
        #expect(orders == ["service:cache 1", "service:owner 3", "service:stock 2", "type:Panel 4"])
    }

    @Test("counts no use of a service of the parent for a later one of its name")
    func usesOfReplaced() throws {
        child.fill(Panel())
        #expect(child.uses.map(\.isUsed) == [true])
        parent.register(Cache(), as: "cache")
        #expect(child.uses.map(\.isUsed) == [false])
        _ = try child.resolve(Cache.self)
        #expect(child.uses.map(\.isUsed) == [true])
        #expect(parent.uses.map(\.isUsed) == [true])
    }

    @Test("finds what a service of each child lacks in its parent, whose service takes it")
    func takenInParent() {
        final class Repository: @unchecked Sendable { @Injected var user: Cache }
        final class Front: @unchecked Sendable { @Injected var repository: Repository }
        let box = ServiceBox()
        box.register(as: "repository", per: .box) { _ in Repository() }
        box.register(as: "front") { _ in Front() }
        #expect(box.audit().findings.isEmpty)
        _ = try? box["front"] as Front
        #expect(box.audit().findings.map(\.subject) == ["Repository.user", "front"])
        let audit = box.audit { $0.register(Cache(), as: "user") }
        #expect(audit.findings.map(\.subject) == ["Repository.user", "front"])
    }

    @Test("says which of two services of a type has which one, if they belong to different boxes")
    func crosswise() throws {
        final class Client: @unchecked Sendable { @Injected var store: any Store }
        func wiring(_ first: any Store, _ second: any Store) -> String {
            let parent = ServiceBox()
            let child = parent.makeChild()
            parent.register(first, as: "store", fileID: "App/Parent.swift")
            parent.register(as: "metrics", fileID: "App/Parent.swift") { _ in Client() }
            child.register(second, as: "store", fileID: "App/Child.swift")
            child.register(as: "orders", fileID: "App/Child.swift") { _ in Client() }
            for name in ["metrics", "orders"] { _ = try? child.resolve(ServiceKey<Client>(name)) }
            return child.wiring()
        }
        #expect(
            wiring(FileStore(), MemoryStore()) == """
                Client.store of 'metrics': 'store', FileStore as Store, ready-made, App/Parent.swift
                Client.store of 'orders': 'store', MemoryStore as Store, ready-made, App/Child.swift

                """)
        #expect(
            wiring(FileStore(), FileStore()) == """
                Client.store of 'metrics': 'store', FileStore as Store, ready-made, App/Parent.swift
                Client.store of 'orders': 'store', FileStore as Store, ready-made, App/Child.swift

                """)
    }
}
