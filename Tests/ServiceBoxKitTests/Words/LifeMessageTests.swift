// Part of ServiceBox, released under the MIT License.
// What is said of services that start, stop, must be awaited, or can't be wrapped.

import ServiceBoxKit
import Testing

private final class Pool: ServiceLifecycle {
    func start() async throws { throw Broken() }
}

private final class Server: ServiceLifecycle {
    let pool: Pool

    init(_ pool: Pool) { self.pool = pool }
}

@Suite("The message of a service that can't start, stop or be wrapped")
struct LifeMessageTests {
    @Test("names the error of a start, and who needs the service")
    func startFailed() async {
        let box = ServiceBox()
        box.register { _ in Pool() }
        box.register { box in Server(try box.resolve()) }
        let error = await failure { try await box.start() } as? ServiceBoxError
        #expect(
            error?.description == """
                Can't start a Server: the start of Pool failed.
                  Path:  Server → Pool
                  Error: Broken() (Broken)
                To fix, correct what the start of Pool reports.
                """)
    }

    @Test("says of a box that is started by what it starts that it is starting already", .neverHanging)
    func startedAgain() async {
        final class Starter: ServiceLifecycle {
            unowned let box: ServiceBox
            init(_ box: ServiceBox) { self.box = box }
            func start() async throws { try await box.start() }
        }
        let box = ServiceBox()
        box.register(lifetime: .eager) { box in Starter(box) }
        let error = await failure { try await box.start() } as? ServiceBoxError
        #expect(
            error?.description == """
                Can't start a Starter: its start failed.
                  Error: Can't start a box: it is already starting, and waits for what calls it.
                To fix, don't start the box from what it starts.
                """)
        let other = ServiceBox()
        other.register(as: "cache") { box async throws in
            try await box.start()
            return Cache()
        }
        let factoryError = await failure { try await other.start() } as? ServiceBoxError
        #expect(
            factoryError?.description == """
                Can't start a box: it is already starting, and waits for what calls it.
                  Path: Cache → ServiceBox → Cache
                To fix, don't start the box from what it starts.
                """)
    }

    @Test("advises no start for a weak service that must be awaited, which a start doesn't create")
    func weakAwaited() {
        let box = ServiceBox()
        box.register(as: "pool", lifetime: .weak) { _ async in Pool() }
        #expect(
            box.failure(of: ServiceKey<Pool>("pool"))?.description == """
                Can't make a Pool: it must be awaited and isn't ready.
                  Registered: as 'pool'
                To fix, await prepare("pool") before asking, and keep what it returns.
                """)
    }

    @Test("names the box in which a service must be awaited, which may not be the one that is asked")
    func awaitedElsewhere() {
        let parent = ServiceBox(name: "app")
        parent.register(as: "clock") { _ async in Clock() }
        parent.register(as: "page") { box in
            _ = try box.resolve("clock") as Clock
            return Page()
        }
        let child = parent.makeChild(name: "request")
        child.register(Clock(), as: "clock")
        #expect(
            child.failure(of: ServiceKey<Page>("page"))?.description == """
                Can't make a Page: Clock must be awaited and isn't ready.
                  Path:       Page → Clock
                  Registered: as 'clock'
                  Box:        'app'
                To fix, await prepare("clock") before asking, or await start() of the box that creates it.
                """)
    }

    @Test("says what has failed behind a failed start, stop or module, and how to fix that")
    func cause() async {
        struct Setup: ServiceModule {
            func register(in box: ServiceBox) throws { _ = try box.resolve(Cache.self) }
        }
        let box = ServiceBox()
        box.register { _ -> Cache in throw Broken() }
        let lookUp = { @Sendable [unowned box] in _ = try box.resolve(Cache.self) }
        box.register(Doer(start: lookUp, stop: lookUp))
        let causes = """
              Error: Can't make a Cache: its factory failed.
              Cause: Broken() (Broken)
            To fix, correct what the factory of Cache reports, then ask again.
            """
        let start = await failure { try await box.start() }
        #expect("\(start ?? Broken())" == "Can't start a Doer: its start failed.\n\(causes)")
        let module = await failure { try box.add(Setup()) }
        #expect("\(module ?? Broken())" == "Can't add Setup: it failed to register.\n\(causes)")
        let other = ServiceBox()
        other.register(Doer(stop: lookUp))
        #expect(await other.stop().map(\.description) == ["Can't stop a Doer: its stop failed.\n\(causes)"])
    }

    @Test("runs no child when it has stopped, and says so")
    func noChild() async {
        let box = ServiceBox(name: "app")
        await box.stop()
        let error = await failure { try await box.withChild(name: "request") { _ in } } as? ServiceBoxError
        #expect(error?.code == .stopped)
        #expect(
            error?.description == """
                Can't run the child 'request': its parent has stopped.
                  Box: 'app'
                To fix, run children before the parent stops.
                """)
        #expect("\(box)" == "ServiceBox 'app', no services, stopped")
    }

    @Test("lets no box below it run when it has stopped, and says so")
    func noneBelow() async {
        let box = ServiceBox(name: "app")
        let child = box.makeChild(name: "tenant")
        await box.stop()
        let error = await failure { try await child.withChild(name: "request") { _ in } } as? ServiceBoxError
        #expect(error?.path == ["request"])
        #expect(
            error?.description == """
                Can't run the child 'request': its ancestor has stopped.
                  Box: 'app'
                To fix, run children before the ancestor stops.
                """)
        let started = await failure { try await child.start() } as? ServiceBoxError
        #expect(started?.path == ["tenant"])
        #expect(
            started?.description == """
                Can't start a box: an ancestor has stopped.
                  Box:     'tenant'
                  Stopped: 'app'
                To fix, start a new one, or a child of one that runs.
                """)
    }

    @Test("says that a transient service must be awaited each time")
    func transient() {
        let box = ServiceBox()
        box.register(lifetime: .transient) { _ in
            await Task.yield()
            return Cache()
        }
        #expect(
            box.failure(of: ServiceKey<Cache>("cache"))?.description == """
                Can't make a Cache: it must be awaited each time.
                  Registered: as 'cache'
                To fix, await prepare("cache") in its place, or give it a lifetime that is kept.
                """)
    }

    @Test("says whose part it is to end a transient service")
    func transientStop() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().register(
                as: "cache", lifetime: .transient, onStop: { (_: Cache) in }, fileID: "App/Main.swift",
                line: 3
            ) { _ in Cache() }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                """
                Can't stop 'cache' with its box: it is transient, so each Cache belongs to whoever resolves it.
                  Registered: App/Main.swift:3
                To fix, let whoever resolves it end it, or register it with another lifetime.
                """))
    }

    @Test("says that the box itself can't be wrapped")
    func reservedDecoration() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().decorate(
                ServiceKey<ServiceBox>("serviceBox"), fileID: "App/Main.swift", line: 4
            ) { box, _ in box }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                """
                Can't decorate 'serviceBox': the name is reserved for the box itself.
                  Decorated: App/Main.swift:4
                To fix, decorate a service.
                """))
    }

    @Test("says that a service has been wrapped too often, also in its parents")
    func endlessDecoration() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (box, key) = (ServiceBox(), ServiceKey<Cache>("cache"))
            box.register(Cache(), as: key)
            for _ in 1...60 { box.decorate(key) { cache, _ in cache } }
            let child = box.makeChild()
            _ = try child[key]
            for _ in 61...64 { child.decorate(key) { cache, _ in cache } }
            _ = try child[key]
            child.decorate(key, fileID: "App/Main.swift", line: 5) { cache, _ in cache }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                """
                Can't decorate 'cache' again: it has 64 decorations already.
                  Decorated: App/Main.swift:5
                To fix, decorate it once, where it is registered.
                """))
    }

    @Test("says that too many boxes were made, each from the one before")
    func endlessFamily() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var box = ServiceBox()
            box.register(Cache(), as: "cache")
            for _ in 1...128 { box = box.makeChild().copy() }
            let _: Cache = try box["cache"]
            _ = box.makeChild()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                """
                Can't make a box from another one: 256 boxes build on one another already.
                To fix, make each child or copy from the same box, rather than from the latest one.
                """))
    }

    @Test("says that a decoration has failed, and where it was given")
    func failedDecoration() {
        let box = ServiceBox()
        box.register(Cache(), fileID: "App/Main.swift", line: 3)
        box.decorate("cache" as ServiceKey<Cache>, fileID: "App/Main.swift", line: 4) { _, _ in throw Broken()
        }
        let error = box.failure(of: "cache" as ServiceKey<Cache>)
        #expect(error?.underlying is Broken)
        #expect(
            error?.description == """
                Can't make a Cache: its decoration failed.
                  Decorated: App/Main.swift:4
                  Error:     Broken() (Broken)
                To fix, correct what the decoration of Cache reports, then ask again.
                """)
    }

    @Test("points a decoration that looks up its own service to the one that it is passed", .neverHanging)
    func ownDecoration() {
        let box = ServiceBox()
        box.register(Cache(), as: "cache")
        box.decorate("cache" as ServiceKey<Cache>) { _, box in try box.resolve("cache") }
        let text = box.failure(of: "cache" as ServiceKey<Cache>)?.description
        #expect(text?.contains("To fix, use the service that the decoration is passed.") == true)
    }

    @Test("says all that a service lacks which a module has looked up")
    func moduleLacks() {
        final class Shop: @unchecked Sendable {
            @Injected var clock: Clock
            @Injected var cache: Cache
        }
        struct Shopping: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.register { _ in Shop() }
                _ = try box.resolve(Shop.self)
            }
        }
        let box = ServiceBox()
        let error = #expect(throws: ServiceBoxError.self) { try box.add(Shopping()) }
        #expect(
            error?.description == """
                Can't add Shopping: it failed to register.
                  Path:  Shopping → shop → clock
                  Error: Can't hand out 'shop': 2 required properties are empty.

                Can't fill 'clock' of Shop: no service is registered under that name.
                  Property:   Shop.clock, a Clock
                  Registered: 'serviceBox' (ServiceBox), 'shop' (Shop, from Shopping)
                To fix, register a Clock as 'clock' before filling.

                Can't fill 'cache' of Shop: no service is registered under that name.
                  Property:   Shop.cache, a Cache
                  Registered: 'serviceBox' (ServiceBox), 'shop' (Shop, from Shopping)
                To fix, register a Cache as 'cache' before filling.
                """)
    }
}
