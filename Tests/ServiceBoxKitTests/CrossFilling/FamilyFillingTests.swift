// Part of ServiceBox, released under the MIT License.
// Tests of what a use of a box fills in the boxes that it builds on.

import ServiceBoxKit
import Testing

private final class Desk: @unchecked Sendable {
    @Injected var clock: Clock?
    @Injected var lamp: Clock?
}

private final class Screen {
    @Injected var clock: Clock?
}

@Suite("A box with ancestors and originals")
struct FamilyFillingTests {
    /// Children, each with a desk of its own, and copies of the children, on which the next children build.
    private let children: [ServiceBox]
    private let desks: [Desk]
    private let root = ServiceBox()
    private let last: ServiceBox

    init() {
        var (children, desks, box): ([ServiceBox], [Desk], ServiceBox) = ([], [], root)
        for level in 1...4 {
            let (child, desk) = (box.makeChild(name: "level \(level)"), Desk())
            child.register(desk, as: "desk\(level)")
            children.append(child)
            desks.append(desk)
            box = child.copy()
        }
        (self.children, self.desks, last) = (children, desks, box)
    }

    @Test("fills, when it is used, what lacks a service of the root in any of them")
    func waiting() throws {
        #expect(last.fill(Screen()).holes.count == 1)
        root.register(Clock(), as: "clock")
        let screen = Screen()
        last.fill(screen)
        #expect(screen.clock != nil)
        #expect(desks.allSatisfy { $0.clock === screen.clock })
    }

    @Test(
        "completes its ready-made service, when it is used, once the root has what that requires",
        arguments: [false, true])
    func lacking(_ isCrossFill: Bool) {
        final class Needy: @unchecked Sendable { @Injected var clock: Clock }
        let (child, needy) = (root.makeChild(name: "child"), Needy())
        child.register(needy, as: "needy")
        child.crossFill()
        root.register(Clock(), as: "clock")
        if isCrossFill { child.crossFill() } else { child.fill(Screen()) }
        #expect(needy.$clock.isFilled)
    }

    @Test("has a service's list follow when one of the root's services is created again")
    func resetInList() throws {
        final class Wall: @unchecked Sendable { @InjectedAll var clocks: [Clock] }
        root.register { _ in Clock() }
        for box in [root, children[0], children[3], last] {
            let wall = Wall()
            box.register(wall, as: "wall")
            box.crossFill()
            try root.provider("clock" as ServiceKey<Clock>).reset()
            let new: Clock = try root.resolve()
            _ = try box.resolve("wall") as Wall
            #expect(wall.clocks.map(ObjectIdentifier.init) == [ObjectIdentifier(new)])
            box.remove("wall")
        }
    }

    @Test("fills, when it is used, what lacked a service of the root that had to be awaited")
    func awaited() async throws {
        final class Wall: @unchecked Sendable { @InjectedAll var clocks: [Clock] }
        let wall = Wall()
        children[0].register(wall, as: "wall")
        root.register(as: "clock") { (_) async throws -> Clock in Clock() }
        last.fill(Screen())
        #expect(desks.allSatisfy { $0.clock == nil })
        _ = try await root.prepare("clock") as Clock
        last.fill(Screen())
        #expect(desks.allSatisfy { $0.clock != nil })
        #expect(wall.clocks.count == 1)
    }

    @Test("fills what a factory of the root couldn't create at first, without trying it at each use")
    func failedFirst() throws {
        let (makes, isBroken) = (Counter(), Locked(true))
        root.register(as: "clock") { _ in
            makes.next()
            if isBroken.withLock({ $0 }) { throw Broken() }
            return Clock()
        }
        for child in children { _ = try? child["desk1"] as Desk }
        let tries = makes.value
        for child in children { _ = try? child["desk1"] as Desk }
        #expect(makes.value == tries)
        isBroken.withLock { $0 = false }
        let _: Clock = try root["clock"]
        _ = try? children[3]["desk1"] as Desk
        #expect(desks.allSatisfy { $0.clock != nil })
    }

    @Test("fills what lacks a service from an ancestor, once the child's own of that name is gone")
    func uncovered() {
        root.register(Clock(), as: "clock")
        children[0].register("noon", as: "clock")
        children[0].fill(Screen())
        #expect(desks[0].clock == nil)
        children[0].remove("clock")
        children[0].fill(Screen())
        #expect(desks[0].clock != nil)
    }

    @Test("fills what lacks a service with what is uncovered while its services are filled")
    func uncoveredMeanwhile() throws {
        root.register(Clock(), as: "clock")
        children[0].register("noon", as: "clock")
        children[0].fill(Screen())
        children[0].register(as: "lamp") { box in
            box.remove("clock")
            return Clock()
        }
        children[0].fill(Screen())
        #expect(desks[0].lamp != nil)
        #expect(try desks[0].clock === root.resolve("clock"))
    }

    @Test("tries to create what a removal uncovers once, not with each use")
    func uncoveredAndFailing() throws {
        let makes = Counter()
        root.register(as: "clock") { _ -> Clock in
            makes.next()
            throw Broken()
        }
        children[0].register("noon", as: "clock")
        children[0].crossFill()
        children[0].remove("clock")
        for _ in 0..<3 { #expect(try children[0]["desk1"] === desks[0]) }
        #expect(makes.value == 1)
    }

    @Test("keeps no own version of what its parent has replaced, once it is cleared")
    func cleared() throws {
        let key = "waiting" as ServiceKey<Desk>
        func register() { root.register(as: key, per: .box) { _ in Desk() } }
        register()
        weak let old = try children[0][key]
        #expect(old != nil)
        register()
        #expect(try children[0][key] !== old)
        children[0].clear()
        #expect(old == nil)
    }

    @Test("fills what lacks a service in the original from the original, and doesn't see that service")
    func original() {
        last.fill(Screen())
        for child in children { child.register(Clock(), as: "lamp") }
        last.fill(Screen())
        #expect(desks.allSatisfy { $0.lamp != nil })
        #expect(Set(desks.compactMap { $0.lamp.map(ObjectIdentifier.init) }).count == desks.count)
        #expect(!last.isRegistered("lamp"))
    }

    @Test("fills a service that a copy shares with nothing that only the copy has or was taught")
    func shared() {
        final class Lamp: @unchecked Sendable {
            @Injected var clock: Clock?
            var spare: Clock?
        }
        root.teach(Screen.self, [:])
        let (child, lamp) = (root.makeChild(name: "child"), Lamp())
        child.register(lamp, as: "lamp")
        child.crossFill()
        let copy = child.copy()
        copy.teach(Lamp.self, ["spare": .keyPath(\Lamp.spare)])
        copy.register(Clock(), as: "clock")
        copy.register(Clock(), as: "spare")
        copy.crossFill()
        #expect(lamp.clock == nil)
        #expect(lamp.spare == nil)
    }

    @Test("uses what a child is taught later for the child's own service of a parent's registration")
    func taughtLater() throws {
        final class Lamp: @unchecked Sendable { var spare: Clock? }
        root.register(as: "lamp", per: .box) { _ in Lamp() }
        root.register(Clock(), as: "spare")
        let child = root.makeChild(name: "child")
        let lamp: Lamp = try child.resolve("lamp")
        child.teach(Lamp.self, ["spare": .keyPath(\Lamp.spare)])
        child.crossFill()
        #expect(lamp.spare != nil)
    }

    @Test("hands out no service that lacks a service of an ancestor, while others fill it")
    func whileOthersFill() throws {
        let isFirst = Locked(true)
        let (isFilling, isDone) = (Signal(), Signal())
        let child = root.makeChild(name: "child")
        child.register(Desk(), as: "desk")
        child.crossFill()
        root.register(as: "clock", lifetime: .transient) { _ in
            let blocks = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if blocks {
                isFilling.send()
                isDone.wait()
            }
            return Clock()
        }
        onThreads([
            { child.crossFill() },
            {
                isFilling.wait()
                let desk = try? child.resolve(ServiceKey<Desk>("desk"))
                #expect(desk?.clock != nil)
                isDone.send()
            },
        ])
    }

    @Test("fills its own version of a service that was hidden for a while with what came since")
    func hiddenVersion() throws {
        final class Cart: @unchecked Sendable {
            @Injected var clock: Clock?
            @InjectedAll var caches: [Cache]
        }
        root.register(as: "cart", per: .box) { _ in Cart() }
        let child = root.makeChild()
        let cart: Cart = try child.resolve()
        child.withRegistration(Cart(), as: "cart") { #expect(child.fill(Screen()).holes.count == 1) }
        child.register(Clock())
        root.register(Cache())
        #expect(try child.resolve(Cart.self) === cart)
        #expect(cart.clock != nil && cart.caches.count == 1)
    }

    @Test("keeps the list of its own version of a service up to date while the parent has another")
    func replacedOrigin() throws {
        final class Hub: @unchecked Sendable { @InjectedAll var hubs: [Hub] }
        root.register(as: "hub", per: .box) { _ in Hub() }
        let child = root.makeChild()
        let hub: Hub = try child.resolve("hub")
        let token = root.register(as: "hub", per: .box) { _ in Hub() }
        #expect(try child.resolve("hub") as Hub !== hub)
        token.remove()
        #expect(try child.resolve("hub") as Hub === hub)
        #expect(hub.hubs.map(ObjectIdentifier.init) == [ObjectIdentifier(hub)])
        child.register(Hub(), as: "third")
        #expect(try child.resolve("hub") as Hub === hub)
        #expect(hub.hubs.count == 2)
    }

    @Test("fills with what is registered now, whichever ancestor changed")
    func changes() throws {
        root.register(Clock(), as: "clock")
        last.fill(Screen())
        for child in children {
            let (clock, screen) = (Clock(), Screen())
            child.register(clock, as: "clock")
            child.makeChild(name: "child").fill(screen)
            #expect(screen.clock === clock)
        }
        let screen = Screen()
        last.fill(screen)
        #expect(try screen.clock === root.resolve("clock"))
        root.register(Clock(), as: "clock")
        last.fill(screen)
        #expect(try screen.clock === root.resolve("clock"))
    }
}
