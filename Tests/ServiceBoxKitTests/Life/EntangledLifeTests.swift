// Part of ServiceBox, released under the MIT License.
// Starting and stopping where services, tasks and boxes get in each other's way.

import ServiceBoxKit
import Testing

private final class Database: Sendable {}

private final class Clerk: @unchecked Sendable {
    @Injected var database: Database
}

@MainActor private final class Board: Sendable {}

/// Writes down whether it is filled when it starts.
private final class Server: ServiceLifecycle, @unchecked Sendable {
    @Injected var database: Database
    let journal: Journal

    init(_ journal: Journal) { self.journal = journal }

    func start() { journal.add($database.isFilled ? "filled" : "half-filled") }
}

private final class Desk: ServiceLifecycle, @unchecked Sendable {
    @Injected var board: Board
    let journal: Journal

    init(_ journal: Journal) { self.journal = journal }

    func start() { journal.add($board.isFilled ? "filled" : "half-filled") }
}

/// Whether an operation ends in some seconds; it goes on if it doesn't.
private func ends(_ operation: @escaping @Sendable () async throws -> Void) async -> Bool {
    let isOver = Locked(false)
    Task.detached {
        try? await operation()
        isOver.withLock { $0 = true }
    }
    for _ in 1...1_000_000 where !isOver.withLock({ $0 }) { await Task.yield() }
    return isOver.withLock { $0 }
}

@Suite("Starting and stopping, entangled")
struct EntangledLifeTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()

    // MARK: Half-filled

    @Test("starts no instance that lacks something")
    func halfFilled() async {
        box.register(Server(journal))
        let error = await failure { [box] in try await box.start() } as? ServiceBoxError
        #expect(journal.all == [])
        #expect(error?.code == .incomplete)
    }

    @Test("prepares for an instance what belongs to an actor")
    func halfFilledByActor() async throws {
        box.register(Desk(journal))
        box.register(as: "board") { @MainActor _ in Board() }
        try await box.start()
        #expect(journal.all == ["filled"])
    }

    @Test("starts what a property looks up when it is read before the property's owner")
    func onRead() async throws {
        final class Reader: LifePart, @unchecked Sendable {
            @Injected("needed", when: .read) var part: Doer
        }
        let journal = journal
        box.register(Reader("reader", journal), as: "reader")
        box.register(
            Doer(start: {
                for _ in 1...50 { await Task.yield() }
                journal.add("start needed")
            }), as: "needed")
        try await box.start()
        #expect(journal.all == ["start needed", "start reader"])
    }

    // MARK: Circles of stops, and limits

    @Test("may be stopped by a service of a child that stops, whoever stops first", arguments: [true, false])
    func stoppedByChild(isParentFirst: Bool) async throws {
        let child = box.makeChild(name: "child")
        child.register(Doer(stop: { [box] in await box.stop() }), as: "doer")
        try await child.start()
        let isOver: Bool = await ends { [box] in await (isParentFirst ? box : child).stop() }
        #expect(isOver)
    }

    @Test("says that a child hasn't ended in time, and cancels it", .neverHanging)
    func childTooSlow() async throws {
        let gate = Gate()
        let child = box.makeChild(name: "child")
        child.register(Doer(stop: { await gate.pass() }), as: "slow")
        try await child.start()
        let errors = await box.stop(within: .milliseconds(20))
        #expect(errors.map(\.code) == [.stopTimedOut])
        #expect(errors.first?.description.contains("Waiting") == false)
        let isOver: Bool = await ends { [box] in await box.stop() }
        #expect(isOver)
        gate.open()
    }

    @Test("says that a start hasn't ended in time", .neverHanging)
    func startTooSlow() async throws {
        let (isHeld, entered) = (Locked(true), Gate())
        box.register(
            Doer(start: {
                entered.open()
                while isHeld.withLock({ $0 }) { await Task.yield() }
            }), as: "slow")
        let start = Task { [box] in try await box.start() }
        await entered.pass()
        #expect(await box.stop(within: .milliseconds(20)).map(\.code) == [.stopTimedOut])
        isHeld.withLock { $0 = false }
        _ = await start.result
        await box.stop()
    }

    @Test("doesn't tell a service that stops its box that the time is over")
    func nestedLimit() async {
        let journal = journal
        box.register(
            Doer(stop: { [box] in
                for error in await box.stop(within: .seconds(60)) { journal.add("\(error.code)") }
            }), as: "doer")
        await box.stop()
        #expect(journal.all == [])
    }

    // MARK: Tasks that outlive what has begun them

    @Test("is stopped by a task that a service has begun when it started, which waits for that")
    func taskOfStart() async throws {
        let (gate, end, journal) = (Gate(), Gate(), journal)
        box.register(
            Doer(start: { [box] in
                Task {
                    await gate.pass()
                    await box.stop()
                    journal.add("stopped")
                    end.open()
                }
            }), as: "signals")
        box.register(
            Doer(stop: {
                for _ in 1...50 { await Task.yield() }
                journal.add("slow")
            }), as: "slow")
        try await box.start()
        gate.open()
        await end.pass()
        await box.stop()
        #expect(journal.all == ["slow", "stopped"])
    }

    @Test("is started again by a task that a service has begun when it started")
    func startOfTask() async throws {
        let (gate, end, journal) = (Gate(), Gate(), journal)
        box.register(
            Doer(start: { [box] in
                Task {
                    await gate.pass()
                    box.register(LifePart("late", journal), as: "late")
                    if let error = await failure(of: { try await box.start() }) { journal.add("\(error)") }
                    end.open()
                }
            }), as: "loop")
        try await box.start()
        gate.open()
        await end.pass()
        #expect(journal.all == ["start late"])
    }

    @Test("creates a transient service for a task that the factory of another one has begun")
    func taskOfFactory() async throws {
        let (gate, end, journal, count) = (Gate(), Gate(), journal, Counter())
        box.register(as: "database", lifetime: .transient) { box in
            if count.next() == 1 {
                Task {
                    await gate.pass()
                    let error = await failure { try await box.prepare("database") as Database }
                    if let error { journal.add("\(error)") }
                    end.open()
                }
            }
            await Task.yield()
            return Database()
        }
        _ = try await box.prepare("database") as Database
        gate.open()
        await end.pass()
        #expect(journal.all == [])
    }

    // MARK: What comes late

    @Test("starts what a factory awaits that comes when the box has started")
    func lateInFactory() async throws {
        let journal = journal
        try await box.start()
        box.register(as: "inner") { _ in
            await Task.yield()
            return LifePart("inner", journal)
        }
        box.register(as: "outer") { box in
            _ = try await box.prepare("inner") as LifePart
            return LifePart("outer", journal)
        }
        let error = await failure { [box] in try await box.prepare("outer") as LifePart }
        #expect(error == nil)
        #expect(journal.all == ["start inner", "start outer"])
    }

    @Test("prepares one service whatever becomes of another that comes late")
    func lateAndUnrelated() async throws {
        let journal = journal
        try await box.start()
        box.register(as: "bad") { _ -> Database in
            await Task.yield()
            throw Broken()
        }
        box.register(as: "part") { _ in
            await Task.yield()
            return LifePart("part", journal)
        }
        let error = await failure { [box] in try await box.prepare("part") as LifePart }
        #expect(error == nil)
    }

    @Test("starts what a child prepares of its parent")
    func lateByChild() async throws {
        let journal = journal
        try await box.start()
        box.register(as: "part") { _ in
            await Task.yield()
            return LifePart("part", journal)
        }
        try await box.withChild { child in _ = try await child.prepare("part") as LifePart }
        #expect(journal.all == ["start part"])
    }

    @Test("starts a weak service each time it is created, wherever it lies", .neverHanging)
    func weakAgain() async throws {
        final class Small: ServiceLifecycle {
            let starts: Counter
            init(_ starts: Counter) { self.starts = starts }
            func start() { starts.next() }
        }
        let starts = Counter()
        try await box.start()
        box.register(lifetime: .weak) { _ in
            await Task.yield()
            return Small(starts)
        }
        for _ in 1...100 { _ = try await box.prepare(Small.self) }
        #expect(starts.value == 100)
    }

    @Test("leaves a parent's value to its parent, though a service of the child needs it")
    func valueOfParent() async throws {
        struct Log: ServiceLifecycle {
            let journal: Journal
            func start() async { journal.add("start log") }
            func stop() async { journal.add("stop log") }
        }
        final class Writer: LifePart, @unchecked Sendable { @Injected var log: Log }
        let child = box.makeChild(name: "child")
        box.register(Log(journal: journal))
        child.register(Writer("writer", journal))
        try await child.start()
        #expect(journal.take() == ["start writer"])
        try await box.start()
        #expect(journal.take() == ["start log"])
        await child.stop()
        #expect(journal.take() == ["stop writer"])
        await box.stop()
        #expect(journal.take() == ["stop log"])
    }

    @Test("starts nothing of a parent that each child has for itself")
    func perBox() async throws {
        box.register(as: "part", per: .box) { [journal] box in LifePart(box.name ?? "", journal) }
        let child = box.makeChild(name: "child")
        try await box.start()
        #expect(journal.all.isEmpty)
        try await child.start()
        #expect(journal.all == ["start child"])
    }

    @Test("says what a factory has thrown that was cancelled since its box stops", .neverHanging)
    func thrownWhileStopping() async throws {
        let (box, gate, end) = (box, Gate(), Gate())
        box.register(as: "database", onStop: { (_: Database) in await end.pass() }) { _ in Database() }
        box.register(as: "part") { [journal] _ async throws -> LifePart in
            await gate.pass()
            if Task.isCancelled { throw Broken() }
            return LifePart("part", journal)
        }
        _ = try box["database"] as Database
        let preparing = Task { await failure { _ = try await box.prepare("part") as LifePart } }
        await gate.arrivals()
        let stopping = Task { await box.stop() }
        let error = await preparing.value as? ServiceBoxError
        end.open()
        _ = await stopping.value
        #expect(error?.code == .factoryFailed)
        #expect(error?.underlying is Broken)
    }

    // MARK: What isn't stopped

    @Test("stops what is being created when the box stops")
    func inFlight() async {
        let (gate, journal) = (Gate(), journal)
        box.register(as: "database", onStop: { (_: Database) in journal.add("close") }) { _ in
            await gate.pass()
            journal.add("open")
            return Database()
        }
        let ask = Task { [box] in try await box.prepare("database") as Database }
        await gate.arrivals()
        let stop = Task { [box] in await box.stop() }
        for _ in 1...50 { await Task.yield() }
        gate.open()
        _ = await (stop.value, ask.result)
        #expect(journal.all == ["open", "close"])
    }

    @Test("stops a grandchild whose parent has never started")
    func grandchild() async throws {
        let grandchild = box.makeChild(name: "child").makeChild(name: "grandchild")
        grandchild.register(LifePart("part", journal), as: "part")
        try await grandchild.start()
        await box.stop()
        #expect(journal.all == ["start part", "stop part"])
    }

    @Test("refuses children while it stops, or waits for them", .neverHanging)
    func lateChild() async throws {
        let (gate, journal) = (Gate(), journal)
        box.register(
            Doer(stop: {
                await gate.pass()
                journal.add("stop parent")
            }), as: "doer")
        let stop = Task { [box] in await box.stop() }
        await gate.arrivals()
        let error = await failure { [box] in
            try await box.withChild { child in
                child.register(LifePart("child", journal), as: "part")
                try await child.start()
                gate.open()
                _ = await stop.value
            }
        }
        gate.open()
        _ = await stop.value
        #expect(error != nil || journal.all == ["start child", "stop child", "stop parent"])
    }

    @Test("stops what has started and was replaced since")
    func replaced() async throws {
        box.register(LifePart("old", journal), as: "part")
        try await box.start()
        box.register(LifePart("new", journal), as: "part")
        await box.stop()
        #expect(journal.all.contains("stop old"))
    }

    @Test("ends what each box has, also its own")
    func ownPerBox() async throws {
        box.register(as: "cart", per: .box, onStop: { [journal] (_: Cache) in journal.add("stop cart") }) {
            _ in
            Cache()
        }
        let _: Cache = try box["cart"]
        await box.stop()
        #expect(journal.all == ["stop cart"])
    }
}
