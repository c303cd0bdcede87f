// Part of ServiceBox, released under the MIT License.
// Services that others still have although they were replaced.

import ServiceBoxKit
import Testing

private final class Database: LifePart, @unchecked Sendable {}

/// A value that starts and stops.
private struct Log: ServiceLifecycle {
    let part: LifePart

    func start() async throws { try await part.start() }
    func stop() async throws { try await part.stop() }
}

private final class Filled: LifePart, @unchecked Sendable {
    @Injected var database: Database
}

private final class Logging: LifePart, @unchecked Sendable {
    @Injected var log: Log
}

private final class Serving: LifePart, @unchecked Sendable {
    @Injected("database") var service: any ServiceLifecycle
}

private final class Late: LifePart, @unchecked Sendable {
    @Injected("database", when: .read) var database: Database
}

private final class Listing: LifePart, @unchecked Sendable {
    @InjectedAll var databases: [Database]
}

private final class Taught: LifePart, @unchecked Sendable {
    var database: Database?
}

/// How a service has got another one.
private enum Way: CaseIterable {
    case instance, table, read, value, factory, weak, interface
}

@Suite("A service that was replaced and that others still have")
struct ReplacedLifeTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()
    private let database = ServiceKey<Database>("database")
    private let user = ServiceKey<LifePart>("user")

    /// Registers what has another service.
    private func registerUser(_ way: Way) {
        let journal = journal
        switch way {
        case .instance: box.register(Filled("user", journal), as: user)
        case .table:
            box.teach(Taught.self, ["database": .keyPath(\Taught.database)])
            box.register(Taught("user", journal), as: user)
        case .read: box.register(Late("user", journal), as: user)
        case .value: box.register(Logging("user", journal), as: user)
        case .factory:
            box.register(as: user) { [database] box in
                _ = try box[database]
                return LifePart("user", journal)
            }
        case .interface: box.register(Serving("user", journal), as: user)
        case .weak: box.register(as: user, lifetime: .weak) { _ in Filled("user", journal) }
        }
    }

    /// Registers what has a service through another one that is created for each ask.
    private func registerUserOfTransient() {
        box.register(as: "filled", lifetime: .transient) { [journal] _ in Filled("filled", journal) }
        box.register(as: user) { [journal] box in
            _ = try box["filled"] as Filled
            return LifePart("user", journal)
        }
    }

    private func registerServices(_ name: String) {
        box.register(Database(name, journal), as: database)
        box.register(Log(part: LifePart("\(name) log", journal)), as: "log")
    }

    /// Has a user take a service.
    private func takeOld(_ way: Way) throws -> LifePart {
        registerUser(way)
        registerServices("old")
        box.crossFill()
        let user = try box[user]
        if let user = user as? Late { #expect(user.database.name == "old") }
        return user
    }

    /// Stops the box, and expects that the user stops before the service that it has.
    private func expectStop(of old: String) async {
        _ = journal.take()
        await box.stop()
        let stopped = journal.all.filter { $0 == "stop \(old)" || $0 == "stop user" }
        #expect(stopped == ["stop user", "stop \(old)"])
    }

    @Test("starts before its users, and stops after them", arguments: Way.allCases)
    private func order(way: Way) async throws {
        let user = try takeOld(way)
        registerServices("new")
        try await box.start()
        let old = way == .value ? "old log" : "old"
        let started = journal.take()
        #expect(
            started.filter { $0 == "start \(old)" || $0 == "start user" } == ["start \(old)", "start user"])
        await expectStop(of: old)
        withExtendedLifetime(user) {}
    }

    /// Runs the box, and expects that the user starts and stops between the old service and the new one.
    private func expectUserBetween() async throws {
        try await box.start()
        #expect(journal.take() == ["start old", "start user", "start new"])
        await box.stop()
        #expect(journal.all == ["stop new", "stop user", "stop old"])
    }

    @Test("stops after its users, which stop after what has replaced it and needs them")
    func betweenBoth() async throws {
        registerUser(.instance)
        box.register(Database("old", journal), as: database)
        box.crossFill()
        box.register(as: database) { [user, journal] box in
            _ = try box[user]
            return Database("new", journal)
        }
        try await expectUserBetween()
    }

    @Test(
        "stops after the user whose factory looked it up, which stops after what replaces or decorates it and needs that user",
        arguments: [true, false])
    func betweenFactories(isDecorated: Bool) async throws {
        box.register(Database("old", journal), as: database)
        registerUser(.factory)
        _ = try box[user]
        if isDecorated {
            box.decorate(database) { [user, journal] _, box in
                _ = try box[user]
                return Database("new", journal)
            }
        } else {
            box.register(as: database) { [user, journal] box in
                _ = try box[user]
                return Database("new", journal)
            }
        }
        try await expectUserBetween()
    }

    @Test("leaves the order to what uses its user, once it was removed and another has its name")
    func removed() async throws {
        box.register(Database("old", journal), as: database)
        registerUser(.factory)
        let user = try box[user]
        box.remove(database)
        box.register(as: database) { [user = self.user, journal] box in
            _ = try box[user]
            return Database("new", journal)
        }
        _ = try box[database]
        try await box.start()
        #expect(journal.take() == ["start user", "start new"])
        await box.stop()
        #expect(journal.all == ["stop new", "stop user"])
        withExtendedLifetime(user) {}
    }

    @Test("starts before its user, once a module that had replaced it has failed")
    func replacedByFailedModule() async throws {
        struct Replacing: ServiceModule {
            let replace: @Sendable (ServiceBox) throws -> Void
            func register(in box: ServiceBox) throws {
                try replace(box)
                throw Broken()
            }
        }
        let (database, user) = (database, user)
        registerUser(.factory)
        box.register(Database("old", journal), as: database)
        let provider = try box.provider(user)
        _ = try provider.resolve()
        let replacing = Replacing { [journal] box in
            box.register(Database("new", journal), as: database)
            provider.reset()
            _ = try provider.resolve()
        }
        #expect(throws: (any Error).self) { try box.add(replacing) }
        provider.reset()
        _ = try provider.resolve()
        try await box.start()
        #expect(journal.take() == ["start old", "start user"])
    }

    @Test("has no part in the order if it was never created")
    func neverCreated() async throws {
        func register(_ name: String, needing other: String) {
            box.register(as: ServiceKey<LifePart>(name)) { [journal] box in
                _ = try box.resolve(ServiceKey<LifePart>(other))
                return LifePart(name, journal)
            }
        }
        register("first", needing: "second")
        register("second", needing: "third")
        register("third", needing: "first")
        #expect(await failure { try await box.start() } != nil)
        box.register(LifePart("third", journal), as: "third")
        try await box.start()
        _ = journal.take()
        await box.stop()
        #expect(journal.all == ["stop first", "stop second", "stop third"])
    }

    @Test("stops after its users where it was decorated once they had it", arguments: Way.allCases)
    private func decorated(way: Way) async throws {
        let user = try takeOld(way)
        try await box.start()
        box.decorate(database) { [journal] _, _ in Database("new", journal) }
        box.decorate(ServiceKey<Log>("log")) { [journal] _, _ in Log(part: LifePart("new log", journal)) }
        await expectStop(of: way == .value ? "old log" : "old")
        withExtendedLifetime(user) {}
    }

    @Test("stops after the owner of a list that still has it")
    func listed() async throws {
        box.register(Listing("user", journal), as: user)
        registerServices("old")
        try await box.start()
        box.register(Database("new", journal), as: database)
        await expectStop(of: "old")
    }

    @Test("starts and stops around its users in a child, where its parent has replaced it")
    func inChild() async throws {
        box.register(as: database, per: .box) { [journal] _ in Database("old", journal) }
        let child = box.makeChild(name: "child")
        child.register(Filled("user", journal), as: user)
        child.crossFill()
        box.register(as: database, per: .box) { [journal] _ in Database("new", journal) }
        try await child.start()
        #expect(journal.take().filter { $0 != "start new" } == ["start old", "start user"])
        await child.stop()
        #expect(journal.all.filter { $0 != "stop new" } == ["stop user", "stop old"])
    }

    @Test("isn't started where nothing has it, and stops", arguments: Way.allCases)
    private func unused(way: Way) async throws {
        registerServices("old")
        registerServices("new")
        registerUser(way)
        box.crossFill()
        let user = try box[user]
        if let user = user as? Late { #expect(user.database.name == "new") }
        try await box.start()
        #expect(!journal.take().contains { $0.hasPrefix("start old") })
        await box.stop()
        #expect(journal.all.contains("stop old"))
        withExtendedLifetime(user) {}
    }

    @Test(
        "starts before its user's user, if the user in between is created for each ask",
        arguments: [true, false])
    func transient(isUsed: Bool) async throws {
        registerUserOfTransient()
        registerServices("old")
        if isUsed { _ = try box[user] }
        registerServices("new")
        _ = try box[user]
        try await box.start()
        let started = journal.take().filter { $0 == "start old" || $0 == "start user" }
        #expect(started == (isUsed ? ["start old"] : []) + ["start user"])
    }

    @Test("starts before its user's user, though another instance in between has what replaced it")
    func transientTwice() async throws {
        registerUserOfTransient()
        box.register(Database("old", journal), as: database)
        _ = try box[user]
        box.register(Database("new", journal), as: database)
        _ = try box["filled"] as Filled
        try await box.start()
        #expect(journal.take().filter { $0 != "start new" } == ["start old", "start user"])
    }

    @Test("stops after what has it through a transient service, though its replacement has that")
    func transientCircle() async throws {
        registerUserOfTransient()
        box.register(Database("old", journal), as: database)
        _ = try box[user]
        box.register(as: database) { [user, journal] box in
            _ = try box[user]
            return Database("new", journal)
        }
        _ = try box[database]
        await box.stop()
        #expect(journal.all == ["stop new", "stop user", "stop old"])
    }

    @Test("is distinguished from a child's own service, though both have the same number")
    func sameNumber() async throws {
        box.register(Cache())
        box.register(as: database, per: .box) { [journal] _ in Database("parent's", journal) }
        let child = box.makeChild(name: "child")
        _ = try child[database]
        child.register(as: user) { [database, journal] box in
            _ = try box[database]
            return LifePart("user", journal)
        }
        child.register(Database("child's", journal), as: database)
        _ = try child[user]
        try await child.start()
        #expect(journal.take() == ["start child's", "start user"])
    }

    @Test("starts after what it needs, where it has another name now")
    func renamed() async throws {
        final class Slow: ServiceLifecycle {
            let journal: Journal
            init(_ journal: Journal) { self.journal = journal }
            func start() async {
                for _ in 1...100 { await Task.yield() }
                journal.add("start slow")
            }
        }
        box.register(Slow(journal))
        box.register(as: database) { [journal] box in
            _ = try box.resolve() as Slow
            return Database("old", journal)
        }
        box.register(try box[database], as: "renamed")
        box.register(Database("new", journal), as: database)
        try await box.start()
        #expect(journal.all.filter { $0 != "start new" } == ["start slow", "start old"])
    }

    @Test("has no part in what is registered later, though that would be in its list")
    func closedList() async throws {
        final class Later: LifePart, @unchecked Sendable { @Injected var user: LifePart? }
        final class Menu: LifePart, @unchecked Sendable { @InjectedAll var items: [Later] }
        try await box.start()
        box.register(Menu("old", journal), as: "menu")
        box.register(as: user) { [journal] box in
            _ = try box["menu"] as Menu
            return LifePart("user", journal)
        }
        _ = try box[user]
        box.register(Menu("new", journal), as: "menu")
        box.register(Later("later", journal), as: "later")
        _ = try await box.prepare("later") as Later
        #expect(journal.all == ["start old", "start user", "start later"])
    }

    @Test("stops however often it was replaced, in a child where its parent has replaced it")
    func often() async throws {
        let child = box.makeChild(name: "child")
        registerUser(.instance)
        for number in 1...20 {
            box.register(Database("database", journal), as: database)
            box.crossFill()
            box.register(Cache(), as: "cache", onStop: { [journal] _ in journal.add("end \(number)") })
            box.register(as: "part", per: .box) { [journal] _ in LifePart("part", journal) }
            _ = try child.resolve("part") as LifePart
        }
        await child.stop()
        #expect(journal.take() == Array(repeating: "stop part", count: 20))
        await box.stop()
        #expect(journal.all.count { $0.hasPrefix("end") } == 20)
        #expect(journal.all.count { $0 == "stop database" } == 20)
        // The user has the first one.
        #expect(journal.all.last == "stop database")
    }

    @Test("is started by what is prepared later and has it")
    func prepared() async throws {
        try await box.start()
        box.register(as: user, lifetime: .weak) { [journal] _ in Filled("user", journal) }
        box.register(Database("old", journal), as: database)
        let user = try box[user]
        box.register(Database("new", journal), as: database)
        _ = try await box.prepare(self.user)
        #expect(journal.take().filter { $0 != "start new" } == ["start old", "start user"])
        await box.stop()
        withExtendedLifetime(user) {}
    }
}
