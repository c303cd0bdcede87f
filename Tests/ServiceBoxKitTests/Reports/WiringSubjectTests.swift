// Part of ServiceBox, released under the MIT License.
// What the wiring is made from: services that are values, types of one name, objects that differ.

import Foundation
import ServiceBoxKit
import Testing

private enum Inside {
    final class Screen { @Injected var cache: Cache? }
}
private enum Outside {
    final class Screen {
        @Injected var cache: Cache?
        @Injected var missing: Cache?
    }
}

/// Shows one property or two.
private final class Changing: @unchecked Sendable, CustomReflectable {
    @Injected var cache: Cache?
    @Injected var missing: Cache
    private let isWhole: Bool

    init(isWhole: Bool) { self.isWhole = isWhole }

    var customMirror: Mirror {
        isWhole
            ? Mirror(self, children: ["_cache": _cache, "_missing": _missing])
            : Mirror(self, children: ["_cache": _cache])
    }
}

private enum Level: Sendable { case low, high }

@Suite("What the wiring lists")
struct WiringSubjectTests {
    private let box = ServiceBox()

    @Test("objects with a service that was replaced stand for their type")
    func stale() {
        final class Screen {
            @Injected var clock: Clock
            @Injected var cache: Cache?
        }
        box.register(Cache())
        let screens = [Screen(), Screen(), Screen()]
        for screen in screens { box.fill(screen) }
        box.register(Cache())
        let audit = box.audit(including: screens)
        #expect(audit.findings.map(\.subject) == ["Screen.clock", "cache"])
        #expect(audit.description.hasPrefix("Audit of 1 service and 1 type: "))
        #expect(box.graph(including: screens).nodes.count { $0.serviceName == nil } == 1)
    }

    private func edges(_ graph: ServiceGraph) -> [String] {
        graph.edges.map { "\($0.source).\($0.property) -> \($0.target ?? $0.outcome)" }
    }

    @Test("has each of several objects whose slots want services of other names")
    func otherNames() {
        final class Labelled {
            @Injected var clock: Clock
            init(_ name: ServiceKey<Clock>) { _clock = Injected(name) }
        }
        let report = box.audit(including: [Labelled("first"), Labelled("second"), Labelled("first")])
        #expect(report.findings.count == 2)
        box.register(Clock(), as: "second")
        #expect(box.audit(including: [Labelled("first"), Labelled("second")]).findings.count == 1)
    }

    @Test("has no hole for a service that is a number, a text, a collection, an enum or a closure")
    func values() {
        box.register(3, as: "number")
        box.register("text", as: "text")
        box.register([1, 2], as: "collection")
        box.register(Level.low, as: "level")
        box.register({ @Sendable in 3 }, as: "closure")
        for lifetime in [Lifetime.eager, .lazy, .transient] {
            box.register(as: "made \(lifetime)", lifetime: lifetime) { _ in 3 }
        }
        let audit = box.audit(makingServices: true)
        #expect(audit.findings.allSatisfy { $0.kind == .unused })
        #expect(box.graph().edges.isEmpty)
        #expect(box.graph(planned: true).edges.isEmpty)
        #expect(box.wiring().isEmpty)
    }

    @Test("has a hole for a number that is filled explicitly")
    func givenValue() {
        #expect(box.audit(including: [3]).findings.map(\.kind) == [.notWalkable])
    }

    @Test("is in the same order whichever of two types of one name was filled or given first")
    func sameName() {
        box.register(Cache())
        let other = ServiceBox()
        other.register(Cache())
        box.fill(Inside.Screen())
        box.fill(Outside.Screen())
        other.fill(Outside.Screen())
        other.fill(Inside.Screen())
        let expected = [
            "type:Screen.cache -> service:cache", "type#2:Screen.cache -> service:cache",
            "type#2:Screen.missing -> missing",
        ]
        #expect(edges(box.graph()) == expected)
        #expect(edges(other.graph()) == expected)
        let third = ServiceBox()
        third.register(Cache())
        let given: [Any] = [Outside.Screen(), Inside.Screen()]
        #expect(edges(third.graph(planned: true, including: given)) == expected)
    }

    @Test("has an object that reflects more properties than the service of its type")
    func differingObject() {
        box.register(Cache())
        box.register(Changing(isWhole: false))
        let audit = box.audit(including: [Changing(isWhole: true), Changing(isWhole: false)])
        #expect(audit.findings.map(\.subject) == ["Changing.missing", "changing"])
    }

    @Test("has the properties of an object whose type was given before it")
    func typeBeforeObject() {
        struct Settings { @Injected var cache: Cache? }
        box.register(Cache())
        let given: [Any] = [Settings.self, Settings()]
        #expect(box.audit(including: given).findings.isEmpty)
    }

    @Test(
        "includes everything that an audit created through a provider",
        arguments: [Lifetime.eager, .lazy, .transient])
    func providers(lifetime: Lifetime) {
        box.register(provider: ServiceProvider(lifetime) { Cache() }, as: "cache")
        box.register(provider: ServiceProvider(lifetime) { 3 }, as: "number")
        let audit = box.audit(makingServices: true)
        #expect(audit.unexamined.isEmpty)
        #expect(audit.findings.map(\.kind) == [.unused, .unused])
        #expect(box.wiring().isEmpty)
    }

    @Test("is drawn and written on one line for a name with line breaks and control characters")
    func oddNames() throws {
        final class Reader { @Injected("a\u{0}b\r\n&lt;") var cache: Cache? }
        box.register(Cache(), as: "a\u{0}b\r\n&lt;", fileID: "App/Main.swift", line: 1)
        box.fill(Reader())
        #expect(box.graph().dot.contains(#"label="a b &amp;lt;\nCache\nfilled 1st""#))
        #expect(box.graph().mermaid.contains(#"["a b #amp;lt;<br/>Cache<br/>filled 1st"]"#))
        #expect(
            box.wiring() == "Reader.cache: 'a\u{0}b &lt;', Cache, ready-made, App/Main.swift\n")
    }

    @Test("can be written from a decoded graph that names a node twice")
    func decodedTwice() throws {
        box.register(Cache())
        let graph = box.graph()
        let twice = ["nodes": graph.nodes + graph.nodes]
        var json = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(twice)) as? [String: Any])
        json["edges"] = [Any]()
        let decoded = try JSONDecoder().decode(
            ServiceGraph.self, from: JSONSerialization.data(withJSONObject: json))
        #expect(decoded.nodes.count == 2)
        #expect(decoded.description.hasPrefix("Graph of a box: 2 services"))
        #expect(decoded.mermaid.hasPrefix("flowchart"))
        #expect(decoded.dot.hasPrefix("digraph"))
    }

    @Test("knows that a ready-made service exists that the box doesn't fill")
    func unfilled() {
        final class Desk: @unchecked Sendable { @Injected var cache: Cache? }
        box.register(Desk(), fills: false)
        #expect(box.wiring().isEmpty)
    }

    @Test("has no type of a service that has nothing to fill")
    func bare() {
        box.register(Cache())
        box.fill(Cache())
        #expect(box.graph().nodes.map(\.id) == ["service:cache"])
    }

    @Test("has a type that was filled beside a service of it that was never created")
    func besideUnmade() {
        final class Desk: @unchecked Sendable { @Injected var cache: Cache? }
        box.register(as: "desk") { _ in Desk() }
        box.fill(Desk())
        #expect(box.graph().nodes.map(\.id) == ["service:desk", "type:Desk"])
    }

    @Test("has a mismatch of a property that has a value and would get a service if that fitted")
    func mismatchWithValue() {
        final class Desk { @Injected var cache: Cache }
        let desk = Desk()
        desk.cache = Cache()
        box.register(Clock(), as: "cache")
        box.fill(desk)
        #expect(edges(box.graph(planned: true)) == ["type:Desk.cache -> typeMismatch"])
    }

    @Test("has one of the objects that are wired alike, and none for a type that has one")
    func alike() {
        final class Desk: @unchecked Sendable { @Injected var cache: Cache }
        let desk = Desk()
        desk.cache = Cache()
        let graph = box.graph(planned: true, including: [Desk.self, desk, desk])
        #expect(edges(graph) == ["type:Desk.cache -> kept"])
        #expect(graph.nodes.count == 1)
    }

    @Test("has no types of services, also after the box has stopped")
    func stopped() async throws {
        final class Desk: @unchecked Sendable { @Injected var cache: Cache? }
        final class Shelf: Store, @unchecked Sendable { @Injected var cache: Cache? }
        box.register(Cache())
        box.register(Desk())
        box.register(as: "shelf") { _ -> any Store in Shelf() }
        let _: any Store = try box["shelf"]
        box.fill(Cache())
        box.fill(Desk())
        let before = box.graph().nodes.map(\.id)
        await box.stop()
        #expect(box.graph().nodes.map(\.id) == before)
        #expect(!box.wiring().contains("never made"))
    }
}
