// Part of ServiceBox, released under the MIT License.
// Boxes that start and stop.

import ServiceBoxKit
import Testing

private final class Database: LifePart, @unchecked Sendable {}

private final class Pool: Sendable {
    let database: Database

    init(_ database: Database) { self.database = database }
}

private final class Server: LifePart, @unchecked Sendable {
    @Injected var pool: Pool
}

/// What only stops.
private final class Log: ServiceLifecycle {
    let journal: Journal

    init(_ journal: Journal) { self.journal = journal }

    func stop() async { journal.add("stop log") }
}

/// What waits while it starts or stops.
private final class Slow: ServiceLifecycle {
    let (starting, stopping) = (Gate(), Gate())

    func start() async throws {
        await starting.pass()
        try Task.checkCancellation()
    }

    func stop() async { await stopping.pass() }
}

@MainActor private final class Board: ServiceLifecycle {
    private(set) var isOn = false

    func start() { isOn = true }
    func stop() { isOn = false }
}

@Suite("Starting and stopping")
struct LifecycleTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()

    /// A server that needs a pool that needs a database, registered the wrong way round.
    private func registerServer(failing: Bool = false) {
        let journal = journal
        box.register(as: "server") { _ in
            let server = Server("server", journal)
            if failing { server.startError = Broken() }
            return server
        }
        box.register(as: "pool") { box in Pool(try await box.prepare("database")) }
        box.register(as: "database") { _ in
            await Task.yield()
            journal.add("open database")
            return Database("database", journal)
        }
    }

    @Test("starts what is needed first, through services that don't start, and stops it last")
    func order() async throws {
        registerServer()
        try await box.start()
        #expect(journal.take() == ["open database", "start database", "start server"])
        #expect(await box.stop() == [])
        #expect(journal.take() == ["stop server", "stop database"])
    }

    @Test("starts once, and stops once, however many ask")
    func once() async throws {
        registerServer()
        try await withThrowingTaskGroup { group in
            for _ in 1...8 { group.addTask { [box] in try await box.start() } }
            try await group.waitForAll()
        }
        #expect(journal.take().count == 3)
        await withTaskGroup { group in
            for _ in 1...8 { group.addTask { [box] in await box.stop() } }
        }
        #expect(journal.take().count == 2)
    }

    @Test("starts what has come since when it is started again, or prepared")
    func later() async throws {
        try await box.start()
        box.register(LifePart("first", journal), as: "first")
        try await box.start()
        #expect(journal.take() == ["start first"])
        box.register(as: "second") { [journal] _ in LifePart("second", journal) }
        let _: LifePart = try await box.prepare("second")
        #expect(journal.take() == ["start second"])
        await box.stop()
        #expect(journal.take() == ["stop second", "stop first"])
    }

    @Test("stops what had started when a service fails, and says who failed on what way")
    func failing() async throws {
        registerServer(failing: true)
        let error = await failure { try await box.start() } as? ServiceBoxError
        #expect(error?.code == .startFailed)
        #expect(error?.underlying is Broken)
        #expect(error?.path == ["Server"])
        #expect(journal.take() == ["open database", "start database", "stop database"])
        await box.stop()
        #expect(journal.take() == [])
    }

    @Test("names those that need a service that fails")
    func failingPath() async throws {
        let database = Database("database", journal)
        database.startError = Broken()
        box.register(database)
        box.register(as: "pool") { box in Pool(try box.resolve()) }
        box.register(as: "server") { [journal] _ in Server("server", journal) }
        let error = await failure { try await box.start() } as? ServiceBoxError
        #expect(error?.path == ["Server", "Pool", "Database"])
    }

    @Test("can be started again after a service has failed")
    func again() async throws {
        let (first, second) = (LifePart("first", journal), LifePart("second", journal))
        second.startError = Broken()
        box.register(first, as: "first")
        box.register(second, as: "second")
        await #expect(throws: ServiceBoxError.self) { try await box.start() }
        second.startError = nil
        _ = journal.take()
        try await box.start()
        #expect(Set(journal.take()) == ["start first", "start second"])
    }

    @Test("throws what creating a service throws, and starts nothing")
    func unmakeable() async {
        box.register(LifePart("part", journal), as: "part")
        box.register(as: "page", lifetime: .eager) { _ -> Page in
            await Task.yield()
            throw Broken()
        }
        let error = await failure { try await box.start() } as? ServiceBoxError
        #expect(error?.code == .factoryFailed)
        #expect(journal.all == [])
    }

    @Test("creates an eager service that needed one that must be awaited")
    func eagerInNeed() async throws {
        registerServer()
        box.register(as: "tail", lifetime: .eager) { [journal] box in
            let _: Pool = try box.resolve()
            journal.add("tail")
            return Page()
        }
        #expect(box.failure(of: ServiceKey<Page>("tail"))?.code == .notReady)
        try await box.start()
        #expect(journal.all.contains("tail"))
        #expect(try box.resolve(Page.self) == Page())
    }

    @Test(
        "runs the closures given at registration, in the reverse order of creation, and gathers every error")
    func closures() async throws {
        box.register(Clock(), onStop: { [journal] _ in journal.add("clock") })
        box.register(
            as: "cache",
            onStop: { [journal] (_: Cache) in
                journal.add("cache")
                throw Broken()
            }
        ) { _ in Cache() }
        box.register(as: "page", onStop: { [journal] (page: Page) in journal.add("page \(page.number)") }) {
            box in
            let _: Cache = try box["cache"]
            await Task.yield()
            return Page(number: 7)
        }
        box.register(as: "unused", onStop: { [journal] (_: Clock) in journal.add("unused") }) { _ in Clock() }
        let _: Page = try await box.prepare("page")
        let errors = await box.stop()
        #expect(journal.take() == ["page 7", "cache", "clock"])
        #expect(errors.map(\.code) == [.stopFailed])
        #expect(errors.map(\.path) == [["Cache"]])
        #expect(errors.first?.underlying is Broken)
    }

    @Test("stops what has nothing to start, also if the box was never started")
    func stopAlone() async throws {
        box.register(Log(journal))
        await box.stop()
        #expect(journal.all == ["stop log"])
    }

    @Test("refuses to hand services out afterwards, and to start again")
    func afterwards() async throws {
        box.register(Cache())
        box.register(as: "page") { _ in Page() }
        let cache: Cache = try box.resolve()
        await box.stop()
        let error = box.failure(of: ServiceKey<Cache>("cache"))
        #expect(error?.code == .stopped)
        #expect(
            error?.description == """
                Can't make a Cache: the box that it belongs to has stopped.
                  Registered: as 'cache'
                  Box:        'app'
                To fix, ask before the box stops.
                """)
        #expect(throws: ServiceBoxError.self) { try box.resolve(Page.self) }
        #expect(await failure { try await box.prepare("page") as Page } != nil)
        final class Screen { @Injected var cache: Cache? }
        let screen = Screen()
        #expect(box.fill(screen).outcome(of: "cache") == .failed)
        #expect(screen.cache == nil)
        let late = await failure { try await box.start() } as? ServiceBoxError
        #expect(late?.code == .stopped)
        #expect(
            late?.description == """
                Can't start a box: it has stopped.
                  Box: 'app'
                To fix, start a new one, or a child of one that runs.
                """)
        withExtendedLifetime(cache) {}
    }

    @Test("calls the type's own start where code calls it, also if that is synchronous")
    @MainActor func ownStart() async {
        let board = Board()
        board.start()
        #expect(board.isOn)
        board.stop()
        #expect(!board.isOn)
    }

    @Test("lets go of its services when it has stopped")
    func release() async {
        weak var gone: Cache?
        do {
            let cache = Cache()
            gone = cache
            box.register(cache)
        }
        await box.stop()
        #expect(gone == nil)
    }

    @Test("says who has not ended in time, and goes on", .neverHanging)
    func tooSlow() async throws {
        let slow = Slow()
        slow.starting.open()
        box.register(LifePart("early", journal), as: "early")
        box.register(slow)
        try await box.start()
        let errors = await box.stop(within: .milliseconds(1))
        #expect(errors.map(\.code) == [.stopTimedOut])
        #expect(
            errors.first?.description == """
                Can't stop in time: 'slow' hasn't ended.
                  Given:   0.001 seconds
                  Waiting: 'early'
                To fix, let it end when its task is cancelled, or give the box more time.
                """)
        // Cancelled, it ends.
        #expect(await box.stop() == [])
        #expect(journal.all == ["start early", "stop early"])
    }

    @Test("takes back a start that is cancelled half-way", .neverHanging)
    func cancelled() async throws {
        let slow = Slow()
        box.register(LifePart("first", journal), as: "first")
        box.register(slow)
        for _ in 1...20 {
            let start = Task { [box] in try await box.start() }
            await slow.starting.arrivals()
            start.cancel()
            #expect(await failure { try await start.value } is CancellationError)
            let lines = journal.take()
            #expect(lines.count { $0.hasPrefix("start") } == lines.count { $0.hasPrefix("stop") })
        }
        slow.starting.open()
        try await box.start()
        #expect(journal.all == ["start first"])
    }

    @Test("is stopped while it starts", .neverHanging)
    func stoppedWhileStarting() async throws {
        let slow = Slow()
        box.register(slow)
        let start = Task { [box] in try await box.start() }
        await slow.starting.arrivals()
        slow.stopping.open()
        #expect(await box.stop() == [])
        #expect(await failure { try await start.value } != nil)
    }

    @Test("may be stopped by a service that starts or stops", .neverHanging)
    func selfStop() async throws {
        final class Suicidal: ServiceLifecycle {
            let box: ServiceBox
            init(_ box: ServiceBox) { self.box = box }
            func start() async { await box.stop() }
            func stop() async { await box.stop() }
        }
        box.register(Suicidal(box))
        _ = await failure { try await box.start() }
        await box.stop()
        #expect(box.failure(of: ServiceKey<Suicidal>("suicidal"))?.code == .stopped)
    }

    @Test("scopes a start and a stop")
    func running() async throws {
        registerServer()
        let result = try await withRunning(box) {
            journal.add("run")
            return 7
        }
        #expect(result == 7)
        #expect(
            journal.all == [
                "open database", "start database", "start server", "run", "stop server", "stop database",
            ])
    }

    @Test("starts and stops services of an actor there")
    func mainActor() async throws {
        box.register { @MainActor _ in Board() }
        try await box.start()
        let board: Board = try box.resolve()
        #expect(await board.isOn)
        await box.stop()
        #expect(await !board.isOn)
    }

    @Test("starts an object once that is registered twice")
    func twice() async throws {
        let part = LifePart("part", journal)
        box.register(part, as: "one")
        box.register(part, as: "two")
        try await withRunning(box) {}
        #expect(journal.all == ["start part", "stop part"])
    }

    @Test("leaves alone what a provider of somebody else's has, and what was removed")
    func foreign() async throws {
        let provider = ServiceProvider { [journal] in LifePart("provided", journal) }
        box.register(provider: provider, as: "provided")
        box.register(LifePart("removed", journal), as: "removed")
        let _: LifePart = try box["provided"]
        box.remove("removed")
        try await withRunning(box) {}
        #expect(journal.all == [])
    }

    @Test("starts, stops and is cancelled by eight tasks at the same time", .neverHanging)
    func stress() async throws {
        for round in 1...Sanitizer.rounds(20) {
            let (box, journal) = (ServiceBox(), Journal())
            box.register(as: "first") { _ in
                await Task.yield()
                return LifePart("first", journal)
            }
            box.register(as: "second") { box in
                (try await box.prepare("first") as LifePart, LifePart("second", journal)).1
            }
            await withTaskGroup { group in
                for index in 1...8 {
                    group.addTask {
                        let start = Task { try await box.start() }
                        if index == round % 8 { start.cancel() }
                        try? await start.value
                        let _: LifePart? = try? await box.prepare("second")
                        if index == 8 { await box.stop() }
                        _ = try? await box.withChild { child in try await child.prepare("first") as LifePart }
                    }
                }
            }
            await box.stop()
            let lines = journal.all
            for name in ["first", "second"] {
                let (starts, stops) = (
                    lines.count { $0 == "start \(name)" }, lines.count { $0 == "stop \(name)" }
                )
                #expect(stops == starts || starts == 0)
            }
            #expect(box.failure(of: ServiceKey<LifePart>("first"))?.code == .stopped)
        }
    }
}
