// Part of ServiceBox, released under the MIT License.
// What is left of services when their box has stopped, and what is prepared while it is reset.

import ServiceBoxKit
import Testing

private final class Database: Sendable {}

private final class Clerk: @unchecked Sendable {
    @Injected var database: Database
}

@Suite("Services that have stopped, or are reset")
struct StoppedServiceTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()

    @Test("refuses the provider of a service")
    func afterwards() async throws {
        box.register(as: "cache") { _ in Cache() }
        await box.stop()
        do {
            _ = try box.provider(ServiceKey<Cache>("cache"))
        } catch { #expect(error.code == .stopped) }
    }

    @Test("are refused when the box was cleared, too")
    func cleared() async throws {
        box.register(as: "cache", per: .box) { _ in Cache() }
        let child = box.makeChild(name: "request")
        await child.stop()
        child.clear()
        let error = #expect(throws: ServiceBoxError.self) { let _: Cache = try child["cache"] }
        #expect(error?.code == .stopped)
        let cache: Cache = try box["cache"]
        withExtendedLifetime(cache) {}
    }

    @Test("stand in the graph where they stood before, with the modules that registered them")
    func graph() async throws {
        struct Archive: ServiceModule {
            func register(in box: ServiceBox) {
                box.register(Database())
                box.register(as: "clerk") { _ in Clerk() }
            }
        }
        try box.add(Archive())
        box.register(Clock())
        _ = try box.resolve(Clerk.self)
        func nodes() -> [String] {
            box.graph().nodes.map { "\($0.id) \($0.module ?? "none") \($0.order ?? 0)" }.sorted()
        }
        let before = nodes()
        await box.stop()
        #expect(before.contains("service:clerk Archive 3"))
        #expect(nodes() == before)
    }

    @Test("lets go of decorations when no lock is held")
    func decorationsGo() async {
        await #expect(processExitsWith: .success) {
            final class Keeper: Sendable {
                let box: ServiceBox
                init(_ box: ServiceBox) { self.box = box }
                deinit { _ = box.isRegistered("number") }
            }
            let box = ServiceBox()
            func decorate() {
                let keeper = Keeper(box)
                box.decorate(ServiceKey<Int>("number")) { number, _ in
                    withExtendedLifetime(keeper) { number }
                }
            }
            decorate()
            // Ends with an error where it waits for itself.
            let watch = Task.detached {
                await Gate().pass()
                if !Task.isCancelled { fatalError("The stop waits for itself.") }
            }
            await box.stop()
            watch.cancel()
        }
    }

    // MARK: Preparing

    @Test("says of what is being prepared for another service that its box stops", .neverHanging)
    func stoppedWhilePreparing() async throws {
        let (gate, end) = (Gate(), Gate())
        box.register(as: "database") { _ in
            await gate.pass()
            try Task.checkCancellation()
            return Database()
        }
        box.register(as: "reader") { box in
            let _: Database = try box["database"]
            return Clock()
        }
        box.register(Cache(), onStop: { _ in await end.pass() })
        let indirect = Task { [box] in try await box.prepare("reader") as Clock }
        await gate.arrivals()
        let stop = Task { [box] in await box.stop() }
        #expect((await failure { try await indirect.value } as? ServiceBoxError)?.code == .stopped)
        end.open()
        _ = await stop.value
    }

    @Test("cancels what is being prepared in a child that has nothing to stop", .neverHanging)
    func preparingInChild() async throws {
        let gate = Gate()
        let child = box.makeChild(name: "request")
        child.register(as: "database") { _ in
            await gate.pass()
            try Task.checkCancellation()
            return Database()
        }
        let ask = Task { try await child.prepare("database") as Database }
        await gate.arrivals()
        await box.stop()
        #expect((await failure { try await ask.value } as? ServiceBoxError)?.code == .stopped)
    }

    @Test("keeps nothing that is reset while it is created for another service")
    func resetForAnother() async throws {
        let (gate, count) = (Gate(), Counter())
        box.register { _ in
            count.next()
            await gate.pass()
            return Database()
        }
        box.register { _ in Clerk() }
        let ask = Task { [box] in try await box.prepare("clerk") as Clerk }
        await gate.arrivals()
        try box.provider(ServiceKey<Database>("database")).reset()
        gate.open()
        _ = await ask.result
        _ = try await box.prepare("database") as Database
        #expect(count.value == 2)
    }

    @Test("gives no advice for a transient service that can't help")
    func transientAdvice() async {
        box.register(lifetime: .transient) { _ in
            await Task.yield()
            return Database()
        }
        box.register { _ in Clerk() }
        let error = await failure { [box] in try await box.prepare("clerk") as Clerk }
        #expect(error.map { !"\($0)".contains("await prepare(\"database\") before asking") } ?? true)
    }

    private func registerAwaited<Service: Sendable>(
        in box: ServiceBox, _ make: @escaping @Sendable () -> Service
    ) {
        box.register { _ async in
            await Task.yield()
            return make()
        }
    }

    @Test("is prepared for many at once, whoever is first to make what they share", .neverHanging)
    func manyAtOnce() async throws {
        final class Part: @unchecked Sendable { @Injected var database: Database }
        final class Whole: @unchecked Sendable { @Injected var part: Part }
        for _ in 0..<Sanitizer.rounds(100) {
            let box = ServiceBox()
            registerAwaited(in: box) { Part() }
            registerAwaited(in: box) { Whole() }
            registerAwaited(in: box) { Database() }
            async let whole: Whole = box.prepare()
            async let part: Part = box.prepare()
            let (one, other) = try await (whole, part)
            #expect(one.part === other)
        }
    }

    @Test("is prepared from both ends of a circle at once", .neverHanging)
    func bothEnds() async throws {
        final class Hub: @unchecked Sendable { @Injected var spoke: Spoke }
        final class Spoke: @unchecked Sendable {
            @Injected var hub: Hub
            @Injected var database: Database
        }
        for _ in 0..<Sanitizer.rounds(100) {
            let box = ServiceBox()
            registerAwaited(in: box) { Hub() }
            registerAwaited(in: box) { Spoke() }
            registerAwaited(in: box) { Database() }
            async let hub: Hub = box.prepare()
            async let spoke: Spoke = box.prepare()
            let (one, other) = try await (hub, spoke)
            #expect(one.spoke === other && other.hub === one)
        }
    }

    @Test("are known by what they were, and by what they are registered as")
    func lookUps() async throws {
        box.register(FileStore() as any Store, as: "store")
        box.register(as: "page") { (_, number: Int) in Page(number: number) }
        final class Screen {
            @Injected var store: FileStore?
            @Injected var page: ServiceParametersProvider<Page, Int>?
        }
        await box.stop()
        #expect(throws: ServiceBoxError.self) { try box.resolve(FileStore.self) }
        #expect(box.failure(of: ServiceKey<FileStore>("store"))?.code == .stopped)
        #expect(throws: ServiceBoxError.self) { try box.resolveAll(FileStore.self) }
        #expect(throws: ServiceBoxError.self) { try box.resolveAll((any Store).self) }
        #expect(box.plan(for: Screen()).holes.map(\.outcome) == [.failed, .failed])
        #expect(box.fill(Screen()).holes.map(\.outcome) == [.failed, .failed])
    }

    @Test("are refused when what had replaced them is removed")
    func replaced() async throws {
        box.register(1, as: "number")
        let newest = box.register(2, as: "number")
        await box.stop()
        newest.remove()
        #expect(box.failure(of: ServiceKey<Int>("number"))?.code == .stopped)
    }

    @Test("are refused in a child that decorates what it inherits, whether it was looked up before or not")
    func decorated() async throws {
        box.register(1, as: "number")
        let child = box.makeChild(name: "child")
        child.decorate(ServiceKey<Int>("number")) { number, _ in number + 1 }
        await child.stop()
        #expect(child.failure(of: ServiceKey<Int>("number"))?.code == .stopped)
        #expect(try box.resolve(ServiceKey<Int>("number")) == 1)
    }

    @Test("are refused in a child's plan that decorates them, as in its fill")
    func plannedWrapper() async throws {
        final class Screen { @Injected var cache: Cache? }
        box.register { _ in Cache() }
        _ = try box.resolve(Cache.self)
        let child = box.makeChild()
        child.decorate(ServiceKey<Cache>("cache")) { cache, _ in cache }
        await box.stop()
        #expect(child.plan(for: Screen()).holes.map(\.outcome) == [.failed])
        #expect(child.fill(Screen()).holes.map(\.outcome) == [.failed])
    }

    @Test("fit no type if they were made from parameters")
    func parameters() async {
        let store = FileStore()
        box.register(store)
        box.register(as: "made") { (_, number: Int) in FileStore() }
        #expect((try? box.resolve((any Store).self)) as? FileStore === store)
        await box.stop()
        let error = #expect(throws: ServiceBoxError.self) { try box.resolve((any Store).self) }
        #expect(error?.code == .stopped)
        let mismatch = #expect(throws: ServiceBoxError.self) {
            try box.provider("made" as ServiceKey<FileStore>)
        }
        #expect(mismatch?.code == .typeMismatch)
    }

    @Test("have one after the other that was created in the stop before stop it in turn")
    func createdInStops() async throws {
        final class Part: LifePart, @unchecked Sendable {
            let box: ServiceBox
            let next: ServiceKey<Part>?

            init(_ name: String, _ journal: Journal, _ box: ServiceBox, next: ServiceKey<Part>?) {
                (self.box, self.next) = (box, next)
                super.init(name, journal)
            }

            override func stop() async throws {
                try await super.stop()
                if let next { _ = try box.resolve(next) }
            }
        }
        for (name, next) in [("a", "b"), ("b", "c"), ("c", "d"), ("d", nil)] {
            box.register(as: ServiceKey<Part>(name)) { [journal] box in
                Part(name, journal, box, next: next.map { ServiceKey($0) })
            }
        }
        _ = try box["a"] as Part
        #expect(await box.stop().isEmpty)
        #expect(journal.all == ["stop a", "stop b", "stop c", "stop d"])
    }

    @Test("leave no running box behind when what has come while it started fails")
    func failingLate() async throws {
        final class First: LifePart, @unchecked Sendable {
            @Injected var serviceBox: ServiceBox?

            override func start() async throws {
                let late = LifePart("late", journal)
                late.startError = Broken()
                serviceBox?.register(late, as: "late")
            }
        }
        box.register(First("first", journal), as: "first")
        let error = await failure { [box] in try await box.start() }
        #expect((error as? ServiceBoxError)?.code == .startFailed)
        box.register(as: "other") { [journal] _ in LifePart("other", journal) }
        _ = try await box.prepare("other") as LifePart
        #expect(!journal.all.contains("start other"))
    }

    @Test("are refused by type, too, also if they were looked up by it before")
    func byType() async throws {
        box.register(FileStore())
        box.register { _ in Cache() }
        _ = try (box.resolve(FileStore.self), box.resolve(Cache.self))
        await box.stop()
        for _ in 1...2 {
            let error = #expect(throws: ServiceBoxError.self) { try box.resolve(FileStore.self) }
            let other = #expect(throws: ServiceBoxError.self) { try box.resolve(Cache.self) }
            #expect(error?.code == .stopped && other?.code == .stopped)
        }
    }

    @Test("are stopped with the box that has its own, inside a decoration of its parent, too")
    func insideDecoration() async throws {
        final class Cover: LifePart, @unchecked Sendable {
            let inner: LifePart
            init(_ inner: LifePart, _ journal: Journal) {
                self.inner = inner
                super.init("cover", journal)
            }
        }
        let key = ServiceKey<LifePart>("part")
        box.register(as: key, per: .box) { [journal] _ in LifePart("inner", journal) }
        box.decorate(key) { [journal] part, _ in Cover(part, journal) }
        let child = box.makeChild(name: "child")
        _ = try child[key]
        await child.stop()
        #expect(journal.all == ["stop cover", "stop inner"])
    }

    @Test("are refused at once, here and in copies, while others that still stop look each other up")
    func amongOthers() async throws {
        final class Screen { @Injected var cache: Cache? }
        let cache = ServiceKey<Cache>("cache")
        let provider = Locked<ServiceProvider<Cache>?>(nil)
        let copy = Locked<ServiceBox?>(nil)
        let look = { @Sendable [box, journal] (name: String) in
            let fill = box.fill(Screen())
            provider.withLock { $0 }?.reset()
            let failures = [
                box.failure(of: cache), copy.withLock { $0 }?.failure(of: cache),
                fill.properties.first?.error, provider.withLock { $0 }.flatMap(failure),
                box.failure(of: "clock" as ServiceKey<Clock>),
            ]
            journal.add("\(name): \(failures.map { $0.map { "\($0.code)" } ?? "found" })")
        }
        box.register(onStop: { _ in look("clock") }) { _ in Clock() }
        box.register(as: cache, onStop: { _ in look("cache") }) { _ in Cache() }
        _ = try (box.resolve(Clock.self), box[cache])
        copy.withLock { $0 = box.copy() }
        provider.withLock { $0 = try? box.provider(cache) }
        await box.stop()
        #expect(
            journal.all == [
                #"cache: ["found", "found", "found", "found", "found"]"#,
                #"clock: ["stopped", "stopped", "stopped", "stopped", "found"]"#,
            ])
    }

    @Test("lets go of what its decorations keep")
    func decorationsLetGo() async {
        let box = ServiceBox()
        weak var kept: Clock?
        do {
            let clock = Clock()
            kept = clock
            box.decorate(ServiceKey<Page>("page")) { page, _ in withExtendedLifetime(clock) { page } }
        }
        #expect(kept != nil)
        await box.stop()
        #expect(kept == nil)
    }
}
