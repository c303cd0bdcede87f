// Part of ServiceBox, released under the MIT License.
// Boxes that make for themselves whatever their base makes.

import ServiceBoxKit
import Testing

private protocol Clock: AnyObject, Sendable {}
private final class WallClock: Clock {}
private final class FixedClock: Clock {}
private final class Cart: @unchecked Sendable {
    @Injected var clock: (any Clock)?
    @Injected var serviceBox: ServiceBox?
}
private final class Shop: Sendable {
    let clock: any Clock
    init(_ clock: any Clock) { self.clock = clock }
}
private struct Receipt: Sendable {
    @Injected var clock: (any Clock)?
}
private struct Receipts: ServiceParametersFactory {
    func makeService(_ number: Int) -> Receipt { Receipt() }
}
private final class Printer {
    @Injected var receipt: ServiceParametersProvider<Receipt, Int>
}

@Suite("A box for a scope")
struct ScopeBoxTests {
    private let base = ServiceBox()
    private let scope: ServiceBox
    private let fixed = FixedClock()

    init() { scope = ServiceBox.makeScope(of: base, name: "scope") }

    private func registerClock(_ lifetime: Lifetime = .lazy) {
        base.register(as: ServiceKey<any Clock>("clock"), lifetime: lifetime) { _ in WallClock() }
    }

    private func registerCart(_ lifetime: Lifetime = .lazy) {
        base.register(as: "cart", lifetime: lifetime) { _ in Cart() }
    }

    private func replaceClock() { scope.register(fixed, as: ServiceKey<any Clock>("clock")) }

    @Test("creates its own of every service that its base creates", arguments: [Lifetime.lazy, .eager, .weak])
    func makesAnew(_ lifetime: Lifetime) throws {
        registerCart(lifetime)
        let outside: Cart = try base.resolve("cart")
        let inside: Cart = try scope.resolve("cart")
        #expect(inside !== outside)
        #expect(inside.serviceBox === scope)
        #expect(try scope.resolve("cart") === inside)
        #expect(try base.resolve("cart") === outside)
    }

    @Test("creates nothing in its base, and nothing that nobody resolves")
    func makesInItselfAlone() throws {
        let makes = Counter()
        base.register(as: "cart") { _ in
            makes.next()
            return Cart()
        }
        replaceClock()
        scope.fill(Printer())
        #expect(makes.value == 0)
        _ = try scope.resolve(Cart.self)
        #expect(makes.value == 1)
        #expect(try !base.provider(ServiceKey<Cart>("cart")).isMade)
    }

    @Test("is the box that factories resolve in, so a replacement reaches what they create")
    func reachesFactories() throws {
        registerClock()
        base.register(as: "shop") { box in Shop(try box.resolve("clock")) }
        _ = try base.resolve(Shop.self)
        replaceClock()
        #expect(try scope.resolve(Shop.self).clock === fixed)
        #expect(try base.resolve(Shop.self).clock !== fixed)
    }

    @Test("fills what it creates with its replacements, later ones too")
    func reachesProperties() throws {
        registerCart()
        let cart: Cart = try scope.resolve("cart")
        let later: Cart = try ServiceBox.makeScope(of: base, name: "other").resolve("cart")
        replaceClock()
        scope.crossFill()
        #expect(cart.clock === fixed)
        #expect(later.clock == nil)
        #expect(try base.resolve(Cart.self).clock == nil)
    }

    @Test("shares instances and registered providers, and doesn't fill them with its own services")
    func sharesWhatIsReady() throws {
        let cart = Cart()
        base.register(cart, as: "ready")
        base.register(provider: ServiceProvider { Cart() }, as: "provided")
        replaceClock()
        #expect(try scope.resolve(ServiceKey<Cart>("ready")) === cart)
        let provided: Cart = try scope.resolve("provided")
        #expect(try base.resolve("provided") === provided)
        scope.crossFill()
        #expect(cart.clock == nil)
        #expect(provided.clock == nil)
        #expect(provided.serviceBox === base)
    }

    @Test("fills what a factory creates from parameters")
    func parameters() throws {
        registerClock()
        base.register(factory: Receipts(), as: "receipt")
        replaceClock()
        #expect(try scope.resolve(ServiceKey<Receipt>("receipt"), with: 1).clock === fixed)
        let printer = Printer()
        scope.fill(printer)
        #expect(try printer.receipt.resolve(2).clock === fixed)
        #expect(try base.resolve(ServiceKey<Receipt>("receipt"), with: 3).clock is WallClock)
        let child = scope.makeChild(name: "child")
        #expect(try child.resolve(ServiceKey<Receipt>("receipt"), with: 4).clock === fixed)
    }

    @Test("shares with its children, and not with a scope that builds on it")
    func grandchildren() throws {
        registerClock()
        registerCart()
        let cart: Cart = try scope.resolve("cart")
        let child = scope.makeChild(name: "child")
        #expect(try child.resolve("cart") === cart)
        let inner = ServiceBox.makeScope(of: child, name: "inner")
        replaceClock()
        let innerCart: Cart = try inner.resolve("cart")
        #expect(innerCart !== cart)
        #expect(innerCart.serviceBox === inner)
        #expect(innerCart.clock === fixed)
        #expect(try ServiceBox.makeScope(of: inner, name: "innermost").resolve(Cart.self) !== innerCart)
    }

    @Test("of a child creates what the child inherits, and leaves per-box services to each box")
    func ofChild() throws {
        registerCart()
        base.register(as: "own", per: .box) { _ in Cart() }
        let child = base.makeChild(name: "child")
        let scope = ServiceBox.makeScope(of: child, name: "scope")
        let boxes = [base, child, scope]
        let carts = try boxes.map { try $0.resolve(ServiceKey<Cart>("cart")) }
        #expect(carts.map { $0.serviceBox === base } == [true, true, false])
        #expect(carts.last?.serviceBox === scope)
        for box in boxes { #expect(try box.resolve(ServiceKey<Cart>("own")).serviceBox === box) }
        let inside = scope.makeChild(name: "inside")
        #expect(try inside.resolve(ServiceKey<Cart>("own")).serviceBox === inside)
    }

    @Test("of a copy creates what the copy shares")
    func ofCopy() throws {
        registerCart()
        let scope = ServiceBox.makeScope(of: base.copy(), name: "scope")
        let cart: Cart = try scope.resolve("cart")
        #expect(cart.serviceBox === scope)
        #expect(try scope.copy().resolve("cart") === cart)
        #expect(try base.resolve(Cart.self) !== cart)
    }

    @Test("without a base is an empty box with a name")
    func ofNone() {
        let box = ServiceBox.makeScope(of: nil, name: "alone")
        #expect(box.name == "alone")
        #expect(box.registrations.map(\.name) == ["serviceBox"])
    }

    @Test("is released when nobody uses it, while its base lives on")
    func release() throws {
        base.register(as: "shop") { box in Shop(try box.resolve("clock")) }
        base.register(factory: Receipts(), as: "receipt")
        weak var gone: ServiceBox?
        weak var clock: FixedClock?
        do {
            let scope = ServiceBox.makeScope(of: base, name: "scope")
            let fixed = FixedClock()
            (gone, clock) = (scope, fixed)
            scope.register(fixed, as: ServiceKey<any Clock>("clock"))
            _ = try scope.resolve(ServiceKey<Receipt>("receipt"), with: 1)
            _ = try scope.resolve(Shop.self)
        }
        #expect(clock == nil)
        #expect(gone == nil)
    }
}
