// Part of ServiceBox, released under the MIT License.
// Boxes that nobody uses any more go away.

import ServiceBoxKit
import Testing

private final class Cart: @unchecked Sendable {
    @Injected var clock: Clock?
    @Injected("clock") var provider: ServiceProvider<Clock>?
    @InjectedAll var clocks: [Clock]
}
private struct Clocks: ServiceFactory {
    let lifetime: Lifetime
    func makeService() -> Clock { Clock() }
}
private struct Carts: ServiceParametersFactory {
    func makeService(_: Int) -> Cart { Cart() }
}

@Suite("A box that nobody holds")
struct BoxReleaseTests {
    @Test(
        "is released with its services, whatever it created",
        arguments: [Lifetime.eager, .lazy, .weak, .transient])
    func goesAway(_ lifetime: Lifetime) throws {
        weak var goneBox: ServiceBox?
        weak var goneClock: Clock?
        weak var goneCart: Cart?
        do {
            let box = ServiceBox()
            goneBox = box
            box.register(as: "inner") { _ in Clock() }
            box.register(as: "clock", lifetime: lifetime) { try $0.resolve(ServiceKey<Clock>("inner")) }
            box.register(factory: Clocks(lifetime: lifetime), as: "made")
            box.register(factory: Carts(), as: "carts")
            box.register(provider: ServiceProvider(lifetime) { Clock() }, as: "provided")
            box.register(as: "cart", lifetime: lifetime, per: .box) { _ in Cart() }
            let child = box.makeChild(name: "child")
            let copy = box.copy()
            for box in [box, child, copy] {
                let cart: Cart = try box.resolve("cart")
                #expect(box.fill(Cart()).isComplete)
                _ = try box.resolve(ServiceKey<Cart>("carts"), with: 1)
                goneCart = cart
                goneClock = try box.resolve(ServiceKey<Clock>("inner"))
                box.crossFill()
            }
            #expect(goneClock != nil)
        }
        #expect(goneBox == nil)
        #expect(goneClock == nil)
        #expect(goneCart == nil)
    }

    @Test("leaves created services to their holders, and providers that report its release")
    func providers() throws {
        var box: ServiceBox? = ServiceBox()
        box?.register(as: "made") { _ in Clock() }
        box?.register(as: "late") { _ in Clock() }
        box?.register(as: "cart", lifetime: .transient) { _ in Cart() }
        let made = try #require(try box?.provider(ServiceKey<Clock>("made")))
        let late = try #require(try box?.provider(ServiceKey<Clock>("late")))
        let cart = try #require(try box?.provider(ServiceKey<Cart>("cart")))
        let clock = try made.resolve()
        box = nil
        #expect(try made.resolve() === clock)
        let error = #expect(throws: ServiceBoxError.self) { try late.resolve() }
        #expect(error?.code == .boxIsGone)
        #expect(error?.path == ["Clock"])
        let transient = #expect(throws: ServiceBoxError.self) { try cart.resolve() }
        #expect(transient?.code == .boxIsGone)
    }

    @Test(
        "throws when it goes while it creates a service, instead of leaving that unfilled",
        arguments: [Lifetime.lazy, .weak, .transient])
    func goneMeanwhile(_ lifetime: Lifetime) throws {
        let owner = Locked<ServiceBox?>(nil)
        let cart: ServiceProvider<Cart>
        do {
            let box = ServiceBox()
            box.register(as: "cart", lifetime: lifetime) { _ in
                _ = owner.withLock { $0.take() }
                return Cart()
            }
            cart = try box.provider("cart")
            owner.withLock { $0 = box }
        }
        let error = #expect(throws: ServiceBoxError.self) { try cart.resolve() }
        #expect(error?.code == .boxIsGone)
        #expect(error?.path == ["Cart"])
    }

    @Test(
        "leaves to its caller what it creates when it goes, if there is nothing to fill",
        arguments: [Lifetime.lazy, .weak, .transient], [true, false])
    func goneUnneeded(_ lifetime: Lifetime, _ isBare: Bool) throws {
        let owner = Locked<ServiceBox?>(nil)
        let made: ServiceProvider<any AnyObject & Sendable>
        do {
            let box = ServiceBox()
            box.register(as: "made", lifetime: lifetime, fills: isBare) { _ in
                _ = owner.withLock { $0.take() }
                return (isBare ? Clock() : Cart()) as any AnyObject & Sendable
            }
            made = try box.provider("made")
            owner.withLock { $0 = box }
        }
        #expect(try made.resolve() is Clock == isBare)
    }

    @Test("is reported as released through other boxes' services too")
    func nested() throws {
        var box: ServiceBox? = ServiceBox()
        box?.register(as: "late") { _ in Clock() }
        let late = try #require(try box?.provider(ServiceKey<Clock>("late")))
        let other = ServiceBox()
        other.register(as: "cart") { _ in
            _ = try late.resolve()
            return Cart()
        }
        box = nil
        let error = #expect(throws: ServiceBoxError.self) { try other.resolve(Cart.self) }
        #expect(error?.code == .boxIsGone)
        #expect(error?.path == ["Cart", "Clock"])
    }

    @Test("is released although its providers are kept, in properties and elsewhere")
    func providersKept() throws {
        weak var gone: ServiceBox?
        let cart = Cart()
        do {
            let box = ServiceBox()
            gone = box
            box.register(as: "clock") { _ in Clock() }
            box.fill(cart)
        }
        #expect(gone == nil)
        #expect(try cart.provider?.resolve() === cart.clock)
    }
}
