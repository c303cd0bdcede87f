// Part of ServiceBox, released under the MIT License.
// What starts, stops or is created at moments when few things do.

import Foundation
import ServiceBoxKit
import Testing

private final class Database: Sendable {}

private final class Pool: ServiceLifecycle, @unchecked Sendable {
    let journal: Journal
    @Injected var database: Database

    init(_ journal: Journal) {
        self.journal = journal
    }

    func start() { journal.add("start") }
    func stop() { journal.add("stop") }
}

private final class User: Sendable {}

private final class Needed: LifePart, @unchecked Sendable {}

private final class Needing: LifePart, FillObserving, @unchecked Sendable {
    @Injected var needed: Needed
    let (filled, go) = (Signal(), Signal())

    func didFill(by report: FillReport) {
        filled.send()
        go.wait()
    }
}

private final class Sheet: @unchecked Sendable {
    @Injected var missing: Cache
    @Injected var report: User?
}

@Suite("At an odd moment")
struct LifeAtOddMomentsTests {
    private let box = ServiceBox()
    private let journal = Journal()

    @Test(
        "ready-made services stop in the reverse order of their registration, between what was created",
        arguments: [true, false])
    func readyMade(isStarted: Bool) async throws {
        box.register(LifePart("replaced", journal), as: "first")
        box.register(lifetime: .eager) { [journal] _ in Needed("eager", journal) }
        box.register(LifePart("first", journal), as: "first")
        if isStarted { try await box.start() }
        box.register(as: "created") { [journal] _ in LifePart("created", journal) }
        let _: LifePart = try box["created"]
        box.register(LifePart("last", journal), as: "last")
        _ = journal.take()
        await box.stop()
        #expect(
            journal.take() == ["last", "created", "first", "eager", "replaced"].map { "stop \($0)" })
    }

    @Test("a service that is stopped because another one failed to start may stop the box", .neverHanging)
    func stopAmidUndo() async {
        box.register(Doer(stop: { [weak box] in await box?.stop() }), as: "first")
        box.register(as: "second") { box in
            let _: Doer = try box.resolve("first")
            return Doer(start: { throw Broken() })
        }
        let error = await failure { [box] in try await box.start() }
        #expect((error as? ServiceBoxError)?.code == .startFailed)
        #expect(await box.stop().isEmpty)
    }

    @Test("a service that was created without another, which it looked up in vain, starts before it")
    func lookedUpInVain() async throws {
        let isTried = Counter()
        box.register(as: "first") { [journal] box in
            isTried.next()
            let second = try? box.resolve("second") as LifePart
            return LifePart(second == nil ? "alone" : "first", journal)
        }
        box.register(as: "second") { [journal] box in
            _ = try box.resolve("first") as LifePart
            return LifePart("second", journal)
        }
        // The first is created for the second, which it can't have then.
        let second: LifePart = try box.resolve("second")
        #expect(isTried.value == 1)
        try await box.start()
        #expect(journal.take() == ["start alone", "start second"])
        await box.stop()
        #expect(journal.all == ["stop second", "stop alone"])
        withExtendedLifetime(second) {}
    }

    @Test(
        "a replaced service that lacks what it requires isn't started, though a factory asks for it in vain")
    func replacedHalfFilled() async throws {
        box.register(Pool(journal), as: "pool")
        box.register(as: "user") { box in
            let _: Pool = try box.resolve("pool")
            return User()
        }
        #expect(box.failure(of: ServiceKey<User>("user"))?.code == .incomplete)
        box.register(Pool(Journal()), as: "pool")
        box.register(as: "database") { (_) async throws -> Database in Database() }
        try await box.start()
        #expect(journal.all.isEmpty)
        await box.stop()
    }

    @Test("a service that is just being handed out starts after what it needs", .neverHanging)
    func startAmidHandOut() async throws {
        let needing = Needing("needing", journal)
        box.register { [journal] _ in Needed("needed", journal) }
        box.register { _ in needing }
        Thread { [box] in _ = try? box.resolve(Needing.self) }.start()
        needing.filled.wait()
        async let start: Void = box.start()
        needing.go.send()
        try await start
        #expect(journal.all == ["start needed", "start needing"])
        await box.stop()
    }

    @Test("what is created while another service stops is stopped before what it needs")
    func createdAmidStop() async throws {
        box.register(as: "database", onStop: { [journal] (_: Database) in journal.add("database") }) { _ in
            Database()
        }
        box.register(as: "flusher", onStop: { [journal] (_: User) in journal.add("flusher") }) { box in
            let _: Database = try box.resolve("database")
            return User()
        }
        box.register(as: "server") { [journal] box in
            let _: Database = try box.resolve("database")
            return Doer(stop: {
                let _: User = try box.resolve("flusher")
                journal.add("server")
            })
        }
        try await box.start()
        await box.stop()
        #expect(journal.all == ["server", "flusher", "database"])
    }

    @Test("what can't be awaited is not to blame if something else is missing")
    func blame() async {
        box.register { _ in Sheet() }
        box.register { (_) async throws -> User in throw Broken() }
        let error = await failure { [box] in _ = try await box.prepare(Sheet.self) }
        #expect((error as? ServiceBoxError)?.code == .incomplete)
        #expect((error as? ServiceBoxError)?.path == ["sheet", "missing"])
    }
}
