// Part of ServiceBox, released under the MIT License.
// Tests of how long values live that a slot held before.

import Testing

@testable import ServiceBoxKit

@Suite("Values that were replaced")
struct ReplacedValueTests {
    @Test("a value that a fill replaces lives as long as the property, since others may be reading it")
    func replacedByFill() {
        let box = ServiceBox()
        expectKept(by: box) { box.fill($0) }
    }

    @Test("a value that a refill replaces lives as long as the property")
    func replacedByRefill() throws {
        let box = ServiceBox()
        box.trackHolders()
        try expectKept(by: box) { _ in try box.refill("thing") }
    }

    /// Expects that what a property held before it was given another value lives as long as the property.
    private func expectKept<Result>(
        by box: ServiceBox, replacing replace: (Holder) throws -> Result
    ) rethrows {
        weak var early: Thing?
        do {
            let holder = Holder()
            do {
                let thing = Thing()
                early = thing
                box.register(thing, as: "thing")
            }
            box.fill(holder)
            box.remove("thing")
            box.register(Thing(), as: "thing")
            _ = try replace(holder)
            #expect(early != nil)
            #expect(holder.thing !== early)
        }
        #expect(early == nil)
    }

    @Test("a value that comes too late for its property isn't kept")
    func tooLate() {
        let slot = Slot.make(file: #fileID, line: #line)
        slot.fill(with: Cell(Thing()))
        weak var late: Thing?
        do {
            let thing = Thing()
            late = thing
            #expect(!slot.replace(nil, with: Cell(thing)))
        }
        #expect(late == nil)
    }

    @MainActor
    @Test("a wrapper that a factory replaces lives as long as the fill that runs the factory")
    func replacedByFactory() {
        final class Screen {
            @MainActor static var current: Screen?
            @Injected var thing: Thing?

            func replaceWrapper() -> Bool {
                weak let old = _thing.slot
                _thing = Injected()
                return old != nil
            }
        }
        let box = ServiceBox()
        let found = Locked<[Bool]>([])
        box.register(as: "thing", lifetime: .transient) { @MainActor _ in
            let isAlive = Screen.current?.replaceWrapper()
            if let isAlive { found.withLock { $0.append(isAlive) } }
            return Thing()
        }
        // From the third on the type is known.
        for _ in 1...4 {
            let next = Screen()
            Screen.current = next
            box.fill(next)
            box.fill(next, keepingExisting: true)
        }
        #expect(found.withLock { $0 } == Array(repeating: true, count: 8))
    }

    @Test("a value that code replaces lives on while copies of the property may be reading it")
    func replacedByHand() {
        weak var early: Thing?
        do {
            var value = Value()
            let copy = value
            do {
                let thing = Thing()
                early = thing
                value.thing = thing
            }
            value.thing = Thing()
            #expect(early != nil)
            #expect(copy.thing !== early)
        }
        #expect(early == nil)
    }

    @Test("a fill that finds a value to keep holds nothing of its service")
    func keptByFill() {
        weak var offered: Thing?
        let holder = Holder()
        holder.thing = Thing()
        do {
            let box = ServiceBox()
            let thing = Thing()
            offered = thing
            box.register(thing, as: "thing")
            for _ in 1...3 { box.fill(holder, keepingExisting: true) }
            #expect(offered != nil)
        }
        #expect(offered == nil)
    }
}

private final class Thing: Sendable {}

private final class Holder {
    @Injected var thing: Thing?
}

private struct Value {
    @Injected var thing: Thing?
}
