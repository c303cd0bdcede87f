// Part of ServiceBox, released under the MIT License.
// Tests of filling actors, on themselves and from outside.

import ServiceBoxKit
import Testing

@Suite("Actors")
struct ActorTests {
    @Test("from outside, the slots of an actor of an unknown type are filled")
    func unknownFromOutside() async {
        let box = numberedBox()
        let actor = Unseen()
        let report = box.fill(actor as AnyObject)
        #expect(report.outcomes == ["number": .filled])
        #expect(await actor.number == 1)
    }

    @Test("an actor is filled completely in its own isolation, its table too")
    func onItself() async {
        let box = numberedBox()
        let actor = Tabled()
        let report = await box.fill(actor)
        #expect(report.outcomes == ["number": .filled, "text": .filled])
        #expect(await actor.number == 1)
        #expect(await actor.text == "text")
    }

    @Test("a caller from outside that passes the actor as its isolation still fills it from outside")
    func namedIsolation() async {
        let box = numberedBox()
        let actor = Tabled()
        let report = actor.fillWithDependencies(from: box, isolation: actor)
        #expect(report.outcomes == ["number": .filled, "text": .wrongIsolation])
        #expect(await actor.text == nil)
        #expect(await box.fill(actor).isComplete)
        #expect(await actor.text == "text")
    }

    @Test("from outside, the empty slots of an actor of a known type are filled, and only those")
    func knownFromOutside() async {
        let box = numberedBox()
        await box.fill(Seen())
        let actor = Seen()
        await actor.set(number: 9)
        let report = box.fill(actor as AnyObject)
        #expect(report.outcomes == ["number": .kept, "word": .filled])
        #expect(await actor.number == 9)
        #expect(await actor.word == "text")
        let again = box.fill(actor as AnyObject)
        #expect(again.outcomes == ["number": .kept, "word": .filled])
    }

    @Test("from outside, an actor's table is reported as out of reach")
    func tableFromOutside() async {
        let box = numberedBox()
        await box.fill(TabledSeen())
        let actor = TabledSeen()
        let report = box.fill(actor as AnyObject)
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
            await ServiceBox().fill(TabledSeen())
            let actor = TabledSeen()
            box.register(actor, as: "actor")
            let report = box.crossFill().report(on: TabledSeen.self)
            precondition(report?.outcomes == ["number": .filled, "text": .wrongIsolation])
            await box.fill(actor)
            let text = await actor.text
            precondition(text == "text")
        }
    }

    @Test(
        "a registered actor's table is left alone by a cross-fill on the main actor, which a line belongs to, too"
    )
    @MainActor func lineOfMainActor() {
        let (box, actor) = (ServiceBox(), Signed())
        box.register(actor, as: "actor")
        box.register("text", as: "text")
        #expect(box.crossFill().report(on: Signed.self)?.outcomes == ["text": .wrongIsolation])
        #expect(actor.text.withLock { $0 } == nil)
    }

    @Test("on itself, an actor's values are overwritten, or kept on request")
    func overwritesOnItself() async {
        let box = numberedBox()
        let actor = Seen()
        await actor.set(number: 9)
        let kept = await box.fill(actor, keepingExisting: true)
        #expect(kept.outcomes == ["number": .kept, "word": .filled])
        #expect(await actor.number == 9)
        await box.fill(actor)
        #expect(await actor.number == 1)
    }

    @Test("a registered actor of an unknown type is cross-filled at once")
    func registeredUnknown() async {
        let box = numberedBox()
        let actor = Waiting()
        box.register(actor, as: "actor")
        #expect(box.crossFill().report(on: Waiting.self)?.outcomes == ["number": .filled])
        #expect(await actor.number == 1)
    }

    @Test("a registered actor needs no more fills once it was filled on itself")
    func registeredThenFilled() async {
        let box = ServiceBox()
        let actor = LateKnown()
        box.register(actor, as: "actor")
        await box.fill(actor)
        box.register(1, as: "number")
        box.fill(Probe())
        #expect(await actor.number == 1)
    }

    @Test("actors that hold each other get each other")
    func mutual() async {
        let box = ServiceBox()
        await box.fill(Left())
        await box.fill(Right())
        let left = Left()
        let right = Right()
        box.register(left, as: "left")
        box.register(right, as: "right")
        box.fill(Probe())
        #expect(await left.right === right)
        #expect(await right.left === left)
    }

    @Test("an actor without properties has nothing to fill")
    func empty() async {
        let box = numberedBox()
        #expect(box.fill(Empty() as AnyObject).properties.isEmpty)
        await box.fill(Empty())
        box.register(Empty(), as: "empty")
        box.crossFill()
        #expect(box.isRegistered("empty"))
    }

    @Test("a generic actor is filled whatever its arguments")
    func generic() async {
        let box = numberedBox()
        let first = Cell<Int>()
        let second = Cell<String>()
        #expect(box.fill(first as AnyObject).outcome(of: "number") == .filled)
        #expect(box.fill(second as AnyObject).outcome(of: "number") == .filled)
        #expect(await first.number == 1)
        #expect(await second.number == 1)
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

/// A line that generic code makes, to which an actor is an object like any other.
private func lineOfMainActor<Root: AnyObject>(
    _ write: @escaping @MainActor @Sendable (Root, String) -> Void
) -> Injection { .setter(optional: true, write) }

private actor Signed: Injectable {
    let text = Locked<String?>(nil)

    static var injections: InjectionTable {
        [
            "text": lineOfMainActor { (actor: Signed, text: String) in actor.text.withLock { $0 = text } }
        ]
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
