// Part of ServiceBox, released under the MIT License.
// Work that nobody waits for any more, and work that outlives what it was begun for.

import ServiceBoxKit
import Testing

private final class Connection: Sendable {}
private final class Server: Sendable {
    let loop: Task<Void, any Error>
    init(_ loop: Task<Void, any Error>) { self.loop = loop }
}
private final class Jobs: Sendable {}

/// Waits at a gate although the current task is cancelled.
private func pass(_ gate: Gate) async { await Task.detached { await gate.pass() }.value }

@Suite("Work that nobody waits for any more")
struct AbandonedWorkTests {
    private let box = ServiceBox(name: "app")

    @Test("isn't begun, however many have asked and were cancelled", .neverHanging)
    func flood() async {
        let (gate, count) = (Gate(), Counter())
        box.register(as: "connection") { _ async throws -> Connection in
            count.next()
            await pass(gate)
            throw Broken()
        }
        for number in 0..<8 {
            let request = Task { [box] in try await box.prepare("connection") as Connection }
            if number == 0 { await gate.arrivals() }
            request.cancel()
            #expect(await failure { try await request.value } is CancellationError)
        }
        gate.open()
        #expect(await failure { try await box.prepare("connection") as Connection } is ServiceBoxError)
        #expect(count.value == 2)
    }

    @Test("leaves a result to the next who asks, though what that requires wasn't ready", .neverHanging)
    func result() async throws {
        struct Log { @Injected var store: any Store }
        final class Transaction: @unchecked Sendable {
            private let log = Log()
        }
        let (gate, opened, closed) = (Gate(), Counter(), Counter())
        box.register(as: "transaction", onStop: { (_: Transaction) in closed.next() }) {
            _ async throws -> Transaction in
            opened.next()
            return Transaction()
        }
        box.register(as: "store") { _ async throws -> any Store in
            await gate.pass()
            try Task.checkCancellation()
            return FileStore()
        }
        let request = Task { [box] in try await box.prepare("transaction") as Transaction }
        await gate.arrivals()
        request.cancel()
        #expect(await failure { try await request.value } is CancellationError)
        gate.open()
        _ = try await box.prepare("transaction") as Transaction
        #expect(opened.value == 1)
        #expect(await box.stop() == [])
        #expect(closed.value == 1)
    }

    @Test("to start what a service needs is taken up by the next who prepares the service", .neverHanging)
    func lateStart() async throws {
        final class Search: @unchecked Sendable { @Injected var pool: Doer }
        let (gate, started) = (Gate(), Counter())
        try await box.start()
        box.register(as: "pool") { _ in
            Doer(start: {
                await gate.pass()
                try Task.checkCancellation()
                started.next()
            })
        }
        box.register(as: "search") { _ in Search() }
        let request = Task { [box] in try await box.prepare("search") as Search }
        await gate.arrivals()
        request.cancel()
        #expect(await failure { try await request.value } is CancellationError)
        gate.open()
        for _ in 0..<2 { _ = try await box.prepare("search") as Search }
        #expect(started.value == 1)
    }

    @Test("is cancelled in children, though the limit passes before they begin to stop", .neverHanging)
    func children() async throws {
        let (start, end) = (Gate(), Gate())
        box.register(Doer(start: { await pass(start) }))
        box.register(per: .box, onStop: { (_: Connection) in await end.pass() }) { _ in Connection() }
        let child = box.makeChild(name: "request")
        _ = try child.resolve() as Connection
        let starting = Task { [box] in try await box.start() }
        await start.arrivals()
        #expect(await box.stop(within: .zero).map(\.code) == [.stopTimedOut])
        start.open()
        await box.stop()
        withExtendedLifetime(child) {}
        #expect(await failure { try await starting.value } != nil)
    }
}

@Suite("A task that a factory has begun")
struct OutlivingTaskTests {
    private let box = ServiceBox(name: "app")

    @Test("asks for itself once the factory has returned", .neverHanging)
    func asks() async throws {
        let (loop, other) = (Gate(), Gate())
        box.register(as: "server") { box async throws -> Server in
            Server(
                Task {
                    await loop.pass()
                    _ = try box.resolve("jobs") as Jobs
                })
        }
        box.register(as: "jobs") { _ in Jobs() }
        box.register(as: "connection") { _ async throws -> Connection in
            await other.pass()
            return Connection()
        }
        let server: Server = try await box.prepare("server")
        async let connection: Connection = box.prepare("connection")
        await other.arrivals()
        loop.open()
        try await server.loop.value
        other.open()
        _ = try await connection
        #expect(box.uses.filter { !$0.factories.isEmpty }.isEmpty)
    }

    @Test("may have the service created again", .neverHanging)
    func createsAgain() async throws {
        final class Dashboard: Sendable {}
        final class Report: Sendable { init(_: Dashboard) {} }
        let (count, results) = (Counter(), AsyncStream.makeStream(of: String?.self))
        box.register(as: "dashboard") { @MainActor [returned = Gate()] box -> Dashboard in
            count.next()
            let isLast = count.value == 4
            Task { @concurrent in
                await returned.pass()
                try box.provider("dashboard" as ServiceKey<Dashboard>).reset()
                let error = await failure { try await box.prepare("report") as Report }
                results.continuation.yield(error.map { "\($0)" })
                if isLast || error != nil { results.continuation.finish() }
            }
            Task { @MainActor in returned.open() }
            return Dashboard()
        }
        box.register(as: "report", lifetime: .transient) { box in Report(try box.resolve("dashboard")) }
        let first = Task { @concurrent [box] in try await box.prepare("report") as Report }
        _ = try await first.value
        for await error in results.stream { #expect(error == nil) }
    }
}
