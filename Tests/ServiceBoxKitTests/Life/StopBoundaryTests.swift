// Part of ServiceBox, released under the MIT License.
// Tests of what comes at the moment when a box starts or stops.

import Foundation
import Testing

@testable import ServiceBoxKit

/// Waits at gates until it starts and stops, if it has them.
private final class Waiting: LifePart, @unchecked Sendable {
    private let (starting, stopping): (Gate?, Gate?)

    init(_ name: String, _ journal: Journal, starting: Gate? = nil, stopping: Gate? = nil) {
        (self.starting, self.stopping) = (starting, stopping)
        super.init(name, journal)
    }

    override func start() async throws {
        await starting?.pass()
        try await super.start()
    }

    override func stop() async throws {
        await stopping?.pass()
        try await super.stop()
    }
}

/// Isn't known to start before it is created.
private protocol Plain: Sendable {}
extension LifePart: Plain {}

@Suite("At the moment when a box")
struct StopBoundaryTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()

    @Test("is stopped by a service of its child's child, it stops after all of that", .neverHanging)
    func fromBelow() async {
        box.register(LifePart("database", journal))
        let grandchild = box.makeChild(name: "child").makeChild(name: "grandchild")
        grandchild.register(LifePart("user", journal), as: "user")
        grandchild.register(Cache(), as: "cache") { [box, journal] _ in
            await box.stop()
            journal.add("stop cache")
        }
        await grandchild.stop()
        await box.stop()
        #expect(journal.all == ["stop cache", "stop user", "stop database"])
    }

    @Test(
        "is stopped, perhaps after a start, services that nobody has used get no supplier",
        arguments: [false, true])
    func unused(_ isStarted: Bool) async throws {
        box.register(Clock())
        box.register { _ in Cache() }
        let services = try ["clock", "cache"].map { try #require(box.registry.own($0)) }
        if isStarted { try await box.start() }
        await box.stop()
        #expect(services.allSatisfy { $0.knownSupplier == nil })
    }

    @Test("is stopped by a factory that it awaits, it ends what that creates", .neverHanging)
    func fromFactory() async {
        box.register(as: "cache", onStop: { [journal] _ in journal.add("end") }) { box in
            await box.stop()
            return Cache()
        }
        let error = await failure { [box] in try await box.prepare("cache") as Cache } as? ServiceBoxError
        #expect(error?.code == .stopped)
        await box.stop()
        #expect(journal.all == ["end"])
    }

    @Test(
        "is stopped by a factory that a descendant awaits, that ends what it creates",
        .neverHanging, arguments: [ServiceScope.family, .box])
    func fromFactoryBelow(_ scope: ServiceScope) async {
        let child = box.makeChild(name: "child").makeChild(name: "grandchild")
        (scope == .box ? box : child).register(
            as: "cache", per: scope, onStop: { [journal] _ in journal.add("end") }
        ) { [box] _ in
            await box.stop()
            return Cache()
        }
        let error = await failure { try await child.prepare("cache") as Cache } as? ServiceBoxError
        #expect(error?.code == .stopped)
        await box.stop()
        #expect(journal.all == ["end"])
    }

    @Test("has stopped, a module that fails brings nothing back", .neverHanging)
    func module() async {
        box.register(Cache(), as: "cache", onStop: { [journal] _ in journal.add("end") })
        box.decorate("cache" as ServiceKey<Cache>) { cache, _ in cache }
        let (registers, stopped) = (Gate(), Signal())
        let module = InterruptedModule { box in
            box.register(Cache(), as: "cache")
            registers.open()
            stopped.wait()
        }
        async let added: Void = withCheckedContinuation { [box] done in
            Thread {
                try? box.add(module)
                done.resume()
            }.start()
        }
        await registers.pass()
        await box.stop()
        stopped.send()
        await added
        #expect(box.failure(of: "cache" as ServiceKey<Cache>)?.code == .stopped)
        #expect(box.makeChild(name: "child").failure(of: "cache" as ServiceKey<Cache>)?.code == .stopped)
        // What is registered from then on is its own.
        box.register(Cache(), as: "other")
        try? box.add(InterruptedModule { $0.remove("other") })
        #expect(box.failure(of: "other" as ServiceKey<Cache>) == nil)
        #expect(journal.all == ["end"])
    }

    @Test("has stopped, no factory runs that would create a service for it to end")
    func factories() async throws {
        box.register(as: "cache") { [journal] _ in
            journal.add("cache")
            return Cache()
        }
        box.register(as: "clock") { [journal] _ async in
            journal.add("clock")
            return Clock()
        }
        box.register(as: "page", lifetime: .transient) { _ in Page() }
        let cache = try box.provider("cache" as ServiceKey<Cache>)
        // As `prepare` has it when it has looked the service up.
        let clock = try #require(box.registry.registration(named: "clock")).supplier
        let page = try box.provider("page" as ServiceKey<Page>)
        box.register(as: "replaced") { [journal] _ in
            journal.add("replaced")
            return Cache()
        }
        let replaced = try box.provider("replaced" as ServiceKey<Cache>)
        box.register(Cache(), as: "replaced")
        box.register(as: "wrapped") { [journal] _ in
            journal.add("wrapped")
            return Cache()
        }
        let bare = try box.provider("wrapped" as ServiceKey<Cache>)
        box.decorate("wrapped" as ServiceKey<Cache>) { cache, _ in cache }
        let wrapped = try box.provider("wrapped" as ServiceKey<Cache>)
        await box.stop()
        for provider in [replaced, bare, wrapped] {
            #expect(#expect(throws: ServiceBoxError.self) { try provider.resolve() }?.code == .stopped)
        }
        #expect(#expect(throws: ServiceBoxError.self) { try cache.resolve() }?.code == .stopped)
        #expect((await failure { try await clock.prepare() } as? ServiceBoxError)?.code == .stopped)
        #expect(journal.all.isEmpty)
        // Nobody ends what is transient.
        #expect(throws: Never.self) { try page.resolve() }
        // Nor is what is registered from then on refused.
        box.register(as: "cache") { _ in Cache() }
        #expect(throws: Never.self) { try box.resolve("cache" as ServiceKey<Cache>) }
    }

    @Test("stops, what is registered either ends with it or lives on", .neverHanging)
    func registering() async {
        for round in 0..<Sanitizer.rounds(60) {
            let (box, ended) = (ServiceBox(), Counter())
            for number in 0..<200 { box.register(number, as: ServiceKey("number\(number)")) }
            _ = try? box.resolve("number1" as ServiceKey<Int>)
            async let stop = box.stop()
            for _ in 0..<round { await Task.yield() }
            box.register("text", as: "text", onStop: { _ in ended.next() })
            _ = await stop
            let isRefused = box.failure(of: "text" as ServiceKey<String>) != nil
            #expect(ended.value == (isRefused ? 1 : 0))
        }
    }

    @Test("starts, what is prepared starts with it", .neverHanging)
    func starting() async throws {
        let gate = Gate()
        box.register(Waiting("waiting", journal, starting: gate), as: "waiting")
        box.register(as: "late") { [journal] _ -> any Plain in LifePart("late", journal) }
        async let start: Void = box.start()
        await gate.arrivals()
        let late = try await box.prepare("late" as ServiceKey<any Plain>)
        gate.open()
        try await start
        #expect(journal.all == ["start waiting", "start late"])
        await box.stop()
        withExtendedLifetime(late) {}
    }

    @Test("starts again in vain, it goes on running", .neverHanging)
    func startingAgain() async throws {
        box.register(LifePart("good", journal), as: "good")
        try await box.start()
        let bad = LifePart("bad", journal)
        bad.startError = Broken()
        box.register(bad, as: "bad")
        #expect((await failure { try await box.start() } as? ServiceBoxError)?.code == .startFailed)
        box.register(as: "late") { [journal] _ -> any Plain in LifePart("late", journal) }
        let late = try await box.prepare("late" as ServiceKey<any Plain>)
        #expect(journal.all == ["start good", "start late"])
        withExtendedLifetime(late) {}
    }

    @Test("starts in vain, what had come meanwhile is stopped again", .neverHanging)
    func failing() async throws {
        let gate = Gate()
        let waiting = Waiting("waiting", journal, starting: gate)
        box.register(waiting, as: "waiting")
        box.register(as: "late") { [journal] _ -> any Plain in
            let late = LifePart("late", journal)
            late.startError = Broken()
            return late
        }
        let start = Task { [box] in try await box.start() }
        await gate.arrivals()
        let late = try await box.prepare("late" as ServiceKey<any Plain>)
        gate.open()
        #expect((await failure { try await start.value } as? ServiceBoxError)?.code == .startFailed)
        #expect(journal.take() == ["start waiting", "stop waiting"])
        (late as? LifePart)?.startError = nil
        try await box.start()
        #expect(Set(journal.all) == ["start waiting", "start late"])
    }

    @Test("runs, what is created for somebody starts with what is in it and what it needs")
    func lateNeeds() async throws {
        try await box.start()
        box.register(as: "inner") { [journal] _ -> any Plain in LifePart("inner", journal) }
        box.decorate("inner") { (inner: any Plain, _) -> any Plain in Wrapper(inner) }
        box.register(as: "needed") { [journal] _ in LifePart("needed", journal) }
        box.register { _ in Needing() }
        _ = try await box.prepare("inner" as ServiceKey<any Plain>)
        _ = try await box.prepare(Needing.self)
        #expect(journal.take() == ["start inner", "start needed"])
        await box.stop()
        #expect(Set(journal.all) == ["stop inner", "stop needed"])
    }

    /// Has a late start fail, and what had been started for it wait at a gate while it is stopped again.
    private func failLate(_ gate: Gate) async throws -> Task<LifePart, any Error> {
        try await box.start()
        box.register(as: "below") { [journal] _ in LifePart("below", journal) }
        box.register(as: "middle") { [journal] box -> LifePart in
            _ = try box["below"] as LifePart
            return Waiting("middle", journal, stopping: gate)
        }
        box.register(as: "top") { [journal] box in
            _ = try box["middle"] as LifePart
            let top = LifePart("top", journal)
            top.startError = Broken()
            return top
        }
        let preparing = Task { [box] in try await box.prepare("top" as ServiceKey<LifePart>) }
        await gate.arrivals()
        return preparing
    }

    @Test("stops while a late start is taken back, it waits for that, and nothing stops twice", .neverHanging)
    func stopWhileTakenBack() async throws {
        let gate = Gate()
        let preparing = try await failLate(gate)
        let stopping = Task { [box] in await box.stop() }
        while box.knownLife?.isStopping != true { await Task.yield() }
        gate.open()
        #expect(await stopping.value.isEmpty)
        _ = await failure { try await preparing.value }
        #expect(journal.all == ["start below", "start middle", "stop middle", "stop below"])
    }

    @Test("runs, what is stopped since another couldn't start is started for who asks next", .neverHanging)
    func prepareWhileTakenBack() async throws {
        let gate = Gate()
        let preparing = try await failLate(gate)
        let again = Task { [box] in try await box.prepare("middle" as ServiceKey<LifePart>) }
        gate.open()
        _ = await failure { try await preparing.value }
        _ = try await again.value
        let middle = journal.all.filter { $0.hasSuffix("middle") }
        #expect(middle == ["start middle", "stop middle", "start middle"])
    }

    @Test("stops, what needs another by way of a transient service stops before that")
    func needThroughTransient() async throws {
        box.register(as: "user") { [journal] _ in User("user", journal) }
        _ = try box["user"] as User
        box.register(as: "way", lifetime: .transient) { _ in Way() }
        box.register(as: "used") { [journal] _ in LifePart("used", journal) }
        try await box.start()
        await box.stop()
        #expect(journal.all == ["start used", "start user", "stop user", "stop used"])
    }
}

private final class Wrapper: Plain {
    let inner: any Plain

    init(_ inner: any Plain) { self.inner = inner }
}

private final class Needing: @unchecked Sendable {
    @Injected var needed: LifePart
}

private final class User: LifePart, @unchecked Sendable {
    @Injected var way: Way?
}

private final class Way: @unchecked Sendable {
    @Injected var used: LifePart
}
