// Part of ServiceBox, released under the MIT License.
// What starts when a service is prepared after its box has started.

import Foundation
import ServiceBoxKit
import Testing

private protocol Pool: Sendable {}

private final class StartedPool: LifePart, Pool, @unchecked Sendable {}

private struct Wrapped: Pool { let base: any Pool }

private final class Search: @unchecked Sendable { @Injected var pool: any Pool }

extension ServiceKey where Service == any Pool { fileprivate static var pool: Self { "pool" } }

extension ServiceKey where Service == Search { fileprivate static var search: Self { "search" } }

@Suite("Preparing a service in a started box", .neverHanging)
struct LateStartTests {
    private let journal = Journal()

    /// A started box with a service whose lifecycle shows once it is created.
    private func startedBox() async throws -> ServiceBox {
        let box = ServiceBox(name: "app")
        try await box.start()
        box.register(as: .pool) { [journal] _ in StartedPool("pool", journal) }
        return box
    }

    @Test("starts what a child's service needs of its parent, though the child never starts")
    func needOfChild() async throws {
        let box = try await startedBox()
        box.register(as: .search, per: .box) { _ in Search() }
        let child = box.makeChild()
        _ = try await child.prepare(.search)
        #expect(journal.all == ["start pool"])
        await child.stop()
        #expect(journal.all == ["start pool"])
        await box.stop()
        #expect(journal.all == ["start pool", "stop pool"])
    }

    @Test("starts again what a failing one has stopped, though another one had started with it")
    func stoppedByFailing() async throws {
        let (box, gate) = (try await startedBox(), Gate())
        box.register(as: "failing") { box in
            _ = try box[.pool]
            return Doer(start: {
                await gate.pass()
                throw Broken()
            })
        }
        box.register(as: "store") { [journal] box in
            _ = try box[.pool]
            return LifePart("store", journal)
        }
        let failing = Task { try await box.prepare("failing") as Doer }
        await gate.arrivals()
        _ = try await box.prepare("store") as LifePart
        gate.open()
        #expect(await failure { try await failing.value } != nil)
        #expect(journal.take() == ["start pool", "start store", "stop pool"])
        _ = try await box.prepare("store") as LifePart
        #expect(journal.take() == ["start pool"])
    }

    @Test("starts what is back since a module couldn't be added that had replaced it when the box started")
    func backFromModule() async throws {
        let (box, isReplaced, goOn, isOver) = (ServiceBox(), Gate(), Signal(), Gate())
        box.register(LifePart("store", journal), as: "store")
        let module = InterruptedModule { box in
            box.register(Cache(), as: "store")
            isReplaced.open()
            goOn.wait()
        }
        Thread.detachNewThread {
            try? box.add(module)
            isOver.open()
        }
        await isReplaced.pass()
        try await box.start()
        goOn.send()
        await isOver.pass()
        _ = try await box.prepare("store") as LifePart
        #expect(journal.all == ["start store"])
    }

    @Test("starts what only a later one of the same weak service needs")
    func laterWeak() async throws {
        let (box, isTaking) = (try await startedBox(), Locked(false))
        box.register(as: "page", lifetime: .weak) { box in
            if isTaking.withLock({ $0 }) { _ = try box[.pool] }
            return Cache()
        }
        _ = try box[.pool]
        _ = try await box.prepare("page") as Cache
        #expect(journal.all.isEmpty)
        isTaking.withLock { $0 = true }
        _ = try await box.prepare("page") as Cache
        #expect(journal.all == ["start pool"])
    }

    @Test("starts what its object needs under another name")
    func otherName() async throws {
        let box = try await startedBox()
        box.register(as: "store") { [journal] box in
            _ = try box[.pool]
            return LifePart("store", journal)
        }
        box.register(try box["store"] as LifePart, as: "alias")
        _ = try await box.prepare("alias") as LifePart
        #expect(journal.all == ["start pool", "start store"])
    }

    @Test("starts what a child decorates")
    func decoratedByChild() async throws {
        let child = try await startedBox().makeChild()
        child.decorate(.pool) { pool, _ in Wrapped(base: pool) }
        _ = try await child.prepare(.pool)
        #expect(journal.all == ["start pool"])
    }

    @Test("doesn't start what a box that hasn't started has")
    func boxNotStarted() async throws {
        let root = ServiceBox()
        root.register(as: .pool) { [journal] _ in StartedPool("pool", journal) }
        let child = root.makeChild()
        try await child.start()
        child.register(as: .search) { _ in Search() }
        _ = try await child.prepare(.search)
        #expect(journal.all.isEmpty)
    }

    @Test("stops what it has started for a child, if the next can't start")
    func failing() async throws {
        let box = try await startedBox()
        box.register(as: "user") { [journal] box in
            _ = try box.resolve(.pool)
            let user = LifePart("user", journal)
            user.startError = Broken()
            return user
        }
        let child = box.makeChild()
        child.register(as: "wrapper") { box in Wrapped(base: try box.resolve(.pool)) }
        child.register(as: "page") { box in
            _ = try box.resolve("user" as ServiceKey<LifePart>)
            return Page(number: 1)
        }
        let error = await failure { try await child.prepare("page" as ServiceKey<Page>) } as? ServiceBoxError
        #expect(error?.code == .startFailed)
        #expect(error?.path == ["Page", "LifePart"])
        #expect(journal.take() == ["start pool", "stop pool"])
        // Whoever comes next tries again.
        _ = await failure { try await child.prepare("page" as ServiceKey<Page>) }
        #expect(journal.take() == ["start pool", "stop pool"])
        _ = try await child.prepare("wrapper" as ServiceKey<Wrapped>)
        #expect(journal.take() == ["start pool"])
    }

    @Test("waits for what another task starts, even if the service is there already")
    func second() async throws {
        let gate = Gate()
        let box = ServiceBox()
        try await box.start()
        box.register(as: "slow") { [journal] _ in
            Doer(start: {
                await gate.pass()
                journal.add("started")
            })
        }
        box.register(as: "page") { box in
            _ = try box.resolve("slow" as ServiceKey<Doer>)
            return Page(number: 1)
        }
        let first = Task { try await box.prepare("page" as ServiceKey<Page>) }
        await gate.arrivals()
        let second = Task.immediate { [journal] in
            _ = try await box.prepare("page" as ServiceKey<Page>)
            return journal.all
        }
        gate.open()
        #expect(try await second.value == ["started"])
        _ = try await first.value
    }

    @Test("starts a service that was created again, and what was registered since")
    func again() async throws {
        let box = try await startedBox()
        box.register(as: .search) { _ in Search() }
        _ = try await box.prepare(.search)
        #expect(journal.take() == ["start pool"])
        box.register(as: .pool) { [journal] _ in StartedPool("next", journal) }
        try box.provider(.search).reset()
        _ = try await box.prepare(.search)
        #expect(journal.take() == ["start next"])
        try box.provider(.pool).reset()
        _ = try await box.prepare(.pool)
        #expect(journal.take() == ["start next"])
    }

    @Test("starts a ready-made service that was passed over while it lacked something")
    func wholeLater() async throws {
        final class User: LifePart, @unchecked Sendable { @Injected var need: Page }
        let box = ServiceBox()
        try await box.start()
        box.register(User("user", journal), as: "user")
        box.register(as: "need") { _ in
            await Task.yield()
            return Page()
        }
        // Its factory does without the user.
        box.register(as: "other") { [journal] box in
            #expect(throws: ServiceBoxError.self) { try box["user"] as User }
            return LifePart("other", journal)
        }
        _ = try await box.prepare("other" as ServiceKey<LifePart>)
        _ = try await box.prepare("need" as ServiceKey<Page>)
        #expect(journal.take() == ["start other"])
        _ = try await box.prepare("user" as ServiceKey<User>)
        #expect(journal.take() == ["start user"])
    }

    @Test("starts a need that was created since the service was started")
    func needCreatedLater() async throws {
        final class User: LifePart, @unchecked Sendable { @Injected(when: .read) var pool: any Pool }
        let (box, user) = (ServiceBox(), User("user", journal))
        box.register(user, as: "user")
        box.register(as: .pool) { [journal] _ in StartedPool("pool", journal) }
        try await box.start()
        #expect(user.pool is StartedPool)
        #expect(journal.take() == ["start user"])
        _ = try await box.prepare("user" as ServiceKey<User>)
        #expect(journal.take() == ["start pool"])
    }

    @Test("starts what is back since its replacement was removed")
    func back() async throws {
        let box = ServiceBox()
        box.register(LifePart("first", journal))
        let next = box.register(LifePart("next", journal))
        try await box.start()
        #expect(journal.take() == ["start next"])
        next.remove()
        _ = try await box.prepare(LifePart.self)
        #expect(journal.take() == ["start first"])
    }

    @Test("starts what a failed start has left, once the box runs")
    func leftByFailure() async throws {
        let box = try await startedBox()
        _ = try box.resolve(.pool)
        let part = LifePart("part", journal)
        part.startError = Broken()
        box.register(part)
        _ = await failure { try await box.start() }
        #expect(Set(journal.take()).isSubset(of: ["start pool", "stop pool"]))
        box.register(as: .search) { _ in Search() }
        _ = try await box.prepare(.search)
        #expect(journal.take() == ["start pool"])
    }
}
