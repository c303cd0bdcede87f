// Part of ServiceBox, released under the MIT License.
// Tests of distributed actors, here and elsewhere.

import Distributed
import ServiceBoxKit
import Testing

@Suite("Distributed actors")
struct DistributedActorTests {
    private let box = ServiceBox()

    init() {
        box.register(Clock())
    }

    @Test("a remote one is registered, resolved and injected, and never touched")
    func remoteRegistered() throws {
        let telescope = try Telescope.resolve(id: "7", using: NodeSystem("here"))
        box.register(telescope)
        #expect(try box.resolve(Telescope.self) == telescope)
        let station = Station()
        #expect(box.fill(station).isComplete)
        #expect(station.telescope == telescope)
        #expect(box.crossFill().isEmpty)
        #expect(!box.audit().findings.contains { $0.subject.hasPrefix("Telescope") })
    }

    @Test("a remote one that a factory or a provider returns is passed on, and never touched")
    func remoteMade() throws {
        for lifetime in [Lifetime.eager, .lazy, .weak, .transient] {
            let telescope = try Telescope.resolve(id: "7", using: NodeSystem("here"))
            box.register(as: "telescope", lifetime: lifetime) { _ in telescope }
            #expect(try box.resolve(ServiceKey<Telescope>("telescope")) == telescope)
        }
        let telescope = try Telescope.resolve(id: "8", using: NodeSystem("here"))
        box.register(provider: ServiceProvider { telescope }, as: "telescope")
        let station = Station()
        #expect(box.fill(station).isComplete)
        #expect(station.telescope == telescope)
    }

    @Test("a local one is filled, whatever remote ones the same factory has created before")
    func localAfterRemote() async throws {
        let count = Counter()
        box.register(as: "telescope", lifetime: .transient) { _ in
            count.next() < 3
                ? try Telescope.resolve(id: "7", using: NodeSystem("here"))
                : Telescope(actorSystem: NodeSystem("here"))
        }
        for _ in 1...2 { _ = try box.resolve(ServiceKey<Telescope>("telescope")) }
        let local = try box.resolve(ServiceKey<Telescope>("telescope"))
        #expect(await local.whenLocal { $0.clock != nil } == true)
    }

    @Test("a remote one that is given to a fill or a plan is reported, and left alone")
    func remoteFilled() throws {
        let telescope = try Telescope.resolve(id: "7", using: NodeSystem("here"))
        for report in [box.fill(telescope), box.fill(telescope as AnyObject), box.plan(for: telescope)] {
            #expect(report.properties.map(\.outcome) == [.notWalkable])
        }
    }

    @Test("a local one is registered, filled, resolved and injected")
    func local() async throws {
        let probe = Probe(actorSystem: LocalTestingDistributedActorSystem())
        box.register(probe)
        #expect(try box.resolve(Probe.self) == probe)
        #expect(try await probe.hasClock())
        let holder = ProbeHolder()
        #expect(box.fill(holder).isComplete)
        #expect(holder.probe == probe)
    }

    @Test("a local one that fills itself, in its initialiser or later, gets its slots")
    func fillsItself() async throws {
        let system = LocalTestingDistributedActorSystem()
        #expect(try await Eager(box, actorSystem: system).hasClock())
        let late = Probe(actorSystem: system)
        let box = box
        #expect(await late.whenLocal { $0.fillYourself(from: box) } == true)
        #expect(try await late.hasClock())
    }

    @Test(
        "a local one has its table written where it fills itself only, whoever creates it", arguments: 1...2)
    func table(_ times: Int) async throws {
        let system = LocalTestingDistributedActorSystem()
        let box = box
        for lifetime in [Lifetime.lazy, .transient] {
            let factory = ServiceKey<Ledger>("ledger")
            box.register(as: factory, lifetime: lifetime) { _ in Ledger(actorSystem: system) }
            for _ in 1...times { #expect(try await box[factory].whenLocal { $0.clock == nil } == true) }
        }
        for _ in 1...times {
            #expect(await Ledger(box, actorSystem: system).whenLocal { $0.clock == nil } == true)
        }
        let ledger = Ledger(actorSystem: system)
        box.register(ledger, as: "registered")
        #expect(box.crossFill().report(on: Ledger.self)?.outcomes == ["clock": .wrongIsolation])
        #expect(await ledger.whenLocal { $0.fillWithDependencies(from: box).isComplete } == true)
        #expect(await ledger.whenLocal { $0.clock != nil } == true)
    }

    @Test("a local one keeps working while it is registered and filled from outside")
    func localAtWork() async throws {
        let probe = Probe(actorSystem: LocalTestingDistributedActorSystem())
        let box = box
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for _ in 0..<300 { try await probe.work() } }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<300 {
                        box.fill(probe)
                        let other = ServiceBox()
                        other.register(Clock())
                        other.register(probe)
                        other.crossFill()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await probe.hasClock())
    }
}

private distributed actor Telescope {
    typealias ActorSystem = NodeSystem

    private let name = "telescope"
    @Injected var clock: Clock?
    @WeakInjected var weakClock: Clock?
}

private final class Station {
    @Injected var telescope: Telescope?
}

private distributed actor Probe: Injectable {
    typealias ActorSystem = LocalTestingDistributedActorSystem

    @Injected var clock: Clock?
    private var log: [String] = []

    distributed func hasClock() -> Bool { clock != nil }

    distributed func work() {
        log.append("entry \(log.count)")
        if log.count > 20 { log = [] }
    }

    func fillYourself(from box: ServiceBox) -> Bool { fillWithDependencies(from: box).isComplete }
}

private final class ProbeHolder {
    @Injected var probe: Probe?
}

private distributed actor Eager: Injectable {
    typealias ActorSystem = LocalTestingDistributedActorSystem

    @Injected var clock: Clock?

    init(_ box: ServiceBox, actorSystem: ActorSystem) {
        self.actorSystem = actorSystem
        fillWithDependencies(from: box)
    }

    distributed func hasClock() -> Bool { clock != nil }
}

private distributed actor Ledger: Injectable {
    typealias ActorSystem = LocalTestingDistributedActorSystem

    var clock: Clock?

    init(actorSystem: ActorSystem) {
        self.actorSystem = actorSystem
    }

    init(_ box: ServiceBox, actorSystem: ActorSystem) {
        self.actorSystem = actorSystem
        fillWithDependencies(from: box)
    }

    static var injections: InjectionTable {
        [
            "clock": .setter(optional: true) { (ledger: Ledger, clock: Clock) in
                ledger.assumeIsolated { $0.clock = clock }
            }
        ]
    }
}
