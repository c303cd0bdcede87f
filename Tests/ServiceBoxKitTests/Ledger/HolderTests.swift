// Part of ServiceBox, released under the MIT License.
// Who holds a service, and reaching them.

import ServiceBoxKit
import Testing

private protocol Store: Sendable {}
private final class FileStore: Store {}
private final class Cache: Store {}
private final class Clock: Sendable {}
private struct Failure: Error {}

private final class Screen {
    @Injected var store: (any Store)?
    @WeakInjected var cache: Cache?
}

private final class Keeper: @unchecked Sendable { @Injected var cache: Cache? }
private final class Collector: @unchecked Sendable { @InjectedAll var stores: [any Store] }
private final class Gallery { @InjectedAll var stores: [any Store] }
private struct Settings { @Injected var cache: Cache? }

private final class Panel: Injectable {
    var cache: Cache?
    static var injections: InjectionTable { ["cache": .keyPath(\Panel.cache)] }
}

private actor Vault {
    @Injected var cache: Cache?
    var current: Cache? { cache }
}

@Suite("Holders of a service")
struct HolderTests {
    private let box = ServiceBox()

    init() { box.trackHolders() }

    @Test("are the living properties that the box filled")
    func holders() throws {
        box.register(Cache())
        box.register(Keeper())
        let screen = Screen()
        box.fill(screen)
        do {
            let short = Screen()
            box.fill(short)
            #expect(try box.holders(of: "cache").count == 3)
        }
        let holders = try box.holders(of: "cache")
        #expect(holders.map(\.description) == ["Keeper.cache", "Screen.cache"])
        #expect(holders.last?.object == ObjectIdentifier(screen))
        #expect(
            holders.map { ObjectIdentifier($0.type) }
                == ([Keeper.self, Screen.self] as [Any.Type]).map { ObjectIdentifier($0) })
        #expect(try box.holders(of: "store").isEmpty)
        withExtendedLifetime(screen) {}
    }

    @Test("don't count where the owner set something else, and count once however often they are filled")
    func setByHand() throws {
        box.register(Cache())
        let keeper = Keeper()
        box.fill(keeper)
        box.fill(keeper)
        #expect(try box.holders(of: "cache").count == 1)
        keeper.cache = Cache()
        #expect(try box.holders(of: "cache").isEmpty)
    }

    @Test("aren't kept alive by being tracked, however many there are")
    func notKept() throws {
        box.register(Cache())
        weak var gone: Keeper?
        for _ in 0..<1_000 {
            let keeper = Keeper()
            box.fill(keeper)
            gone = keeper
        }
        #expect(gone == nil)
        #expect(try box.holders(of: "cache").isEmpty)
    }

    @Test("keep no service alive by being tracked, whether released or set to something else")
    func servicesNotKept() {
        box.register(as: "cache", lifetime: .weak) { _ in Cache() }
        weak var service: Cache?
        var keeper = Keeper()
        box.fill(keeper)
        service = keeper.cache
        #expect(service != nil)
        keeper.cache = nil
        #expect(service == nil)
        box.fill(keeper)
        service = keeper.cache
        keeper = Keeper()
        #expect(service == nil)
    }

    @Test("get the new service when a registration is replaced and refilled", arguments: [false, true])
    func refilling(isMade: Bool) throws {
        box.register(Cache())
        let keeper = Keeper()
        let registered = Keeper()
        let settings = Settings()
        box.register(registered)
        box.fill(keeper)
        box.fill(settings)
        box.crossFill()
        let new = Cache()
        if isMade {
            box.register(as: "cache") { _ in new }
        } else {
            box.register(new, as: "cache")
        }
        try box.refill("cache")
        #expect(keeper.cache === new)
        #expect(registered.cache === new)
        #expect(settings.cache === new)
        #expect(
            box.crossFill().map(\.description) == [
                "'keeper' (Keeper): 1 of 1 filled.\n  Keeper.cache: filled with 'cache' (Cache)"
            ])
        #expect(try box.holders(of: "cache").count == 3)
    }

    @Test("keep what they have when a registration is replaced without a refill")
    func withoutRefilling() throws {
        let old = Cache()
        box.register(old)
        let keeper = Keeper()
        box.fill(keeper)
        box.register(Cache())
        #expect(keeper.cache === old)
        #expect(try box.refill("cache").refilled.map(\.description) == ["Keeper.cache"])
        #expect(keeper.cache !== old)
    }

    @Test("are left alone where their owner set the property")
    func ownersValue() throws {
        box.register(Cache())
        let keeper = Keeper()
        box.fill(keeper)
        let own = Cache()
        keeper.cache = own
        box.register(Cache(), as: "cache")
        try box.refill("cache")
        #expect(keeper.cache === own)
    }

    @Test("that a table writes are known, and left to their owner")
    func tables() throws {
        box.register(Cache())
        let panel = Panel()
        box.fill(panel)
        let old = panel.cache
        #expect(try box.holders(of: "cache").map(\.isRefillable) == [false])
        box.register(Cache())
        let refill = try box.refill("cache")
        #expect(panel.cache === old)
        #expect(refill.refilled.isEmpty)
        #expect(refill.left.map(\.description) == ["Panel.cache"])
    }

    @Test("keep what they have if the new service doesn't fit, can't be created, or is released")
    func unfit() throws {
        let old = Cache()
        box.register(old)
        let keeper = Keeper()
        box.fill(keeper)
        box.register(Clock(), as: "cache")
        #expect(try box.refill("cache").left.map(\.description) == ["Keeper.cache"])
        box.register(as: ServiceKey<Cache>("cache")) { _ in throw Failure() }
        #expect(try box.refill("cache").left.map(\.description) == ["Keeper.cache"])
        box.remove("cache")
        #expect(try box.refill("cache").left.map(\.description) == ["Keeper.cache"])
        #expect(keeper.cache === old)
    }

    @Test("of a collection get the current services")
    func collections() throws {
        box.register(Cache(), as: "first")
        box.register(Collector())
        let gallery = Gallery()
        box.fill(gallery)
        box.crossFill()
        #expect(try box.holders(of: "first").map(\.description) == ["Collector.stores", "Gallery.stores"])
        box.register(FileStore(), as: "second")
        try box.refill("second")
        #expect(gallery.stores.count == 2)
        let new = Cache()
        box.register(new, as: "first")
        try box.refill("first")
        #expect(gallery.stores.contains { $0 as AnyObject === new })
        box.register(FileStore(), as: "third")
        try box.refill("third")
        #expect(gallery.stores.count == 3)
    }

    @Test("in an actor are refilled from any isolation")
    func actors() async throws {
        box.register(Cache())
        let vault = Vault()
        await box.fill(vault)
        let new = Cache()
        box.register(new, as: "cache")
        try box.refill("cache")
        #expect(await vault.current === new)
    }

    @Test("with weak properties are refilled too")
    func weakly() throws {
        let old = Cache()
        box.register(old)
        let screen = Screen()
        box.fill(screen)
        let new = Cache()
        box.register(new, as: "cache")
        try box.refill("cache")
        #expect(screen.cache === new)
        withExtendedLifetime(old) {}
    }

    @Test("aren't known to a box that doesn't track them")
    func notTracking() {
        let told = #expect(throws: ServiceBoxError.self) { try ServiceBox().holders(of: "cache") }
        #expect(told?.code == .notTracked)
        let refilled = #expect(throws: ServiceBoxError.self) { try ServiceBox().refill("cache") }
        #expect(refilled?.code == .notTracked)
    }

    @Test("may be filled and read on eight tasks while services are replaced")
    func stress() async throws {
        for _ in 0..<20 {
            let box = ServiceBox()
            box.trackHolders()
            box.register(Cache())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        let keeper = Keeper()
                        box.fill(keeper)
                        if task % 2 == 0 {
                            box.register(Cache())
                            try box.refill("cache")
                        }
                        #expect(keeper.cache != nil)
                        _ = try box.holders(of: "cache")
                        keeper.cache = task % 3 == 0 ? nil : keeper.cache
                    }
                }
                try await group.waitForAll()
            }
            #expect(try box.holders(of: "cache").isEmpty)
        }
    }
}
