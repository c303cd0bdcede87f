// Part of ServiceBox, released under the MIT License.
// Starting, stopping and preparing while another of them is under way.

import Testing

@testable import ServiceBoxKit

@globalActor private actor Elsewhere { static let shared = Elsewhere() }

private final class First: Sendable {}
private final class Second: Sendable {}
private final class Third: Sendable {}

private final class Inner: @unchecked Sendable {
    @Injected var second: Second
}

private final class Outer: @unchecked Sendable {
    @Injected var first: First
    @Injected var inner: Inner
    @Injected var third: Third
}

private final class Bell: ServiceLifecycle, @unchecked Sendable {
    let journal: Journal
    var cache: Cache?

    init(_ journal: Journal) {
        self.journal = journal
    }

    func start() { journal.add("start") }
    func stop() { journal.add("stop") }
}

private final class Sign: Sendable, Injectable {
    static var injections: InjectionTable {
        ["text": .setter(optional: true) { @MainActor (_: Sign, _: String) in }]
    }
}

@Suite("A life, in between")
struct LifeInBetweenTests {
    private let box = ServiceBox()
    private let gate = Gate()
    private let journal = Journal()

    @Test("throws from a start that a stop has overtaken, even if all services started")
    func overtaken() async {
        let late = Doer(start: { [gate] in await gate.pass() })
        box.register(Doer(start: { [box] in box.register(late, as: "late") }), as: "first")
        let start = Task { [box] in try await box.start() }
        await gate.arrivals()
        await box.stop()
        #expect(await failure { try await start.value } is CancellationError)
    }

    @Test(
        "throws from a start that a stop has overtaken, even if the box has nothing to start", .neverHanging)
    @MainActor func overtakenEmpty() async {
        // Something is left to be filled on the main actor, which this doesn't leave before the box is stopping.
        let child = onThread { [box] in
            box.register(Sign(), as: "sign")
            box.register("text", as: "text")
            box.crossFill()
            return box.makeChild()
        }
        guard let child else { return }
        let start = Task.detached { try await child.start() }
        while !child.life.starting.isBeingDone { CurrentThread.yield() }
        // So that it has come to where it waits for the main actor; stopped before, it throws anyway.
        for _ in 0..<1000 { CurrentThread.yield() }
        let stop = Task.detached { await child.stop() }
        while !child.isStopping { CurrentThread.yield() }
        #expect(await failure { try await start.value } != nil)
        _ = await stop.value
    }

    @Test("ends a service once, though a stop that had nothing to await forgets what has ended")
    func forgottenMeanwhile() async {
        box.register(
            Clock(),
            onStop: { [gate, journal] (_: Clock) in
                journal.add("clock")
                await gate.pass()
            })
        let stop = Task { [box] in await box.stop() }
        await gate.arrivals()
        box.life.forgetServices(isAwaited: false)
        gate.open()
        _ = await stop.value
        #expect(journal.all == ["clock"])
    }

    @Test("lists no child that comes when its parent has begun to stop")
    func enrolledLate() {
        let child = box.makeChild()
        #expect(box.life.enrol(child.registry.weakBox))
        _ = box.life.noteStopping()
        #expect(!box.life.enrol(child.registry.weakBox))
    }

    @Test("stops what a service takes after it, though its creation began when others stopped", .neverHanging)
    func begunAmidEnds() async throws {
        gate.open()
        box.register(onStop: { [journal] (_: First) in journal.add("first") }) { _ in First() }
        box.register(onStop: { [journal] (_: Second) in journal.add("second") }) { [journal, gate] box in
            _ = try await box.prepare(First.self)
            await gate.pass()
            // Is cancelled, and takes its time.
            for _ in 0..<1000 where journal.all.count < 2 { await Task.yield() }
            return Second()
        }
        box.register(
            onStop: { [box, gate, journal] (_: Third) in
                Task { try await box.prepare(Second.self) }
                await gate.arrivals()
                journal.add("third")
            }
        ) { _ in Third() }
        _ = (try box.resolve(First.self), try box.resolve(Third.self))
        await box.stop()
        #expect(journal.all == ["third", "second", "first"])
    }

    @Test(
        "stops what a service takes after it, though its creation began when the stop waited for another",
        .neverHanging)
    func begunAmidStop() async throws {
        box.register(onStop: { [journal] (_: First) in journal.add("first") }) { _ in First() }
        box.register(onStop: { [journal] (_: Second) in journal.add("second") }) { [journal] box in
            _ = try await box.prepare(First.self)
            // Is cancelled, and takes its time.
            for _ in 0..<1000 where journal.all.isEmpty { await Task.yield() }
            return Second()
        }
        box.register { [gate] box in
            await gate.pass()
            _ = try await box.prepare(Second.self)
            return Third()
        }
        let third = Task { [box] in try await box.prepare(Third.self) }
        _ = try box.resolve(First.self)
        await gate.arrivals()
        await box.stop()
        _ = await third.result
        #expect(journal.all == ["second", "first"])
    }

    @Test(
        "lets what a factory that the stop waited for has begun to create take what it needs", .neverHanging)
    func begunAtItsEnd() async throws {
        let hasBegun = Gate()
        box.register { _ in First() }
        box.register(onStop: { [journal] (_: Second) in journal.add("second") }) { box in
            hasBegun.open()
            // Until the stop cancels it.
            await Gate().pass()
            _ = try box.resolve(First.self)
            return Second()
        }
        box.register { [gate] box in
            await gate.pass()
            Task { try await box.prepare(Second.self) }
            await Task.detached { await hasBegun.pass() }.value
            return Third()
        }
        let third = Task { [box] in try await box.prepare(Third.self) }
        await gate.arrivals()
        await box.stop()
        _ = await third.result
        #expect(journal.all == ["second"])
    }

    @Test("doesn't start again what a failed start is stopping, if the box stops meanwhile", .neverHanging)
    func stoppedAgain() async throws {
        try await box.start()
        let (start, stop) = (Counter(), gate)
        box.register(
            Doer(
                start: { start.next() },
                stop: { await Task.detached { await stop.pass() }.value }), as: "slow")
        box.register(as: "failing") { box in
            let _: Doer = try box.resolve("slow")
            return Doer(start: { throw Broken() })
        }
        box.register(as: "other") { [journal] box in
            let _: Doer = try box.resolve("slow")
            return LifePart("other", journal)
        }
        let failing = Task { [box] in try await box.prepare("failing") as Doer }
        await gate.arrivals()
        let other = Task { [box] in try await box.prepare("other") as LifePart }
        // Waits for the end of what is stopping, if it has come so far by then.
        for _ in 1...100 { await Task.yield() }
        let end = Task { [box] in await box.stop() }
        while !box.life.isStopping { await Task.yield() }
        gate.open()
        _ = (await failing.result, await other.result, await end.value)
        #expect(start.value == 1)
        #expect(!journal.all.contains("start other"))
    }

    @Test("cancels the stop of a service once the time is up, though the box was starting")
    func lateStop() async throws {
        box.register(
            Doer(
                start: { [journal] in journal.add("start") },
                stop: { [journal] in
                    await Gate().pass()
                    journal.add("cancelled")
                }), as: "slow")
        box.register(as: "hanging", lifetime: .eager) { [gate] box in
            let _: Doer = try box.resolve("slow")
            return Doer(start: {
                await gate.pass()
                try Task.checkCancellation()
            })
        }
        let start = Task { [box] in try await box.start() }
        await gate.arrivals()
        let errors = await box.stop(within: .zero)
        #expect(errors.contains { $0.code == .stopTimedOut })
        await box.stop()
        #expect(journal.all == ["start", "cancelled"])
        _ = await failure { try await start.value }
    }

    @Test("stops what it has started, though that has come to lack something")
    func lacking() async throws {
        box.register(Bell(journal), as: "bell")
        try await box.start()
        box.teach(Bell.self, ["cache": .setter { (bell: Bell, cache: Cache) in bell.cache = cache }])
        box.register(Clock())
        _ = try box.resolve(Clock.self)
        await box.stop()
        #expect(journal.all == ["start", "stop"])
    }

    @Test("starts a service again when its stop has ended")
    func again() async throws {
        try await box.start()
        box.register(as: "part") { [journal, gate] _ in
            Doer(
                start: { journal.add("start") },
                stop: {
                    journal.add("stop")
                    await gate.pass()
                    journal.add("stopped")
                })
        }
        box.register(as: "broken") { box in
            let _: Doer = try box.resolve("part")
            return Doer(start: { throw Broken() })
        }
        let first = Task { [box] in let _: Doer = try await box.prepare("broken") }
        await gate.arrivals()
        let second = Task { [box] in let _: Doer = try await box.prepare("part") }
        for _ in 0..<1000 { await Task.yield() }
        gate.open()
        _ = await failure { try await first.value }
        try await second.value
        #expect(journal.all == ["start", "stop", "stopped", "start"])
        await box.stop()
    }

    @Test("refuses a service whose start has stopped the box")
    func stoppedByService() async throws {
        try await box.start()
        box.register(as: "part") { [box] _ in Doer(start: { await box.stop() }) }
        let error = await failure { let _: Doer = try await box.prepare("part") }
        #expect((error as? ServiceBoxError)?.code == .stopped)
    }

    @Test("forgets children that are gone")
    func children() async throws {
        for _ in 0..<Sanitizer.rounds(300) { try await box.makeChild().start() }
        #expect(box.life.state.withLock { $0.children.count } < 130)
    }

    @Test("runs an asynchronous factory once for two that wait for other things too")
    func sharedFactory() async throws {
        let (second, third, runs) = (Gate(), Gate(), Counter())
        box.register(as: "first") { [gate] _ in
            await gate.pass()
            return First()
        }
        box.register(as: "second") { _ in
            await second.pass()
            return Second()
        }
        box.register(as: "third") { _ in
            await third.pass()
            return Third()
        }
        box.register(as: "inner") { _ in
            await Task.yield()
            runs.next()
            return Inner()
        }
        box.register(as: "outer") { _ in Outer() }
        let outer = Task { [box] in let _: Outer = try await box.prepare("outer") }
        await gate.arrivals()
        let inner = Task { [box] in let _: Inner = try await box.prepare("inner") }
        await second.arrivals()
        gate.open()
        await third.arrivals()
        third.open()
        second.open()
        try await outer.value
        try await inner.value
        #expect(runs.value == 1)
    }

    @Test("starts nothing that is prepared after a start has failed with what was registered meanwhile")
    func failedLate() async throws {
        let late = Doer(start: { throw Broken() })
        box.register(Doer(start: { [box] in box.register(late, as: "late") }), as: "first")
        let error = await failure { try await box.start() }
        #expect((error as? ServiceBoxError)?.code == .startFailed)
        box.register(as: "part") { [journal] _ in LifePart("part", journal) }
        _ = try await box.prepare("part") as LifePart
        #expect(journal.all.isEmpty)
    }

    @Test("creates nothing again for what needs two actors at once")
    func twoActors() async {
        let runs = Counter()
        box.register(as: "clock", lifetime: .transient) { @MainActor _ in
            runs.next()
            return Clock()
        }
        box.register(as: "cache", lifetime: .transient) { @Elsewhere _ in Cache() }
        box.register(as: "page") { box in
            let _: Clock = try box.resolve("clock")
            let _: Cache = try box.resolve("cache")
            return Page()
        }
        let error = await failure { let _: Page = try await box.prepare("page") }
        #expect((error as? ServiceBoxError)?.code == .wrongIsolation)
        #expect(runs.value == 1)
    }
}
