// Part of ServiceBox, released under the MIT License.
// Tests of services that a provider of somebody else's creates, after the box has seen them.

import ServiceBoxKit
import Testing

private final class ProviderViewer { @Injected("clock") var provider: ServiceProvider<Clock> }

@Suite("A service of a provider that the box didn't create")
struct ProvidedServiceTests {
    private let box = ServiceBox()

    @Test("gets what is registered later", arguments: [nil, Lifetime.lazy, .weak])
    func later(_ lifetime: Lifetime?) throws {
        let provider = lifetime.map { ServiceProvider($0) { Panel() } } ?? ServiceProvider(instance: Panel())
        box.register(provider: provider, as: "panel")
        let panel: Panel = try box.resolve("panel")
        #expect(panel.clock == nil)
        let clock = Clock()
        box.register(clock, as: "clock")
        _ = box.fill(Viewer())
        #expect(panel.clock === clock)
        #expect(box.crossFill().first?.outcome(of: "clock") == .filled)
    }

    @Test("has all services of a type, also those that come and go later", arguments: [true, false])
    func collection(isReadyMade: Bool) throws {
        let (first, second) = (Clock(), Clock())
        box.register(first, as: "first")
        let provider = isReadyMade ? ServiceProvider(instance: Wall()) : ServiceProvider { Wall() }
        box.register(provider: provider, as: "wall")
        let wall: Wall = try box.resolve("wall")
        #expect(wall.clocks.map(ObjectIdentifier.init) == [ObjectIdentifier(first)])
        box.register(second, as: "second")
        box.crossFill()
        #expect(wall.clocks.map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
        box.remove("first")
        box.crossFill()
        #expect(wall.clocks.map(ObjectIdentifier.init) == [ObjectIdentifier(second)])
    }

    @Test("is a hole in the plan, too, once it exists and turns out not to fit")
    func misfit() throws {
        final class Desk { @Injected var store: FileStore? }
        let provider = ServiceProvider<any Store>(.lazy) { MemoryStore() }
        box.register(provider: provider, as: "store")
        let desk = Desk()
        #expect(box.plan(for: desk).outcome(of: "store") == .filled)
        #expect(box.fill(desk).outcome(of: "store") == .typeMismatch)
        #expect(box.plan(for: desk).outcome(of: "store") == .typeMismatch)
        #expect(box.audit(including: [desk]).findings.contains { $0.description.contains("store") })
    }

    @Test("is filled, or refused, if it is a value, too")
    func value() throws {
        struct Half: Sendable { @Injected var clock: Clock }
        let key = ServiceKey<Half>("half")
        box.register(provider: ServiceProvider { Half() }, as: key)
        #expect(box.failure(of: key)?.code == .incomplete)
        let clock = Clock()
        box.register(clock)
        #expect(try box[key].clock === clock)
        struct Again: Sendable { @Injected var clock: Clock }
        box.register(provider: ServiceProvider(.transient) { Again() }, as: "again")
        for _ in 0..<3 {
            let again: Again = try box["again"]
            #expect(again.clock === clock)
        }
    }

    @Test("is filled, or refused, in a service that takes it, too, if it is another value each time")
    func valueInside() throws {
        struct Half: Sendable { @Injected var clock: Clock }
        final class Whole: @unchecked Sendable { @Injected var half: Half }
        box.register(provider: ServiceProvider(.transient) { Half() })
        box.register { _ in Whole() }
        #expect(box.failure(of: ServiceKey<Whole>("whole"))?.code == .incomplete)
        box.register(Clock())
        #expect(try box.resolve(Whole.self).half.$clock.isFilled)
    }

    @Test("isn't taken where its own box can't complete it, though the property could do without")
    func incompleteInItsBox() throws {
        let other = ServiceBox()
        other.register(as: "gauge") { _ in Gauge() }
        box.register(provider: try other.provider("gauge" as ServiceKey<Gauge>), as: "gauge")
        box.register { _ in Reader() }
        #expect(try box.resolve(Reader.self).gauge == nil)
        other.register(Clock())
        box.register { _ in Reader() }
        #expect(try box.resolve(Reader.self).gauge?.clock != nil)
    }

    @Test("has its table left alone, since others may be using it")
    func table() throws {
        box.register(provider: ServiceProvider { Dial() }, as: "dial")
        let dial: Dial = try box.resolve("dial")
        box.register(Clock(), as: "clock")
        #expect(box.crossFill().first?.outcome(of: "clock") == .wrongIsolation)
        #expect(dial.clock == nil)
    }

    @Test("ends under no lock, whichever thread is the last to have it", .neverHanging)
    func lastReference() {
        final class Parting: @unchecked Sendable {
            @Injected var clock: Clock?
            let part: @Sendable () -> Void
            init(_ part: @escaping @Sendable () -> Void) { self.part = part }
            deinit { part() }
        }
        box.register(Clock())
        let isNested = Locked(0)
        box.register(
            provider: ServiceProvider(.transient) { [weak box] in
                Parting { [weak box] in
                    let isFirst = isNested.withLock { count in
                        count += 1
                        return count <= 2000
                    }
                    if isFirst { _ = try? box?.resolve(Parting.self) }
                }
            })
        onThreads(8) { [box] in
            for _ in 0..<500 { #expect((try? box.resolve(Parting.self))?.clock != nil) }
        }
    }

    @Test("has its table left alone by the fill of the box that first sees it, too")
    func tableAtFirst() throws {
        box.register(Clock(), as: "clock")
        box.register(provider: ServiceProvider { Dial() }, as: "dial")
        let dial: Dial = try box.resolve("dial")
        #expect(dial.clock == nil)
    }

    @Test("is forgotten with its provider's reset, and the next one is filled")
    func reset() throws {
        let provider = ServiceProvider { Panel() }
        box.register(provider: provider, as: "panel")
        let first: Panel = try box.resolve("panel")
        provider.reset()
        box.register(Clock(), as: "clock")
        let second: Panel = try box.resolve("panel")
        #expect(first !== second)
        #expect(second.clock != nil)
    }

    @Test("that somebody still has gets nothing any more once another one has come, even a full one")
    func replacedByFull() throws {
        let panels = Counter()
        let provider = ServiceProvider {
            let panel = Panel()
            if panels.next() > 1 { panel.clock = Clock() }
            return panel
        }
        box.register(provider: provider, as: "panel")
        let first: Panel = try box.resolve("panel")
        box.crossFill()
        provider.reset()
        let second: Panel = try box.resolve("panel")
        box.register(Clock())
        box.crossFill()
        #expect(first !== second)
        #expect(first.clock == nil)
    }

    @Test("has what it got, whoever takes the provider of that")
    func providerOfPart() throws {
        box.register(as: "clock") { _ in Clock() }
        box.register(provider: ServiceProvider(.lazy) { Panel() }, as: "panel")
        let panel: Panel = try box.resolve("panel")
        let wiring = box.wiring()
        box.fill(ProviderViewer())
        #expect(try panel.clock === box.resolve(ServiceKey<Clock>("clock")))
        #expect(box.crossFill().first?.outcome(of: "clock") == .filled)
        #expect(box.wiring().hasPrefix(wiring))
    }

    @Test("that it doesn't keep is reported all the same")
    func transient() throws {
        box.register(Clock())
        box.register(provider: ServiceProvider(.transient) { Panel() }, as: "panel")
        _ = try box.resolve("panel") as Panel
        #expect(box.makeChild().wiring().contains("Panel.clock: 'clock', Clock, ready-made"))
    }
}

private final class Panel: @unchecked Sendable {
    @Injected var clock: Clock?
}

private final class Wall: @unchecked Sendable {
    @InjectedAll var clocks: [Clock]
}

private final class Dial: @unchecked Sendable, Injectable {
    var clock: Clock?

    static var injections: InjectionTable { ["clock": .keyPath(\Dial.clock)] }
}

private final class Gauge: @unchecked Sendable, Injectable {
    var clock: Clock?

    static var injections: InjectionTable {
        ["clock": .setter { (gauge: Gauge, clock: Clock) in gauge.clock = clock }]
    }
}

private final class Reader: @unchecked Sendable {
    @Injected var gauge: Gauge?
}

private final class Viewer {
    @Injected var panel: Panel?
}
