// Part of ServiceBox, released under the MIT License.
// Preparing across actors, tasks and boxes.

import ServiceBoxKit
import Testing

private final class Database: Sendable {}

@globalActor private actor Office {
    static let shared = Office()
}

private final class Both: @unchecked Sendable {
    @Injected var main: Database
    @Injected var office: Cache
    @InjectedAll var clocks: [Clock]
}

private final class Left: @unchecked Sendable {
    @Injected var right: Right
}

private final class Right: @unchecked Sendable {
    @Injected var left: Left
}

@Suite("Preparing far away")
struct PreparingFarTests {
    private let box = ServiceBox()
    private let journal = Journal()

    @Test("awaits all that a factory asks for one after the other, however many there are")
    func manyNeeds() async throws {
        let keys = (0..<100).map { ServiceKey<Int>("part.\($0)") }
        for (number, key) in keys.enumerated() {
            box.register(as: key) { _ in
                await Task.yield()
                return number
            }
        }
        box.register(as: "sum") { box in try keys.reduce(0) { sum, key in try sum + box.resolve(key) } }
        #expect(try await box.prepare(ServiceKey<Int>("sum")) == 4_950)
    }

    @Test("finds no circle in services that have awaited each other one way, and then the other")
    func bothWays() async throws {
        let (box, journal, isBack) = (box, journal, Locked(false))
        func register(_ name: String, needing other: String, ifBack: Bool) {
            box.register(as: ServiceKey<Clock>(name)) { box in
                if isBack.withLock({ $0 }) == ifBack {
                    _ = try await box.prepare(ServiceKey<Clock>(other))
                }
                journal.add(name)
                return Clock()
            }
        }
        register("left", needing: "right", ifBack: false)
        register("right", needing: "left", ifBack: true)
        _ = try await box.prepare(ServiceKey<Clock>("left"))
        isBack.withLock { $0 = true }
        for name in ["left", "right"] { try box.provider(ServiceKey<Clock>(name)).reset() }
        _ = try await box.prepare(ServiceKey<Clock>("right"))
        #expect(journal.all == ["right", "left", "left", "right"])
    }

    @Test("keeps nothing of a weak service that it has awaited for another")
    func weakNeed() async throws {
        box.register(as: "database", lifetime: .weak) { _ in
            await Task.yield()
            return Database()
        }
        box.register(as: "user", lifetime: .transient) { box in [try box["database"] as Database] }
        var user: [Database]? = try await box.prepare("user")
        weak let database = user?.first
        #expect(database != nil)
        user = nil
        #expect(database == nil)
    }

    @Test("creates a service where a transient one that its factory asks for belongs")
    func transientOfActor() async throws {
        box.register(as: "transient", lifetime: .transient) { @MainActor _ in Database() }
        box.register(as: "reader") { box in
            let _: Database = try box["transient"]
            MainActor.assertIsolated()
            return Cache()
        }
        box.register(as: "started") { box in
            let _: Database = try box["transient"]
            await Task.yield()
            return Clock()
        }
        _ = try await box.prepare("reader") as Cache
        let error = await failure { try await box.prepare("started") as Clock } as? ServiceBoxError
        #expect(error?.code == .wrongIsolation)
    }

    @Test("refuses a service whose factory asks for transient ones of two actors")
    func twoActors() async throws {
        box.register(as: "main", lifetime: .transient) { @MainActor _ in Database() }
        box.register(as: "office", lifetime: .transient) { @Office _ in Database() }
        box.register(as: "reader") { box in
            let _: Database = try box["main"]
            let _: Database = try box["office"]
            return Cache()
        }
        let error = await failure { try await box.prepare("reader") as Cache } as? ServiceBoxError
        #expect(error?.code == .wrongIsolation)
    }

    @Test("takes what a service needs from several actors, and what must be awaited, at once")
    func actors() async throws {
        box.register(as: "main") { @MainActor _ in
            MainActor.assertIsolated()
            return Database()
        }
        box.register(as: "office") { @Office _ in
            Office.shared.assertIsolated()
            return Cache()
        }
        box.register(as: "clock") { @Office _ in Clock() }
        box.register(as: "other clock") { _ in
            await Task.yield()
            return Clock()
        }
        box.register { _ in Both() }
        let both: Both = try await box.prepare()
        #expect(both.clocks.count == 2)
        #expect(try both.main === box["main"])
    }

    @Test("follows a chain of factories of all kinds")
    func chain() async throws {
        box.register(as: "main") { @MainActor _ in Database() }
        box.register(as: "awaited") { box in
            let _: Database = try await box.prepare("main")
            return Page(number: 7)
        }
        box.register(as: "cache") { box in
            let (_, _): (Page, Database) = (try box["awaited"], try box["main"])
            return Cache()
        }
        let _: Cache = try await box.prepare("cache")
        #expect(try box["awaited"] == Page(number: 7))
    }

    @Test("finds circles by way of tasks that factories start", .neverHanging)
    func tasks() async throws {
        box.register { box in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { let _: Cache = try await box.prepare("cache") }
                group.addTask { let _: Clock = try await box.prepare("clock") }
                try await group.waitForAll()
            }
            return Database()
        }
        box.register { _ in
            await Task.yield()
            return Cache()
        }
        box.register { box in
            async let database: Database = box.prepare("database")
            _ = try await database
            return Clock()
        }
        let error = await failure { try await box.prepare("database") as Database } as? ServiceBoxError
        #expect(error?.code == .cycle)
        #expect(error?.path == ["Database", "Clock", "Database"])
    }

    @Test("finds circles of properties by way of several actors", .neverHanging)
    func circleAcrossActors() async {
        box.register { @MainActor _ in Left() }
        box.register { @Office _ in Right() }
        let error = await failure { _ = try await box.prepare() as Left } as? ServiceBoxError
        #expect(error?.code == .cycle)
        #expect(error?.path == ["Left", "Right", "Left"])
    }

    @Test("closes circles of properties by way of several actors where one can do without", .neverHanging)
    func openCircleAcrossActors() async throws {
        final class Lenient: @unchecked Sendable {
            @Injected var office: Cache
            @Injected var needing: Needing?
        }
        final class Needing: @unchecked Sendable {
            @Injected var lenient: Lenient
        }
        box.register(as: "office") { @Office _ in Cache() }
        box.register(as: "lenient") { @MainActor _ in Lenient() }
        box.register(as: "needing") { @Office _ in Needing() }
        box.register { box in (try box["lenient"] as Lenient, Page()).1 }
        let _: Page = try await box.prepare()
        let needing: Needing = try await box.prepare()
        #expect(try needing.lenient === box.resolve(Lenient.self))
    }

    @Test("is cancelled at any moment, and harms nobody", .neverHanging)
    func cancelled() async throws {
        for yields in 0..<40 {
            let (box, count) = (ServiceBox(), Counter())
            box.register(as: "database") { _ in
                count.next()
                await Task.yield()
                return Database()
            }
            box.register(as: "page") { box in
                let _: Database = try await box.prepare("database")
                return Page()
            }
            let ask = Task { try await box.prepare("page") as Page }
            for _ in 0..<yields { await Task.yield() }
            ask.cancel()
            _ = try await box.prepare("page") as Page
            _ = await ask.result
            #expect(count.value <= 2)
        }
    }

    @Test("is told of once for each service, and for each failure")
    func events() async {
        box.register { _ in
            await Task.yield()
            return Left()
        }
        box.register { _ in
            await Task.yield()
            return Right()
        }
        box.register(as: "bad") { _ -> Page in
            await Task.yield()
            throw Broken()
        }
        box.register(as: "user") { box in
            let _: Page = try await box.prepare("bad")
            return Cache()
        }
        let observation = box.observe { [journal] in journal.add("\($0.kind) \($0.serviceName ?? "")") }
        _ = try? await box.prepare("left") as Left
        #expect(journal.take().filter { $0.hasPrefix("made") }.sorted() == ["made left", "made right"])
        _ = await failure { try await box.prepare("user") as Cache }
        #expect(journal.all == ["failed bad"])
        observation.cancel()
    }

    @Test("creates once what a copy prepares at the same time, also in a sealed box")
    func copy() async throws {
        let count = Counter()
        box.register { _ in
            count.next()
            await Task.yield()
            return Database()
        }
        box.seal()
        let copy = box.copy()
        async let (first, second): (Database, Database) = (box.prepare(), copy.prepare())
        #expect(try await first === second)
        #expect(count.value == 1)
    }

    @Test("keeps no box alive when all is over", .neverHanging)
    func dropped() async throws {
        let gate = Gate()
        func begin() throws -> (ServiceBox, Task<Database, any Error>) {
            let box = ServiceBox()
            box.register { _ in
                await gate.pass()
                return Database()
            }
            return (box, Task { try await box.prepare() })
        }
        weak var gone: ServiceBox?
        let ask: Task<Database, any Error>
        do {
            let (box, task) = try begin()
            (gone, ask) = (box, task)
        }
        await gate.arrivals()
        gate.open()
        _ = try await ask.value
        for _ in 1...1_000_000 where gone != nil { await Task.yield() }
        #expect(gone == nil)
    }

    @Test("reaches properties that wait, decorated, unfilled or weak")
    func waiting() async throws {
        final class Screen {
            @Injected var page: Page?
            @Injected var cache: Cache?
            @Injected var database: Database?
        }
        let screen = Screen()
        box.fill(screen, waiting: true)
        box.decorate(ServiceKey<Page>("page")) { page, _ in Page(number: page.number + 1) }
        box.register(as: "page", fills: false) { _ in
            await Task.yield()
            return Page(number: 1)
        }
        box.register(lifetime: .weak) { _ in
            await Task.yield()
            return Cache()
        }
        box.register(fills: false) { _ in
            await Task.yield()
            return Database()
        }
        #expect(screen.page == nil)
        _ = try await box.prepare("page") as Page
        let cache: Cache = try await box.prepare()
        _ = try await box.prepare("database") as Database
        #expect(screen.page?.number == 2)
        #expect(screen.cache === cache)
        #expect(screen.database != nil)
    }

    @Test("prepares what a decoration needs, also where that belongs to an actor")
    func decorating() async throws {
        box.register { _ async in Database() }
        box.register(as: "page", lifetime: .transient) { _ async in Page(number: 1) }
        box.register { _ async in Clock() }
        box.register(as: "cache") { @MainActor _ in Cache() }
        box.decorate(ServiceKey<Database>("database")) { database, box in
            let _: Clock = try box["clock"]
            return database
        }
        box.decorate(ServiceKey<Page>("page")) { page, box in
            let _: Cache = try box["cache"]
            return Page(number: page.number + 1)
        }
        try await box.start()
        _ = try box["database"] as Database
        #expect(try await box.prepare("page") == Page(number: 2))
    }

    @Test("says what a decoration has failed with, and on what way")
    func failingDecoration() async throws {
        box.register { _ async in Database() }
        box.decorate(ServiceKey<Database>("database")) { _, box in
            let _: Clock = try box["clock"]
            return Database()
        }
        let error = await failure { [box] in try await box.prepare("database") as Database }
        #expect((error as? ServiceBoxError)?.code == .missing)
        #expect((error as? ServiceBoxError)?.path.last == "clock")
    }

    @Test("keeps nothing of a service that turned out to lack something")
    func lackingIsDropped() async throws {
        final class Needy: @unchecked Sendable { @Injected var clock: Clock }
        let (box, makes) = (ServiceBox(), Counter())
        box.register(as: "needy") { _ async in
            makes.next()
            return Needy()
        }
        let error = await failure { try await box.prepare("needy") as Needy }
        #expect((error as? ServiceBoxError)?.code == .incomplete)
        box.register(Clock())
        #expect(box.failure(of: ServiceKey<Needy>("needy"))?.code == .notReady)
        _ = try await box.prepare("needy") as Needy
        #expect(makes.value == 2)
    }

    @Test("keeps no weak service alive that was awaited for another one")
    func weakIngredient() async throws {
        weak var gone: Cache?
        let made = Counter()
        box.register(as: "cache", lifetime: .weak) { _ async in
            made.next()
            return Cache()
        }
        box.register { box in
            _ = try box["cache"] as Cache
            return Page()
        }
        _ = try await box.prepare("page") as Page
        do {
            let cache = try? box["cache"] as Cache
            gone = cache
        }
        #expect(gone == nil)
        #expect(made.value == 1)
        #expect(box.failure(of: ServiceKey<Cache>("cache"))?.code == .notReady)
    }
}
