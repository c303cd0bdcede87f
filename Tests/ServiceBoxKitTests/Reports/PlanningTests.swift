// Part of ServiceBox, released under the MIT License.
// What a fill would do, and a box as text.

import ServiceBoxKit
import Testing

private final class Alarm {
    @Injected var clock: Clock?
    @Injected var volume: Int?
}

private final class Unseen {
    @Injected var clock: Clock?
}

private struct Dial {
    @Injected var clock: Clock?
}

private protocol Shelf<Item>: Sendable { associatedtype Item }
private struct NumberShelf: Shelf { typealias Item = Int }
private struct WordShelf: Shelf { typealias Item = String }

private actor Vault {
    @Injected var clock: Clock?
}

@Suite("Plans of fills")
struct PlanningTests {
    private let box = ServiceBox()

    @Test("show what an object would get, fill nothing and create nothing")
    func object() {
        box.register(as: "clock") { _ -> Clock in
            Issue.record("A plan made the service.")
            return Clock()
        }
        let alarm = Alarm()
        let plan = box.plan(for: alarm)
        #expect(plan.filled.map(\.name) == ["clock"])
        #expect(plan.holes.map(\.name) == ["volume"])
        #expect(alarm.clock == nil)
    }

    @Test("show what a struct would get")
    func structure() {
        box.register(Clock())
        let dial = Dial()
        #expect(box.plan(for: dial).isComplete)
        #expect(dial.clock == nil)
    }

    @Test("of a type show its properties")
    func type() {
        box.register(Clock())
        _ = box.plan(for: Alarm())
        #expect(box.plan(for: Alarm.self).holes.map(\.name) == ["volume"])
    }

    @Test("of a type need no object")
    func unseenType() {
        #expect(box.plan(for: Unseen.self).holes.map(\.name) == ["clock"])
    }

    @Test("of an actor work from outside")
    func actor() async {
        box.register(Clock())
        let vault = Vault()
        #expect(box.plan(for: vault).isComplete)
        #expect(await vault.clock == nil)
    }

    @Test("know what only a fill could find out: a service that is there and doesn't fit")
    func misfit() throws {
        final class Reader { @Injected var store: FileStore? }
        box.register(as: "store") { _ -> any Store in MemoryStore() }
        #expect(box.plan(for: Reader()).outcome(of: "store") == .filled)
        let _: any Store = try box["store"]
        #expect(box.plan(for: Reader()).outcome(of: "store") == .typeMismatch)
        #expect(box.fill(Reader()).outcome(of: "store") == .typeMismatch)
        #expect(box.audit().findings.map(\.subject) == ["Reader.store"])
        box.register(FileStore(), as: ServiceKey<any Store>("store"))
        #expect(box.plan(for: Reader()).outcome(of: "store") == .filled)
    }

    @Test("know it also of a service that is no `any P<Int>`, which only a cast tells")
    func misfitOfArguments() throws {
        final class Reader { @Injected var shelf: (any Shelf<String>)? }
        box.register(as: "shelf") { _ in NumberShelf() }
        #expect(box.plan(for: Reader()).outcome(of: "shelf") == .filled)
        let _: NumberShelf = try box["shelf"]
        #expect(box.plan(for: Reader()).outcome(of: "shelf") == .typeMismatch)
        #expect(box.fill(Reader()).outcome(of: "shelf") == .typeMismatch)
        #expect(box.audit().findings.map(\.subject) == ["Reader.shelf"])
        for lifetime in [Lifetime.lazy, .transient] {
            box.register(as: "shelf", lifetime: lifetime) { _ in WordShelf() }
            let _: WordShelf = try box["shelf"]
            #expect(box.plan(for: Reader()).outcome(of: "shelf") == .filled)
            #expect(box.fill(Reader()).outcome(of: "shelf") == .filled)
        }
    }

    @Test("know that a property can't take a service that must be awaited each time, only its provider")
    func awaitedEachTime() {
        final class Reader {
            @Injected var clock: Clock?
            @Injected("clock") var clocks: ServiceProvider<Clock>?
        }
        box.register(as: "clock", lifetime: .transient) { _ async in Clock() }
        #expect(box.plan(for: Reader()).outcomes == ["clock": .failed, "clocks": .filled])
        #expect(box.fill(Reader()).outcomes == ["clock": .failed, "clocks": .filled])
    }
}
