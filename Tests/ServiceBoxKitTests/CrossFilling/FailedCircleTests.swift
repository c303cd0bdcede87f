// Part of ServiceBox, released under the MIT License.
// What is left of a circle of services that couldn't be completed.

import ServiceBoxKit
import Testing

private final class User: Sendable {}

private final class Hub: @unchecked Sendable {
    @Injected var spoke: Spoke?
    let life: Life
    init(_ life: Life) { self.life = life }
}

private final class Spoke: @unchecked Sendable {
    @Injected var hub: Hub
    @Injected var rim: Rim
    let life: Life
    init(_ life: Life) { self.life = life }
}

private final class Rim: @unchecked Sendable {
    @Injected var hub: Hub
    @Injected var user: User
    let life: Life
    init(_ life: Life) { self.life = life }
}

/// Something that is counted while it lives.
private final class Life: Sendable {
    private let count: Locked<Int>

    init(_ count: Locked<Int>) {
        self.count = count
        count.withLock { $0 += 1 }
    }

    deinit { count.withLock { $0 -= 1 } }
}

@Suite("A circle of services that can't be completed")
struct FailedCircleTests {
    private let box = ServiceBox()
    private let living = Locked(0)

    private func register(_ lifetimes: [Lifetime]) {
        let living = living
        box.register(as: "hub", lifetime: lifetimes[0]) { _ in Hub(Life(living)) }
        box.register(as: "spoke", lifetime: lifetimes[1]) { _ in Spoke(Life(living)) }
        box.register(as: "rim", lifetime: lifetimes[2]) { _ in Rim(Life(living)) }
    }

    @Test("leaves no object behind", arguments: [Lifetime.lazy, .weak, .transient], [Lifetime.lazy, .weak])
    func released(_ first: Lifetime, _ second: Lifetime) {
        register([second, first, second])
        #expect(box.failure(of: ServiceKey<Spoke>("spoke")) != nil)
        #expect(box.failure(of: ServiceKey<Rim>("rim")) != nil)
        #expect((try? box[ServiceKey<Hub>("hub")])?.spoke == nil)
        box.remove("hub")
        #expect(living.withLock { $0 } == 0)
    }

    @Test(
        "leaves no object behind that takes all of the others", arguments: [Lifetime.lazy, .weak],
        [0, 1, 2, 3])
    func releasedFromLists(_ lifetime: Lifetime, _ asked: Int) {
        class Part: @unchecked Sendable {
            let life: Life
            init(_ life: Life) { self.life = life }
        }
        final class Needy: Part, @unchecked Sendable {
            @InjectedAll var parts: [Part]
            @Injected var user: User
        }
        final class Link: @unchecked Sendable { @Injected var first: Part }
        final class Taker: Part, @unchecked Sendable { @InjectedAll var parts: [Part] }
        let living = living
        box.register(as: "first", lifetime: lifetime) { _ in Needy(Life(living)) as Part }
        box.register(as: "second", lifetime: lifetime) { _ in Part(Life(living)) }
        box.register(as: "third", lifetime: lifetime) { _ in Needy(Life(living)) as Part }
        box.register(as: "link", lifetime: lifetime) { _ in Link() }
        for name in ["taker", "other"] {
            box.register(as: ServiceKey<Part>(name), lifetime: lifetime) { box in
                _ = try box[ServiceKey<Link>("link")]
                return Taker(Life(living))
            }
        }
        let keys: [ServiceKey<Part>] = ["first", "second", "third", "taker", "other"]
        _ = try? box[keys[asked]]
        for key in keys { box.remove(key) }
        #expect(living.withLock { $0 } == 0)
    }

    @Test("isn't where a factory inside it could get it, unless that is required")
    func inFactory() throws {
        final class Hall: @unchecked Sendable {
            @Injected var lamp: HungLamp?
            @Injected var user: User
        }
        final class HungLamp: Sendable {
            let chain: Chain
            let wasInHall: Bool
            let hook: Hook
            init(_ chain: Chain) { (self.chain, wasInHall, hook) = (chain, chain.hall != nil, chain.hook) }
        }
        final class Chain: @unchecked Sendable {
            @Injected var hall: Hall?
            @Injected var hook: Hook
        }
        final class Hook: @unchecked Sendable { @Injected var hall: Hall? }
        box.register(as: "hall") { _ in Hall() }
        box.register(as: "lamp") { HungLamp(try $0["chain"]) }
        box.register(as: "chain") { _ in Chain() }
        box.register(as: "hook") { _ in Hook() }
        #expect(box.failure(of: ServiceKey<Hall>("hall"))?.path == ["hall", "user"])
        let lamp: HungLamp = try box["lamp"]
        #expect(!lamp.wasInHall)
        #expect(lamp.chain.hall == nil)
        box.register(User())
        let hall: Hall = try box["hall"]
        box.crossFill()
        #expect(hall.lamp === lamp)
        #expect(lamp.chain.hall === hall)
        #expect(lamp.hook.hall === hall)
    }

    @Test("leaves lists alone that a service had before", arguments: [Lifetime.lazy, .transient])
    func foreignLists(_ lifetime: Lifetime) {
        class Part: @unchecked Sendable {}
        final class Screen: @unchecked Sendable {
            @InjectedAll var parts: [Part]
            @Injected var user: User
        }
        let (filled, set) = (Screen(), Screen())
        box.register(as: "part") { _ in Part() }
        box.fill(filled)
        set.parts = [Part(), Part()]
        box.register(as: "filled", lifetime: lifetime) { _ in filled }
        box.register(as: "set", lifetime: lifetime) { _ in set }
        #expect(box.failure(of: ServiceKey<Screen>("filled")) != nil)
        #expect(box.failure(of: ServiceKey<Screen>("set")) != nil)
        #expect(filled.parts.count == 1)
        #expect(set.parts.count == 2)
    }

    @Test(
        "isn't in the list of a transient service, which gets the others",
        arguments: [Lifetime.lazy, .transient])
    func transientList(_ lifetime: Lifetime) throws {
        class Part: @unchecked Sendable {}
        final class Wheel: Part, @unchecked Sendable {
            @Injected var cart: Cart?
            @Injected var user: User
        }
        final class Cart: @unchecked Sendable { @InjectedAll var parts: [Part] }
        box.register(as: "part") { _ in Part() }
        box.register(as: "wheel") { _ in Wheel() as Part }
        box.register(as: "cart", lifetime: lifetime) { _ in Cart() }
        let cart: Cart = try box["cart"]
        #expect(cart.parts.count == 1)
    }

    @Test("leaves nothing in what was registered ready-made and a factory inside it has met")
    func readyMade() {
        final class Hall: @unchecked Sendable {
            @Injected var lamp: HungLamp?
            @Injected var user: User
        }
        final class HungLamp: Sendable {}
        final class Chain: @unchecked Sendable { @Injected var plate: Plate }
        final class Plate: @unchecked Sendable { @Injected var hall: Hall }
        let plate = Plate()
        box.register(plate)
        box.register(as: "hall") { _ in Hall() }
        box.register(as: "lamp") { box in
            let _: Chain = try box["chain"]
            return HungLamp()
        }
        box.register(as: "chain") { _ in Chain() }
        #expect(box.failure(of: ServiceKey<Hall>("hall"))?.path == ["hall", "user"])
        #expect(!plate.$hall.isFilled)
    }

    @Test("isn't put into what others have already and a factory hands on")
    func handedOn() throws {
        final class Hall: @unchecked Sendable {
            @Injected var lamp: HungLamp?
            @Injected var user: User
        }
        final class HungLamp: Sendable {
            let hadGuest: Bool
            init(_ table: Table) { hadGuest = table.guest != nil }
        }
        final class Guest: @unchecked Sendable { @Injected var hall: Hall }
        final class Table: @unchecked Sendable { @Injected var guest: Guest? }
        box.register(as: "table") { _ in Table() }
        let table: Table = try box["table"]
        box.register(as: "alias") { try $0.resolve(ServiceKey<Table>("table")) }
        box.register(as: "guest") { _ in Guest() }
        box.register(as: "hall") { _ in Hall() }
        box.register(as: "lamp") { HungLamp(try $0["alias"]) }
        #expect(box.failure(of: ServiceKey<Hall>("hall"))?.path == ["hall", "user"])
        let lamp: HungLamp = try box["lamp"]
        #expect(!lamp.hadGuest)
        #expect(table.guest == nil)
    }

    @Test("leaves what was complete in the lists of one that its factory's services make fail")
    func completeLists() {
        class Part: @unchecked Sendable {}
        final class Wheel: @unchecked Sendable { @Injected var axle: Axle }
        final class Cart: @unchecked Sendable {
            @InjectedAll var parts: [Part]
            let wheel: Wheel
            init(_ wheel: Wheel) { self.wheel = wheel }
        }
        final class Axle: @unchecked Sendable {
            @Injected var cart: Cart
            @Injected var user: User
        }
        let kept = Locked<Cart?>(nil)
        box.register(as: "part") { _ in Part() }
        box.register(as: "wheel") { _ in Wheel() }
        box.register(as: "axle") { _ in Axle() }
        box.register(as: "cart") { box in
            let cart = Cart(try box["wheel"])
            kept.withLock { $0 = cart }
            return cart
        }
        #expect(box.failure(of: ServiceKey<Axle>("axle")) != nil)
        #expect(kept.withLock { $0 }?.parts.count == 1)
    }

    @Test(
        "leaves nothing in the slots that a factory has read of an object that its own factory returns again")
    func readEarly() throws {
        final class Desk: @unchecked Sendable {
            @Injected var lamp: Lamp
            @Injected var report: Report
        }
        final class Lamp: @unchecked Sendable { @Injected var desk: Desk }
        final class Report: Sendable {}
        let (desk, attempts) = (Desk(), Counter())
        box.register(as: "desk") { _ in desk }
        box.register(as: "lamp") { _ in Lamp() }
        box.register(as: "report") { box in
            let lamp: Lamp = try box["lamp"]
            #expect(lamp.desk.lamp === lamp)
            if attempts.next() == 1 { throw Broken() }
            return Report()
        }
        #expect(box.failure(of: ServiceKey<Desk>("desk")) != nil)
        #expect(try box["desk"] as Desk === desk)
        #expect(attempts.value == 2)
        #expect(try box["lamp"] as Lamp === desk.lamp)
        #expect(desk.lamp.desk === desk)
    }
}
