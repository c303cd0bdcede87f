// Part of ServiceBox, released under the MIT License.
// The wiring of a box as nodes and edges.

import Foundation
import ServiceBoxKit
import Testing

private protocol Analytics: Sendable {}
private final class FileAnalytics: Analytics, @unchecked Sendable {
    @WeakInjected var storage: Storage?
}
private final class Storage: @unchecked Sendable {
    @Injected var analytics: (any Analytics)?
}
private final class Clock: Sendable {}
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

    @Test("has a node for each service and each filled type, and an edge for each property")
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
        "says of a node what it is registered as, what it is, how long it lives, where it comes from and when it was filled"
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

    @Test("of what has happened shows nothing before the box is used, and makes nothing")
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

    @Test("that is planned shows types that were never filled, and what is empty so far")
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

    @Test("of what has happened keeps a property that the box did not fill apart")
    func kept() {
        let storage = Storage()
        storage.analytics = FileAnalytics()
        box.register(storage, as: "storage")
        box.register(FileAnalytics(), as: "analytics")
        box.crossFill()
        #expect(box.graph().edges.first { $0.property == "analytics" }?.state == .kept)
    }

    @Test("has an edge to each service that a property takes all of")
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

    @Test("shows what was given to a service that is made anew each time")
    func transient() {
        box.register(Clock())
        box.register(as: "request", lifetime: .transient) { _ in Request() }
        _ = try? box.resolve(ServiceKey<Request>("request"))
        #expect(edges(box.graph()) == ["service:request.clock -> service:clock"])
        #expect(box.graph().nodes.map(\.id) == ["service:clock", "service:request"])
    }

    @Test("shows a service that could not be made as a hole of what asked for it, until it can")
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

    @Test("has the box itself as a node where something takes it")
    func boxItself() {
        box.register(Clock())
        box.fill(Boxed())
        #expect(box.graph().nodes.map(\.id) == ["service:clock", "service:serviceBox", "type:Boxed"])
        #expect(edges(box.graph()) == ["type:Boxed.serviceBox -> service:serviceBox"])
    }

    @Test("of a child shows what it inherits, wired by its parent")
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

    @Test("forgets what was filled when the box is cleared, and points at no service that is gone")
    func cleared() {
        registerAll()
        box.fill(Screen())
        box.remove("clock")
        #expect(box.graph().edges.first { $0.property == "time" }?.state == .kept)
        box.clear()
        #expect(box.graph().nodes.isEmpty)
        #expect(box.graph().edges.isEmpty)
    }

    @Test("numbers types in the order in which they were filled first, after what the parent has filled")
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
        let filled = child.graph().nodes.filter { $0.order != nil }.sorted {
            ($0.order ?? 0) < ($1.order ?? 0)
        }
        #expect(
            filled.map(\.id) == [
                "service:clock", "service:analytics", "type:Screen", "type:Request", "service:storage",
            ])
        #expect(filled.map(\.order) == [1, 2, 3, 4, 5])
    }

    @Test("of a copy shows what the original has filled")
    func copy() {
        box.register(as: "request") { _ in Request() }
        box.register(Clock())
        let copy = box.copy()
        copy.register(Clock(), as: "own")
        _ = try? copy.resolve(ServiceKey<Request>("request"))
        #expect(edges(copy.graph()) == ["service:request.clock -> service:clock"])
        #expect(edges(copy.graph(planned: true)) == ["service:request.clock -> service:clock"])
    }

    @Test("of what has happened leaves out what it is given to plan for")
    func notPlanned() {
        #expect(box.graph(planned: false, including: [Request()]).nodes.isEmpty)
    }

    @Test("comes back from its JSON as it was")
    func json() throws {
        registerAll()
        box.register(Clock(), as: "odd \"name\" \\ \n\t\u{1} ünïcode 🕰")
        box.fill(Screen())
        let graph = box.graph()
        let decoded = try JSONDecoder().decode(ServiceGraph.self, from: JSONEncoder().encode(graph))
        #expect(decoded == graph)
    }

    @Test("does not depend on the order of registrations")
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
}
