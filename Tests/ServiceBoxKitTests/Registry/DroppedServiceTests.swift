// Part of ServiceBox, released under the MIT License.
// Tests that a box lets go of services it has dropped, at once.

import ServiceBoxKit
import Testing

@Suite("Dropped services")
struct DroppedServiceTests {
    @Test("a service removed before the first use is released at once")
    func beforeUse() {
        let box = ServiceBox()
        weak var gone: Part?
        do {
            let part = Part()
            gone = part
            box.register(part, as: "part")
        }
        #expect(gone != nil)
        box.remove("part")
        #expect(gone == nil)
    }

    @Test("a service that lacks others is released at once when it is removed, or what has replaced it is")
    func waiting() {
        let box = ServiceBox()
        weak var removed: Part?
        weak var replaced: Part?
        do {
            let parts = (Part(), Part())
            (removed, replaced) = parts
            box.register(parts.0, as: "removed")
            box.register(parts.1, as: "replaced")
            box.crossFill()
        }
        box.remove("removed")
        box.register(1, as: "replaced")
        #expect(replaced != nil)
        box.remove("replaced")
        #expect(removed == nil)
        #expect(replaced == nil)
    }

    @Test("an actor of an unknown type is released at once when it is removed")
    func unknownActor() {
        let box = ServiceBox()
        weak var gone: Unknown?
        do {
            let actor = Unknown()
            gone = actor
            box.register(actor, as: "actor")
            box.crossFill()
        }
        #expect(gone != nil)
        box.remove("actor")
        #expect(gone == nil)
    }

    @Test("an actor of an unknown type that is removed during a cross-fill is released when that ends")
    func removedMeanwhile() {
        let box = ServiceBox()
        weak var gone: Unknown?
        do {
            let actor = Unknown()
            gone = actor
            box.register(actor, as: "actor")
        }
        box.register(Remover(box), as: "remover")
        box.register(1, as: "trigger")
        box.crossFill()
        #expect(gone == nil)
    }
}

private final class Part: @unchecked Sendable {
    @Injected var never: Int?
}

private actor Unknown {
    @Injected var never: Int?
}

private final class Remover: @unchecked Sendable, Injectable {
    private unowned let box: ServiceBox

    init(_ box: ServiceBox) { self.box = box }

    static var injections: InjectionTable {
        ["trigger": .setter { (remover: Remover, _: Int) in remover.box.remove("actor") }]
    }
}
