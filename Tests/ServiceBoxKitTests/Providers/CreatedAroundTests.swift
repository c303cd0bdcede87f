// Part of ServiceBox, released under the MIT License.
// Tests of services that a factory's look-up reaches while what they need is being created around it.

import ServiceBoxKit
import Testing

private protocol Sink: AnyObject, Sendable {}

private final class Depot: Sendable {
    init(_ log: Log) {}
}

private final class Annex: Sendable {
    init(_ depot: Depot) {}
}

private final class Log: @unchecked Sendable {
    @Injected var clock: Clock?
    @Injected var meter: Meter?
    @WeakInjected("meter") var weakMeter: Meter?
    @InjectedAll var sinks: [any Sink]
}

private final class Meter: Sink, @unchecked Sendable {
    @Injected var clock: Clock?
    @Injected var depot: Depot
    @InjectedAll var clocks: [Clock]
}

private final class MeterFirst: @unchecked Sendable {
    @Injected var meter: Meter
    @Injected var depot: Depot
}

private final class DepotFirst: @unchecked Sendable {
    @Injected var depot: Depot
    @Injected var meter: Meter
}

private final class AnnexServer: @unchecked Sendable {
    @Injected var meter: Meter
    @Injected var annex: Annex
}

private final class Wheel: @unchecked Sendable {
    @Injected var axle: Axle
}

private final class Axle: @unchecked Sendable {
    @Injected var wheel: Wheel
    @Injected var hub: Hub
}

private final class Hub: Sendable {
    init(_ wheel: Wheel) {}
}

private final class Trier: Sendable {}

private final class Doomed: @unchecked Sendable {
    @Injected var trier: Trier
    @InjectedAll var sinks: [any Sink]
}

private final class Gauge: Sink, @unchecked Sendable {
    @Injected var trier: Trier
}

private final class Panel: @unchecked Sendable {
    @Injected var gauge: Gauge
    @Injected var trier: Trier
}

private final class Cask: Sendable {}

private final class Tap: @unchecked Sendable {
    @Injected var washer: Washer?
    @Injected var cask: Cask
}

private final class Washer: @unchecked Sendable {
    @Injected var page: Page
}

private final class Hose: @unchecked Sendable {
    @Injected var tap: Tap?
}

private final class Pump: @unchecked Sendable {
    @Injected var tap: Tap
}

private final class Cellar: @unchecked Sendable {
    @Injected var tap: Tap
    @Injected var cask: Cask
}

private final class Keg: Sendable {}

private final class Rack: @unchecked Sendable {
    @Injected var tap: Tap?
    @Injected var keg: Keg
}

/// Can do without the one, which lacks something else, too.
private final class Bar: @unchecked Sendable {
    @Injected var spout: Spout?
    @Injected var cask: Cask
}

private final class Spout: @unchecked Sendable {
    @Injected var cask: Cask
    @Injected var page: Page
}

private final class Funnel: @unchecked Sendable {
    @Injected var spout: Spout?
}

/// A link of a chain of factories, each of which lists all links.
private final class Ring: Sink, @unchecked Sendable {
    @Injected("ring0") var first: any Sink
    @Injected var probe: Page
    @InjectedAll var all: [any Sink]
}

@Suite("What a factory needs while its own service is needed")
struct CreatedAroundTests {
    private let box = ServiceBox()
    private let made = Locked<[String]>([])

    private func register<Service: Sendable>(_ make: @escaping @Sendable (ServiceBox) throws -> Service) {
        box.register { [made] box in
            made.withLock { $0.append("\(Service.self)") }
            return try make(box)
        }
    }

    init() {
        box.register(Clock())
        register { box in Depot(try box.resolve()) }
        register { box in Annex(try box.resolve()) }
        register { _ in Log() }
        register { _ in Meter() }
        register { _ in MeterFirst() }
        register { _ in DepotFirst() }
        register { _ in AnnexServer() }
    }

    @Test("is filled once that exists, whichever property comes first, and each factory runs once")
    func order() throws {
        let first = try box.resolve(MeterFirst.self)
        #expect(made.withLock { $0.sorted() } == ["Depot", "Log", "Meter", "MeterFirst"])
        #expect(first.meter.depot === first.depot)
        let log = try box.resolve(Log.self)
        #expect(log.meter === first.meter && log.weakMeter === first.meter && log.sinks.count == 1)
        let second = try box.resolve(DepotFirst.self)
        #expect(second.meter === first.meter)
        #expect(box.crossFill().filter { !$0.isComplete }.isEmpty)
    }

    @Test("is filled once that exists, if it comes first itself")
    func otherOrder() throws {
        let last = try box.resolve(DepotFirst.self)
        #expect(last.meter.depot === last.depot)
        let log = try box.resolve(Log.self)
        #expect(log.meter === last.meter)
    }

    @Test("is filled by the walk that can, through several factories")
    func nested() throws {
        let server = try box.resolve(AnnexServer.self)
        #expect(made.withLock { $0.sorted() } == ["Annex", "AnnexServer", "Depot", "Log", "Meter"])
        let log = try box.resolve(Log.self)
        #expect(log.meter === server.meter)
    }

    @Test("is filled in an object, and by what is prepared and started")
    func others() async throws {
        #expect(box.fill(MeterFirst()).isComplete)
        let fresh = CreatedAroundTests().box
        try await fresh.start()
        let prepared = try await fresh.prepare(MeterFirst.self)
        let depot = try fresh.resolve(Depot.self)
        #expect(prepared.meter.depot === depot)
    }

    @Test("may require each other, asked for at either", arguments: [true, false])
    func circle(isWheelFirst: Bool) throws {
        register { _ in Wheel() }
        register { _ in Axle() }
        register { box in Hub(try box.resolve()) }
        if !isWheelFirst { _ = try box.resolve(Axle.self) }
        let (wheel, axle) = (try box.resolve(Wheel.self), try box.resolve(Axle.self))
        #expect(wheel.axle === axle && axle.wheel === wheel)
        let hub = try box.resolve(Hub.self)
        #expect(hub === axle.hub)
    }

    @Test("doesn't fail the factory that has tried in vain what lists it")
    func tried() throws {
        register { _ in Doomed() }
        register { _ in Gauge() }
        register { _ in Panel() }
        register { box in
            #expect(throws: ServiceBoxError.self) { try box.resolve(Doomed.self) }
            return Trier()
        }
        let panel = try box.resolve(Panel.self)
        #expect(panel.gauge.trier === panel.trier)
        let doomed = try box.resolve(Doomed.self)
        #expect(doomed.trier === panel.trier && doomed.sinks.contains { $0 === panel.gauge })
    }

    @Test("isn't in what the factory has looked up if it fails for something else")
    func failing() throws {
        register { _ in Bar() }
        register { _ in Spout() }
        register { _ in Funnel() }
        register { box in
            _ = try box.resolve(Funnel.self)
            return Cask()
        }
        let (bar, funnel) = (try box.resolve(Bar.self), try box.resolve(Funnel.self))
        #expect(bar.spout == nil && funnel.spout == nil)
    }

    @Test("isn't left to others by the look-up that creates it")
    func createdInside() throws {
        register { _ in Tap() }
        register { _ in Pump() }
        register { box in
            #expect(throws: ServiceBoxError.self) { try box.resolve(Pump.self) }
            return Cask()
        }
        let cask = try box.resolve(Cask.self)
        let pump = try box.resolve(Pump.self)
        #expect(pump.tap.cask === cask)
    }

    @Test("is tried again only once that exists, however much the factory looks up")
    func triedOnce() throws {
        let washers = Counter()
        box.register(Page())
        box.register(lifetime: .transient) { _ in
            washers.next()
            return Washer()
        }
        register { _ in Cellar() }
        register { _ in Tap() }
        let hoses = ["first", "second", "third"].map { ServiceKey<Hose>("\($0)") }
        for hose in hoses { box.register(as: hose) { _ in Hose() } }
        register { box in
            for hose in hoses { _ = try box[hose] }
            return Cask()
        }
        _ = try box.resolve(Cellar.self)
        #expect(washers.value == 2)
    }

    @Test("fails the look-up at once if it fails for another circle")
    func otherCircle() throws {
        register { _ in Rack() }
        register { _ in Tap() }
        register { _ in Pump() }
        register { box in
            _ = try box.resolve(Page.self)
            return Cask()
        }
        register { box in
            _ = try box.resolve(Cask.self)
            return Page()
        }
        register { box in
            #expect(throws: ServiceBoxError.self) { try box.resolve(Pump.self) }
            return Keg()
        }
        let rack = try box.resolve(Rack.self)
        #expect(rack.tap == nil)
    }

    @Test("isn't handed to the factory by another look-up")
    func lookedUpAgain() throws {
        register { _ in Cellar() }
        register { _ in Tap() }
        register { _ in Hose() }
        register { box in
            _ = try box.resolve(Hose.self)
            #expect(throws: ServiceBoxError.self) { try box.resolve(Tap.self) }
            return Cask()
        }
        _ = try? box.resolve(Cellar.self)
        #expect(made.withLock { $0.filter { $0 == "Cask" } } == ["Cask"])
    }

    @Test("is left to the enclosing creation if a registered provider has created it, too")
    func provided() throws {
        register { _ in Cellar() }
        box.register(provider: ServiceProvider { Tap() })
        register { _ in Hose() }
        register { box in
            _ = try box.resolve(Hose.self)
            return Cask()
        }
        let cellar = try box.resolve(Cellar.self)
        #expect(cellar.tap.cask === cellar.cask)
    }

    @Test("doesn't fail the factory for what it can do without itself")
    func dispensable() throws {
        register { _ in Cellar() }
        register { _ in Tap() }
        register { _ in Washer() }
        register { _ in Hose() }
        register { box in
            _ = try box.resolve(Hose.self)
            return Cask()
        }
        let cellar = try box.resolve(Cellar.self)
        #expect(cellar.tap.cask === cellar.cask && cellar.tap.washer == nil)
    }

    @Test("has what it took at first completed, though it takes another in the end", .neverHanging)
    func replaced() async throws {
        let ended = Counter()
        box.register(Page())
        register { _ in Cellar() }
        register { _ in Tap() }
        box.register(onStop: { (_: Washer) in ended.next() }) { _ in Washer() }
        register { _ in Hose() }
        register { box in
            _ = try box.resolve(Hose.self)
            box.register(Washer())
            return Cask()
        }
        let cellar = try box.resolve(Cellar.self)
        #expect(cellar.tap.washer != nil)
        await box.stop()
        #expect(ended.value == 1)
    }

    @Test("is tried again only when what it waits for exists, however many factories are nested")
    func bounded() throws {
        let count = 14
        let probes = Counter()
        box.register(as: "probe", lifetime: .transient) { _ in
            _ = probes.next()
            return Page()
        }
        for index in 0..<count {
            box.register(as: ServiceKey<any Sink>("ring\(index)")) { box in
                _ = try? box[ServiceKey<any Sink>("ring\((index + 1) % count)")]
                return Ring()
            }
        }
        for index in 0..<count { _ = try? box[ServiceKey<any Sink>("ring\(index)")] }
        #expect(probes.next() < count * count)
    }
}
