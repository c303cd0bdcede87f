// Part of ServiceBox, released under the MIT License.
// Services that need each other, one of them through its table.

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
}
