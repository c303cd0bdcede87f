// Part of ServiceBox, released under the MIT License.
// Tables that name properties which are slots, or have the names of others.

import ServiceBoxKit
import Testing

private final class Pathed: Injectable, @unchecked Sendable {
    @Injected var clock: Clock

    static var injections: InjectionTable { ["clock": .keyPath(\Pathed.clock)] }
}

private struct PathedStruct: Injectable {
    @Injected var clock: Clock

    static var injections: InjectionTable { ["clock": .keyPath(\PathedStruct.clock)] }
}

/// Two classes of a chain have a property of one name, which the other can't see.
private class Base: @unchecked Sendable {
    @Injected private var clock: Clock
    var clockOfBase: Clock { clock }
}

private final class PlainBelowSlot: Base, Injectable, @unchecked Sendable {
    private(set) var clock: Clock?

    static var injections: InjectionTable { ["clock": .keyPath(\PlainBelowSlot.clock)] }
}

private class TableOfBase: Injectable, @unchecked Sendable {
    private var clock: Clock?
    var clockOfBase: Clock? { clock }

    class var injections: InjectionTable { ["clock": .keyPath(\TableOfBase.clock)] }
}

private final class SlotBelowTable: TableOfBase, @unchecked Sendable {
    @Injected private var clock: Clock
    var own: Clock { clock }
}

private final class Listening: Injectable, @unchecked Sendable {
    @Injected var clock: Clock

    static var injections: InjectionTable {
        ["clock": .setter(optional: true) { (listening: Listening, clock: Clock) in listening.clock = clock }]
    }
}

private final class Occupied: Injectable {
    @Injected var clock: Clock? = Clock()
    @Injected var cache: Cache?

    static var injections: InjectionTable {
        ["clock": .setter { (occupied: Occupied, clock: Clock) in occupied.clock = clock }]
    }
}

@Suite("Tables beside slots")
struct TablesBesideSlotsTests {
    private let box = ServiceBox()
    private let clock = Clock()

    init() { box.register(clock) }

    @Test("says nothing about the next slot because of the value of one that a table writes")
    func occupied() {
        for _ in 1...3 {
            #expect(box.fill(Occupied()).outcomes == ["clock": .filled, "cache": .missing])
            #expect(box.plan(for: Occupied()).outcomes == ["clock": .filled, "cache": .missing])
        }
    }

    @Test("fills a slot that a key path names, which reads it before it writes", arguments: [false, true])
    func keyPathToSlot(isKeeping: Bool) {
        let object = Pathed()
        #expect(box.fill(object, keepingExisting: isKeeping).isComplete)
        #expect(object.clock === clock)
        var value = PathedStruct()
        #expect(box.fill(&value, keepingExisting: isKeeping).isComplete)
        #expect(value.clock === clock)
    }

    @Test("fills a slot of a service that a key path names")
    func keyPathToSlotOfService() throws {
        box.register(Pathed(), as: "ready")
        box.register(as: "created") { _ in Pathed() }
        #expect(try (box["ready"] as Pathed).clock === clock)
        #expect(try (box["created"] as Pathed).clock === clock)
    }

    @Test("says that a slot is empty which a key path names")
    func emptySlotOfKeyPath() {
        let empty = ServiceBox()
        #expect(empty.fill(Pathed()).outcomes == ["clock": .missing])
        empty.register(as: "pathed") { _ in Pathed() }
        #expect(empty.failure(of: "pathed" as ServiceKey<Pathed>)?.code == .incomplete)
    }

    @Test("fills the slot of a superclass whose name a subclass has in its table")
    func slotAbovePlain() throws {
        let object = PlainBelowSlot()
        #expect(box.fill(object).isComplete)
        #expect(object.clock === clock)
        #expect(object.clockOfBase === clock)
        box.register(as: "service") { _ in PlainBelowSlot() }
        #expect(try (box["service"] as PlainBelowSlot).clockOfBase === clock)
    }

    @Test("fills the slot of a subclass whose name its superclass has in its table")
    func slotBelowTable() throws {
        let object = SlotBelowTable()
        #expect(box.fill(object).isComplete)
        #expect(object.own === clock)
        #expect(object.clockOfBase === clock)
        box.register(SlotBelowTable(), as: "service")
        #expect(try (box["service"] as SlotBelowTable).own === clock)
    }

    @Test("requires the service of an optional setter whose property is a required slot")
    func optionalSetterOfRequiredSlot() throws {
        let empty = ServiceBox()
        empty.register(as: "listening") { _ in Listening() }
        #expect(empty.failure(of: "listening" as ServiceKey<Listening>)?.code == .incomplete)
        empty.register(clock)
        #expect(try (empty["listening"] as Listening).clock === clock)
    }
}
