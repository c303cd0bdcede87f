// Part of ServiceBox, released under the MIT License.
// Preparing what comes from providers, is reset meanwhile, or needn't be there.

import ServiceBoxKit
import Testing

private final class Database: Sendable {}

private final class Archive: @unchecked Sendable {
    @Injected var database: Database
}

private final class Index: @unchecked Sendable {
    @Injected var clock: Clock
}

private final class Late: ServiceLifecycle {
    let starts = Counter()

    init() {}
    init(needing _: Archive) {}

    func start() { starts.next() }
}

@MainActor private final class Window {}

@Suite("Preparing")
struct PreparingEdgesTests {
    private let box = ServiceBox()
    private let count = Counter()

    @Test(
        "tries again what a failure on another thread was in the way of, but not for ever",
        arguments: [3, .max])
    func failedOnAnotherThread(_ success: Int) async throws {
        box.register(as: "database") { (_) async throws -> Database in Database() }
        box.register(as: "clock") { [count] box in
            let error = onThread { box.failure(of: "database" as ServiceKey<Database>) }
            if let error = error ?? nil, count.next() < success { throw error }
            return Clock()
        }
        let error = await failure { [box] in try await box.prepare("clock") as Clock }
        #expect((error as? ServiceBoxError)?.code == (success == 3 ? nil : .notReady))
        #expect(count.value == (success == 3 ? 3 : 4))
    }

    @Test("runs a synchronous factory that belongs to no actor in the isolation of its caller")
    @MainActor func isolationOfCaller() async throws {
        box.register { @MainActor _ in Window() }
        box.register { [count] box in
            count.next()
            _ = try box.resolve(Window.self)
            return Database()
        }
        _ = try await box.prepare(Database.self)
        #expect(count.value == 1)
    }

    @Test("isn't told to ask for itself, if it looks another name up")
    func ownName() async {
        box.register(as: "database") { (box) async throws -> Database in try box["archive"] }
        let error = await failure { [box] in try await box.prepare("database") as Database }
        let way = "To fix, register a Database as 'archive' before looking it up."
        #expect((error as? ServiceBoxError)?.description.hasSuffix(way) == true)
    }

    @Test("is what the start of a child does, for what each box creates")
    func perBox() async throws {
        box.register(as: "database", per: .box) { (_) async throws -> Database in Database() }
        let way =
            "To fix, await prepare(\"database\") before asking, or await start() of the child that creates it."
        #expect(box.failure(of: "database" as ServiceKey<Database>)?.description.hasSuffix(way) == true)
        let child = box.makeChild()
        try await child.start()
        _ = try child["database"] as Database
        _ = await child.stop()
    }

    @Test("awaits nothing that only services in passing lack, if the factory that used the box fails")
    func lackedInPassing() async throws {
        box.register(as: "database") { [count] (_) async throws -> Database in
            count.next()
            return Database()
        }
        box.register(as: "clock") { box -> Clock in
            box.register(Archive(), as: "archive")
            box.crossFill()
            throw Broken()
        }
        let error = await failure { [box] in try await box.prepare("clock") as Clock }
        #expect((error as? ServiceBoxError)?.underlying is Broken)
        #expect(count.value == 0)
    }

    @Test("does without what can't be prepared and isn't required, though something else had to be awaited")
    func withoutOptional() async throws {
        struct Oops: Error {}
        final class Shelf: @unchecked Sendable {
            @Injected var database: Database
            @Injected var clock: Clock?
        }
        box.register(as: "database") { (_) async throws -> Database in Database() }
        box.register(as: "clock") { [count] (_) async throws -> Clock in
            count.next()
            throw Oops()
        }
        box.register { _ in Shelf() }
        let shelf: Shelf = try await box.prepare()
        #expect(shelf.clock == nil)
        #expect(count.value == 1)
    }

    @Test("fails with the error of what is required, though something else had to be awaited")
    func withoutRequired() async throws {
        struct Oops: Error {}
        box.register(as: "database") { (_) async throws -> Database in throw Oops() }
        box.register(as: "clock") { (_) async throws -> Clock in Clock() }
        final class Shelf: @unchecked Sendable {
            @Injected var clock: Clock
            @Injected var database: Database
        }
        box.register { _ in Shelf() }
        let error = await #expect(throws: ServiceBoxError.self) { try await box.prepare(Shelf.self) as Shelf }
        #expect(error?.code == .factoryFailed)
    }

    @Test("fails with the whole path to what it has to await, also through what it has awaited before")
    func path() async {
        box.register(as: "clock") { (_) async throws -> Clock in Clock() }
        box.register { (_) async throws -> Database in throw Broken() }
        box.register { box in
            _ = try box.resolve(Clock.self)
            return try Late(needing: box.resolve(Archive.self))
        }
        box.register { box in
            _ = try box.resolve(Database.self)
            return Archive()
        }
        let error = await #expect(throws: ServiceBoxError.self) { try await box.prepare(Late.self) as Late }
        #expect(error?.path == ["Late", "Archive", "Database"])
    }

    @Test("goes to the actor of a provider of one's own")
    func providerElsewhere() async throws {
        let windows = ServiceProvider { @MainActor in Window() }
        box.register(provider: windows, as: "window")
        let window = try await box.prepare("window" as ServiceKey<Window>)
        #expect(try windows.resolve() === window)
    }

    @Test(
        "awaits what a service from a provider of one's own requires",
        arguments: [Lifetime.lazy, .transient])
    func providerInNeed(_ lifetime: Lifetime) async throws {
        box.register(as: "database") { _ in
            await Task.yield()
            return Database()
        }
        box.register(provider: ServiceProvider(lifetime) { Archive() }, as: "archive")
        let archive = try await box.prepare("archive" as ServiceKey<Archive>)
        #expect(try archive.database === box["database"])
    }

    @Test("hands out the provider of a service without the service")
    func provider() async throws {
        box.register(as: "database") { [count] _ in
            count.next()
            await Task.yield()
            return Database()
        }
        box.register(as: "page") { (_, number: Int) in Page(number: number) }
        let database: ServiceProvider<Database> = try await box.prepare("database")
        let pages: ServiceParametersProvider<Page, Int> = try await box.prepare("page")
        #expect(try pages.resolve(2) == Page(number: 2))
        #expect(!database.isMade)
        #expect(count.value == 0)
    }

    @Test("returns the service that the box has, also if the first one was reset while it was filled")
    func resetWhileFilling() async throws {
        let key = "index" as ServiceKey<Index>
        box.register(as: key) { _ in
            await Task.yield()
            return Index()
        }
        box.register(as: "clock", lifetime: .transient) { [count] box in
            if count.next() == 1 { try box.provider(key).reset() }
            return Clock()
        }
        let index = try await box.prepare(key)
        #expect(try box[key] === index)
        #expect(count.value == 2)
    }

    @Test("a weak service is left to who needs it, when its box starts")
    func weakAtStart() async throws {
        box.register(as: "late", lifetime: .weak) { [count] _ in
            count.next()
            await Task.yield()
            return Late()
        }
        try await box.start()
        #expect(count.value == 0)
        #expect(try await box.prepare("late" as ServiceKey<Late>).starts.value == 1)
    }

    @Test("is done before others are created that can do without the service, when their box starts")
    func optional() async throws {
        final class Shelf: @unchecked Sendable { @Injected var cache: Cache? }
        final class Asking: LifePart, @unchecked Sendable { var cache: Cache? }
        final class Holding: LifePart, @unchecked Sendable { @Injected var shelf: Shelf }
        let (box, journal) = (ServiceBox(), Journal())
        box.register(as: "asking") { box in
            let service = Asking("asking", journal)
            service.cache = try? box["cache"]
            return service
        }
        box.register(as: "holding") { _ in Holding("holding", journal) }
        box.register(as: "shelf", lifetime: .transient) { _ in Shelf() }
        box.register(as: "cache") { _ async in
            for _ in 0..<1000 { await Task.yield() }
            return Cache()
        }
        try await box.start()
        let (asking, holding): (Asking, Holding) = (try box["asking"], try box["holding"])
        #expect(asking.cache != nil && holding.shelf.cache === asking.cache)
    }

    @Test("starts nothing that is registered when its box has stopped")
    func afterStop() async throws {
        try await box.start()
        await box.stop()
        box.register(Late())
        #expect(try await box.prepare(Late.self).starts.value == 0)
    }

    @Test("hands out the box itself, as a look-up does")
    func boxItself() async throws {
        let child = box.makeChild(name: "child")
        #expect(try await box.prepare(ServiceBox.self) === box)
        #expect(try await child.prepare("serviceBox" as ServiceKey<ServiceBox>) === child)
    }

    @Test("creates nothing of another type than the one that is asked for")
    func mismatch() async {
        box.register(as: "clock") { [count] _ in
            count.next()
            return Clock()
        }
        let error = await #expect(throws: ServiceBoxError.self) {
            try await box.prepare("clock" as ServiceKey<Database>)
        }
        #expect(error?.code == .typeMismatch)
        #expect(count.value == 0)
    }
}
