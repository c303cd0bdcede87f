// Part of ServiceBox, released under the MIT License.
// Tests of properties that do not keep their services alive.

import ServiceBoxKit
import Testing

@Suite("Weakly injected properties")
struct WeakInjectedTests {
    @Test("a weak property reads its service until that is released")
    func weak() {
        let box = ServiceBox()
        let holder = Holder()
        box.register(Thing(), as: "thing")
        #expect(box.fill(holder).isComplete)
        #expect(holder.thing != nil)
        #expect(holder.drawn as? Thing === holder.thing)
        box.clear()
        #expect(holder.thing == nil)
        #expect(holder.drawn == nil)
        #expect(holder.$thing.isFilled)
    }

    @Test("a service that isn't a class instance doesn't fit a weak property")
    func value() {
        let box = ServiceBox()
        box.register(Sketch(), as: "thing")
        let holder = Holder()
        #expect(box.fill(holder).outcomes == ["thing": .typeMismatch, "drawn": .typeMismatch])
        #expect(holder.drawn == nil)
    }

    @Test("a weak property set in code holds weakly, and a value empties it")
    func byHand() {
        let holder = Holder()
        let thing = Thing()
        holder.drawn = thing
        #expect(holder.drawn as? Thing === thing)
        do {
            let brief = Thing()
            holder.thing = brief
            #expect(holder.thing === brief)
        }
        #expect(holder.thing == nil)
        holder.drawn = Sketch()
        #expect(holder.drawn == nil)
        #expect(!holder.$drawn.isFilled)
        holder.drawn = nil
        #expect(holder.drawn == nil)
    }

    @Test("a weak property has a type and a name, and keeps its value, like any other")
    func rules() {
        let box = ServiceBox()
        let thing = Thing()
        box.register(thing, as: "other")
        let named = Named()
        #expect(box.fill(named).isComplete)
        #expect(named.thing === thing)
        let own = Thing()
        named.thing = own
        #expect(box.fill(named, keepingExisting: true).outcome(of: "thing") == .kept)
        #expect(named.thing === own)
        box.fill(named)
        #expect(named.thing === thing)
    }

    @Test("strong and weak properties of one type take the same service side by side")
    func strongAndWeak() {
        let box = ServiceBox()
        box.register(Thing(), as: "thing")
        for _ in 1...2 {
            let both = StrongAndWeak()
            #expect(box.fill(both).isComplete)
            #expect(both.strong === both.weak)
            #expect(both.strong != nil)
        }
    }

    @Test("a weak property takes the latest service, also where its predecessor's memory is used again")
    func afterReset() throws {
        let box = ServiceBox()
        box.register(as: "thing") { _ in Thing() }
        let provider = try box.provider(ServiceKey<Thing>("thing"))
        // It holds the cell of a service that is gone, which is often where the next one lies.
        let first = Holder()
        box.fill(first)
        for _ in 1...20 {
            provider.reset()
            let next = Holder()
            #expect(box.fill(next).isComplete)
            #expect(next.thing != nil)
        }
        #expect(first.thing == nil)
    }
}

private protocol Drawn: Sendable {}

private final class Thing: Drawn {}

private struct Sketch: Drawn {}

private final class Holder {
    @WeakInjected var thing: Thing?
    @WeakInjected("thing") var drawn: (any Drawn)?
}

private final class Named {
    @WeakInjected("other") var thing: Thing?
}

private final class StrongAndWeak {
    @WeakInjected("thing") var weak: Thing?
    @Injected("thing") var strong: Thing?
}
