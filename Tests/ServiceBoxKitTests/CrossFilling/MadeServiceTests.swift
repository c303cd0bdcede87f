// Part of ServiceBox, released under the MIT License.
// Made services are filled before anyone sees them.

import ServiceBoxKit
import Synchronization
import Testing

private final class Part: @unchecked Sendable {
    @Injected var clock: Clock?
    @Injected var serviceBox: ServiceBox?
}

private final class Preset: @unchecked Sendable {
    @Injected var clock: Clock?
    init(_ clock: Clock) { self.clock = clock }
}

private struct Settings: Sendable {
    @Injected var clock: Clock?
}

private actor Archive {
    @Injected var clock: Clock?
    var theClock: Clock? { clock }
}

private final class Listed: Injectable, @unchecked Sendable {
    var clock: Clock?
    var number = 0
    let sets = Counter()

    static var injections: InjectionTable {
        [
            "clock": .keyPath(\Listed.clock),
            "number": .keyPath(\Listed.number),
            "heard": .setter { (listed: Listed, _: Int) in listed.sets.next() },
        ]
    }
}

private final class Taught: @unchecked Sendable {
    var clock: Clock?
}

@Suite("A created service is filled")
struct MadeServiceTests {
    private let box = ServiceBox()
    private let clock = Clock()
    private static let lifetimes = [Lifetime.eager, .lazy, .weak, .transient]

    init() { box.register(clock) }

    @Test("before anyone sees it, whatever its lifetime", arguments: lifetimes)
    func slots(_ lifetime: Lifetime) throws {
        box.register(as: "part", lifetime: lifetime) { _ in Part() }
        let part: Part = try box.resolve("part")
        #expect(part.clock === clock)
        #expect(part.serviceBox === box)
    }

    @Test("before its provider hands it out", arguments: lifetimes)
    func throughProvider(_ lifetime: Lifetime) throws {
        box.register(as: "part", lifetime: lifetime) { _ in Part() }
        #expect(try box.provider(ServiceKey<Part>("part")).resolve().clock === clock)
    }

    @Test("but keeps what its initialiser set")
    func keepsPreset() throws {
        let own = Clock()
        box.register(as: "preset") { _ in Preset(own) }
        #expect(try box.resolve(ServiceKey<Preset>("preset")).clock === own)
    }

    @Test("as a struct", arguments: [Lifetime.eager, .lazy, .transient])
    func structs(_ lifetime: Lifetime) throws {
        box.register(as: "settings", lifetime: lifetime) { _ in Settings() }
        #expect(try box.resolve(ServiceKey<Settings>("settings")).clock === clock)
    }

    @Test("as an actor of an unknown type", arguments: lifetimes)
    func actors(_ lifetime: Lifetime) async throws {
        box.register(as: "archive", lifetime: lifetime) { _ in Archive() }
        #expect(try await box.resolve(ServiceKey<Archive>("archive")).theClock === clock)
    }

    @Test("through its table, each entry once", arguments: lifetimes)
    func tables(_ lifetime: Lifetime) throws {
        box.register(7, as: "number")
        box.register(8, as: "heard")
        box.register(as: "listed", lifetime: lifetime) { _ in Listed() }
        let listed: Listed = try box.resolve("listed")
        #expect(listed.clock === clock)
        #expect(listed.number == 7)
        #expect(listed.sets.value == 1)
        box.crossFill()
        box.fill(Part())
        #expect(listed.sets.value == 1)
    }

    @Test("through its table once, and later changes by its owner are left alone")
    func tablesOnce() throws {
        box.register(7, as: "number")
        box.register(8, as: "heard")
        box.register(as: "listed") { _ in Listed() }
        let listed: Listed = try box.resolve("listed")
        listed.number = 1
        box.crossFill()
        #expect(listed.number == 1)
    }

    @Test("through what the box was taught")
    func taught() throws {
        box.teach(Taught.self, ["clock": .keyPath(\Taught.clock)])
        box.register(as: "taught", lifetime: .transient) { _ in Taught() }
        #expect(try box.resolve(ServiceKey<Taught>("taught")).clock === clock)
    }

    @Test("if a factory with parameters created it")
    func parameters() throws {
        struct Parts: ServiceParametersFactory {
            func makeService(_: Int) -> Part { Part() }
        }
        box.register(factory: Parts())
        #expect(try box.resolve(ServiceKey<Part>("part"), with: 1).clock === clock)
    }

    @Test("if a factory object created it")
    func factory() throws {
        struct Parts: ServiceFactory {
            let lifetime = Lifetime.transient
            func makeService() -> Part { Part() }
        }
        box.register(factory: Parts())
        #expect(try box.resolve(ServiceKey<Part>("part")).clock === clock)
    }

    @Test("in its empty properties when the box first sees it, if a foreign provider created it")
    func provider() throws {
        let own = Clock()
        let provider = ServiceProvider { Part() }
        let preset = ServiceProvider { Preset(own) }
        try #expect(provider.resolve().clock == nil)
        box.register(provider: provider)
        box.register(provider: preset)
        #expect(try box.resolve(ServiceKey<Part>("part")).clock === clock)
        #expect(try box.resolve(ServiceKey<Preset>("preset")).clock === own)
    }

    @Test("with what is registered later, while it lives", arguments: [Lifetime.eager, .lazy, .weak])
    func later(_ lifetime: Lifetime) throws {
        box.remove("clock")
        box.register(as: "part", lifetime: lifetime) { _ in Part() }
        let part: Part = try box.resolve("part")
        #expect(part.clock == nil)
        box.register(clock)
        box.fill(Part())
        #expect(part.clock === clock)
    }

    @Test("again after its provider was reset")
    func afterReset() throws {
        box.register(as: "part") { _ in Part() }
        let first: Part = try box.resolve("part")
        try box.provider(ServiceKey<Part>("part")).reset()
        let second: Part = try box.resolve("part")
        #expect(first !== second)
        #expect(second.clock === clock)
        box.remove("clock")
    }

    @Test("later too, after a reset, whatever becomes of the one that was being created then")
    func afterOvertaking() throws {
        final class Later: @unchecked Sendable {
            @Injected var lamp: Lamp?
            @InjectedAll var pages: [Page]
        }
        let (box, key, count) = (box, ServiceKey<Later>("later"), Counter())
        box.register(as: key) { box in
            if count.next() == 1 {
                onThreads([
                    {
                        (try? box.provider(key))?.reset()
                        _ = try? box[key]
                    }
                ])
            }
            return Later()
        }
        let overtaken = try box[key]
        let kept = try box[key]
        #expect(kept !== overtaken)
        box.register(Lamp())
        box.register(Page(number: 1))
        #expect(box.crossFill().map(\.serviceName) == ["lamp", "later"])
        #expect(kept.lamp != nil)
        #expect(kept.pages == [Page(number: 1)])
    }

    @Test("and released when its provider is reset")
    func releasedByReset() throws {
        box.register(as: "part") { _ in Part() }
        weak let gone: Part? = try box.resolve(ServiceKey<Part>("part"))
        #expect(gone != nil)
        try box.provider(ServiceKey<Part>("part")).reset()
        #expect(gone == nil)
    }

    @Test("into services that lack it, whatever resolves it first", arguments: lifetimes)
    func intoWaiting(_ lifetime: Lifetime) throws {
        let lamp = Lamp()
        box.register(lamp)
        box.register(as: "switcher", lifetime: lifetime) { box in
            _ = try box.resolve(ServiceKey<Clock>("clock"))
            return Switcher()
        }
        // Asking the provider does not fill the services first, but the closure's look-up does.
        let switcher = try box.provider(ServiceKey<Switcher>("switcher")).resolve()
        box.crossFill()
        #expect(lamp.switcher != nil)
        if lifetime != .transient, lifetime != .weak { #expect(lamp.switcher === switcher) }
    }
}
