// Part of ServiceBox, released under the MIT License.
// Services that must be awaited.

import ServiceBoxKit
import Testing

private final class Database: Sendable {}

private final class Archive: @unchecked Sendable {
    @Injected var database: Database
}

private final class Left: @unchecked Sendable {
    @Injected var right: Right
}

private final class Right: @unchecked Sendable {
    @Injected var left: Left
}

private final class Reader: @unchecked Sendable {
    @Injected var archive: Archive
}

private struct Screen: Sendable {
    @Injected var database: Database?
}

private struct Context {
    @TaskLocal static var request = "none"
}

@MainActor private final class Window: Sendable {
    @Injected var database: Database
}

@Suite("Preparing")
struct PreparingTests {
    private let box = ServiceBox()

    @Test("creates a service once for all who ask at the same time, and keeps it")
    func once() async throws {
        let (gate, count) = (Gate(), Counter())
        box.register { _ in
            count.next()
            await gate.pass()
            return Database()
        }
        let asks = (1...8).map { _ in Task { [box] in try await box.prepare(Database.self) } }
        await gate.arrivals()
        gate.open()
        var found: Set<ObjectIdentifier> = []
        for ask in asks { found.insert(ObjectIdentifier(try await ask.value)) }
        #expect(count.value == 1)
        let kept: Database = try box.resolve()
        #expect(found == [ObjectIdentifier(kept)])
        #expect(try await box.prepare("database") === kept)
    }

    @Test("fails with the factory's error for all who wait, and tries again for the next")
    func failing() async throws {
        let count = Counter()
        box.register { _ in
            await Task.yield()
            if count.next() == 1 { throw Broken() }
            return Database()
        }
        let error = await failure { try await box.prepare("database") as Database } as? ServiceBoxError
        #expect(error?.code == .factoryFailed)
        #expect(error?.underlying is Broken)
        #expect(error?.path == ["Database"])
        _ = try await box.prepare("database") as Database
    }

    @Test("is refused to those who ask without awaiting, until it is there")
    func notReady() async throws {
        box.register { _ in
            await Task.yield()
            return Database()
        }
        let error = box.failure(of: ServiceKey<Database>("database"))
        #expect(error?.code == .notReady)
        #expect(
            error?.description == """
                Can't make a Database: it must be awaited and isn't ready.
                  Registered: as 'database'
                To fix, await prepare("database") before asking, or await start() of the box that creates it.
                """)
        let screen = Screen()
        let report = box.fill(screen)
        #expect(report.outcome(of: "database") == .failed)
        #expect(
            report.holes.first?.explanation == """
                Can't fill 'database' of Screen: its service could not be made, since it must be awaited and isn't ready.
                  Property: Screen.database, a Database?
                  Found:    'database' (Database)
                To fix, await prepare("database") before filling, or await start() of the box that creates it.
                """)
        let database: Database = try await box.prepare("database")
        box.fill(screen)
        #expect(screen.database === database)
    }

    @Test("names the way to a service that must be awaited")
    func notReadyPath() {
        box.register { _ in
            await Task.yield()
            return Database()
        }
        box.register { _ in Archive() }
        box.register { box in (try box.resolve(Database.self), Reader()).1 }
        #expect(box.failure(of: ServiceKey<Archive>("archive"))?.code == .incomplete)
        let error = box.failure(of: ServiceKey<Reader>("reader"))
        #expect(error?.code == .notReady)
        #expect(error?.path == ["Reader", "Database"])
    }

    @Test("awaits what a service can't do without, however far away that is")
    func needs() async throws {
        box.register { _ in
            await Task.yield()
            return Database()
        }
        box.register { _ in Archive() }
        box.register { _ in Reader() }
        let reader: Reader = try await box.prepare()
        #expect(try reader.archive.database === box.resolve(Database.self))
    }

    @Test("fills services that must be awaited with each other in a circle")
    func circle() async throws {
        box.register { _ in
            await Task.yield()
            return Left()
        }
        box.register { _ in
            await Task.yield()
            return Right()
        }
        let left: Left = try await box.prepare()
        #expect(left.right.left === left)
    }

    @Test("finds factories that await each other, from whichever end", .neverHanging)
    func cycle() async throws {
        box.register(as: "left") { box in
            await Task.yield()
            let _: Right = try await box.prepare("right")
            return Left()
        }
        box.register(as: "right") { box in
            await Task.yield()
            let _: Left = try await box.prepare("left")
            return Right()
        }
        for _ in 1...20 {
            async let left = failure { [box] in try await box.prepare("left") as Left }
            async let right = failure { [box] in try await box.prepare("right") as Right }
            let errors = await [left, right].compactMap { $0 as? ServiceBoxError }
            #expect(errors.map(\.code) == [.cycle, .cycle])
            #expect(errors[0].path == ["Left", "Right", "Left"])
            #expect(errors[1].path == ["Right", "Left", "Right"])
        }
    }

    @Test("finds a factory that awaits itself")
    func selfCycle() async {
        box.register(as: "left") { box in try await box.prepare("left") as Left }
        let error = await failure { try await box.prepare("left") as Left } as? ServiceBoxError
        #expect(error?.code == .cycle)
        #expect(error?.path == ["Left", "Left"])
    }

    @Test("lets one who is cancelled go, and leaves the others unharmed", .neverHanging)
    func cancelledAsker() async throws {
        let gate = Gate()
        box.register { _ in
            await gate.pass()
            try Task.checkCancellation()
            return Database()
        }
        let patient = Task { [box] in try await box.prepare("database") as Database }
        await gate.arrivals()
        let hasty = Task { [box] in try await box.prepare("database") as Database }
        hasty.cancel()
        #expect(await failure { try await hasty.value } is CancellationError)
        gate.open()
        _ = try await patient.value
    }

    @Test(
        "gives one who is cancelled an error at once, also where another service needs the awaited one",
        .neverHanging)
    func cancelledFarAsker() async throws {
        let gate = Gate()
        box.register { _ in
            // Goes on when it is cancelled.
            await Task.detached { await gate.pass() }.value
            return Database()
        }
        box.register(as: "reader") { box in
            let _: Database = try box["database"]
            return Cache()
        }
        await expectCancellation(of: ServiceKey<Cache>("reader"), at: gate)
        gate.open()
        _ = try await box.prepare("reader") as Cache
    }

    @Test(
        "cancels the factory when nobody waits any more, and begins again for the next",
        .neverHanging)
    func abandoned() async throws {
        let (gate, count) = (Gate(), Counter())
        box.register { _ in
            count.next()
            await gate.pass()
            try Task.checkCancellation()
            return Database()
        }
        await expectCancellation(of: ServiceKey<Database>("database"), at: gate)
        gate.open()
        _ = try await box.prepare("database") as Database
        #expect(count.value == 2)
    }

    /// Cancels one who asks when a factory has come to a gate, and expects that it is told so.
    private func expectCancellation<Service: Sendable>(of key: ServiceKey<Service>, at gate: Gate) async {
        let asker = Task { [box] in try await box.prepare(key) }
        await gate.arrivals()
        asker.cancel()
        #expect(await failure { try await asker.value } is CancellationError)
    }

    @Test("runs a factory on its actor, and a synchronous one too")
    func actors() async throws {
        box.register { _ in
            await Task.yield()
            return Database()
        }
        box.register(as: "early") { @MainActor _ in
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
            return Window()
        }
        box.register(as: "late") { @MainActor _ in
            MainActor.assertIsolated()
            return Window()
        }
        let early: Window = try await box.prepare("early")
        let late: Window = try await box.prepare("late")
        let database: Database = try box.resolve()
        #expect(await early.database === database)
        #expect(await late.database === database)
        box.register(as: "frame") { box in (try box["main"] as Window, Page()).1 }
        box.register(as: "main") { @MainActor _ in Window() }
        _ = try await box.prepare("frame") as Page
    }

    @Test("inherits no task-local value but the default box")
    func taskLocals() async throws {
        box.register(as: "request") { _ in
            await Task.yield()
            return "\(Context.request) \(ServiceBox.default.name ?? "")"
        }
        let found: String = try await Context.$request.withValue("first") {
            try await ServiceBox.withDefault(ServiceBox(name: "scope")) { try await box.prepare("request") }
        }
        #expect(found == "none scope")
    }

    @Test("runs with the highest priority of those who wait", .neverHanging)
    func priority() async throws {
        let gate = Gate()
        box.register(as: "priority") { _ in
            await gate.pass()
            while Task.currentPriority < .high { await Task.yield() }
            return Page()
        }
        let low = Task.detached(priority: .low) { [box] in try await box.prepare("priority") as Page }
        await gate.arrivals()
        let high = Task.detached(priority: .high) { [box] in try await box.prepare("priority") as Page }
        gate.open()
        _ = try await (low.value, high.value)
    }

    @Test("creates a transient service for each ask, and for nobody else")
    func transient() async throws {
        box.register(lifetime: .transient) { _ in
            await Task.yield()
            return Archive()
        }
        box.register(Database())
        let first: Archive = try await box.prepare()
        let second: Archive = try await box.prepare()
        #expect(first !== second)
        #expect(try first.database === box.resolve(Database.self))
        #expect(box.failure(of: ServiceKey<Archive>("archive"))?.code == .notReady)
    }

    @Test("keeps a weak service as long as somebody else does")
    func weak() async throws {
        box.register(lifetime: .weak) { _ in
            await Task.yield()
            return Database()
        }
        var database: Database? = try await box.prepare()
        #expect(try box.resolve(Database.self) === database)
        weak let gone = database
        database = nil
        #expect(gone == nil)
        #expect(box.failure(of: ServiceKey<Database>("database"))?.code == .notReady)
    }

    @Test("creates one in each child that is to have its own")
    func children() async throws {
        box.register(per: .box) { box in
            await Task.yield()
            return Database()
        }
        let (first, second) = (box.makeChild(name: "first"), box.makeChild(name: "second"))
        let made: [Database] = try await [first.prepare(), first.prepare(), second.prepare()]
        #expect(made[0] === made[1])
        #expect(made[0] !== made[2])
    }

    @Test("creates anew what is reset while it is created", .neverHanging)
    func reset() async throws {
        let (gate, count) = (Gate(), Counter())
        box.register { _ in
            count.next()
            await gate.pass()
            return Database()
        }
        let ask = Task { [box] in try await box.prepare("database") as Database }
        await gate.arrivals()
        try box.provider(ServiceKey<Database>("database")).reset()
        gate.open()
        let database = try await ask.value
        #expect(count.value == 2)
        #expect(try await box.prepare(Database.self) === database)
    }

    @Test("shows what a factory awaits in the graph, and in the path of an error")
    func awaited() async throws {
        box.register { _ in
            await Task.yield()
            return Database()
        }
        box.register(as: "page") { box in
            let _: Database = try await box.prepare()
            return Page()
        }
        _ = try await box.prepare("page") as Page
        let edges = box.graph().edges.filter(\.isAskedFor)
        #expect(edges.map(\.source) == ["service:page"])
        #expect(edges.map(\.target) == ["service:database"])
        box.register(as: "database") { _ -> Database in
            await Task.yield()
            throw Broken()
        }
        box.register(as: "other") { box in
            let _: Database = try await box.prepare()
            return Page()
        }
        let error = await failure { try await box.prepare("other") as Page } as? ServiceBoxError
        #expect(error?.path == ["Page", "Database"])
    }

    @Test(
        "is made once when eight tasks ask, register and are cancelled at the same time",
        .neverHanging)
    func stress() async throws {
        for round in 1...20 {
            let (box, count) = (ServiceBox(), Counter())
            box.register { _ in
                count.next()
                await Task.yield()
                return Database()
            }
            box.register { _ in Archive() }
            let found = await withTaskGroup(of: Archive?.self) { group in
                for index in 1...8 {
                    group.addTask {
                        box.register(Page(number: index), as: ServiceKey("page\(index)"))
                        let ask = Task { try await box.prepare(Archive.self) }
                        if index == round % 8 { ask.cancel() }
                        return try? await ask.value
                    }
                }
                var found: [Archive] = []
                for await archive in group { if let archive { found.append(archive) } }
                return found
            }
            #expect(Set(found.map { ObjectIdentifier($0.database) }).count == 1)
            #expect(count.value == 1)
        }
    }
}
