// Part of ServiceBox, released under the MIT License.
// Tests of filling actors, on themselves and from outside.

import ServiceBoxKit
import Testing

@Suite("Actors")
struct ActorTests {
    @Test("an actor of a type that no box has seen is reported from outside, and left alone")
    func unknownFromOutside() async {
        let box = numberedBox()
        let actor = Unseen()
        let report = box.fill(actor)
        #expect(report.properties.map(\.outcome) == [.notWalkable])
        #expect(report.properties.map(\.name) == ["self"])
        #expect(!report.isComplete)
        #expect(await actor.number == nil)
    }

    @Test("an actor is filled whole in its own isolation, its table too")
    func onItself() async {
        let box = numberedBox()
        let actor = Tabled()
        let report = await box.fill(on: actor)
        #expect(report.outcomes == ["number": .filled, "text": .filled])
        #expect(await actor.number == 1)
        #expect(await actor.text == "text")
    }

    @Test("from outside, the empty slots of an actor of a known type are filled, and only those")
    func knownFromOutside() async {
        let box = numberedBox()
        await box.fill(on: Seen())
        let actor = Seen()
        await actor.set(number: 9)
        let report = box.fill(actor)
        #expect(report.outcomes == ["number": .kept, "word": .filled])
        #expect(await actor.number == 9)
        #expect(await actor.word == "text")
        let again = box.fill(actor)
        #expect(again.outcomes == ["number": .kept, "word": .filled])
    }

    @Test("from outside, an actor's table is reported as out of reach")
    func tableFromOutside() async {
        let box = numberedBox()
        await box.fill(on: TabledSeen())
        let actor = TabledSeen()
        let report = box.fill(actor)
        #expect(report.outcomes == ["number": .filled, "text": .wrongIsolation])
        #expect(await actor.number == 1)
        #expect(await actor.text == nil)
    }

    @Test("a registered actor's table is left alone by a cross-fill, and written on the actor")
    func tableInCrossFill() async {
        await #expect(processExitsWith: .success) {
            let box = ServiceBox()
            box.register(1, as: "number")
            box.register("text", as: "text")
            await ServiceBox().fill(on: TabledSeen())
            let actor = TabledSeen()
            box.register(actor, as: "actor")
            let report = box.crossFill().report(on: TabledSeen.self)
            precondition(report?.outcomes == ["number": .filled, "text": .wrongIsolation])
            await box.fill(on: actor)
            let text = await actor.text
            precondition(text == "text")
        }
    }

    @Test("on itself, an actor's values are overwritten, or kept when asked to")
    func overwritesOnItself() async {
        let box = numberedBox()
        let actor = Seen()
        await actor.set(number: 9)
        let kept = await box.fill(on: actor, keepingExisting: true)
        #expect(kept.outcomes == ["number": .kept, "word": .filled])
        #expect(await actor.number == 9)
        await box.fill(on: actor)
        #expect(await actor.number == 1)
    }

    @Test("a registered actor of an unknown type waits until its type is known")
    func registeredUnknown() async {
        let box = numberedBox()
        let actor = Waiting()
        box.register(actor, as: "actor")
        let before = box.crossFill().report(on: Waiting.self)
        #expect(before?.holes.map(\.outcome) == [.notWalkable])
        #expect(await actor.number == nil)
        await ServiceBox().fill(on: Waiting())
        let after = box.crossFill().report(on: Waiting.self)
        #expect(after?.outcomes == ["number": .filled])
        #expect(await actor.number == 1)
    }

    @Test("a registered actor is filled for good once it was filled on itself")
    func registeredThenFilled() async {
        let box = ServiceBox()
        let actor = LateKnown()
        box.register(actor, as: "actor")
        await box.fill(on: actor)
        box.register(1, as: "number")
        box.fill(Probe())
        #expect(await actor.number == 1)
    }

    @Test("actors that hold each other get each other")
    func mutual() async {
        let box = ServiceBox()
        await box.fill(on: Left())
        await box.fill(on: Right())
        let left = Left()
        let right = Right()
        box.register(left, as: "left")
        box.register(right, as: "right")
        box.fill(Probe())
        #expect(await left.right === right)
        #expect(await right.left === left)
    }

    @Test("an actor without properties is complete on itself or reported, never a crash")
    func empty() async {
        let box = numberedBox()
        #expect(box.fill(Empty()).holes.map(\.outcome) == [.notWalkable])
        await box.fill(on: Empty())
        box.register(Empty(), as: "empty")
        box.crossFill()
        #expect(box.isRegistered("empty"))
    }

    @Test("a generic actor is known for one argument at a time")
    func generic() async {
        let box = numberedBox()
        await box.fill(on: Cell<Int>())
        let known = Cell<Int>()
        let unknown = Cell<String>()
        #expect(box.fill(known).outcome(of: "number") == .filled)
        #expect(box.fill(unknown).holes.map(\.outcome) == [.notWalkable])
        #expect(await known.number == 1)
    }

    private func numberedBox() -> ServiceBox {
        let box = ServiceBox()
        box.register(1, as: "number")
        box.register("text", as: "text")
        box.register("text", as: "word")
        return box
    }
}

private actor Unseen {
    @Injected var number: Int?
}

private actor Tabled: Injectable {
    @Injected var number: Int?
    var text: String?

    static var injections: InjectionTable {
        ["text": .setter { (actor: Tabled, text: String) in actor.assumeIsolated { $0.text = text } }]
    }
}

private actor TabledSeen: Injectable {
    @Injected var number: Int?
    var text: String?

    static var injections: InjectionTable {
        ["text": .setter { (actor: TabledSeen, text: String) in actor.assumeIsolated { $0.text = text } }]
    }
}

private actor Seen {
    @Injected var number: Int?
    @Injected var word: String?

    func set(number new: Int) { number = new }
}

private actor Waiting {
    @Injected var number: Int?
}

private actor LateKnown {
    @Injected var number: Int?
}

private actor Left {
    @Injected var right: Right?
}

private actor Right {
    @WeakInjected var left: Left?
}

private actor Empty {}

private actor Cell<Value> {
    private var value: Value?
    @Injected var number: Int?
}

private final class Probe {
    @Injected var number: Int?
}
