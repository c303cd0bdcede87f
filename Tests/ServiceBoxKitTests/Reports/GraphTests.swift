// Part of ServiceBox, released under the MIT License.
// The wiring of a box as nodes and edges.

import Foundation
import ServiceBoxKit
import Testing

private final class FileAnalytics: Analytics, @unchecked Sendable {
    @WeakInjected var storage: Storage?
}
private final class Storage: @unchecked Sendable {
    @Injected var analytics: (any Analytics)?
}
private final class Request: @unchecked Sendable {
    @Injected var clock: Clock?
}
private final class Plugin: @unchecked Sendable {
    @InjectedAll var clocks: [Clock]
}

private final class Screen {
    @Injected var analytics: (any Analytics)?
    @Injected var cahce: Clock?
    @Injected("clock") var time: Clock?
    @WeakInjected var storage: Storage?
}

private final class Boxed {
    @Injected var serviceBox: ServiceBox?
}

@Suite("Graphs")
struct GraphTests {
    private let box = ServiceBox()

    private func edges(_ graph: ServiceGraph) -> [String] {
        graph.edges.map { "\($0.source).\($0.property) \($0.isWeak ? "~" : "-")> \($0.target ?? $0.outcome)" }
    }

    private func registerAll() {
        box.register(as: ServiceKey<any Analytics>("analytics")) { _ in FileAnalytics() }
        box.register(Storage(), as: "storage")
        box.register(Clock())
    }

    @Test("have a node for each service and each filled type, and an edge for each property")
    func nodesAndEdges() {
        registerAll()
        box.fill(Screen())
        let graph = box.graph()
        #expect(
            graph.nodes.map(\.id) == ["service:analytics", "service:clock", "service:storage", "type:Screen"])
        #expect(
            edges(graph) == [
                "service:analytics.storage ~> service:storage",
                "service:storage.analytics -> service:analytics",
                "type:Screen.analytics -> service:analytics",
                "type:Screen.cahce -> missing",
                "type:Screen.time -> service:clock",
                "type:Screen.storage ~> service:storage",
            ])
        #expect(graph.holes.map(\.property) == ["cahce"])
    }

    @Test(
        "have nodes with registered type, actual type, lifetime, source location and order of the first fill"
    )
    func nodeFacts() throws {
        registerAll()
        box.fill(Screen())
        let node = try #require(box.graph().nodes.first)
        #expect(node.serviceName == "analytics")
        #expect(node.type == "Analytics")
        #expect(node.implementation == "FileAnalytics")
        #expect(node.lifetime == "lazy")
        #expect(node.place?.hasPrefix("ServiceBoxKitTests/GraphTests.swift:") == true)
        #expect(!node.isUnmade)
        #expect(Set(box.graph().nodes.compactMap(\.order)) == [1, 2, 3, 4])
    }

    @Test("of what happened are empty before the box is used, and create nothing")
    func nothingHappened() {
        box.register(as: ServiceKey<any Analytics>("analytics")) { _ in
            Issue.record("made")
            return FileAnalytics()
        }
        let graph = box.graph()
        #expect(graph.nodes.map(\.isUnmade) == [true])
        #expect(graph.edges.isEmpty)
        #expect(box.graph(planned: true).edges.isEmpty)
    }

    @Test("of what is planned show types that were never filled, and properties that are empty so far")
    func planned() {
        box.register(Storage(), as: "storage")
        box.register(FileAnalytics(), as: "analytics")
        #expect(Set(box.graph().edges.map(\.outcome)) == ["empty"])
        let graph = box.graph(planned: true, including: [Screen()])
        #expect(
            edges(graph) == [
                "service:analytics.storage ~> service:storage",
                "service:storage.analytics -> service:analytics",
                "type:Screen.analytics -> service:analytics",
                "type:Screen.cahce -> missing",
                "type:Screen.time -> missing",
                "type:Screen.storage ~> service:storage",
            ])
        #expect(graph.nodes.allSatisfy { $0.order == nil })
        #expect(Set(box.graph().edges.map(\.outcome)) == ["empty"], "planning fills nothing")
    }

    @Test("of what happened mark a property that the box didn't fill")
    func kept() {
        let storage = Storage()
        storage.analytics = FileAnalytics()
        box.register(storage, as: "storage")
        box.register(FileAnalytics(), as: "analytics")
        box.crossFill()
        #expect(box.graph().edges.first { $0.property == "analytics" }?.outcome == "kept")
    }

    @Test("have an edge to each service of a property that takes all of a type")
    func gathered() {
        box.register(Clock(), as: "near")
        box.register(Clock(), as: "far")
        box.register(Plugin())
        box.crossFill()
        #expect(
            edges(box.graph()).sorted() == [
                "service:plugin.clocks -> service:far", "service:plugin.clocks -> service:near",
            ]
        )
    }

    @Test("show what a transient service was filled with")
    func transient() {
        box.register(Clock())
        box.register(as: "request", lifetime: .transient) { _ in Request() }
        _ = try? box.resolve(ServiceKey<Request>("request"))
        #expect(edges(box.graph()) == ["service:request.clock -> service:clock"])
        #expect(box.graph().nodes.map(\.id) == ["service:clock", "service:request"])
    }

    @Test("show a service that can't be created as a hole of its user, until it can")
    func failed() {
        let isBroken = Locked(true)
        box.register(as: "clock") { _ in
            if isBroken.withLock({ $0 }) { throw CancellationError() }
            return Clock()
        }
        let request = Request()
        box.fill(request)
        #expect(edges(box.graph()) == ["type:Request.clock -> failed"])
        isBroken.withLock { $0 = false }
        box.fill(request)
        #expect(edges(box.graph()) == ["type:Request.clock -> service:clock"])
    }

    @Test("have the box itself as a node where something uses it")
    func boxItself() {
        box.register(Clock())
        box.fill(Boxed())
        #expect(box.graph().nodes.map(\.id) == ["service:clock", "service:serviceBox", "type:Boxed"])
        #expect(edges(box.graph()) == ["type:Boxed.serviceBox -> service:serviceBox"])
    }

    @Test("of a child show what it inherits, wired by its parent")
    func child() {
        registerAll()
        let child = box.makeChild(name: "child")
        child.register(Request(), as: "request")
        child.fill(Screen())
        #expect(
            child.graph().nodes.map(\.id) == [
                "service:analytics", "service:clock", "service:request", "service:storage", "type:Screen",
            ])
        #expect(edges(child.graph()).contains("service:request.clock -> service:clock"))
        #expect(edges(child.graph()).contains("service:storage.analytics -> service:analytics"))
        #expect(!box.graph().nodes.contains { $0.id == "type:Screen" })
    }

    @Test("are empty after the box is cleared, and point at no service that was released")
    func cleared() {
        registerAll()
        box.fill(Screen())
        box.remove("clock")
        #expect(box.graph().edges.first { $0.property == "time" }?.outcome == "kept")
        box.clear()
        #expect(box.graph().nodes.isEmpty)
        #expect(box.graph().edges.isEmpty)
    }

    /// The nodes that were filled, in the order of their first fills.
    private func filled(in box: ServiceBox) -> [ServiceGraph.Node] {
        box.graph().nodes.filter { $0.order != nil }.sorted { ($0.order ?? 0) < ($1.order ?? 0) }
    }

    @Test("number types in the order of their first fill, after what the parent filled")
    func order() {
        box.register(Clock())
        let child = box.makeChild(name: "child")
        child.fill(Screen())
        child.fill(Request())
        child.fill(Screen())
        child.register(Storage(), as: "storage")
        child.crossFill()
        box.register(FileAnalytics(), as: "analytics")
        box.crossFill()
        let filled = filled(in: child)
        #expect(
            filled.map(\.id) == [
                "service:clock", "service:analytics", "type:Screen", "type:Request", "service:storage",
            ])
        #expect(filled.map(\.order) == [1, 2, 3, 4, 5])
    }

    @Test("of a copy show what the original filled")
    func copy() {
        box.register(as: "request") { _ in Request() }
        box.register(Clock())
        let copy = box.copy()
        copy.register(Clock(), as: "own")
        _ = try? copy.resolve(ServiceKey<Request>("request"))
        #expect(edges(copy.graph()) == ["service:request.clock -> service:clock"])
        #expect(edges(copy.graph(planned: true)) == ["service:request.clock -> service:clock"])
    }

    @Test("that include other types are plans")
    func including() {
        #expect(box.graph(including: [Request()]) == box.graph(planned: true, including: [Request()]))
        #expect(box.graph(including: [Request()]).nodes.map(\.type) == ["Request"])
    }

    @Test("are the same after encoding and decoding")
    func json() throws {
        registerAll()
        box.register(Clock(), as: "odd \"name\" \\ \n\t\u{1} ünïcode 🕰")
        box.fill(Screen())
        let graph = box.graph()
        let decoded = try JSONDecoder().decode(ServiceGraph.self, from: JSONEncoder().encode(graph))
        #expect(decoded == graph)
    }

    @Test("don't depend on the order of registrations")
    func stable() {
        let other = ServiceBox()
        box.register(Clock(), as: "clock")
        box.register(Storage(), as: "storage")
        box.register(FileAnalytics(), as: "analytics")
        other.register(FileAnalytics(), as: "analytics")
        other.register(Storage(), as: "storage")
        other.register(Clock(), as: "clock")
        let others: [Any] = [Screen(), Request()]
        let graph = box.graph(planned: true, including: others)
        let otherGraph = other.graph(planned: true, including: others.reversed())
        #expect(graph.edges == otherGraph.edges)
        #expect(graph.nodes.map(\.id) == otherGraph.nodes.map(\.id))
        #expect(graph.mermaid == otherGraph.mermaid)
        #expect(graph.dot == otherGraph.dot)
    }

    @Test("know that a service that isn't filled, and is created for each ask, has been created")
    func madeUnfilled() throws {
        box.register(as: "clock", lifetime: .transient, fills: false) { _ in Clock() }
        #expect(box.graph().nodes.map(\.isUnmade) == [true])
        _ = try box["clock"] as Clock
        #expect(box.graph().nodes.map(\.isUnmade) == [false])
    }

    @Test("number a service in the order of its first fill, also once it was created again")
    func orderOfServices() throws {
        let box = ServiceBox()
        let (first, second) = (ServiceKey<Clock>("first"), ServiceKey<Clock>("second"))
        for key in [first, second] { box.register(as: key, lifetime: .weak) { _ in Clock() } }
        for key in [second, first, second] { _ = try box[key] }
        #expect(filled(in: box).map(\.id) == ["service:second", "service:first"])
    }

    @Test("number types in the order of their first fills, also once they were filled anew")
    func orderOfFirstFills() {
        final class First { @Injected var clock: Clock? }
        final class Second { @Injected var clock: Clock? }
        box.fill(First())
        box.fill(Second())
        box.register(Clock())
        box.fill(First())
        let nodes = box.graph().nodes.filter { $0.serviceName == nil }
        #expect(nodes.map(\.type) == ["First", "Second"])
        #expect(nodes.map(\.order) == [1, 2])
    }

    @Test("show what the last of services created for each ask has lacked")
    func lastFailures() throws {
        let isFirst = Locked(true)
        for (name, fails) in [("first", true), ("second", false)] {
            box.register(as: ServiceKey(name)) { _ in
                if isFirst.withLock({ $0 }) == fails { throw Broken() }
                return Clock()
            }
        }
        final class Taker: @unchecked Sendable {
            @Injected var first: Clock?
            @Injected var second: Clock?
        }
        box.register(as: "taker", lifetime: .transient) { _ in Taker() }
        _ = try box["taker"] as Taker
        isFirst.withLock { $0 = false }
        try box.provider(ServiceKey<Clock>("second")).reset()
        _ = try box["taker"] as Taker
        let edges = box.graph().edges.filter { $0.source == "service:taker" }
        #expect(edges.map(\.outcome) == ["filled", "failed"])
    }

    @Test("shows what a factory fills an object with, though another service fails")
    func partlyFilled() throws {
        final class Taker {
            @Injected var clock: Clock?
            @Injected var cache: Cache?
        }
        box.register(Clock())
        box.register(as: "cache") { _ -> Cache in throw Broken() }
        box.register(as: "maker") { box in
            box.fill(Taker())
            return Page()
        }
        _ = try box["maker"] as Page
        let edges = box.graph().edges.filter { $0.source == "service:maker" }
        #expect(edges.map(\.target) == ["service:clock"])
    }

    @Test("name each service of a list that couldn't be made, and count the list once")
    func failedInList() {
        box.register(Plugin(), as: "plugin")
        box.register(Clock(), as: "ready")
        for name in ["broken", "torn"] { box.register(as: ServiceKey(name)) { _ -> Clock in throw Broken() } }
        box.crossFill()
        let graph = box.graph()
        #expect(graph.edges.map(\.serviceName) == ["ready", "broken", "torn"])
        let failed = "service:plugin.clocks -> failed"
        #expect(edges(graph) == ["service:plugin.clocks -> service:ready", failed, failed])
        #expect("\(graph)".hasPrefix("Graph of a box: 4 services, 0 types, 1 property, 1 hole."))
        #expect(graph.mermaid.contains("'broken' could not be made"))
    }

    @Test("show in a plan too that a service keeps what it has")
    func keptDefault() throws {
        final class Reader: @unchecked Sendable { @Injected var clock: Clock? = Clock() }
        box.register(Clock())
        box.register(as: "reader") { _ in Reader() }
        _ = try box["reader"] as Reader
        for planned in [true, false] {
            #expect(edges(box.graph(planned: planned)) == ["service:reader.clock -> kept"])
        }
    }

    @Test("of one wiring are equal in plans, and show otherwise in which order things were filled")
    func equality() {
        func graphs(filling objects: [AnyObject]) -> (planned: ServiceGraph, filled: ServiceGraph) {
            let box = ServiceBox()
            box.register(Clock(), fileID: "App/Main.swift", line: 1)
            for object in objects { box.fill(object) }
            return (box.graph(planned: true), box.graph())
        }
        let (one, other) = (graphs(filling: [Request(), Boxed()]), graphs(filling: [Boxed(), Request()]))
        #expect(one.planned == other.planned)
        #expect("\(one.planned)" == "\(other.planned)")
        #expect(one.planned.nodes.allSatisfy { $0.order == nil })
        #expect(one.filled != other.filled)
        #expect(one.filled.nodes.map(\.order) == [1, nil, 3, 2])
    }

    @Test("don't lead from an object to what has replaced its service")
    func replacedSince() throws {
        let request = Request()
        box.register(as: "clock") { _ in Clock() }
        box.register(as: "request") { _ in Request() }
        box.fill(request)
        _ = try box["request"] as Request
        box.register(as: "clock") { _ in Clock() }
        #expect(edges(box.graph()) == ["service:request.clock -> kept"])
        final class Reader { @Injected var clock: Clock? }
        let reader = Reader()
        box.fill(reader)
        box.register(as: "clock") { _ in Clock() }
        #expect(edges(box.graph()).contains("type:Reader.clock -> kept"))
        withExtendedLifetime((request, reader)) {}
    }
}
