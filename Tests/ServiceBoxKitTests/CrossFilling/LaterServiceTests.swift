// Part of ServiceBox, released under the MIT License.
// Tests of what properties of services hold, and reports say, once their services have changed.

import ServiceBoxKit
import Testing

private final class Leash: @unchecked Sendable {
    @WeakInjected var clock: Clock?
}

private final class Cup: @unchecked Sendable {
    @Injected var saucer: Saucer?
}

private final class Saucer: @unchecked Sendable {
    var cup: Cup?
}

private final class Tray: @unchecked Sendable {
    @Injected var cup: Cup?
}

@Suite("A property of a service, when its service has changed,")
struct LaterServiceTests {
    private let box = ServiceBox()

    @Test("counts as empty if it lost the earlier one, which it held weakly, only after the later one came")
    func lostLate() throws {
        final class Holder: @unchecked Sendable { @WeakInjected var clock: Clock? }
        let box = ServiceBox()
        box.register { _ in Clock() }
        box.register { _ in Holder() }
        let user = Locked<Clock?>(try box.resolve())
        let holder: Holder = try box.resolve()
        try box.provider("clock" as ServiceKey<Clock>).reset()
        let clock: Clock = try box.resolve()
        user.withLock { $0 = nil }
        #expect(box.graph().edges.map(\.outcome) == ["empty"])
        box.crossFill()
        #expect(holder.clock === clock)
        #expect(box.graph().edges.map(\.outcome) == ["filled"])
    }

    @Test("gets the later one if it has lost the earlier one, which it held weakly")
    func weak() {
        let leash = Leash()
        box.register(leash, as: "leash")
        box.register(as: "clock") { _ in Clock() }
        box.crossFill()
        #expect(leash.clock != nil)
        box.remove("clock")
        #expect(leash.clock == nil)
        box.register(Clock(), as: "clock")
        #expect(box.crossFill().flatMap(\.properties).map(\.outcome) == [.filled])
        #expect(leash.clock != nil)
    }

    @Test("gets one that it holds weakly once somebody keeps it, also a parent's", arguments: [false, true])
    func keptLater(inChild: Bool) {
        box.register(as: "clock", lifetime: .weak) { _ in Clock() }
        let own = inChild ? box.makeChild() : box
        let leash = Leash()
        own.register(leash, as: "leash")
        own.crossFill()
        #expect(leash.clock == nil)
        final class Holder { @Injected var clock: Clock }
        let holder = Holder()
        own.fill(holder)
        own.fill(Holder())
        #expect(leash.clock === holder.clock)
    }

    @Test(
        "gets it once what it lacked is registered",
        arguments: [Lifetime.lazy, .eager, .weak, .transient])
    func starved(_ lifetime: Lifetime) throws {
        final class Analyzer: @unchecked Sendable { @Injected var clock: Clock }
        final class Shop: @unchecked Sendable { @Injected var analyzer: Analyzer? }
        box.register(lifetime: lifetime) { _ in Analyzer() }
        box.register { _ in Shop() }
        let shop: Shop = try box.resolve()
        #expect(shop.analyzer == nil)
        box.register(Clock())
        _ = try box.resolve(Clock.self)
        #expect(shop.analyzer?.$clock.isFilled == true)
    }

    @Test(
        "gets it once what its factory looked up by type alone is registered, under any name, and not before")
    func lookedUpByType() throws {
        final class Analyzer: Sendable {
            init(_ store: any Store) {}
        }
        final class Shop: @unchecked Sendable { @Injected var analyzer: Analyzer? }
        let made = Locked(0)
        box.register { box in
            made.withLock { $0 += 1 }
            return Analyzer(try box.resolve())
        }
        let shop = Shop()
        box.register(shop)
        box.crossFill()
        let before = made.withLock { $0 }
        box.register(Clock())
        _ = try box.resolve(Clock.self)
        #expect(made.withLock { $0 } == before)
        box.register(FileStore(), as: "files")
        _ = try box.resolve(Clock.self)
        #expect(shop.analyzer != nil)
    }

    @Test(
        "gets it once a service that didn't fit, which it lacked in its place, is removed, restored or replaced",
        arguments: Change.allCases, [false, true])
    func changed(_ change: Change, inFactory: Bool) throws {
        final class Analyzer: @unchecked Sendable { @Injected var clock: Clock }
        final class Shop: @unchecked Sendable { @Injected var analyzer: Analyzer? }
        let child = box.makeChild()
        if change == .inherited { box.register(Clock()) }
        if change == .restored { child.register(Clock()) }
        let wrong = child.register(Cache(), as: "clock")
        child.register { box in
            if inFactory { _ = try box["clock"] as Clock }
            return Analyzer()
        }
        let shop = Shop()
        child.register(shop)
        child.crossFill()
        #expect(shop.analyzer == nil)
        if change == .replaced { child.register(Clock()) } else { wrong.remove() }
        _ = try child["clock"] as Clock
        #expect(shop.analyzer?.$clock.isFilled == true)
    }

    enum Change: CaseIterable { case replaced, restored, inherited }

    @Test("isn't tried again for what its own factory registers, replaces and removes")
    func ownRegistrations() throws {
        final class Analyzer: Sendable {}
        final class Shop: @unchecked Sendable { @Injected var analyzer: Analyzer? }
        let made = Counter()
        box.register { box in
            made.next()
            box.register(Cache(), as: "clock")
            return try box.withRegistration(Cache(), as: "page" as ServiceKey<Cache>) {
                _ = try box["clock"] as Clock
                return Analyzer()
            }
        }
        box.register(Shop())
        box.crossFill()
        let before = made.value
        for _ in 0..<5 { _ = try box.resolve(Shop.self) }
        #expect(made.value == before)
    }

    @Test("isn't tried again when a service that its own box can't see is created again")
    func unseen() throws {
        final class Analyzer: @unchecked Sendable { @Injected var clock: Clock }
        final class Shop: @unchecked Sendable { @Injected var analyzer: Analyzer? }
        let made = Locked(0)
        box.register { _ in
            made.withLock { $0 += 1 }
            return Analyzer()
        }
        let child = box.makeChild()
        child.register(Shop())
        child.register(lifetime: .weak) { _ in Clock() }
        child.crossFill()
        let before = made.withLock { $0 }
        for _ in 0..<3 { _ = try child.resolve(Clock.self) }
        #expect(made.withLock { $0 } == before)
    }

    @Test("is filled before a factory gets it, though it was registered only when services were filled")
    func registeredByFilling() throws {
        box.register(Saucer(), as: "saucer")
        box.register(as: "cup") { box in
            box.register(Cup(), as: "late")
            return Cup()
        }
        box.register(as: "page") { box in
            box.register(Tray(), as: "tray")
            let late: Cup = try box["late"]
            return Page(number: late.saucer == nil ? 0 : 1)
        }
        #expect(try (box["page"] as Page).number == 1)
    }

    @Test("is reported as filled if a circle has filled its line in the end")
    func circle() {
        let saucer = Saucer()
        box.teach(Saucer.self, ["cup": .keyPath(\Saucer.cup)])
        box.register(saucer, as: "saucer")
        box.register(as: "cup", lifetime: .eager) { _ in Cup() }
        let outcomes = box.crossFill().flatMap(\.properties).map(\.outcome)
        #expect(saucer.cup?.saucer === saucer)
        #expect(outcomes == [.filled, .filled])
    }

    @Test("is reported as kept if its line holds what was replaced")
    func replaced() {
        let saucer = Saucer()
        box.teach(Saucer.self, ["cup": .keyPath(\Saucer.cup)])
        box.register(saucer, as: "saucer")
        let (old, new) = (Cup(), Cup())
        box.register(old, as: "cup")
        box.crossFill()
        box.register(new, as: "cup")
        let report = box.crossFill().flatMap(\.properties).first { $0.name == "cup" }
        #expect(saucer.cup === old)
        #expect(report?.outcome == .kept)
    }
}
