// Part of ServiceBox, released under the MIT License.
// The order in which services start and stop, where some need each other in a circle.

import Testing

@testable import ServiceBoxKit

private final class Cook: LifePart, @unchecked Sendable {
    @Injected var waiter: Waiter?
}

private final class Guest: LifePart, @unchecked Sendable {
    @Injected var cook: Cook
}

/// A service that can't be created.
private final class Waiter: @unchecked Sendable {
    @Injected var guest: Guest?
    @Injected var page: Page
}

private protocol Pool: ServiceLifecycle, AnyObject {}

/// How a pool refers back to its server.
private struct BackReference: CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (Journal) -> any Pool

    init(_ name: String, make: @escaping @Sendable (Journal) -> any Pool) {
        (testDescription, self.make) = (name, make)
    }
}

private final class Server: LifePart, @unchecked Sendable {
    @Injected var pool: any Pool
}

private final class WeakPool: LifePart, Pool, @unchecked Sendable {
    @WeakInjected var server: Server?
}

private final class OptionalPool: LifePart, Pool, @unchecked Sendable {
    @Injected var server: Server?
}

private final class LatePool: LifePart, Pool, @unchecked Sendable {
    @Injected(when: .read) var server: Server

    override func start() async throws {
        _ = server
        try await super.start()
    }
}

private final class MakingPool: LifePart, Pool, @unchecked Sendable {
    @Injected var server: ServiceProvider<Server>
}

private final class ListingPool: LifePart, Pool, @unchecked Sendable {
    @InjectedAll var servers: [Server]
}

@Suite("The order of needs")
struct NeedOrderTests {
    private let box = ServiceBox()

    /// Sorts services by what each needs, beginning with the given ones.
    private func sort(
        _ names: [String], _ needs: [String: [String]], except known: Set<String> = []
    ) -> NeedOrder {
        for name in Set(needs.keys).union(needs.values.joined()).subtracting(known) {
            box.register(Clock(), as: ServiceKey(name))
        }
        func find(_ name: String) -> Registration? { box.registry.registration(named: name) }
        return NeedOrder(names.compactMap(find), where: { _ in true }) {
            needs[$0.name, default: []].compactMap(find).map {
                NeedOrder.Need(service: $0, isRequired: true)
            }
        }
    }

    /// The names of those that each service follows.
    private func followed(_ order: NeedOrder) -> [String: Set<String>] {
        Dictionary(
            uniqueKeysWithValues: zip(order.services, order.needs).map { service, needs in
                (service.name, Set(needs.map { order.services[$0].name }))
            })
    }

    @Test("keeps the given order where none needs another")
    func independent() {
        let order = sort(["b", "a", "c"], ["a": [], "b": [], "c": []])
        #expect(order.services.map(\.name) == ["b", "a", "c"])
        #expect(followed(order) == ["a": [], "b": [], "c": []])
        let needs = sort(["user", "b", "a"], ["user": ["b", "a"], "b": [], "a": []])
        #expect(needs.services.map(\.name) == ["b", "a", "user"])
    }

    @Test("lets a service wait for a whole circle, though it needs only the first of it")
    func userOfCircle() {
        let order = sort(
            ["metrics", "server"], ["metrics": ["pool"], "pool": ["metrics"], "server": ["pool"]])
        #expect(order.services.map(\.name) == ["pool", "metrics", "server"])
        #expect(followed(order) == ["pool": [], "metrics": ["pool"], "server": ["metrics"]])
    }

    @Test("lets a whole circle wait for what the last of it needs")
    func needOfCircle() {
        let order = sort(
            ["metrics"], ["metrics": ["pool", "database"], "pool": ["metrics"], "database": []])
        #expect(order.services.map(\.name) == ["database", "pool", "metrics"])
        #expect(followed(order) == ["database": [], "pool": ["database"], "metrics": ["pool"]])
    }

    @Test("tells circles apart that need each other one way")
    func twoCircles() {
        let order = sort(
            ["a", "c"], ["a": ["b"], "b": ["a"], "c": ["d", "a"], "d": ["c", "e"], "e": ["e"]])
        #expect(order.services.map(\.name) == ["b", "a", "e", "d", "c"])
        #expect(followed(order) == ["b": [], "a": ["b"], "e": [], "d": ["a", "e"], "c": ["d"]])
    }

    @Test(
        "lets a service that shares its object go with the other one's users and needs",
        arguments: [("reader", "writer"), ("writer", "reader")])
    func sharedObject(used: String, other: String) {
        let cache = Cache()
        box.register(cache, as: "reader")
        box.register(cache, as: "writer")
        let order = sort(
            ["reader", "user", "writer"],
            ["user": [used], other: ["database"], "database": []], except: ["reader", "writer"])
        #expect(order.services.map(\.name) == ["database", "writer", "reader", "user"])
        #expect(followed(order)["user"] == ["reader"])
    }

    @Test(
        "puts what a service requires before it, though that refers back to it",
        arguments: [
            BackReference("weakly") { WeakPool("pool", $0) },
            BackReference("as an optional") { OptionalPool("pool", $0) },
            BackReference("on read") { LatePool("pool", $0) },
            BackReference("through a provider") { MakingPool("pool", $0) },
            BackReference("in a list") { ListingPool("pool", $0) },
        ], [false, true])
    private func backReference(_ pool: BackReference, isServerFirst: Bool) async throws {
        let journal = Journal()
        if isServerFirst { box.register { _ in Server("server", journal) } }
        box.register(as: "pool") { _ in pool.make(journal) }
        if !isServerFirst { box.register { _ in Server("server", journal) } }
        try await withRunning(box) {}
        #expect(journal.all == ["start pool", "start server", "stop server", "stop pool"])
    }

    @Test(
        "stops in reverse what doesn't need each other, though an earlier service takes both the other way round",
        arguments: [false, true])
    func takenTheOtherWayRound(hasEnd: Bool) async {
        final class First: LifePart, @unchecked Sendable {}
        final class Second: LifePart, @unchecked Sendable {}
        final class Table: @unchecked Sendable {
            @Injected var second: Second?
            @Injected var first: First?
        }
        let journal = Journal()
        if hasEnd {
            box.register(Table(), onStop: { _ in journal.add("stop table") })
        } else {
            box.register(Table())
        }
        box.register(First("first", journal))
        box.register(Second("second", journal))
        box.crossFill()
        await box.stop()
        #expect(journal.all == (hasEnd ? ["stop table"] : []) + ["stop second", "stop first"])
    }

    @Test("has no circle through an optional property whose service can't be created")
    func uncreated() async throws {
        let journal = Journal()
        box.register(Cook("cook", journal))
        box.register(Guest("guest", journal))
        box.register { _ in Waiter() }
        #expect(throws: ServiceBoxError.self) { try box.resolve(Waiter.self) }
        try await withRunning(box) {}
        #expect(journal.all == ["start cook", "start guest", "stop guest", "stop cook"])
    }
}
