// Part of ServiceBox, released under the MIT License.
// Made services are filled before anyone sees them.

import ServiceBoxKit
import Synchronization
import Testing

private final class Clock: Sendable {}

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

private final class Lamp: @unchecked Sendable {
    @Injected var switcher: Switcher?
}
private final class Switcher: @unchecked Sendable {
    @Injected var lamp: Lamp?
}

@Suite("A made service is filled")
struct FilledServiceTests {
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

    @Test("and keeps what its initialiser set")
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

    @Test("as an actor of a type that nobody has seen", arguments: lifetimes)
    func actors(_ lifetime: Lifetime) async throws {
        box.register(as: "archive", lifetime: lifetime) { _ in Archive() }
        #expect(try await box.resolve(ServiceKey<Archive>("archive")).theClock === clock)
    }

    @Test("through its table, each line once", arguments: lifetimes)
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

    @Test("through its table once, and what its owner changes later is left alone")
    func tablesOnce() throws {
        box.register(7, as: "number")
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

    @Test("if a factory with parameters made it")
    func parameters() throws {
        struct Parts: ServiceParametersFactory {
            func makeService(_: Int) -> Part { Part() }
        }
        box.register(factory: Parts())
        #expect(try box.resolve(ServiceKey<Part>("part"), with: 1).clock === clock)
    }

    @Test("if a factory made it")
    func factory() throws {
        struct Parts: ServiceFactory {
            let lifetime = Lifetime.transient
            func makeService() -> Part { Part() }
        }
        box.register(factory: Parts())
        #expect(try box.resolve(ServiceKey<Part>("part")).clock === clock)
    }

    @Test("when the box first sees it if a provider of one's own made it: its empty properties alone")
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

    @Test("with what is registered later, if it lives on", arguments: [Lifetime.eager, .lazy])
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

    @Test("and the box lets go of it when its provider is reset")
    func releasedByReset() throws {
        box.register(as: "part") { _ in Part() }
        weak let gone: Part? = try box.resolve(ServiceKey<Part>("part"))
        #expect(gone != nil)
        try box.provider(ServiceKey<Part>("part")).reset()
        #expect(gone == nil)
    }

    @Test("into services that wait for it, whatever asks first", arguments: lifetimes)
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

@Suite("A cycle of properties between services that a box makes", .timeLimit(.minutes(1)))
struct MadePropertyCycleTests {
    private let box = ServiceBox()

    private func register(
        _ first: Lifetime, _ second: Lifetime, meet: @escaping @Sendable () -> Void = {}
    ) {
        box.register(as: "lamp", lifetime: first) { _ in
            meet()
            return Lamp()
        }
        box.register(as: "switcher", lifetime: second) { _ in
            meet()
            return Switcher()
        }
    }

    @Test("is legal from one thread", arguments: [Lifetime.lazy, .weak], [Lifetime.lazy, .weak])
    func oneThread(_ first: Lifetime, _ second: Lifetime) throws {
        register(first, second)
        let lamp: Lamp = try box.resolve("lamp")
        let switcher: Switcher = try box.resolve("switcher")
        #expect(lamp.switcher === switcher)
        #expect(switcher.lamp === lamp)
        lamp.switcher = nil
    }

    @Test("is legal with eager ones", arguments: [Lifetime.lazy, .eager])
    func eager(_ first: Lifetime) throws {
        register(first, .eager)
        let lamp: Lamp = try box.resolve("lamp")
        #expect(try lamp.switcher === box.resolve(Switcher.self))
        #expect(lamp.switcher?.lamp === lamp)
        lamp.switcher = nil
    }

    @Test("is legal when two threads enter it from both ends at a time")
    func twoThreads() throws {
        for _ in 0..<20 {
            let box = ServiceBox()
            let arrivals = Counter()
            let (first, second) = (Signal(), Signal())
            // Each closure waits until the other runs.
            let meet: @Sendable () -> Void = {
                if arrivals.next() == 1 {
                    first.wait()
                } else {
                    first.send()
                    second.send()
                }
            }
            box.register(as: "lamp") { _ in
                meet()
                return Lamp()
            }
            box.register(as: "switcher") { _ in
                meet()
                return Switcher()
            }
            let lamps = Locked<[Lamp]>([])
            let switchers = Locked<[Switcher]>([])
            onThreads([
                {
                    if let lamp = try? box.resolve(ServiceKey<Lamp>("lamp")) {
                        lamps.withLock { $0.append(lamp) }
                    }
                },
                {
                    if let switcher = try? box.resolve(ServiceKey<Switcher>("switcher")) {
                        switchers.withLock { $0.append(switcher) }
                    }
                },
            ])
            let lamp = try #require(lamps.withLock { $0.first })
            let switcher = try #require(switchers.withLock { $0.first })
            #expect(arrivals.value == 2)
            #expect(lamp.switcher === switcher)
            #expect(switcher.lamp === lamp)
        }
    }

    @Test("of a lazy and a transient one closes at the lazy one")
    func lazyAndTransient() throws {
        register(.lazy, .transient)
        let lamp: Lamp = try box.resolve("lamp")
        #expect(lamp.switcher?.lamp === lamp)
        let switcher: Switcher = try box.resolve("switcher")
        #expect(switcher.lamp === lamp)
        #expect(switcher !== lamp.switcher)
    }

    @Test("of transient ones is a hole with a cycle error, and ends")
    func transient() throws {
        register(.transient, .transient)
        let lamp: Lamp = try box.resolve("lamp")
        let switcher = try #require(lamp.switcher)
        #expect(switcher.lamp == nil)
        let ownLamp = Lamp()
        #expect(box.fill(ownLamp).isComplete)
    }

    @Test("of one transient service with itself is a hole with a cycle error")
    func transientSelf() throws {
        final class Mirror: @unchecked Sendable {
            @Injected var mirror: Mirror?
        }
        let found = Later<FillReport>()
        box.register(as: "mirror", lifetime: .transient) { box in
            let mirror = Mirror()
            found.set(box.fill(mirror))
            return mirror
        }
        #expect(try box.resolve(ServiceKey<Mirror>("mirror")).mirror == nil)
        let report = try found.get()
        #expect(report.outcome(of: "mirror") == .failed)
        #expect(report.holes.first?.error?.code == .cycle)
    }

    @Test("of transient services of providers is a hole too, and ends")
    func transientProviders() throws {
        box.register(provider: ServiceProvider(.transient) { Lamp() })
        box.register(provider: ServiceProvider(.transient) { Switcher() })
        let lamp: Lamp = try box.resolve("lamp")
        #expect(lamp.switcher != nil)
        #expect(lamp.switcher?.lamp == nil)
    }

    @Test("of bound services is a hole too, and ends")
    func boundProviders() throws {
        box.register(provider: ServiceParametersProvider { (_: Int) in Lamp() }.bound(to: 1))
        box.register(provider: ServiceParametersProvider { (_: Int) in Switcher() }.bound(to: 1))
        let lamp: Lamp = try box.resolve("lamp")
        #expect(lamp.switcher?.lamp == nil)
    }

    @Test("of shared services of providers is legal")
    func lazyProviders() throws {
        for lifetime in [Lifetime.lazy, .weak] {
            box.register(provider: ServiceProvider(lifetime) { Lamp() })
            box.register(provider: ServiceProvider(lifetime) { Switcher() })
            let lamp: Lamp = try box.resolve("lamp")
            #expect(lamp.switcher?.lamp === lamp)
            lamp.switcher = nil
        }
    }
}
