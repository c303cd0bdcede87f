// Part of ServiceBox, released under the MIT License.
// Services that are registered ready-made and lack what they require.

import ServiceBoxKit
import Testing

private final class User: Sendable {}

private final class Repository: @unchecked Sendable {
    @Injected var user: User
}

private final class Handler: @unchecked Sendable {
    @Injected var repository: Repository
}

private final class Visitor: @unchecked Sendable {
    @Injected var repository: Repository?
}

private final class Visiting: @unchecked Sendable {
    @Injected var handler: Handler?
}

private final class Left: @unchecked Sendable {
    @Injected var right: Right
}

private final class Right: @unchecked Sendable {
    @Injected var left: Left
    @Injected var clock: Clock
}

private struct Settings: Sendable { @Injected var user: User }

private actor Vault: Injectable {
    var cache: Cache?
    static var injections: InjectionTable {
        ["cache": .setter { (vault: isolated Vault, cache: Cache) in vault.cache = cache }]
    }
}

private final class Panel: Injectable, @unchecked Sendable {
    var cache: Cache?
    var clock: Clock?
    static var injections: InjectionTable {
        [
            "cache": .setter { (panel: Panel, cache: Cache) in panel.cache = cache },
            "clock": .setter(optional: true) { (panel: Panel, clock: Clock) in panel.clock = clock },
        ]
    }
}

private let handler = ServiceKey<Handler>("handler")
private let repository = ServiceKey<Repository>("repository")

@Suite("A ready-made service that lacks what it requires")
struct LackingInstanceTests {
    private let box = ServiceBox()

    @Test(
        "is tried again when what it lacks is registered, however far away that is, and not for anything else"
    )
    func triedAgain() throws {
        let (visitor, tries) = (Visiting(), Counter())
        box.register(visitor)
        box.register(Handler(), as: handler)
        box.register(as: repository) { _ in
            tries.next()
            return Repository()
        }
        box.crossFill()
        let known = tries.value
        for number in 0..<10 {
            box.register(number, as: ServiceKey("number\(number)"))
            _ = try? box.resolve(Int.self)
        }
        #expect(tries.value == known)
        #expect(visitor.handler == nil)
        box.register(User())
        _ = try? box.resolve(Int.self)
        #expect(visitor.handler != nil)
        #expect(tries.value == known + 1)
    }

    @Test("is tried again when a service on the way to what it lacks is replaced")
    func triedAgainOnTheWay() {
        let visitor = Visiting()
        box.register(visitor)
        box.register(Handler(), as: handler)
        box.register(as: repository) { _ in Repository() }
        box.crossFill()
        let complete = Repository()
        complete.user = User()
        box.register(complete, as: repository)
        box.fill(Visitor())
        #expect(visitor.handler?.repository === complete)
    }

    @Test("is not handed out by any look-up, and the error has the way to what is missing")
    func lookUp() throws {
        box.register(Handler())
        box.register(Repository())
        let error = try #require(box.failure(of: handler))
        #expect(error.code == .incomplete)
        #expect(error.path == ["handler", "repository", "user"])
        #expect(throws: error) { try box.resolve(Handler.self) }
        #expect(throws: error) { try box.resolveAll(Handler.self) }
        #expect(throws: error) { try box.provider(handler).resolve() }
        #expect(box.failure(of: repository)?.path == ["repository", "user"])
    }

    @Test("gets what it lacks with the next use once that can be created")
    func nextUse() throws {
        let handler = Handler()
        box.register(handler)
        box.register(as: "repository") { _ in Repository() }
        box.crossFill()
        #expect(!handler.$repository.isFilled)
        box.register(User())
        _ = try box.resolve(User.self)
        #expect(handler.$repository.isFilled)
    }

    @Test("is a hole of an object, until it has what it requires")
    func object() throws {
        final class Screen { @Injected var repository: Repository }
        box.register(Repository())
        let screen = Screen()
        let report = box.fill(screen)
        #expect(report.outcome(of: "repository") == .failed)
        #expect(report.holes.first?.error?.path == ["repository", "user"])
        #expect(!screen.$repository.isFilled)
        let user = User()
        box.register(user)
        #expect(box.fill(screen).isComplete)
        #expect(screen.repository.user === user)
    }

    @Test("is judged again when its owner has set what was missing")
    func setByHand() throws {
        let instance = Repository()
        box.register(instance)
        #expect(box.failure(of: repository) != nil)
        instance.user = User()
        #expect(try box[repository] === instance)
    }

    @Test("is judged again when a factory that failed succeeds")
    func factory() throws {
        let isReady = Locked(false)
        box.register { _ in
            guard isReady.withLock({ $0 }) else { throw Broken() }
            return User()
        }
        box.register(Repository())
        let error = try #require(box.failure(of: repository))
        #expect(error.path == ["repository", "user"])
        isReady.withLock { $0 = true }
        _ = try box[repository].user
    }

    @Test("leaves an optional property of another service empty, and fills it later")
    func optional() throws {
        let visitor = Visitor()
        box.register(Repository())
        box.register(visitor)
        #expect(try box[ServiceKey<Visitor>("visitor")] === visitor)
        #expect(visitor.repository == nil)
        box.register(User())
        _ = try box[repository]
        box.crossFill()
        #expect(visitor.repository != nil)
    }

    @Test("is given to who lacks it by the first use after a look-up has found it whole")
    func offeredAgain() throws {
        let (visitor, instance) = (Visitor(), Repository())
        box.register(instance)
        box.register(visitor)
        box.crossFill()
        #expect(visitor.repository == nil)
        instance.user = User()
        _ = try box[repository]
        box.fill(Visitor())
        #expect(visitor.repository === instance)
    }

    @Test("is given to who lacks it by the first use after what it requires was registered")
    func offeredWithNews() {
        let (visitor, instance) = (Visitor(), Repository())
        box.register(instance)
        box.register(visitor)
        box.fill(Visitor())
        #expect(visitor.repository == nil)
        box.register(User())
        box.fill(Visitor())
        #expect(visitor.repository === instance)
    }

    @Test("has its provider handed out, which refuses it until it has what it requires")
    func provider() throws {
        final class Asker { @Injected var repository: ServiceProvider<Repository> }
        let asker = Asker()
        box.register(Repository())
        #expect(box.fill(asker).isComplete)
        #expect(throws: ServiceBoxError.self) { try asker.repository.resolve() }
        box.register(User())
        _ = try asker.repository.resolve().user
    }

    @Test("may require one that requires it, if nothing else is missing")
    func circle() throws {
        box.register(Left())
        box.register(Right())
        #expect(box.failure(of: ServiceKey<Left>("left"))?.path == ["left", "right", "clock"])
        box.register(Clock())
        let left: Left = try box["left"]
        #expect(left.right.left === left)
    }

    @Test("may be in a circle with one that the box creates", arguments: [Lifetime.lazy, .weak, .transient])
    func madeCircle(_ lifetime: Lifetime) throws {
        let left = Left()
        box.register(left)
        box.register(as: "right", lifetime: lifetime) { _ in Right() }
        let right = ServiceKey<Right>("right")
        #expect(box.failure(of: ServiceKey<Left>("left"))?.path == ["left", "right", "clock"])
        #expect(box.failure(of: right)?.path == ["right", "clock"])
        box.register(Clock())
        #expect(try box[right].left === left)
        #expect(try box[ServiceKey<Left>("left")] === left)
        #expect(left.right.left === left)
    }

    @Test("may be in a circle that a service created later closes")
    func laterCircle() throws {
        let left = Left()
        box.register(left)
        box.register(Clock())
        #expect(box.failure(of: ServiceKey<Left>("left"))?.path == ["left", "right"])
        box.register(as: "right") { _ in Right() }
        #expect(try box[ServiceKey<Right>("right")].left.right.left === left)
    }

    @Test("may take all services of a type, of which it is one")
    func collection() throws {
        final class Hub: @unchecked Sendable {
            @Injected var user: User
            @InjectedAll var hubs: [Hub]
        }
        let hub = ServiceKey<Hub>("hub")
        box.register(Hub())
        #expect(box.failure(of: hub)?.path == ["hub", "user"])
        box.register(User())
        let whole = try box[hub]
        #expect(whole.hubs.map { $0 === whole } == [true])
    }

    @Test("keeps one that the box creates from being handed out")
    func made() throws {
        box.register(Repository())
        box.register(as: "handler") { _ in Handler() }
        #expect(box.failure(of: handler)?.path == ["handler", "repository", "user"])
        box.register(User())
        _ = try box[handler].repository.user
    }

    @Test("may be a struct")
    func structure() throws {
        let settings = ServiceKey<Settings>("settings")
        box.register(Settings())
        #expect(box.failure(of: settings)?.path == ["settings", "user"])
        box.register(User())
        _ = try box[settings].user
    }

    @Test("may be an actor, which a fill on it completes")
    func actor() async throws {
        let vault = Vault()
        let key = ServiceKey<Vault>("vault")
        box.register(vault)
        box.register(Cache())
        let error = try #require(box.failure(of: key))
        #expect(error.path == ["vault", "cache"])
        #expect(error.description.contains("await box.fill(actor)"))
        await box.fill(vault)
        #expect(try box[key] === vault)
        #expect(await vault.cache != nil)
    }

    @Test("isn't completed by the fill of another one of its type")
    func anotherActor() async {
        box.register(Vault())
        box.register(Cache())
        await box.fill(Vault())
        #expect(box.failure(of: ServiceKey<Vault>("vault"))?.path == ["vault", "cache"])
    }

    @Test("may lack a line of its table that isn't optional")
    func table() throws {
        let panel = Panel()
        let key = ServiceKey<Panel>("panel")
        box.register(panel)
        #expect(box.failure(of: key)?.path == ["panel", "cache"])
        box.register(Cache())
        #expect(try box[key].cache != nil)
        #expect(panel.clock == nil)
    }

    @Test("may lack what the box is taught of it")
    func taught() throws {
        final class Plain: @unchecked Sendable { var cache: Cache? }
        let key = ServiceKey<Plain>("plain")
        box.register(Plain())
        _ = try box[key]
        box.teach(Plain.self, ["cache": .setter { (plain: Plain, cache: Cache) in plain.cache = cache }])
        #expect(box.failure(of: key)?.path == ["plain", "cache"])
        box.register(Cache())
        #expect(try box[key].cache != nil)
    }

    @Test("may lack what the box is taught of it when it had all before")
    func taughtLater() throws {
        box.register(Repository())
        #expect(box.failure(of: repository)?.path == ["repository", "user"])
        box.register(User())
        _ = try box[repository]
        box.teach(Repository.self, ["cache": .setter { (_: Repository, _: Cache) in }])
        #expect(box.failure(of: repository)?.path == ["repository", "cache"])
        box.register(Cache())
        _ = try box[repository]
    }

    @Test("may come from a provider of somebody else's")
    func foreign() throws {
        box.register(provider: ServiceProvider { Repository() }, as: repository)
        #expect(box.failure(of: repository)?.path == ["repository", "user"])
        box.register(User())
        _ = try box[repository].user
    }

    @Test("may belong to the parent of the box that asks")
    func parent() throws {
        box.register(Repository())
        let child = box.makeChild(name: "request")
        child.register(as: "handler") { _ in Handler() }
        #expect(child.failure(of: handler)?.path == ["handler", "repository", "user"])
        box.register(User())
        _ = try child[handler].repository.user
    }

    @Test("gets what it requires beside what fails, of which alone the report says so")
    func besideFailed() throws {
        final class Bench: Injectable, @unchecked Sendable {
            var cache: Cache?
            static var injections: InjectionTable {
                [
                    "cache": .setter { (bench: Bench, cache: Cache) in bench.cache = cache },
                    "repository": .setter(optional: true) { (_: Bench, _: Repository) in },
                ]
            }
        }
        box.register(Bench())
        box.register { _ in Cache() }
        box.register(as: repository) { _ in Repository() }
        let report = box.crossFill().report(on: Bench.self)
        #expect(report?.outcomes == ["cache": .filled, "repository": .failed])
        #expect(try box.resolve(Bench.self).cache != nil)
    }

    @Test("may get the line of its table by a fill of a child")
    func filledByChild() throws {
        let (panel, child) = (Panel(), box.makeChild(name: "child"))
        let (key, other) = (ServiceKey<Panel>("panel"), ServiceKey<Panel>("other"))
        box.register(panel)
        box.register(Panel(), as: other)
        #expect(box.failure(of: key)?.path == ["panel", "cache"])
        child.register(Cache())
        child.fill(panel)
        #expect(try box[key].cache != nil)
        #expect(box.failure(of: other)?.path == ["other", "cache"])
    }

    @Test("may be one that only a copy has still")
    func copied() {
        box.register(Repository())
        let copy = box.copy()
        box.remove("repository")
        #expect(copy.failure(of: repository)?.path == ["repository", "user"])
    }
}
