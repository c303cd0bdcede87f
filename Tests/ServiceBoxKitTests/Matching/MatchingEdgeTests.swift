// Part of ServiceBox, released under the MIT License.
// Tests of rarely met requests and services.

import ServiceBoxKit
import Testing

private protocol Spring<Item>: Sendable {
    associatedtype Item
}

private struct Tap: Spring {
    typealias Item = Int
}

private final class Drawer {
    @InjectedAll var things: [Any]
}

private final class Memory {
    @Injected var store: MemoryStore?
}

private final class Visitor: Sendable {}

private final class Login: Sendable {
    init(_ user: Visitor) {}
}

private final class Keeper {
    @Injected var cache: Cache?
}

private class Pool: @unchecked Sendable {}

private protocol Pet: Sendable {}

private final class Dog: Pool, Pet, @unchecked Sendable {}

private final class Weak {
    @WeakInjected var clock: ServiceProvider<Clock>?
}

private final class Owner {
    @Injected var animal: Pool?
}

private protocol Bulb {}

@MainActor private final class Lantern { nonisolated init() {} }

extension Lantern: @MainActor Bulb {}

extension Lantern: @MainActor Hashable {
    static func == (left: Lantern, right: Lantern) -> Bool { left === right }
    func hash(into hasher: inout Hasher) {}
}

private protocol Portable: Sendable {}

extension Lantern: Portable {}

private actor Cellar {
    @Injected var lamp: (any Bulb & Sendable)?
    @Injected var key: AnyHashable?
    @Injected var lamps: [any Bulb]?

    var hasKey: Bool { key != nil }
    var hasLamps: Bool { lamps != nil }
}

private final class Room {
    @Injected var lamp: (any Bulb)?
}

private struct Eight {
    @Injected("none") var first: Clock?
    @Injected("none") var second: Clock?
    @Injected("none") var third: Clock?
    @Injected("none") var fourth: Clock?
    @Injected("none") var fifth: Clock?
    @Injected("none") var sixth: Clock?
    @Injected("none") var seventh: Clock?
    @Injected("none") var eighth: Clock?
}

private final class Wide {
    let rows = Eight()
    let rows2 = Eight()
    let rows3 = Eight()
    let rows4 = Eight()
    let rows5 = Eight()
    let rows6 = Eight()
    let rows7 = Eight()
    let rows8 = Eight()
    @Injected var clock: Clock?
}

private class Vault: @unchecked Sendable {}

private class Ancestor {
    fileprivate var cache: Vault?
}

private final class Heir: Ancestor, Injectable {
    static var injections: InjectionTable { ["cache": .keyPath(\Heir.cache)] }
}

@Suite("Rare matches")
struct MatchingEdgeTests {
    private let box = ServiceBox()

    @Test("a list of everything has a service whose interface is constrained")
    func everything() {
        box.register(as: ServiceKey<any Spring<Int>>("source")) { _ in Tap() }
        let drawer = Drawer()
        box.fill(drawer)
        #expect(drawer.things.count == 1)
    }

    @Test("a plan gives a weak property the provider of a transient service")
    func weakProviderPlan() {
        box.register(as: "clock", lifetime: .transient) { _ in Clock() }
        #expect(box.plan(for: Weak()).properties.first?.outcome == .filled)
    }

    @Test("a plan knows what a registered provider of transient services has created")
    func createdByProvider() throws {
        let provider = ServiceProvider<any Store>(.transient) { FileStore() }
        box.register(provider: provider, as: "store")
        #expect(box.plan(for: Memory()).outcome(of: "store") == .filled)
        _ = try box.resolve("store" as ServiceKey<any Store>)
        #expect(box.plan(for: Memory()).outcome(of: "store") == .typeMismatch)
    }

    @Test("what the asking box has is no hint if it doesn't fit what an ancestor's service lacks")
    func captiveMisfit() {
        box.register(as: "session") { box in Login(try box["user"]) }
        let request = box.makeChild(name: "request")
        request.register(7, as: "user")
        let error = request.failure(of: "session" as ServiceKey<Login>)
        #expect(error?.description.contains("per: .box") == false)
    }

    @Test(
        "a transient service that an ancestor creates is said to lack what the asking box has, as often as it fails"
    )
    func captiveTransient() throws {
        let isLate = Locked(false)
        box.register(as: "session", lifetime: .transient) { box in
            Login(isLate.withLock { $0 } ? try box["user"] : Visitor())
        }
        let request = box.makeChild(name: "request")
        request.register(Visitor(), as: "user")
        let key = ServiceKey<Login>("session")
        for _ in 1...40 { _ = try request[key] }
        isLate.withLock { $0 = true }
        #expect(request.failure(of: key)?.description.contains("per: .box") == true)
    }

    @Test(
        "a value that was to be kept is no warning if its service is registered, though a similar one is, too"
    )
    func keptBesideSimilar() {
        box.register(Cache())
        box.register(Cache(), as: "cachee")
        let keeper = Keeper()
        keeper.cache = Cache()
        let report = box.fill(keeper, keepingExisting: true)
        #expect(report.outcomes == ["cache": .kept])
        #expect(report.properties.first?.isWarning == false)
    }

    @Test("a kept value is no warning if the preferred service of its type has another name")
    func keptBesidePreferred() {
        box.register(Cache(), as: "disk")
        box.prefer("disk", for: Cache.self)
        let keeper = Keeper()
        keeper.cache = Cache()
        let report = box.fill(keeper)
        #expect(report.outcomes == ["cache": .kept])
        #expect(report.properties.first?.isWarning == false)
    }

    @Test("a class may be behind an interface that only a subclass declares")
    func subclassBehindInterface() {
        box.register(as: ServiceKey<any Pet>("animal")) { _ in Dog() }
        let owner = Owner()
        box.fill(owner)
        #expect(owner.animal is Dog)
    }

    @Test("a property whose service conforms on another actor is told so")
    func isolatedConformance() {
        box.register(as: "lamp") { _ in Lantern() }
        let hole = box.fill(Room()).properties.first
        #expect(hole?.outcome == .typeMismatch)
        #expect(hole?.explanation.contains("belongs to an actor and is used on it only") == true)
    }

    @Test("an actor has a factory's service as the interface that it is registered as, whoever's that is")
    func registeredInterface() async throws {
        let lamp = ServiceKey<any Bulb & Sendable>("lamp")
        box.register(as: lamp) { @MainActor _ in Lantern() }
        _ = try await box.prepare(lamp)
        let cellar = Cellar()
        #expect(box.plan(for: cellar).outcome(of: "lamp") == .filled)
        #expect(await box.fill(cellar).outcome(of: "lamp") == .filled)
    }

    @Test("an actor that waits gets no hashable value that is one on another actor only")
    func isolatedHashable() async {
        let cellar = Cellar()
        await box.fill(cellar, waiting: true)
        await MainActor.run {
            _ = box.register(as: ServiceKey<any Portable>("key")) { @MainActor _ in Lantern() }
        }
        #expect(await !cellar.hasKey)
    }

    @Test("an actor that waits gets no list whose elements fit on another actor only")
    func isolatedElements() async {
        let cellar = Cellar()
        await box.fill(cellar, waiting: true)
        await MainActor.run {
            _ = box.register(as: ServiceKey<any Sendable>("lamps")) { @MainActor _ in [Lantern()] }
        }
        #expect(await !cellar.hasLamps)
    }

    @Test("a type's 65th property uses its service, too")
    func manyProperties() {
        box.register(Clock())
        box.fill(Wide())
        #expect(box.uses.first { $0.name == "clock" }?.properties == ["Wide.clock"])
    }

    @Test("a line's property belongs to the class that declares it")
    func lineOwner() {
        let owner = box.fill(Heir()).properties.first?.owner
        #expect(owner == Ancestor.self)
    }
}
