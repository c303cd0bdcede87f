// Part of ServiceBox, released under the MIT License.
// Ready-made services that nobody has asked for, and that may lack what they require.

import ServiceBoxKit
import Testing

/// Writes down whether it has what it requires.
private final class Alarm: ServiceLifecycle, @unchecked Sendable {
    @Injected var clock: Clock
    private let journal: Journal

    init(_ journal: Journal) { self.journal = journal }

    func start() async throws { note("start") }
    func stop() async throws { note("stop") }
    func note(_ event: String) { journal.add("\(event), \($clock.isFilled ? "filled" : "empty")") }
}

private final class Trunk: @unchecked Sendable { @Injected var root: Root }

private final class Root: Sendable {}

private final class Leaf: Sendable {}

private final class Gardener: @unchecked Sendable { @Injected var leaf: Leaf }

@Suite("A ready-made service that nobody has asked for")
struct HalfFilledLifeTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()

    @Test("is filled before it stops, and stops before what it needs")
    func filled() async {
        box.register(Alarm(journal), onStop: { $0.note("end") })
        box.register(Clock(), onStop: { [journal] _ in journal.add("end of clock") })
        #expect(await box.stop() == [])
        #expect(journal.all == ["stop, filled", "end, filled", "end of clock"])
    }

    @Test("is filled before it stops with what is created then, which stops before what it uses")
    func filledWithNew() async throws {
        box.register { [journal] _ in LifePart("root", journal) }
        try await box.start()
        box.register(as: "clock", onStop: { [journal] (_: Clock) in journal.add("end of clock") }) { box in
            _ = try box.resolve() as LifePart
            return Clock()
        }
        box.register(Alarm(journal))
        #expect(await box.stop() == [])
        #expect(journal.all == ["start root", "stop, filled", "end of clock", "stop root"])
    }

    @Test("is tried once by a stop, whatever the factory does that it needs", .neverHanging)
    func triedOnce() async {
        struct Part { @Injected var number: Int }
        let runs = Counter()
        box.register(1, as: "number")
        box.register(as: "clock") { box -> Clock in
            runs.next()
            box.register(Cache(), as: ServiceKey("cache\(runs.value)"))
            box.fill(Part())
            throw Broken()
        }
        box.register(Alarm(journal))
        #expect(await box.stop().map(\.code) == [.incomplete])
        #expect(runs.value == 1)
    }

    @Test("isn't filled when its box stops if it has no end, so that nothing is created for it")
    func withoutEnd() async {
        let created = Counter()
        box.register(Trunk())
        box.register { _ in
            created.next()
            return Root()
        }
        box.register(Alarm(journal))
        box.register(Clock())
        #expect(await box.stop() == [])
        #expect(journal.all == ["stop, filled"])
        #expect(created.value == 0)
    }

    @Test("isn't stopped if it lacks what it requires, which the stop and the start say")
    func lacking() async throws {
        box.register(Alarm(journal), onStop: { $0.note("end") })
        let error = await failure { [box] in try await withRunning(box) {} }
        #expect((error as? ServiceBoxError)?.code == .incomplete)
        #expect(await box.stop().map(\.code) == [.incomplete])
        #expect(journal.all == [])
    }

    @Test("isn't handed out half-filled by a provider taken before its box has stopped")
    func providerAfterStop() async throws {
        box.register(Gardener(), as: "gardener")
        let provider = try box.provider(ServiceKey<Gardener>("gardener"))
        await box.stop()
        #expect(#expect(throws: ServiceBoxError.self) { try provider.resolve() }?.code == .stopped)
    }

    @Test("has what it lacks asked for once, which also gives the error")
    func askingOnce() async {
        let asked = Counter()
        box.register(as: "clock") { _ -> Clock in
            asked.next()
            throw Broken()
        }
        box.register(Alarm(journal))
        let errors = await box.stop()
        #expect(errors.map(\.code) == [.incomplete])
        #expect(asked.value == 1)
    }

    @Test("isn't started if it lacks what it requires and came during the start")
    func arriving() async {
        box.register(Doer(start: { [box, journal] in box.register(Alarm(journal)) }), as: "starter")
        let error = await failure { [box] in try await box.start() }
        #expect((error as? ServiceBoxError)?.code == .incomplete)
        #expect(journal.all == [])
    }

    @Test("isn't waited for by services that are prepared while the box tries to fill it", .neverHanging)
    func triedMeanwhile() async throws {
        box.register(Gardener())
        box.register(as: "leaf") { box in
            _ = try await box.prepare("trunk" as ServiceKey<Trunk>)
            return Leaf()
        }
        box.register(as: "root") { _ in
            await Task.yield()
            return Root()
        }
        box.register(as: "trunk") { box in
            await Task.yield()
            // So that filling the trunk tries the gardener again, for whom the leaf would have to be awaited.
            box.register(Clock())
            return Trunk()
        }
        let trunk: Trunk = try await box.prepare("trunk")
        #expect(trunk.$root.isFilled)
    }
}
