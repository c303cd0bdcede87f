// Part of ServiceBox, released under the MIT License.
// What a stop meets half-way: services that are being created or started, and copies of the box.

import Foundation
import Testing

@testable import ServiceBoxKit

private final class Database: Sendable {}

/// Starts when it is cancelled, and as if it weren't.
private final class Stubborn: ServiceLifecycle {
    private let gate: Gate
    private let journal: Journal

    init(_ gate: Gate, _ journal: Journal) {
        self.gate = gate
        self.journal = journal
    }

    func start() async throws {
        await withTaskCancellationHandler {
            await Task.detached { [gate] in await gate.pass() }.value
        } onCancel: {
            gate.open()
        }
        journal.add("started")
    }

    func stop() async throws { journal.add("stopped") }
}

@Suite("A stop that comes half-way")
struct StoppingMidwayTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()

    private func code<Service>(_ name: ServiceKey<Service>, in box: ServiceBox) -> ServiceBoxError.Code? {
        box.failure(of: name)?.code
    }

    @Test(
        "names who is being created and hasn't ended in time, and nobody who has nothing to end",
        .neverHanging)
    func late() async {
        let gate = Gate()
        box.register(Clock())
        box.register(Cache(), onStop: { _ in })
        box.register(as: "database") { _ in
            // Doesn't end when it is cancelled.
            await Task.detached { await gate.pass() }.value
            return Database()
        }
        let ask = Task { [box] in try await box.prepare("database") as Database }
        await gate.arrivals()
        #expect(
            await box.stop(within: .milliseconds(1)).map(\.description) == [
                """
                Can't stop in time: 'database' hasn't ended.
                  Given:   0.001 seconds
                  Waiting: 'cache'
                To fix, let it end when its task is cancelled, or give the box more time.
                """
            ])
        gate.open()
        _ = await ask.result
        await box.stop()
    }

    @Test("refuses what became ready although it was cancelled, and ends it", .neverHanging)
    func ready() async throws {
        let gate = Gate()
        box.register(as: "database", onStop: { [journal] _ in journal.add("closed") }) { _ in
            await Task.detached { await gate.pass() }.value
            return Database()
        }
        // It stops before the services of its parent.
        let child = box.makeChild(name: "request")
        child.register(Clock(), onStop: { _ in gate.open() })
        let ask = Task { [box] in try await box.prepare("database") as Database }
        await gate.arrivals()
        await box.stop()
        #expect((await failure { try await ask.value } as? ServiceBoxError)?.code == .stopped)
        #expect(journal.all == ["closed"])
        withExtendedLifetime(child) {}
    }

    @Test("waits for a synchronous factory on another thread, which may use the box, and ends its service")
    func synchronous() async {
        let (entered, go, done) = (Gate(), Signal(), Gate())
        box.register(as: "clock") { _ in Clock() }
        box.register(as: "database", onStop: { [journal] _ in journal.add("closed") }) { box in
            entered.open()
            go.wait()
            _ = try box["clock"] as Clock
            return Database()
        }
        Thread { [box, journal] in
            if (try? box["database"] as Database) != nil { journal.add("created") }
            done.open()
        }.start()
        await entered.pass()
        #expect(await box.stop(within: .zero).map(\.code) == [.stopTimedOut])
        #expect(journal.all == [])
        go.send()
        await done.pass()
        await box.stop()
        #expect(journal.all.sorted() == ["closed", "created"])
        #expect(code(ServiceKey<Database>("database"), in: box) == .stopped)
    }

    @Test("has a start fail whose services didn't end when they were cancelled", .neverHanging)
    func started() async {
        let gate = Gate()
        box.register(Stubborn(gate, journal), as: "stubborn")
        let start = Task { [box] in try await box.start() }
        await gate.arrivals()
        await box.stop()
        #expect(await failure { try await start.value } is CancellationError)
        #expect(journal.all == ["started", "stopped"])
    }

    @Test(
        "may take any time to stop, or none at all",
        arguments: [Duration.seconds(Int64.max), .seconds(Int64.min)])
    func anyLimit(_ limit: Duration) async {
        box.register(Database(), as: "database", onStop: { [journal] _ in journal.add("end") })
        _ = await box.stop(within: limit)
        await box.stop()
        #expect(journal.all == ["end"])
    }

    @Test("refuses in copies what the box was to end, and nothing else")
    func copies() async throws {
        box.register(as: "cache") { _ in Cache() }
        box.register(Clock())
        let copy = box.copy()
        let second = copy.copy()
        copy.decorate(ServiceKey<Cache>("cache")) { cache, _ in cache }
        copy.register(Database())
        let child = copy.makeChild(name: "request")
        final class Screen { @Injected var clock: Clock? }
        child.fill(Screen())
        await box.stop()
        for box in [box, copy, second, child] {
            #expect(code(ServiceKey<Cache>("cache"), in: box) == .stopped)
            #expect(code(ServiceKey<Clock>("clock"), in: box) == .stopped)
        }
        for box in [copy, child] {
            let screen = Screen()
            box.fill(screen)
            #expect(screen.clock == nil)
            #expect(code(ServiceKey<Database>("database"), in: box) == nil)
        }
        copy.register(Clock())
        #expect(code(ServiceKey<Clock>("clock"), in: copy) == nil)
        #expect(await copy.stop() == [])
    }

    @Test("lets go of services that copies have filled objects with")
    func releasedByCopies() async {
        final class Screen { @Injected var clock: Clock? }
        weak var clock: Clock?
        do {
            let new = Clock()
            clock = new
            box.register(new)
        }
        let copy = box.copy()
        copy.fill(Screen())
        copy.fill(Screen())
        await box.stop()
        #expect(clock == nil)
        withExtendedLifetime(copy) {}
    }

    @Test("leaves the original as it is when a copy stops")
    func stoppedCopy() async {
        box.register(Clock())
        await box.copy().stop()
        #expect(code(ServiceKey<Clock>("clock"), in: box) == nil)
    }

    @Test("comes once, also where there was nothing to end")
    func again() async {
        await box.stop()
        box.register(Cache(), onStop: { [journal] _ in journal.add("closed") })
        await box.stop()
        #expect(journal.all == [])
    }

    @Test("remembers few copies that are gone")
    func goneCopies() {
        for _ in 0..<1000 { _ = box.copy() }
        #expect(box.registry.copies.withLock { $0.count } <= 64)
    }

    @Test(
        "leaves to copies what is theirs: what nobody has asked for yet, and what was removed"
    )
    func ownOfCopies() async throws {
        final class Screen: @unchecked Sendable { @Injected var database: Database? }
        box.register(Clock())
        let copy = box.copy()
        box.remove("clock")
        copy.register(Database())
        copy.register(Screen())
        await box.stop()
        #expect(code(ServiceKey<Clock>("clock"), in: copy) == nil)
        #expect(try (copy["screen"] as Screen).database != nil)
    }

    @Test("has copies refuse what wraps its services, and end that when they stop")
    func wrappersInCopies() async throws {
        let keys = ["lazy", "weak", "same"].map { ServiceKey<LifePart>("\($0)") }
        for (key, lifetime) in zip(keys, [Lifetime.lazy, .weak, .lazy]) {
            box.register(as: key, lifetime: lifetime) { [journal] _ in LifePart(key.name, journal) }
        }
        let copy = box.copy()
        for key in keys {
            copy.decorate(key) { [journal] part, _ in
                key.name == "same" ? part : LifePart("copy's \(key.name)", journal)
            }
        }
        let wrappers = try keys.map { try copy[$0] }
        await box.stop()
        #expect(journal.take().sorted() == ["stop lazy", "stop same"])
        for key in keys { #expect(code(key, in: copy) == .stopped) }
        await copy.stop()
        #expect(journal.all.sorted() == ["stop copy's lazy", "stop copy's weak"])
        withExtendedLifetime(wrappers) {}
    }

    @Test("has copies end nothing that it has ended, and keep nothing of it")
    func endedOnce() async throws {
        let key = ServiceKey<Cache>("cache")
        box.register(as: key, onStop: { [journal] _ in journal.add("end") }) { _ in Cache() }
        let copy = box.copy()
        weak let cache = try box[key]
        #expect(cache != nil)
        await box.stop()
        #expect(cache == nil)
        await copy.stop()
        #expect(journal.all == ["end"])
    }

    @Test("goes on with what services prepare while they stop")
    func preparing() async throws {
        box.register(as: "clock") { _ in
            await Task.yield()
            return Clock()
        }
        box.register(
            as: "database",
            onStop: { [box, journal] (_: Database) in
                _ = try await box.prepare("clock") as Clock
                journal.add("closed")
            }
        ) { _ in Database() }
        _ = try box["database"] as Database
        #expect(await box.stop() == [])
        #expect(journal.all == ["closed"])
    }

    @Test("ends what was awaited for a service that nobody wants any more", .neverHanging)
    func unwanted() async throws {
        let (box, gate) = (box, Gate())
        box.register(as: "database", onStop: { [journal] (_: Database) in journal.add("closed") }) { _ in
            await withTaskCancellationHandler {
                await Task { await gate.pass() }.value
            } onCancel: {
                gate.open()
            }
            return Database()
        }
        box.register(as: "user") { box in
            _ = try box["database"] as Database
            return Cache()
        }
        let preparing = Task { try await box.prepare("user") as Cache }
        await gate.arrivals()
        preparing.cancel()
        await #expect(throws: CancellationError.self) { try await preparing.value }
        await box.stop()
        #expect(journal.all == ["closed"])
    }

    @Test("ends what was replaced in a child while it was created")
    func replacedInChild() async throws {
        let child = box.makeChild(name: "child")
        child.register(as: "part") { [journal] box in
            box.register(Clock(), as: "part")
            return LifePart("part", journal)
        }
        let part: LifePart = try child["part"]
        await box.stop()
        #expect(journal.all == ["stop part"])
        withExtendedLifetime(part) {}
    }

    @Test("of a parent comes to all its children, however many there are")
    func manyChildren() async throws {
        let children = (0..<100).map { number in
            let child = box.makeChild(name: "child")
            child.register(as: "part") { [journal] _ in LifePart("\(number)", journal) }
            return child
        }
        for child in children { _ = try child["part"] as LifePart }
        await box.stop()
        #expect(journal.all.count == 100)
        withExtendedLifetime(children) {}
    }

    @Test("waits for the start of what came when its box had started, and cancels it", .neverHanging)
    func lateStart() async throws {
        let (box, gate, journal) = (box, Gate(), journal)
        try await box.start()
        box.register(as: "stubborn") { _ in
            await Task.yield()
            return Stubborn(gate, journal)
        }
        let preparing = Task { await failure { try await box.prepare("stubborn") as Stubborn } }
        await gate.arrivals()
        await box.stop()
        #expect(journal.all == ["started", "stopped"])
        gate.open()
        _ = await preparing.value
    }

    @Test("leaves it to who was cancelled itself to say so", .neverHanging)
    func cancelledAsker() async throws {
        let (box, gate, end) = (box, Gate(), Gate())
        box.register(as: "database", onStop: { (_: Database) in await end.pass() }) { _ in Database() }
        box.register(as: "clock") { _ in
            await gate.pass()
            return Clock()
        }
        _ = try box["database"] as Database
        let stopping = Task { await box.stop() }
        await end.arrivals()
        let preparing = Task { await failure { try await box.prepare("clock") as Clock } }
        await gate.arrivals()
        preparing.cancel()
        #expect(await preparing.value is CancellationError)
        end.open()
        _ = await stopping.value
    }

    @Test("leaves a child alone that has nothing to end")
    func childWithoutEnd() async throws {
        let child = box.makeChild(name: "child")
        child.register(as: "clock") { _ in Clock() }
        let clock: Clock = try child["clock"]
        await box.stop()
        #expect(try child["clock"] === clock)
    }

    @Test("has copies that are made afterwards live for themselves")
    func laterCopies() async throws {
        box.register(Cache())
        await box.stop()
        let copy = box.copy()
        #expect(code(ServiceKey<Cache>("cache"), in: copy) == .stopped)
        copy.register(Clock(), onStop: { [journal] _ in journal.add("closed") })
        await copy.stop()
        #expect(journal.all == ["closed"])
    }

    @Test("of a child, or for a transient service, refuses nothing that its box goes on with", .neverHanging)
    func elsewhere() async throws {
        let gate = Gate()
        let parent = ServiceBox(name: "server")
        let child = parent.makeChild(name: "request")
        parent.register(as: "database") { _ in
            await Task.detached { await gate.pass() }.value
            return Database()
        }
        let ask = Task { try await child.prepare("database") as Database }
        await gate.arrivals()
        await child.stop()
        gate.open()
        #expect(await failure { try await ask.value } == nil)

        let other = Gate()
        box.register(as: "page", lifetime: .transient) { _ in
            await other.pass()
            return Page(number: 1)
        }
        let page = Task { [box] in try await box.prepare("page") as Page }
        await other.arrivals()
        await box.stop()
        other.open()
        #expect(await failure { try await page.value } == nil)
    }
}
