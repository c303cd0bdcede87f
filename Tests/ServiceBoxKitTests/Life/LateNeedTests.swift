// Part of ServiceBox, released under the MIT License.
// Starting and stopping where needs are looked up in vain, come late, or change.

import ServiceBoxKit
import Testing

private protocol Metrics: Sendable {}

private final class Pool: @unchecked Sendable {
    @Injected var log: Log?
}

private final class Server: LifePart, Metrics, @unchecked Sendable {}

private final class Core: Sendable {}

private final class Log: LifePart, @unchecked Sendable {
    @Injected var core: Core
}

private final class User: LifePart, @unchecked Sendable {
    @Injected var server: Server?
}

@Suite("A need that is looked up in vain, comes late or changes")
struct LateNeedTests {
    private let box = ServiceBox()
    private let journal = Journal()

    @Test(
        "doesn't hold up the service that was looked up in vain",
        arguments: ["type", "interface", "all"])
    func inVain(_ way: String) async throws {
        box.register(onStop: { [journal] (_: Cache) in journal.add("close cache") }) { box in
            switch way {
            case "type": _ = try? box.resolve(Server.self)
            case "interface": _ = try? box.resolve((any Metrics).self)
            default: _ = try? box.resolveAll((any Metrics).self)
            }
            return Cache()
        }
        box.register { [journal] box in
            _ = try box.resolve(Cache.self)
            return Server("server", journal)
        }
        _ = try box.resolve(Server.self)
        await box.stop()
        #expect(journal.all == ["stop server", "close cache"])
    }

    @Test("is started before a service that is created while its box starts", .neverHanging)
    func createdAmidStart() async throws {
        let (running, go) = (Gate(), Gate())
        box.register(as: "first") { _ in Doer(start: { await running.pass() }) }
        box.register(as: "second") { [journal] (_) async -> Doer in
            Doer(start: {
                await go.pass()
                journal.add("start second")
            })
        }
        box.register(as: "user") { [journal] box -> any Sendable in
            _ = try box.resolve("first") as Doer
            _ = try box.resolve("second") as Doer
            return LifePart("user", journal)
        }
        let user = ServiceKey<any Sendable>("user")
        #expect(box.failure(of: user)?.code == .notReady)
        async let start: Void = box.start()
        await running.arrivals()
        _ = try await box.prepare(user)
        running.open()
        // Long enough for the user to start if it doesn't wait.
        for _ in 0..<1000 { await Task.yield() }
        go.open()
        try await start
        #expect(journal.all == ["start second", "start user"])
        await box.stop()
    }

    @Test(
        "is started before what takes it through a service that nothing keeps",
        arguments: ["parameters", "weak"])
    func throughOthers(_ way: String) async throws {
        box.register { [journal] _ in Server("server", journal) }
        if way == "weak" {
            box.register(as: "page", lifetime: .weak) { box in
                _ = try box.resolve(Server.self)
                return Cache()
            }
        } else {
            box.register(as: "page") { (box, _: Int) in
                _ = try box.resolve(Server.self)
                return Cache()
            }
        }
        box.register(as: "user") { [journal] box in
            let page = ServiceKey<Cache>("page")
            if way == "weak" { _ = try box[page] } else { _ = try box.resolve(page, with: 1) }
            return LifePart("user", journal)
        }
        try await box.start()
        #expect(journal.take() == ["start server", "start user"])
        await box.stop()
    }

    @Test("stays one though the same factory asks for the service as something else in vain")
    func askedTwice() async throws {
        box.register(as: "user") { [journal] box in
            let server: LifePart = try box["server"]
            _ = (server, try? box["server"] as User)
            return LifePart("user", journal)
        }
        box.register(as: "server") { [journal] _ in LifePart("server", journal) }
        try await box.start()
        #expect(journal.take() == ["start server", "start user"])
        await box.stop()
    }

    @Test("is started by what needs it though a child has started in between")
    func ofStartedChild() async throws {
        try await box.start()
        let child = box.makeChild()
        box.register(Server("server", journal))
        child.register { [journal] _ in User("user", journal) }
        try await child.start()
        #expect(journal.take() == ["start user"])
        _ = try await child.prepare(User.self)
        #expect(journal.take() == ["start server"])
        await box.stop()
    }

    @Test(
        "is started by what needs it though it lacked that at first, and another had been prepared without it"
    )
    func completedLate() async throws {
        try await box.start()
        box.register(Log("log", journal))
        box.register(Pool())
        box.register { box in
            _ = try await box.prepare(Pool.self)
            return Core()
        }
        _ = try await box.prepare(Core.self)
        #expect(journal.take() == ["start log"])
        await box.stop()
    }

    @Test("fails no start that a stop ends", .neverHanging)
    func stopAmidStart() async {
        for round in 0..<Sanitizer.rounds(4000) {
            let box = ServiceBox()
            let server = Doer(start: { [weak box] in
                Task.detached { await box?.stop() }
                for _ in 0..<round % 6 { await Task.yield() }
            })
            box.register(server)
            let error = await failure { try await box.start() }
            #expect(error == nil || error is CancellationError)
            await box.stop()
        }
    }

    @Test("stops after what was created later than the service that a reset has brought")
    func afterReset() async throws {
        for name in ["first", "second"] {
            box.register(as: ServiceKey<LifePart>(name)) { [journal] _ in LifePart(name, journal) }
            _ = try box.resolve(ServiceKey<LifePart>(name))
        }
        try box.provider(ServiceKey<LifePart>("first")).reset()
        _ = try box.resolve(ServiceKey<LifePart>("first"))
        await box.stop()
        #expect(journal.all == ["stop first", "stop second"])
    }

    @Test(
        "gets into what a copy has, though the original has replaced or removed it",
        arguments: [true, false])
    func ofCopy(isReplaced: Bool) async throws {
        box.register { (_) async -> Server in Server("server", Journal()) }
        let copy = box.copy()
        copy.register { [journal] _ in User("user", journal) }
        let (user, waiting) = (try copy.resolve(User.self), User("waiting", journal))
        copy.fill(waiting, waiting: true)
        if isReplaced { box.register(Server("other", journal)) } else { box.remove("server") }
        let server = try await copy.prepare(Server.self)
        #expect(waiting.server === server)
        _ = try copy.resolve(User.self)
        #expect(user.server === server)
    }
}
