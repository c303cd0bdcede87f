// Part of ServiceBox, released under the MIT License.
// Boxes that see the services of another.

import ServiceBoxKit
import Testing

private final class Cart: @unchecked Sendable {
    @Injected var clock: Clock?
    @Injected var serviceBox: ServiceBox?
}
private final class Screen {
    @Injected var clock: Clock?
    @Injected var cart: Cart?
    @Injected var serviceBox: ServiceBox?
}
private final class Taught {
    var clock: Clock?
}

@Suite("A child box")
struct ChildBoxTests {
    private let parent = ServiceBox()
    private let child: ServiceBox
    private let makes = Counter()

    init() { child = parent.makeChild(name: "child") }

    private func registerClock() {
        parent.register(as: "clock") { [makes] _ in
            makes.next()
            return Clock()
        }
    }

    private func registerCart(_ lifetime: Lifetime = .lazy) {
        parent.register(as: "cart", lifetime: lifetime, per: .box) { [makes] _ in
            makes.next()
            return Cart()
        }
    }

    @Test("has a name and begins with what its parent has")
    func seesParent() {
        registerClock()
        #expect(child.name == "child")
        #expect(parent.name == nil)
        #expect(child.isRegistered("clock"))
        #expect(child.registrations.map(\.name) == ["clock", "serviceBox"])
    }

    @Test("shares its parent's services: the same object, whoever resolves first")
    func shares() throws {
        registerClock()
        let clock: Clock = try child.resolve("clock")
        #expect(try parent.resolve("clock") === clock)
        let grandchild = child.makeChild(name: "grandchild")
        #expect(try grandchild.resolve(Clock.self) === clock)
        let screen = Screen()
        child.fill(screen)
        #expect(screen.clock === clock)
        #expect(screen.serviceBox === child)
        #expect(makes.value == 1)
    }

    @Test("overrides by name, for itself and its own children only")
    func overrides() throws {
        registerClock()
        let own = Clock()
        child.register(own)
        #expect(try child.resolve("clock") === own)
        #expect(try child.makeChild(name: "grandchild").resolve("clock") === own)
        #expect(makes.value == 0)
        #expect(try parent.resolve(ServiceKey<Clock>("clock")) !== own)
        #expect(try child.resolve(Clock.self) === own)
        #expect(try child.resolveAll(Clock.self).count == 1)
        #expect(child.remove("clock"))
        #expect(try child.resolve(ServiceKey<Clock>("clock")) !== own)
        #expect(!child.remove("clock"))
        #expect(parent.isRegistered("clock"))
    }

    @Test("never leaks what it has into its parent")
    func neverLeaks() throws {
        let cart = Cart()
        parent.register(cart)
        child.register(Clock())
        child.crossFill()
        child.fill(Screen())
        #expect(cart.clock == nil)
        #expect(cart.serviceBox === parent)
        #expect(!parent.isRegistered("clock"))
        parent.register(as: "lazy") { _ in Cart() }
        let lazy: Cart = try child.resolve("lazy")
        #expect(lazy.clock == nil)
        #expect(lazy.serviceBox === parent)
    }

    @Test("reports on its own services, not on its parent's")
    func reports() {
        parent.register(Cart())
        child.register(Clock())
        child.register(Cart(), as: "own")
        #expect(child.crossFill().map(\.serviceName) == ["own"])
        #expect(parent.crossFill().map(\.serviceName) == ["cart"])
    }

    @Test("creates its own service of what is registered per box, with its own services")
    func perBox() throws {
        registerCart()
        let clock = Clock()
        child.register(clock)
        let other = parent.makeChild(name: "other")
        let cart: Cart = try child.resolve("cart")
        #expect(try child.resolve("cart") === cart)
        #expect(try other.resolve(ServiceKey<Cart>("cart")) !== cart)
        #expect(try parent.resolve(ServiceKey<Cart>("cart")) !== cart)
        #expect(makes.value == 3)
        #expect(cart.clock === clock)
        #expect(cart.serviceBox === child)
        let screen = Screen()
        child.fill(screen)
        #expect(screen.cart === cart)
        #expect(makes.value == 3)
    }

    @Test("creates its own service in each generation of what is registered per box")
    func perBoxNested() throws {
        registerCart()
        let grandchild = child.makeChild(name: "grandchild")
        let carts = try [parent, child, grandchild].map { try $0.resolve(ServiceKey<Cart>("cart")) }
        #expect(Set(carts.map(ObjectIdentifier.init)).count == 3)
        #expect(carts.map { $0.serviceBox === parent } == [true, false, false])
        #expect(carts.last?.serviceBox === grandchild)
    }

    @Test("creates its own eager service per box when it first resolves")
    func perBoxEager() throws {
        registerCart(.eager)
        #expect(makes.value == 1)
        #expect(child.registrations.count == 2)
        child.fill(Taught())
        #expect(makes.value == 1)
        _ = try child.resolve(ServiceKey<Cart>("cart"))
        #expect(makes.value == 2)
    }

    @Test("creates its own service of a factory object per box")
    func perBoxFactory() throws {
        struct Carts: ServiceFactory {
            let lifetime = Lifetime.lazy
            func makeService() -> Cart { Cart() }
        }
        parent.register(factory: Carts(), per: .box)
        parent.register(factory: Carts(), as: "named", per: .box)
        #expect(try child.resolve(ServiceKey<Cart>("cart")) !== parent.resolve(ServiceKey<Cart>("cart")))
        #expect(try child.resolve(ServiceKey<Cart>("named")) !== parent.resolve(ServiceKey<Cart>("named")))
    }

    @Test("fills its own service per box with later registrations in itself and its parent")
    func perBoxLater() throws {
        registerCart()
        let cart: Cart = try child.resolve("cart")
        let parents: Cart = try parent.resolve("cart")
        child.crossFill()
        let clock = Clock()
        child.register(clock)
        child.fill(Screen())
        #expect(cart.clock === clock)
        #expect(parents.clock == nil)
        let other = parent.makeChild(name: "other")
        let late: Cart = try other.resolve("cart")
        other.crossFill()
        #expect(late.clock == nil)
        registerClock()
        other.fill(Screen())
        #expect(try late.clock === parent.resolve(ServiceKey<Clock>("clock")))
    }

    @Test("releases its own service per box when that is replaced or the child is cleared")
    func perBoxReplaced() throws {
        registerCart()
        let cart: Cart = try child.resolve("cart")
        registerCart()
        let second: Cart = try child.resolve("cart")
        #expect(second !== cart)
        child.clear()
        #expect(try child.resolve(ServiceKey<Cart>("cart")) !== second)
        parent.remove("cart")
        #expect(!child.isRegistered("cart"))
    }

    @Test("sees later registrations and removals in its parent, also in repeated fills")
    func laterParent() throws {
        let screen = Screen()
        #expect(child.fill(screen).outcome(of: "clock") == .missing)
        let (first, second) = (Clock(), Clock())
        parent.register(first)
        #expect(child.fill(screen).outcome(of: "clock") == .filled)
        #expect(screen.clock === first)
        parent.register(second)
        child.fill(screen)
        #expect(screen.clock === second)
        parent.remove("clock")
        #expect(child.fill(screen).outcome(of: "clock") == .kept)
        #expect(child.fill(Screen()).outcome(of: "clock") == .missing)
        registerClock()
        let grandchild = child.makeChild(name: "grandchild")
        #expect(grandchild.fill(screen).outcome(of: "clock") == .filled)
        parent.clear()
        #expect(grandchild.fill(screen).outcome(of: "clock") == .kept)
        #expect(grandchild.fill(Screen()).outcome(of: "clock") == .missing)
        child.register(first)
        grandchild.fill(screen)
        #expect(screen.clock === first)
    }

    @Test("fills its services with what is registered in its parent later")
    func crossFilledLater() throws {
        let cart = Cart()
        child.register(cart, as: "own")
        child.register(as: "made") { _ in Cart() }
        let made: Cart = try child.resolve("made")
        child.crossFill()
        #expect(cart.clock == nil)
        registerClock()
        child.fill(Screen())
        let clock: Clock = try parent.resolve("clock")
        #expect(cart.clock === clock)
        #expect(made.clock === clock)
    }

    @Test("uses what its parent was taught")
    func taught() {
        registerClock()
        let taught = Taught()
        #expect(child.fill(taught).outcome(of: "clock") == .plainProperty)
        parent.teach(Taught.self, ["clock": .keyPath(\Taught.clock)])
        child.fill(taught)
        #expect(taught.clock != nil)
    }

    @Test("keeps its parent alive, not the other way round")
    func lifetimes() throws {
        var box: ServiceBox? = ServiceBox()
        box?.register(as: "clock") { _ in Clock() }
        weak let gone = box
        var child = box?.makeChild(name: "child")
        weak let goneChild = child
        box = nil
        #expect(try child?.resolve(Clock.self) != nil)
        child = nil
        #expect(goneChild == nil)
        #expect(gone == nil)
    }

    @Test("creates an eager service of its own when it is asked for, and keeps no error of it")
    func ownEagerService() throws {
        let isReady = Locked(true)
        parent.register(as: "clock", lifetime: .eager, per: .box) { _ in
            if !isReady.withLock({ $0 }) { throw Broken() }
            return Clock()
        }
        isReady.withLock { $0 = false }
        #expect(child.failure(of: ServiceKey<Clock>("clock"))?.code == .factoryFailed)
        isReady.withLock { $0 = true }
        let clock: Clock = try child["clock"]
        #expect(try parent["clock"] !== clock)
    }

    @Test("fills no service of its own any more when it was cleared")
    func cleared() throws {
        registerCart()
        let cart: Cart = try child["cart"]
        child.crossFill()
        child.clear()
        child.register(Clock())
        let other: Cart = try child["cart"]
        #expect(other !== cart && other.clock != nil)
        #expect(cart.clock == nil)
    }

    @Test("may be the last of 256 that build on one another")
    func last() throws {
        parent.register(Clock())
        let last = (1...256).reduce(parent) { box, _ in box.makeChild() }
        #expect(try last["clock"] as Clock === parent["clock"])
    }
}
