// Part of ServiceBox, released under the MIT License.
// Tests of how long values live that a slot held before.

import ServiceBoxKit
import Testing

@Suite("Values that were replaced")
struct ReplacedValueTests {
    @Test("a value that a fill replaces lives as long as the property, since others may be reading it")
    func replacedByFill() {
        let box = ServiceBox()
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
            box.fill(holder)
            #expect(early != nil)
            #expect(holder.thing !== early)
        }
        #expect(early == nil)
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
