// Part of ServiceBox, released under the MIT License.
// Tests of audits of what hasn't run yet: decorations, and look-ups of properties when they are read.

import ServiceBoxKit
import Testing

private final class ClockReader {
    @Injected var clock: Clock
}

private final class Alarm: @unchecked Sendable {
    @Injected var clock: Clock
}

private final class LateReader {
    @Injected("clock", when: .read) var cache: Cache?
}

@Suite("Audits of what hasn't run yet")
struct AuditOfLaterTests {
    private func facts(_ audit: ServiceAudit) -> [String] {
        audit.findings.map { "\($0.kind) \($0.subject)" }
    }

    @Test("find a property that is looked up when it is read and takes another type")
    func mistypedOnRead() {
        let box = ServiceBox()
        box.register(Clock())
        let mistyped = "typeMismatch LateReader.cache"
        #expect(facts(box.audit(including: [LateReader()])) == [mistyped])
        box.fill(LateReader())
        #expect(facts(box.audit()) == [mistyped])
        box.register(Cache(), as: "clock")
        #expect(facts(box.audit()).contains(mistyped) == false)
    }

    @Test(
        "find a required property of a service whose own service was removed, or replaced by another type",
        arguments: [true, false], [true, false])
    func removedLater(isAlarmReady: Bool, isClockReady: Bool) throws {
        let box = ServiceBox()
        if isAlarmReady { box.register(Alarm()) } else { box.register { _ in Alarm() } }
        if isClockReady { box.register(Clock()) } else { box.register { _ in Clock() } }
        let alarm: Alarm = try box.resolve()
        box.remove("clock")
        #expect(facts(box.audit(makingServices: true)) == ["missing Alarm.clock"])
        box.register("text", as: "clock")
        #expect(facts(box.audit(makingServices: true)).contains("typeMismatch Alarm.clock"))
        withExtendedLifetime(alarm) {}
    }

    @Test("report no unused service while a decoration of a ready-made one hasn't run, since it might use it")
    func decorationThatHasNotRun() throws {
        let box = ServiceBox()
        box.register(Cache())
        box.register(Clock())
        box.decorate("clock") { (clock: Clock, box) in
            let _: Cache = try box["cache"]
            return clock
        }
        #expect(box.audit(including: [ClockReader.self]).unexamined == ["clock"])
        #expect(box.audit(including: [ClockReader.self]).findings.isEmpty)
        #expect(box.audit(including: [ClockReader.self], makingServices: true).findings.isEmpty)
    }

    @Test("report no service as unused that the box starts, but one that it only creates")
    func startedForItself() {
        final class Worker: ServiceLifecycle {}
        let box = ServiceBox()
        box.register(Worker(), as: "instance")
        box.register(as: "made") { _ in Worker() }
        box.register(as: "hidden") { _ in Worker() as any Sendable }
        box.register(as: "transient", lifetime: .transient) { _ in Worker() }
        box.register(as: "clock", lifetime: .eager) { _ in Clock() }
        #expect(
            facts(box.audit(makingServices: true)) == ["unused clock", "unused transient"])
    }

    @Test("report a service that one of another type has replaced, though nobody holds it")
    func replacedByAnotherType() throws {
        let box = ServiceBox()
        box.trackHolders()
        box.register(Clock(), as: "clock")
        _ = try box["clock"] as Clock
        box.register(Cache(), as: "clock")
        #expect(facts(box.audit()).contains("replaced clock"))
    }

    @Test("create a service that lacks something once, however many require it")
    func lackingOnce() {
        final class Needy: @unchecked Sendable { @Injected var clock: Clock }
        final class User: @unchecked Sendable { @Injected var needy: Needy }
        let (box, makes) = (ServiceBox(), Counter())
        box.register(as: "needy") { _ in
            makes.next()
            return Needy()
        }
        for name in ["a", "b"] { box.register(as: ServiceKey(name)) { _ in User() } }
        #expect(box.audit(makingServices: true).findings.isEmpty == false)
        #expect(makes.value == 1)
    }

    @Test("find what a child lacks, and its parent too, once")
    func assumedOnce() {
        final class Needy: @unchecked Sendable { @Injected var clock: Clock }
        let box = ServiceBox()
        box.register(Needy())
        box.fill(ClockReader())
        let found = facts(box.audit(assuming: { _ in })).filter { $0.hasPrefix("missing") }
        #expect(found.sorted() == ["missing ClockReader.clock", "missing Needy.clock"])
    }

    @Test("find what was removed since a service got it")
    func removedSince() {
        final class Needy: @unchecked Sendable { @Injected var clock: Clock }
        let (box, needy) = (ServiceBox(), Needy())
        box.register { _ in Clock() }
        box.register(needy)
        box.crossFill()
        _ = needy.clock
        box.remove("clock")
        #expect(facts(box.audit()).contains("missing Needy.clock"))
    }

    @Test("don't find a value that a factory made, which can't be inspected")
    func values() throws {
        let (box, counter) = (ServiceBox(), Counter())
        let port = box.register(as: "port") { _ in 8080 }
        box.register(as: ServiceKey<any Sendable>("varying"), lifetime: .transient) { _ -> any Sendable in
            counter.next() == 1 ? "text" : 7
        }
        _ = try box["port"] as Int
        for _ in 1...2 { _ = try box["varying"] as any Sendable }
        port.remove()
        #expect(facts(box.audit()) == [])
        #expect(box.graph().nodes.map(\.id) == ["service:varying"])
    }

    @Test(
        "find that a service which isn't kept was of another type when it was created last",
        arguments: [Lifetime.transient, .weak], [false, true])
    func createdType(_ lifetime: Lifetime, isMade: Bool) throws {
        final class Screen { @Injected var store: MemoryStore }
        final class LateScreen { @Injected("store", when: .read) var store: MemoryStore }
        let box = ServiceBox()
        let count = Counter()
        box.register(as: ServiceKey<any Store>("store"), lifetime: lifetime) { _ -> any Store in
            isMade && count.next() < 40 ? MemoryStore() : FileStore()
        }
        // The quick way of a transient service comes later.
        for _ in 0..<(isMade ? 40 : 0) { _ = try box.resolve("store") as any Store }
        let audit = box.audit(including: [Screen(), LateScreen()], makingServices: !isMade)
        #expect(facts(audit) == ["typeMismatch LateScreen.store", "typeMismatch Screen.store"])
        #expect(!box.plan(for: Screen()).isComplete)
    }

    @Test("find what a fill has found of an object with a mirror of its own")
    func customMirror() {
        final class Mirrored: CustomReflectable {
            @Injected var clock: Clock
            var customMirror: Mirror { Mirror(self, children: [:]) }
        }
        let box = ServiceBox()
        box.fill(Mirrored())
        #expect(facts(box.audit()) == ["notWalkable Mirrored"])
    }

    @Test("find that a value behind an interface can't be held weakly, once there was one")
    func weakValue() throws {
        final class Reader {
            @WeakInjected var number: (any Sendable)?
            @WeakInjected("number") var provider: ServiceProvider<any Sendable>?
        }
        let box = ServiceBox()
        box.register(as: ServiceKey<any Sendable>("number")) { _ in 7 }
        #expect(facts(box.audit(including: [Reader()])).isEmpty)
        _ = try box.resolve("number") as any Sendable
        #expect(facts(box.audit(including: [Reader()])) == ["typeMismatch Reader.number"])
    }

    @Test("leave a service to the children also after its own box couldn't create it")
    func leftToChildren() {
        let box = ServiceBox()
        final class Reader: @unchecked Sendable { @Injected var clock: Clock }
        final class Screen { @Injected var reader: Reader }
        box.register(as: "reader", per: .box) { _ in Reader() }
        for _ in 1...2 {
            let audit = box.audit(makingServices: true)
            #expect(audit.findings.isEmpty && audit.unexamined == ["reader"])
            #expect(throws: ServiceBoxError.self) { try box["reader"] as Reader }
        }
        // Something of its own box takes it.
        let audit = box.audit(including: [Screen()])
        #expect(facts(audit) == ["missing Reader.clock"])
        #expect(audit.unexamined.isEmpty)
    }

    @Test("find that a list can't have a service that must be awaited each time")
    func awaitedInList() {
        final class Shelf { @InjectedAll var caches: [Cache] }
        let box = ServiceBox()
        box.register(as: "now", lifetime: .transient) { _ in Cache() }
        box.register(as: "later", lifetime: .transient) { _ async in Cache() }
        #expect(facts(box.audit(including: [Shelf()])).contains("failed Shelf.caches"))
        #expect(box.plan(for: Shelf()).outcomes == box.fill(Shelf()).outcomes)
    }
}
