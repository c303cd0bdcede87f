// Part of ServiceBox, released under the MIT License.
// What a cross-fill says of services that are made.

import ServiceBoxKit
import Testing

private struct Theme: Sendable {}
private final class Holder: @unchecked Sendable {
    @Injected var theme: Theme?
    @Injected var clock: Clock?
    @Injected("clock") var second: Clock?
    @InjectedAll var clocks: [Clock]
}
private final class Taught: @unchecked Sendable {
    var clock: Clock?
}

@Suite("A cross-fill with services that the box creates")
struct MadeCrossFillReportTests {
    private let box = ServiceBox()

    @Test("reports what it filled as filled", arguments: [Lifetime.eager, .lazy, .transient])
    func filled(_ lifetime: Lifetime) throws {
        box.register(Holder())
        box.register(as: "made") { _ in Holder() }
        box.register(as: "theme", lifetime: lifetime) { _ in Theme() }
        box.register(as: "clock", lifetime: lifetime) { _ in Clock() }
        _ = try box.resolve(ServiceKey<Holder>("made"))
        for report in box.crossFill() {
            #expect(Set(report.outcomes.values) == [.filled], "\(report)")
        }
        let kept = Holder()
        kept.clock = Clock()
        box.register(kept, as: "kept")
        let report = box.crossFill().first { $0.serviceName == "kept" }
        #expect(report?.outcome(of: "clock") == .kept)
        #expect(report?.outcome(of: "second") == .filled)
    }

    @Test("reports what a service that was replaced since has filled as kept")
    func replaced() {
        final class Desk: @unchecked Sendable { @Injected var clock: Clock? }
        box.register(Desk())
        box.register(as: "clock") { _ in Clock() }
        #expect(box.crossFill().first?.outcome(of: "clock") == .filled)
        box.register(as: "clock") { _ in Clock() }
        #expect(box.crossFill().first?.outcome(of: "clock") == .kept)
    }

    @Test("reports what a list has, though a service that was registered later can't be made")
    func partlyExtended() {
        final class Wall: @unchecked Sendable { @InjectedAll var clocks: [Clock] }
        box.register(Wall(), as: "wall")
        box.register(Clock(), as: "first")
        box.crossFill()
        box.register(as: "second") { _ -> Clock in throw Broken() }
        // A use of the box, which fills what is new.
        _ = try? box.resolve(Wall.self)
        let edges = box.graph().edges.filter { $0.property == "clocks" }
        #expect(edges.map(\.target) == ["service:first", nil])
        #expect(edges.map(\.outcome) == ["filled", "failed"])
    }

    @Test("reports why a service that it has created lacks something, the first time too")
    func firstReport() throws {
        final class Part: @unchecked Sendable { @Injected var gone: Theme }
        final class Whole: @unchecked Sendable { @Injected var part: Part? }
        final class User: @unchecked Sendable { @Injected var whole: Whole? }
        box.register(User(), as: "user")
        box.register(as: "part", lifetime: .eager) { _ in Part() }
        box.register(as: "whole") { _ in Whole() }
        let reports = try (1...2).map { _ in
            let report = box.crossFill().first { $0.serviceName == "whole" }
            return try #require(report?.properties.first).explanation
        }
        #expect(
            reports[0].hasPrefix(
                "Can't fill 'part' of Whole: its service is incomplete, since it needs 'gone' of Part"))
        #expect(reports[0] == reports[1])
    }

    @Test("shows a property as failed only until its service is replaced or made")
    func failedOnce() throws {
        final class User: @unchecked Sendable { @Injected var clock: Clock? }
        let isFailing = Locked(true)
        func register() {
            box.register(as: "clock") { _ in
                if isFailing.withLock({ $0 }) { throw Broken() }
                return Clock()
            }
        }
        func outcome() -> String? { box.graph().edges.first?.outcome }
        box.register(as: "user") { _ in User() }
        register()
        let user = try box["user"] as User
        #expect(outcome() == "failed")
        register()
        #expect(outcome() == "empty")
        isFailing.withLock { $0 = false }
        box.crossFill()
        #expect(outcome() == "filled")
        user.clock = nil
        #expect(outcome() == "empty")
    }

    @Test("reports nothing about a service that isn't created")
    func unmade() {
        box.register(as: "made") { _ in Holder() }
        #expect(box.crossFill().isEmpty)
    }

    @Test("creates nothing for a service that was released")
    func forgotten() throws {
        let makes = Counter()
        box.register(as: "holder") { _ in Holder() }
        _ = try box.resolve(ServiceKey<Holder>("holder"))
        box.crossFill()
        try box.provider(ServiceKey<Holder>("holder")).reset()
        box.register(as: "clock", lifetime: .transient) { _ in
            makes.next()
            return Clock()
        }
        box.crossFill()
        #expect(makes.value == 0)
    }

    @Test("uses what the parent is taught later for the services of its child")
    func taughtLater() {
        let child = box.makeChild(name: "child")
        box.register(Clock())
        let taught = Taught()
        child.register(taught)
        child.crossFill()
        box.teach(Taught.self, ["clock": .keyPath(\Taught.clock)])
        child.crossFill()
        #expect(taught.clock != nil)
    }
}
