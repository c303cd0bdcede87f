// Part of ServiceBox, released under the MIT License.
// Copies of boxes, and boxes that nobody may change.

import ServiceBoxKit
import Testing

private final class Cart: @unchecked Sendable {
    @Injected var clock: Clock?
    @Injected var serviceBox: ServiceBox?
}
private final class Screen {
    @Injected var clock: Clock?
    @Injected var cart: Cart?
}
private final class Taught {
    var clock: Clock?
}

@Suite("A copy of a box")
struct CopiedBoxTests {
    private let box = ServiceBox()
    private let makes = Counter()

    private func registerClock() {
        box.register(as: "clock") { [makes] _ in
            makes.next()
            return Clock()
        }
    }

    @Test("reports on a service that its original has dropped as the original fills it")
    func reportOnDropped() throws {
        final class Wall: @unchecked Sendable { @Injected var clock: Clock? }
        let box = ServiceBox()
        box.register(as: "wall") { _ in Wall() }
        let copy = box.copy()
        box.remove("wall")
        copy.register(Clock(), as: "clock")
        let wall: Wall = try copy["wall"]
        #expect(wall.clock == nil)
        #expect(copy.crossFill().map { $0.outcome(of: "clock") } == [.missing])
    }

    @Test("shares created services, before and after the copy")
    func shares() throws {
        registerClock()
        box.register(as: "early") { _ in Clock() }
        let early: Clock = try box.resolve("early")
        let copy = box.copy()
        #expect(try copy.resolve("early") === early)
        let clock: Clock = try copy.resolve("clock")
        #expect(try box.resolve("clock") === clock)
        #expect(makes.value == 1)
    }

    @Test("is independent otherwise")
    func independent() throws {
        registerClock()
        let copy = box.copy()
        let (first, second) = (Clock(), Clock())
        box.register(first, as: "first")
        copy.register(second, as: "second")
        #expect(!copy.isRegistered("first"))
        #expect(!box.isRegistered("second"))
        copy.register(second, as: "clock")
        #expect(try box.resolve(ServiceKey<Clock>("clock")) !== second)
        box.clear()
        #expect(try copy.resolve("clock") === second)
        #expect(!box.isRegistered("clock"))
    }

    @Test("fills no service of its original that a removal in the copy brings back")
    func broughtBack() {
        let cart = Cart()
        box.register(cart)
        box.register(Cart())
        let copy = box.copy()
        copy.register(Clock())
        copy.remove(newest: "cart")
        copy.crossFill()
        #expect(cart.clock == nil)
    }

    @Test("reports on services that the original dropped since")
    func droppedByOriginal() throws {
        let screen = InjectedScreen()
        box.register(Clock(), as: "clock")
        box.register(screen, as: "screen")
        box.register(as: "lazy") { _ in InjectedScreen() }
        let copy = box.copy()
        box.clear()
        let lazy: InjectedScreen = try copy.resolve("lazy")
        #expect(copy.crossFill().map(\.serviceName) == ["lazy", "screen"])
        #expect(copy.graph().holes.count == 1)
        #expect(screen.clock != nil && lazy.clock == nil)
    }

    @Test("keeps what the box was taught, and its parent")
    func taughtAndParent() {
        let child = box.makeChild(name: "child")
        child.teach(Taught.self, ["clock": .keyPath(\Taught.clock)])
        registerClock()
        let copy = child.copy()
        child.clear()
        let taught = Taught()
        copy.fill(taught)
        #expect(taught.clock != nil)
        #expect(copy.name == "child")
    }

    @Test("never fills a shared service with what only the copy has")
    func sharedServices() throws {
        let cart = Cart()
        box.register(cart)
        box.register(as: "made") { _ in Cart() }
        let copy = box.copy()
        copy.register(Clock())
        copy.crossFill()
        copy.fill(Screen())
        let made: Cart = try copy.resolve("made")
        copy.crossFill()
        #expect(cart.clock == nil)
        #expect(made.clock == nil)
        #expect(made.serviceBox === box)
        #expect(cart.serviceBox === box)
    }

    @Test("fills its own services, with shared ones and its own")
    func ownServices() throws {
        registerClock()
        let copy = box.copy()
        let cart = Cart()
        copy.register(cart)
        let screen = Screen()
        copy.fill(screen)
        #expect(try cart.clock === box.resolve(ServiceKey<Clock>("clock")))
        #expect(cart.serviceBox === copy)
        #expect(screen.cart === cart)
    }

    @Test("works after the original is released")
    func originalDropped() throws {
        var original: ServiceBox? = ServiceBox()
        original?.register(as: "clock") { _ in Clock() }
        original?.register(as: "cart") { Cart(clock: try $0.resolve("clock")) }
        var copy = original?.copy()
        weak let gone = original
        original = nil
        let cart = try copy?.resolve(ServiceKey<Cart>("cart"))
        #expect(try cart?.clock === copy?.resolve(ServiceKey<Clock>("clock")))
        cart?.serviceBox = nil
        copy = nil
        #expect(gone == nil || cart?.serviceBox == nil)
    }

    @Test("of a child shares what the child created")
    func perBox() throws {
        box.register(as: "cart", per: .box) { _ in Cart() }
        let child = box.makeChild(name: "child")
        let cart: Cart = try child.resolve("cart")
        let copy = child.copy()
        #expect(try copy.resolve("cart") === cart)
    }

    @Test("of a sealed box has everything and can be changed")
    func ofSealed() throws {
        box.register(1, as: "number")
        box.seal()
        let copy = box.copy()
        #expect(!copy.isSealed)
        copy.register(Clock())
        #expect(copy.isRegistered("clock"))
        #expect(!box.isRegistered("clock"))
        #expect(try copy.resolve(Int.self) == 1)
    }

    @Test("suggests names of its own services")
    func names() throws {
        box.register(Clock())
        let number = ServiceKey<Int>("number")
        _ = box.failure(of: number)?.description
        let copy = box.copy()
        copy.register(Cache())
        #expect(copy.failure(of: number)?.description.contains("'cache'") == true)
    }

    @Test("reports on no service that its original still has")
    func ofOriginal() {
        box.register(Cart(), as: "cart")
        #expect(box.crossFill().map(\.serviceName) == ["cart"])
        #expect(box.copy().crossFill().isEmpty)
    }
}

extension Cart {
    fileprivate convenience init(clock: Clock) {
        self.init()
        self.clock = clock
    }
}

@Suite("A sealed box")
struct SealedBoxTests {
    @Test("still fills, resolves and creates")
    func goesOn() throws {
        let box = ServiceBox()
        box.register(as: "clock") { _ in Clock() }
        box.register(as: "cart", per: .box) { _ in Cart() }
        #expect(!box.isSealed)
        box.seal()
        box.seal()
        #expect(box.isSealed)
        let screen = Screen()
        #expect(box.fill(screen).isComplete)
        #expect(try box.resolve(Cart.self).clock === screen.clock)
    }

    @Test("has children that can be changed and create their own services")
    func children() throws {
        let box = ServiceBox()
        box.register(as: "cart", per: .box) { _ in Cart() }
        box.seal()
        let child = box.makeChild(name: "child")
        child.register(Clock())
        #expect(!child.isSealed)
        #expect(try child.resolve(ServiceKey<Cart>("cart")).clock != nil)
        #expect(child.remove("clock"))
    }

    /// Whether a program ended with a message, which the runtime puts behind a place and the words `Fatal
    /// error`.
    private func expect(_ message: String, in result: ExitTest.Result?) throws {
        let result = try #require(result)
        let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(errors.contains("App/Main.swift:7: Fatal error: \(message)\n"), "\(errors)")
        #expect(!errors.contains("was made"))
    }

    private static func sealed() -> ServiceBox {
        let box = ServiceBox()
        box.register(Clock())
        box.seal(fileID: "App/Start.swift", line: 3)
        box.seal(fileID: "App/Later.swift", line: 4)
        return box
    }

    @Test("traps on registering, and says where it was sealed")
    func register() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.sealed().register(Clock(), fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't register 'clock' in a sealed box.
              Sealed:  App/Start.swift:3
              Changed: App/Main.swift:7
            To fix, change the box before it is sealed, or change a child or a copy of it.
            """, in: result)
    }

    @Test("traps before an eager factory runs")
    func eager() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.sealed().register(as: "cart", lifetime: .eager, fileID: "App/Main.swift", line: 7) {
                _ -> Int in
                fatalError("was made")
            }
        }
        try expect(
            """
            Can't register 'cart' in a sealed box.
              Sealed:  App/Start.swift:3
              Changed: App/Main.swift:7
            To fix, change the box before it is sealed, or change a child or a copy of it.
            """, in: result)
    }

    @Test("traps on removing")
    func remove() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.sealed().remove("clock", fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't remove 'clock' from a sealed box.
              Sealed:  App/Start.swift:3
              Changed: App/Main.swift:7
            To fix, change the box before it is sealed, or change a copy of it.
            """, in: result)
    }

    @Test("traps on clearing")
    func clear() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.sealed().clear(fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't clear a sealed box.
              Sealed:  App/Start.swift:3
              Changed: App/Main.swift:7
            To fix, change the box before it is sealed, or change a copy of it.
            """, in: result)
    }

    @Test("traps on teaching")
    func teach() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.sealed().teach(
                Taught.self, ["clock": .keyPath(\Taught.clock)], fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't teach a sealed box.
              Sealed:  App/Start.swift:3
              Changed: App/Main.swift:7
            To fix, change the box before it is sealed, or change a child or a copy of it.
            """, in: result)
    }

    @Test("traps on registering factories, providers and keys too")
    func others() async throws {
        struct Clocks: ServiceFactory {
            let lifetime = Lifetime.eager
            func makeService() -> Clock { fatalError("was made") }
        }
        let factory = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.sealed().register(factory: Clocks(), as: "a", fileID: "App/Main.swift", line: 7)
        }
        let provider = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.sealed().register(
                provider: ServiceProvider { Clock() }, as: "a", fileID: "App/Main.swift", line: 7)
        }
        let key = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.sealed().register(Clock(), as: ServiceKey("a"), fileID: "App/Main.swift", line: 7)
        }
        for result in [factory, provider, key] {
            try expect(
                """
                Can't register 'a' in a sealed box.
                  Sealed:  App/Start.swift:3
                  Changed: App/Main.swift:7
                To fix, change the box before it is sealed, or change a child or a copy of it.
                """, in: result)
        }
    }
}

private final class InjectedScreen: @unchecked Sendable {
    @Injected var clock: Clock?
}
