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

    @Test(
        "a parent's service is released once a child that has used it is used again",
        arguments: [false, true])
    func usedByChild(_ stops: Bool) async throws {
        final class Holder { @Injected var part: Part? }
        let parent = ServiceBox()
        let child = parent.makeChild()
        weak var gone: Part?
        do {
            let part = Part()
            gone = part
            parent.register(part, as: "part")
            for _ in 0..<40 {
                _ = try child.resolve("part" as ServiceKey<Part>)
                _ = try child.resolve(Part.self)
                child.fill(Holder())
            }
        }
        #expect(gone != nil)
        if stops { await parent.stop() } else { parent.remove("part") }
        #expect(child.fill(Part()).outcome(of: "never") == .missing)
        #expect(gone == nil)
    }

    @Test("what the setter of an earlier table has kept is released under no lock")
    func tables() {
        final class Player { var clock: Clock? }
        final class Style: Sendable {
            private let box: ServiceBox
            init(_ box: ServiceBox) { self.box = box }
            deinit { box.fill(Player()) }
        }
        let box = ServiceBox()
        box.register(Clock())
        weak var first: Style?
        // A parent keeps the latest matches of its children.
        for number in 0..<40 {
            let style = Style(box)
            if number == 0 { first = style }
            box.teach(
                Player.self,
                [
                    "clock": .setter { [style] (player: Player, clock: Clock) in
                        withExtendedLifetime(style) { player.clock = clock }
                    }
                ])
            box.makeChild().fill(Player())
        }
        #expect(first == nil)
    }

    @Test(
        "a child's own versions of services that its parent has removed don't add up, also of replaced ones",
        arguments: [1, 2])
    func ownVersions(_ count: Int) throws {
        let parent = ServiceBox()
        let child = parent.makeChild()
        let alive = Locked<[WeakPart]>([])
        for number in 0..<400 {
            let key = ServiceKey<Part>("part\(number)")
            for _ in 0..<count {
                parent.register(as: key, per: .box) { _ in
                    let part = Part()
                    alive.withLock { $0.append(WeakPart(part)) }
                    return part
                }
                _ = try child.resolve(key)
            }
            parent.remove(key)
        }
        #expect(alive.withLock { $0.count { $0.part != nil } } < 100 * count)
        // Of those that are still there, none is lost.
        for number in 0..<400 {
            parent.register(as: ServiceKey<Part>("part\(number)"), per: .box) { _ in Part() }
        }
        let first = try (0..<400).map { try child.resolve(ServiceKey<Part>("part\($0)")) }
        for number in 0..<400 {
            #expect(try child.resolve(ServiceKey<Part>("part\(number)")) === first[number])
        }
    }
}

private struct WeakPart: Sendable {
    private(set) weak var part: Part?
    init(_ part: Part) { self.part = part }
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
