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

    @Test("a weak property of a service that lost a ready-made one is empty, and gets the next")
    func next() {
        let (box, keeper, thing) = (ServiceBox(), Keeper(), Thing())
        box.register(keeper)
        box.register(Thing())
        box.crossFill()
        #expect(keeper.thing != nil)
        box.remove("thing")
        #expect(keeper.thing == nil)
        box.register(thing)
        #expect(box.crossFill().report(on: Keeper.self)?.outcomes == ["thing": .filled])
        #expect(keeper.thing === thing)
    }

    @Test("a weak property that has lost its service waits for the next like an empty one")
    func waits() {
        let (box, holder, next) = (ServiceBox(), Holder(), Thing())
        box.register(Thing())
        box.fill(holder)
        box.remove("thing")
        // The box may keep what it has last filled objects of a type with.
        box.fill(Holder())
        #expect(holder.thing == nil)
        box.fill(holder, waiting: true)
        box.register(next)
        #expect(holder.thing === next)
    }

    @Test("a weak property that is set by hand while it waits keeps that")
    func setWhileWaiting() {
        let (box, holder, own) = (ServiceBox(), Holder(), Thing())
        box.register(Thing())
        box.fill(holder)
        box.remove("thing")
        box.fill(Holder())
        box.fill(holder, waiting: true)
        holder.thing = own
        box.register(Thing())
        #expect(holder.thing === own)
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

    @Test("a weak property of any type reads the very object that it holds, until that is gone")
    func everyType() {
        let (box, types) = (ServiceBox(), EveryType())
        weak var gone: Painting?
        do {
            let (painting, other) = (Painting(), Painting())
            gone = painting
            box.register(painting, as: "thing")
            #expect(box.fill(types).isComplete)
            for _ in 1...3 { #expect(types.objects.count { $0 === painting } == 10) }
            types.set(other)
            for _ in 1...3 { #expect(types.objects.count { $0 === other } == 10) }
            box.clear()
        }
        #expect(gone == nil)
        #expect(types.objects.isEmpty)
    }

    @Test("an error can't be held weakly, since what refers to it is a box around it")
    func error() throws {
        let (box, failure, holder) = (ServiceBox(), Failure(), FailureHolder())
        box.register(failure)
        #expect(box.fill(holder).outcomes == ["failure": .typeMismatch, "anything": .missing])
        holder.failure = failure
        holder.anything = Optional<any Error>.some(failure) as Any
        #expect(holder.failure == nil && holder.anything == nil)
        let kept = ServiceProvider<any Error>(.weak) { failure }
        #expect(throws: ServiceBoxError.self) { try kept.resolve() }
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

private protocol Framed: AnyObject {}

private protocol Sized<Size> { associatedtype Size }

private class Canvas: @unchecked Sendable {}

private final class Painting: Canvas, Drawn, Framed, Sized, @unchecked Sendable { typealias Size = Int }

private final class Failure: Error {}

private final class FailureHolder {
    @WeakInjected var failure: (any Error)?
    @WeakInjected("other") var anything: Any?
}

private final class EveryType {
    @WeakInjected("thing") var own: Painting?
    @WeakInjected("thing") var base: Canvas?
    @WeakInjected("thing") var object: AnyObject?
    @WeakInjected("thing") var anything: Any?
    @WeakInjected("thing") var drawn: (any Drawn)?
    @WeakInjected("thing") var framed: (any Framed)?
    @WeakInjected("thing") var both: (any Drawn & Framed)?
    @WeakInjected("thing") var sized: (any Sized<Int>)?
    @WeakInjected("thing") var canvas: (any Canvas & Drawn)?
    @WeakInjected("thing") var twice: (any Drawn)??

    /// The objects that the properties hold.
    var objects: [AnyObject] {
        let all: [Any?] = [
            own, base, object, anything, drawn, framed, both, sized, canvas, twice ?? nil,
        ]
        return all.compactMap { $0.map { $0 as AnyObject } }
    }

    func set(_ painting: Painting) {
        (own, base, object, anything, drawn) = (painting, painting, painting, painting, painting)
        (framed, both, sized, canvas, twice) = (painting, painting, painting, painting, painting)
    }
}

private final class Holder {
    @WeakInjected var thing: Thing?
    @WeakInjected("thing") var drawn: (any Drawn)?
}

private final class Keeper: @unchecked Sendable {
    @WeakInjected var thing: Thing?
}

private final class Named {
    @WeakInjected("other") var thing: Thing?
}

private final class StrongAndWeak {
    @WeakInjected("thing") var weak: Thing?
    @Injected("thing") var strong: Thing?
}
