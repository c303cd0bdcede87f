// Part of ServiceBox, released under the MIT License.
// Services that come late, and boxes that are about to stop.

import Testing

@testable import ServiceBoxKit

/// Work that goes on when it is cancelled.
private final class Stubborn: Sendable {
    let (hasBegun, isCancelled, end) = (Gate(), Gate(), Gate())

    func work() async {
        hasBegun.open()
        // It is never opened, so this waits until the task is cancelled.
        await Gate().pass()
        isCancelled.open()
        await Task.detached { [end] in await end.pass() }.value
    }
}

private protocol Unit: Sendable {}
private final class Motor: LifePart, Unit, @unchecked Sendable {}
private struct Shell: Unit { let unit: any Unit }

@Suite("Services at the edge of their box's life", .neverHanging)
struct LifeBoundsTests {
    private let box = ServiceBox()
    private let journal = Journal()

    /// Prepares one of the services named below.
    private func prepare(_ key: ServiceKey<Doer>) async throws -> Doer { try await box.prepare(key) }

    // MARK: Starting late

    /// Registers a service that waits while it starts, and one that needs it.
    private func registerTwo(waitingAt gate: Gate) {
        box.register(as: "first", lifetime: .eager) { _ in Doer(start: { await gate.pass() }) }
        box.register(as: "second", lifetime: .eager) { [journal] box in
            let _: Doer = try box["first"]
            return Doer(start: { journal.add("start") })
        }
    }

    @Test("aren't started any more when the box stops while what they need starts", arguments: [true, false])
    func stopsInBetween(isLate: Bool) async throws {
        let gate = Gate()
        if isLate { try await box.start() }
        registerTwo(waitingAt: gate)
        async let error = failure {
            if isLate { _ = try await prepare("second") } else { try await box.start() }
        }
        await gate.arrivals()
        await box.stop()
        let thrown = await error
        #expect(isLate ? (thrown as? ServiceBoxError)?.code == .stopped : thrown is CancellationError)
        #expect(journal.all == [])
    }

    @Test("that fail while their start is cancelled are named with their error")
    func failsCancelled() async {
        let gate = Gate()
        box.register(
            Doer(start: {
                await gate.pass()
                throw Broken()
            }), as: "deed")
        let start = Task { await failure { [box] in try await box.start() } }
        await gate.arrivals()
        start.cancel()
        #expect((await start.value as? ServiceBoxError)?.code == .startFailed)
    }

    @Test("run what they were given as their end when their box stops, not when its start fails")
    func endAfterFailure() async {
        box.register(
            LifePart("part", journal), as: "part", onStop: { [journal] (_: LifePart) in journal.add("end") })
        box.register(as: "bad", lifetime: .eager) { box in
            let _: LifePart = try box["part"]
            return Doer(start: { throw Broken() })
        }
        let error = await failure { [box] in try await box.start() }
        #expect(error != nil)
        #expect(journal.take() == ["start part", "stop part"])
        await box.stop()
        #expect(journal.take() == ["end"])
    }

    @Test("fill a property when the box starts that they couldn't be created for before")
    func retried() async throws {
        final class Holder: @unchecked Sendable { @Injected var cache: Cache? }
        let isBroken = Locked(true)
        let holder = Holder()
        box.register(holder)
        box.register(as: "cache") { _ in
            if isBroken.withLock({ $0 }) { throw Broken() }
            return Cache()
        }
        _ = try box.resolve(ServiceKey<Holder>("holder"))
        #expect(holder.cache == nil)
        isBroken.withLock { $0 = false }
        try await box.start()
        #expect(holder.cache != nil)
    }

    @Test("start again when they have stopped because one that needs them failed to start")
    func startsAgain() async throws {
        let isStopping = Gate()
        try await box.start()
        box.register(as: "base") { [journal] _ in
            Doer(
                start: { journal.add("start") },
                stop: {
                    isStopping.open()
                    for _ in 1...50 { await Task.yield() }
                    journal.add("stop")
                })
        }
        for (name, error) in [("bad", Broken()), ("good", nil)] as [(String, Broken?)] {
            box.register(as: ServiceKey(name)) { box in
                let _: Doer = try box["base"]
                return Doer(start: { if let error { throw error } })
            }
        }
        async let bad = failure { try await prepare("bad") }
        await isStopping.pass()
        _ = try await prepare("good")
        #expect(await bad != nil)
        #expect(journal.all == ["start", "stop", "start"])
    }

    @Test("are forgotten when they are gone, however many come")
    func forgotten() async throws {
        try await box.start()
        box.register(as: "weak", lifetime: .weak) { _ in Doer() }
        for _ in 0..<Sanitizer.rounds(300) { _ = try await prepare("weak") }
        #expect(box.life.state.withLock { $0.records.count } < 130)
    }

    @Test("aren't created by a start if they are transient, though they must be awaited")
    func transient() async throws {
        let makes = Counter()
        box.register(as: "page", lifetime: .transient) { _ in
            await Task.yield()
            return Page(number: makes.next())
        }
        try await box.start()
        #expect(makes.value == 0)
    }

    @Test("are created once if that fails, where nothing has to be awaited")
    func failsOnce() async {
        let makes = Counter()
        box.register(as: "deed") { _ -> Doer in
            makes.next()
            throw Broken()
        }
        let error = await failure { try await prepare("deed") }
        #expect(error != nil)
        #expect(makes.value == 1)
    }

    @Test("are awaited again after a reset, also if they couldn't be created from what was awaited")
    func awaitedAgain() async throws {
        final class Needy: @unchecked Sendable { @Injected var clock: Clock }
        let makes = Counter()
        box.register(as: "needy") { _ in
            await Task.yield()
            makes.next()
            return Needy()
        }
        box.register(as: "deed") { box in
            let _: Needy = try box["needy"]
            return Doer()
        }
        let error = await failure { try await prepare("deed") }
        #expect(error != nil)
        try box.provider(ServiceKey<Needy>("needy")).reset()
        box.register(Clock())
        _ = try await prepare("deed")
        #expect(makes.value == 2)
    }

    @Test("are given up with their own box while they wait for a service of its parent")
    func givenUpInChild() async throws {
        final class Visitor: @unchecked Sendable { @Injected var host: Clock }
        let (isAwaited, gate) = (Gate(), Gate())
        box.register(as: "host") { _ in
            isAwaited.open()
            await gate.pass()
            return Clock()
        }
        let child = box.makeChild()
        child.register(as: "visitor") { _ in
            await Task.yield()
            return Visitor()
        }
        async let visitor = failure { try await child.prepare(ServiceKey<Visitor>("visitor")) }
        await isAwaited.pass()
        await child.stop()
        let error = await visitor as? ServiceBoxError
        #expect(error?.code == .stopped)
    }

    @Test("are given up if they forget each time what was awaited for them")
    func forgetful() async {
        box.register(as: "cache") { _ in
            await Task.yield()
            return Cache()
        }
        box.register(as: "deed") { box in
            try box.provider(ServiceKey<Cache>("cache")).reset()
            let _: Cache = try box["cache"]
            return Doer()
        }
        let error = await failure { try await prepare("deed") } as? ServiceBoxError
        #expect(error?.root.code == .notReady)
    }

    // MARK: Stopping

    @Test("stop with their parent's box, also in what the child wraps around them")
    func wrappedInChild() async {
        let child = box.makeChild()
        child.decorate(ServiceKey<any Unit>("unit")) { unit, _ in Shell(unit: unit) }
        child.register(Motor("motor", journal), as: ServiceKey<any Unit>("unit"))
        await box.stop()
        #expect(journal.all == ["stop motor"])
    }

    @Test("that fail to stop in a child are among the errors of its parent's stop")
    func errorsOfChild() async {
        let (child, part) = (box.makeChild(), LifePart("part", journal))
        part.stopError = Broken()
        child.register(part)
        #expect(await box.stop().map(\.code) == [.stopFailed])
        // Those who ask later get the same answer.
        #expect(await box.stop().map(\.code) == [.stopFailed])
    }

    @Test("stop if they are weak, and the box has nothing else")
    func weakAlone() async throws {
        box.register(as: "cache", lifetime: .weak, onStop: { [journal] (_: Cache) in journal.add("stop") }) {
            _ in Cache()
        }
        let cache: Cache = try box["cache"]
        await box.stop()
        #expect(journal.all == ["stop"])
        withExtendedLifetime(cache) {}
    }

    @Test("that fail to stop with a child for one operation are its error, alone")
    func errorOfOperation() async {
        let part = LifePart("part", journal)
        part.stopError = Broken()
        let error = await failure { [box] in try await box.withChild { child in _ = child.register(part) } }
        #expect((error as? ServiceBoxError)?.underlying is Broken)
    }

    @Test("stop with an operation's child, though that has nothing to stop")
    func idleChild() async throws {
        try await box.withChild { child in
            child.register(as: "clock") { _ in Clock() }
            await box.stop()
            #expect(child.failure(of: ServiceKey<Clock>("clock"))?.code == .stopped)
        }
    }

    @Test("don't start in a child once its parent is stopping")
    func startOfChild() async throws {
        let (child, slow) = (box.makeChild(), Stubborn())
        child.register(LifePart("part", journal))
        box.register(Doer(start: { await slow.work() }), as: "slow")
        async let start = failure { try await box.start() }
        await slow.hasBegun.pass()
        async let stop = box.stop()
        await slow.isCancelled.pass()
        let refusal = await failure { try await child.start() } as? ServiceBoxError
        #expect(refusal?.code == .stopped)
        let paths = await box.stop(within: .zero).map(\.path)
        #expect(paths == [["slow"]])
        slow.end.open()
        #expect(await start is CancellationError)
        #expect(await stop == [])
        #expect(journal.all == ["stop part"])
    }

    @Test(
        "stop within any limit, however far off",
        arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .seconds(-1), .zero])
    func limits(limit: Duration) async {
        box.register(Doer(stop: { await Task.yield() }), as: "deed")
        await box.stop(within: limit)
        #expect(await box.stop() == [])
    }

    @Test("are named as not ended in time only if they have something to end, and once")
    func named() async throws {
        let isStopping = Gate()
        let slow = Stubborn()
        box.register(as: "gone", lifetime: .weak) { _ in Cache() }
        box.register(as: "clock") { _ in Clock() }
        box.register(as: "slow") { box in
            let _: Cache = try box["gone"]
            let _: Clock = try box["clock"]
            let _: LifePart = try box["base"]
            return Doer(stop: {
                isStopping.open()
                await slow.work()
            })
        }
        box.decorate(ServiceKey<Doer>("slow")) { slow, _ in slow }
        box.register(LifePart("base", journal), as: "base")
        _ = try box[ServiceKey<Doer>("slow")]
        async let stop = box.stop()
        await isStopping.pass()
        let paths = await box.stop(within: .zero).map(\.path)
        #expect(paths == [["slow", "base"]])
        slow.end.open()
        #expect(await stop == [])
    }

    @Test("are named first as not ended in time if they are still being created")
    func namedCreation() async throws {
        let slow = Stubborn()
        box.register(as: "slow") { _ in
            await slow.work()
            return Doer()
        }
        box.register(LifePart("part", journal), as: "part")
        async let creation = failure { try await prepare("slow") }
        await slow.hasBegun.pass()
        async let stop = box.stop()
        await slow.isCancelled.pass()
        let paths = await box.stop(within: .zero).map(\.path)
        #expect(paths == [["slow", "part"]])
        slow.end.open()
        #expect(await creation != nil)
        #expect(await stop == [])
    }
}
