// Part of ServiceBox, released under the MIT License.
// Cycles of properties between services that a box creates.

import ServiceBoxKit
import Testing

@Suite("A cycle of properties between services that a box creates", .neverHanging)
struct ServiceCycleTests {
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

    @Test("is legal with eager services", arguments: [Lifetime.lazy, .eager])
    func eager(_ first: Lifetime) throws {
        register(first, .eager)
        let lamp: Lamp = try box.resolve("lamp")
        #expect(try lamp.switcher === box.resolve(Switcher.self))
        #expect(lamp.switcher?.lamp === lamp)
        lamp.switcher = nil
    }

    @Test("is legal when two threads enter it from both ends at once")
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

    @Test("of a lazy and a transient service closes at the lazy one, whichever is asked for first")
    func lazyAndTransient() throws {
        register(.lazy, .transient)
        let first: Switcher = try box.resolve("switcher")
        #expect(first.lamp?.switcher !== first)
        #expect(first.lamp?.switcher?.lamp === first.lamp)
        box.remove("lamp")
        box.remove("switcher")
        register(.lazy, .transient)
        let lamp: Lamp = try box.resolve("lamp")
        #expect(lamp.switcher?.lamp === lamp)
        let switcher: Switcher = try box.resolve("switcher")
        #expect(switcher.lamp === lamp)
        #expect(switcher !== lamp.switcher)
    }

    @Test("of transient services is a hole with a cycle error, and ends")
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

    @Test("of transient services of foreign providers is a hole too, and ends")
    func transientProviders() throws {
        box.register(provider: ServiceProvider(.transient) { Lamp() })
        box.register(provider: ServiceProvider(.transient) { Switcher() })
        let lamp: Lamp = try box.resolve("lamp")
        #expect(lamp.switcher != nil)
        #expect(lamp.switcher?.lamp == nil)
    }

    @Test("of providers with bound parameters is a hole too, and ends")
    func boundProviders() throws {
        box.register(provider: ServiceParametersProvider { (_: Int) in Lamp() }.bound(to: 1))
        box.register(provider: ServiceParametersProvider { (_: Int) in Switcher() }.bound(to: 1))
        let lamp: Lamp = try box.resolve("lamp")
        #expect(lamp.switcher?.lamp == nil)
    }

    @Test("of lazy and weak services of foreign providers is legal")
    func lazyProviders() throws {
        for lifetime in [Lifetime.lazy, .weak] {
            box.register(provider: ServiceProvider(lifetime) { Lamp() })
            box.register(provider: ServiceProvider(lifetime) { Switcher() })
            let lamp: Lamp = try box.resolve("lamp")
            #expect(lamp.switcher?.lamp === lamp)
            lamp.switcher = nil
        }
    }

    @Test(
        "is filled as far as it is there for a factory inside it",
        arguments: [Lifetime.lazy, .weak, .transient])
    func insideFactory(_ lifetime: Lifetime) throws {
        final class Hall: @unchecked Sendable {
            @Injected var clock: Clock
            @Injected var door: Door
            @Injected var lamp: HungLamp
        }
        final class Door: Sendable {}
        final class HungLamp: @unchecked Sendable {
            let chain: Chain
            let seen: Hall?
            let hadDoor: Bool
            init(_ chain: Chain) {
                (self.chain, seen) = (chain, chain.$hall.isFilled ? chain.hall : nil)
                hadDoor = seen?.$door.isFilled == true
            }
        }
        final class Chain: @unchecked Sendable { @Injected var hall: Hall }
        box.register(Clock())
        box.register(as: "door") { _ in Door() }
        box.register(as: "hall") { _ in Hall() }
        box.register(as: "lamp") { HungLamp(try $0["chain"]) }
        box.register(as: "chain", lifetime: lifetime) { _ in Chain() }
        let hall: Hall = try box["hall"]
        #expect(hall.lamp.seen === hall)
        #expect(hall.lamp.hadDoor)
        #expect(hall.lamp.chain.hall === hall)
    }

    @Test(
        "of a transient service closes at one that a registered provider keeps",
        arguments: [Lifetime.lazy, .weak])
    func transientWithProvider(_ lifetime: Lifetime) throws {
        final class Visit: @unchecked Sendable { @Injected var desk: Desk }
        final class Desk: @unchecked Sendable { @Injected var visit: Visit }
        box.register(as: "visit", lifetime: .transient) { _ in Visit() }
        box.register(provider: ServiceProvider(lifetime) { Desk() }, as: "desk")
        let visit: Visit = try box["visit"]
        #expect(visit.desk.visit.desk === visit.desk)
    }

    @Test(
        "is complete though a decorated service on it is reset by a factory on it, or by another thread",
        arguments: [true, false])
    func resetMeanwhile(isElsewhere: Bool) throws {
        class Page: @unchecked Sendable {}
        final class FancyPage: Page, @unchecked Sendable { @Injected var sidebar: Sidebar }
        final class Sidebar: @unchecked Sendable { @Injected var page: Page }
        box.register(as: "page") { _ in Page() }
        box.decorate("page" as ServiceKey<Page>) { _, _ in FancyPage() }
        let provider = try box.provider("page" as ServiceKey<Page>)
        box.register(as: "sidebar") { _ in
            if isElsewhere { onThreads([{ provider.reset() }]) } else { provider.reset() }
            return Sidebar()
        }
        let page = try #require(try box["page"] as Page as? FancyPage)
        #expect(page.sidebar.page === page)
    }
}
