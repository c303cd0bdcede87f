// Part of ServiceBox, released under the MIT License.
// Services that need each other, one of them through its table.

import Foundation
import ServiceBoxKit
import Testing

private final class User: Sendable {}

private final class Panel: Injectable, @unchecked Sendable {
    var engine: Engine?
    static var injections: InjectionTable {
        ["engine": .setter { (panel: Panel, engine: Engine) in panel.engine = engine }]
    }
}

private final class Engine: @unchecked Sendable {
    @Injected var part: Part
}

private final class Part: @unchecked Sendable {
    @Injected var user: User
    @Injected var panel: Panel
}

/// Can do without its wheel.
private final class Cart: Injectable, @unchecked Sendable {
    var wheel: Wheel?
    static var injections: InjectionTable {
        ["wheel": .setter(optional: true) { (cart: Cart, wheel: Wheel) in cart.wheel = wheel }]
    }
}

private final class Wheel: @unchecked Sendable {
    @Injected var cart: Cart
    @Injected var user: User
}

/// Its table belongs to the main actor.
@MainActor private final class Mill {
    let go = Signal()
    fileprivate var sail: Sail?

    nonisolated init() {}
}

extension Mill: @MainActor Injectable {
    static var injections: InjectionTable {
        [
            "clock": .setter { (mill: Mill, _: Clock) in mill.go.send() },
            "sail": .setter { (mill: Mill, sail: Sail) in
                MainActor.preconditionIsolated()
                mill.sail = sail
            },
        ]
    }
}

private final class Sail: @unchecked Sendable {
    @Injected var cache: Cache
    @Injected var mill: Mill
}

private let shared: [Lifetime] = [.eager, .lazy, .weak]

@Suite("A table that closes a circle of services")
struct CircleThroughTableTests {
    private let box = ServiceBox()
    private let panel = ServiceKey<Panel>("panel")
    private let cart = ServiceKey<Cart>("cart")

    private func registerPanel(_ lifetime: Lifetime) {
        box.register(as: "panel", lifetime: lifetime) { _ in Panel() }
        box.register(as: "engine", lifetime: lifetime) { _ in Engine() }
        box.register(as: "part", lifetime: lifetime) { _ in Part() }
    }

    @Test("is part of the way to what is missing", arguments: shared)
    func path(_ lifetime: Lifetime) {
        registerPanel(lifetime)
        #expect(box.failure(of: panel)?.path == ["panel", "engine", "part", "user"])
    }

    @Test("is given what closes the circle", arguments: shared)
    func complete(_ lifetime: Lifetime) throws {
        box.register(User())
        registerPanel(lifetime)
        let whole = try box[panel]
        #expect(try #require(whole.engine).part.panel === whole)
    }

    @Test("isn't given what it can do without and what turns out to lack something", arguments: shared)
    func optional(_ lifetime: Lifetime) throws {
        box.register(as: "cart", lifetime: lifetime) { _ in Cart() }
        box.register(as: "wheel", lifetime: lifetime) { _ in Wheel() }
        #expect(try box[cart].wheel == nil)
    }

    @Test("is given to an object at once that a factory inside it fills")
    func filledInFactory() throws {
        final class Tray: Injectable {
            var axle: Axle?
            static var injections: InjectionTable { ["axle": .keyPath(\Tray.axle)] }
        }
        final class Wagon: @unchecked Sendable {
            @Injected var axle: Axle
            @Injected var hitch: Hitch
        }
        final class Axle: @unchecked Sendable { @Injected var wagon: Wagon }
        final class Hitch: Sendable {
            let wasGiven: Bool
            init(_ tray: Tray) { wasGiven = tray.axle != nil }
        }
        box.register(as: "wagon") { _ in Wagon() }
        box.register(as: "axle") { _ in Axle() }
        box.register(as: "hitch") { box in
            let tray = Tray()
            box.fill(tray)
            return Hitch(tray)
        }
        let wagon: Wagon = try box["wagon"]
        #expect(wagon.hitch.wasGiven)
    }

    @Test("is written on the main actor, though another thread completes the circle", .neverHanging)
    @MainActor
    func onMainActor() throws {
        for _ in 0..<50 {
            let (box, mill, inside, done) = (ServiceBox(), Mill(), Signal(), Signal())
            box.register(Clock(), as: "clock")
            box.register(as: "cache") { [go = mill.go] _ in
                inside.send()
                go.wait()
                return Cache()
            }
            box.register(as: "sail") { _ in Sail() }
            box.register(as: "mill") { _ in mill }
            Thread {
                _ = try? box["sail"] as Sail
                done.send()
            }.start()
            inside.wait()
            let found: Mill = try box["mill"]
            done.wait()
            #expect(found.sail != nil)
        }
    }

    @Test("gets what it can do without later")
    func later() throws {
        box.register(as: "cart") { _ in Cart() }
        box.register(as: "wheel") { _ in Wheel() }
        let kept = try box[cart]
        box.register(User())
        let wheel: Wheel = try box["wheel"]
        box.crossFill()
        #expect(kept.wheel === wheel)
    }

    @Test("has its slots filled before a setter runs, and those of what the setter gets", arguments: [0, 1])
    func slotsFirst(_ first: Int) throws {
        final class Panel: @unchecked Sendable { @Injected var engine: Engine }
        final class Engine: Injectable, @unchecked Sendable {
            @Injected var panel: Panel
            var seen: [String] = []
            static var injections: InjectionTable {
                [
                    "clock": .setter { (engine: Engine, _: Clock) in
                        if engine.$panel.isFilled { engine.seen.append("clock") }
                    },
                    "wheel": .setter { (engine: Engine, wheel: Wheel) in
                        if wheel.$engine.isFilled { engine.seen.append("wheel") }
                    },
                ]
            }
        }
        final class Wheel: @unchecked Sendable { @Injected var engine: Engine }
        let box = ServiceBox()
        box.register(Clock(), as: "clock")
        box.register(as: "panel") { _ in Panel() }
        box.register(as: "engine") { _ in Engine() }
        box.register(as: "wheel") { _ in Wheel() }
        let engine = first == 0 ? try box["engine"] as Engine : try (box["wheel"] as Wheel).engine
        #expect(engine.seen.sorted() == ["clock", "wheel"])
    }

    @Test("has its slots filled before a setter runs where all are ready-made", arguments: [0, 1])
    func readyMade(_ first: Int) throws {
        final class Ring: @unchecked Sendable { @Injected var gem: Gem }
        final class Gem: Injectable, @unchecked Sendable {
            var wasComplete: Bool?
            static var injections: InjectionTable {
                ["ring": .setter { (gem: Gem, ring: Ring) in gem.wasComplete = ring.$gem.isFilled }]
            }
        }
        let box = ServiceBox()
        box.register(Ring())
        box.register(Gem())
        let gem = first == 0 ? try (box["ring"] as Ring).gem : try box["gem"] as Gem
        #expect(gem.wasComplete == true)
    }
}
