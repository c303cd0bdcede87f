// Part of ServiceBox, released under the MIT License.
// What a factory fills, as a need of its service.

import ServiceBoxKit
import Testing

private final class Database: LifePart, @unchecked Sendable {}

private final class Tool { @Injected("db") var database: Database? }

private struct Kit: Sendable { @Injected("db") var database: Database? }

private struct Watch { @Injected(when: .read) var clock: Clock }

private actor Den { @Injected("db") var database: Database? }

/// Another service, which the box fills itself.
private final class Pool: Injectable, @unchecked Sendable {
    @Injected("db") var database: Database?

    init(_ box: ServiceBox? = nil) { box.map { _ = fillWithDependencies(from: $0) } }
}

/// How a factory gets its service's needs.
private struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (ServiceBox) throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (ServiceBox) throws -> Void) {
        (testDescription, self.run) = (description, run)
    }

    static let all = [
        Way("an object that fills itself") { _ = Pool($0) },
        Way("a helper object") { $0.fill(Tool()) },
        Way("a helper object that keeps what it has") { $0.fill(Tool(), keepingExisting: true) },
        Way("a constant struct") { $0.fill(Kit()) },
        Way("a struct") { box in
            var kit = Kit()
            box.fill(&kit)
        },
        Way("an actor from outside") { $0.fill(Den() as AnyObject) },
        Way("a fill by a child") { $0.makeChild(name: "child").fill(Tool()) },
        Way("a fill by a copy") { $0.copy().fill(Tool()) },
        Way("a look-up in a child") { _ = try $0.makeChild(name: "child")["db"] as Database },
        Way("a look-up in a copy") { _ = try $0.copy()["db"] as Database },
    ]
}

@Suite("The needs that a factory fills")
struct FilledNeedsTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()

    private func registerDatabase() {
        box.register(as: "db", fills: false) { [journal] _ in Database("db", journal) }
    }

    private var asked: [String] {
        box.graph().edges.filter(\.isAskedFor).map { "\($0.source) -> \($0.target ?? "")" }
    }

    /// Runs the box, and expects that a service needs the database.
    private func expectOrder() async throws {
        try await withRunning(box) {}
        #expect(journal.all == ["start db", "start own", "stop own", "stop db"])
    }

    @Test("start before its service and stop after it", arguments: Way.all, [false, true])
    fileprivate func order(_ way: Way, isWarm: Bool) async throws {
        box.register(as: "own", fills: false) { [journal] box in
            try way.run(box)
            return LifePart("own", journal)
        }
        registerDatabase()
        if isWarm { for _ in 1...3 { try way.run(box) } }
        try await expectOrder()
    }

    @Test("start before its service and stop after it, if it must be awaited", arguments: Way.all)
    fileprivate func awaited(_ way: Way) async throws {
        box.register(as: "own", fills: false) { [journal] box in
            await Task.yield()
            try way.run(box)
            return LifePart("own", journal)
        }
        registerDatabase()
        try await expectOrder()
    }

    @Test("are in the graph and among the uses, as what it looks up")
    func graph() throws {
        registerDatabase()
        box.register(as: "own") { box in
            box.fill(Tool())
            return Page()
        }
        _ = try box["own"] as Page
        #expect(asked == ["service:own -> service:db"])
        #expect(box.uses.first?.factories == ["own"])
    }

    @Test("aren't told twice if its own properties have them")
    func ownProperties() throws {
        registerDatabase()
        box.register(as: "own") { Pool($0) }
        _ = try box["own"] as Pool
        #expect(asked.isEmpty)
        #expect(box.graph().edges.map(\.property) == ["database"])
    }

    @Test("are those of each run, though another service has the name now")
    func replaced() throws {
        box.register(as: "own", lifetime: .transient) { box in
            box.fill(Tool())
            return Page()
        }
        for _ in 1...3 {
            registerDatabase()
            for _ in 1...2 { _ = try box["own"] as Page }
            #expect(box.uses.first?.factories == ["own"])
        }
        #expect(asked == ["service:own -> service:db"])
    }

    @Test("aren't those of a service that it looks up, nor those that a child has itself")
    func others() throws {
        registerDatabase()
        box.register(as: "pool", lifetime: .transient) { _ in Pool() }
        box.register(as: "own") { [journal] box in
            let child = box.makeChild(name: "child")
            child.register(Database("other", journal), as: "db")
            child.fill(Tool())
            _ = try box["pool"] as Pool
            return Page()
        }
        _ = try box["own"] as Page
        #expect(asked == ["service:own -> service:pool"])
    }

    @Test("aren't those that can't be created, but those that are looked up when they are first read")
    func given() throws {
        box.register(as: "db") { _ -> Database in throw Broken() }
        box.register(Clock())
        box.register(as: "own") { box in
            box.fill(Tool())
            box.fill(Watch())
            return Page()
        }
        _ = try box["own"] as Page
        #expect(asked == ["service:own -> service:clock"])
    }

    @Test("are stopped after the user of a struct that it has read late and that leads to them")
    func lateStruct() async throws {
        struct Wrapper: Sendable { let part: LifePart }
        final class User: LifePart, @unchecked Sendable {
            @Injected(when: .read) var wrapper: Wrapper
            override func start() async throws {
                _ = wrapper
                try await super.start()
            }
        }
        let (box, journal) = (ServiceBox(), Journal())
        box.register(as: "user") { _ in User("user", journal) }
        box.register(as: "wrapper") { box in Wrapper(part: try box["part"]) }
        box.register(as: "part") { _ in LifePart("part", journal) }
        _ = try box["user"] as User
        try await withRunning(box) {}
        #expect(journal.all.suffix(2) == ["stop user", "stop part"])
    }
}
