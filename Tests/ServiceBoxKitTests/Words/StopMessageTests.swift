// Part of ServiceBox, released under the MIT License.
// Misuse stops the program with the whole explanation.

import ServiceBoxKit
import Testing

@globalActor private actor Cellar {
    static let shared = Cellar()
}

@Suite("Misuse that stops the program")
struct StopMessageTests {
    private final class Store {
        static let lineOfCache = #line + 1
        @Injected var cache: Cache
        var other: Cache?
    }

    /// Whether a program ended with a message, which the runtime puts behind a place and the words `Fatal
    /// error`.
    private func expect(_ message: String, in result: ExitTest.Result?) throws {
        let result = try #require(result)
        let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(errors.contains("Fatal error: \(message)\n"), "\(errors)")
    }

    @Test("registering under an empty name")
    func emptyName() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().register(Cache(), as: "", fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't register a Cache under an empty name.
              Registered: App/Main.swift:7
            To fix, register it under the name of the properties that it is for.
            """, in: result)
    }

    @Test("registering under the name of the box's own entry")
    func reservedName() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().register(Cache(), as: "serviceBox", fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't register a Cache as 'serviceBox': the name is reserved for the box itself.
              Registered: App/Main.swift:7
            To fix, register it under another name.
            """, in: result)
    }

    @Test("registering a second box without a name, which would take the reserved one")
    func boxWithoutName() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().register(ServiceBox(), fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't register a ServiceBox as 'serviceBox': the name is reserved for the box itself.
              Registered: App/Main.swift:7
            To fix, register it under another name.
            """, in: result)
    }

    @Test("registering an optional")
    func optionalService() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let cache: Cache? = Cache()
            ServiceBox().register(cache, as: "cache", fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't register an optional as 'cache'.
              Type:       Cache?
              Registered: App/Main.swift:7
            To fix, unwrap it, and register it if it isn't nil, or let its factory throw instead of returning nil.
            """, in: result)
    }

    @Test("registering a service without a name whose type has none")
    func underivableName() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let sum: @Sendable (Int, Int) -> Int = { $0 + $1 }
            ServiceBox().register(sum, fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't derive a name for a service of type @Sendable (Int, Int) -> Int: the type has no name of its own.
              Registered: App/Main.swift:7
            To fix, create services with it: register { _ in … }, or give it one: as: "name".
            """, in: result)
    }

    @Test("registering a type in place of a service")
    func typeAsService() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().register(Cache.self, fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't derive a name for a service of type Cache.Type: the type has no name of its own.
              Registered: App/Main.swift:7
            To fix, create a service of that type: register { _ in … }, or give it one: as: "name".
            """, in: result)
    }

    @Test("registering a service without a name of which only that it is Sendable is known")
    func underivableAny() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            for service in [Cache(), "text"] as [any Sendable] { ServiceBox().register(service) }
        }
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
        #expect(text?.contains("Can't derive a name for a service of type Any: ") == true)
        await #expect(processExitsWith: .failure) {
            ServiceBox().register(Cache() as any AnyObject & Sendable)
        }
    }

    @Test("reading a property that is neither filled nor optional")
    func unfilledRead() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Store().cache
        }
        try expect(
            """
            Can't read an injected Cache: nothing has filled it yet.
              Declared: ServiceBoxKitTests/StopMessageTests.swift:\(Store.lineOfCache)
            To fix, fill the object before reading the property, or declare the property optional.
            """, in: result)
    }

    @Test("reading a property that a fill has left empty names what was meant")
    func unfilledNear() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = ServiceBox()
            box.register(Cache(), as: "caches")
            let store = Store()
            box.fill(store)
            withExtendedLifetime(box) { _ = store.cache }
        }
        try expect(
            """
            Can't read 'cache' of Store: no service is registered under that name.
              Declared:   ServiceBoxKitTests/StopMessageTests.swift:\(Store.lineOfCache)
              Property:   Store.cache, a Cache
              Registered: 'caches' (Cache), 'serviceBox' (ServiceBox)
              Did you mean 'caches'?
            To fix, rename the property to 'caches', or declare it with @Injected("caches").
            """, in: result)
    }

    @Test("reading a property whose service's factory failed")
    func unfilledFailed() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = ServiceBox()
            box.register { _ -> Cache in throw Broken() }
            let store = Store()
            box.fill(store)
            withExtendedLifetime(box) { _ = store.cache }
        }
        try expect(
            """
            Can't read 'cache' of Store: its service could not be made, since its factory failed.
              Declared: ServiceBoxKitTests/StopMessageTests.swift:\(Store.lineOfCache)
              Property: Store.cache, a Cache
              Found:    'cache' (Cache)
              Error:    Broken() (Broken)
            To fix, correct what the factory of Cache reports, then fill again.
            """, in: result)
    }

    @Test("reading a property of a registered service that its box could not fill")
    func unfilledService() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            final class Desk: @unchecked Sendable { @Injected var cache: Cache }
            let box = ServiceBox()
            let desk = Desk()
            box.register(desk)
            box.crossFill()
            withExtendedLifetime(box) { _ = desk.cache }
        }
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(errors.contains("Can't read 'cache' of Desk: no service is registered under that name.\n"))
    }

    @Test("a table that names a property twice")
    func duplicateTableName() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let table: InjectionTable = ["other": .keyPath(\Store.other), "other": .keyPath(\Store.other)]
            _ = table
        }
        try expect(
            """
            Can't make an injection table that names 'other' twice.
              Table: of Store
            To fix, remove one of the two lines.
            """, in: result)
    }

    @Test("changing a sealed box")
    func sealed() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = ServiceBox()
            box.seal(fileID: "App/Start.swift", line: 3)
            box.register(Cache(), fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't register 'cache' in a sealed box.
              Sealed:  App/Start.swift:3
              Changed: App/Main.swift:7
            To fix, change the box before it is sealed, or change a child or a copy of it.
            """, in: result)
    }

    @Test("a session factory that is transient")
    func transientSession() async throws {
        struct Factory: ServiceSessionFactory {
            let lifetime = Lifetime.transient
            func makeService(for session: ServiceConstantSession) -> Cache { Cache() }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ServiceProvider(Factory(), mediator: ServiceSessionMediator())
        }
        try expect(
            """
            Can't make a transient Cache for sessions: a session keeps one service for each key.
              Lifetime: transient
            To fix, give the session factory an eager, lazy or weak lifetime.
            """, in: result)
    }

    @Test("teaching a table that was made on an actor of one's own")
    func foreignActorTable() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await Self.teachOnCellar()
        }
        try expect(
            """
            Can't teach a box to write 'other' of Store: the table was made on an actor other than the main actor, and a box can't return to it.
              Taught: App/Main.swift:7
            To fix, list the property in an isolated conformance of Store to Injectable.
            """, in: result)
    }

    @Test("teaching a protocol, which has no properties to fill")
    func unteachable() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().teach((any Analytics).self, [:], fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't teach a box to fill Analytics: it is a protocol, and only class instances, actors and structs have properties to fill.
              Taught: App/Main.swift:7
            To fix, teach it each type that has the properties.
            """, in: result)
    }

    @Cellar private static func teachOnCellar() {
        ServiceBox().teach(
            Store.self, ["other": .keyPath(\Store.other)], fileID: "App/Main.swift", line: 7)
    }
}
