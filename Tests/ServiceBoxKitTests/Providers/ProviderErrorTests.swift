// Part of ServiceBox, released under the MIT License.
// Errors of providers: codes, paths, causes, texts.

import ServiceBoxKit
import Testing

private protocol Analytics: Sendable {}
private final class Screen: Sendable {}
private final class Store: Sendable {}
private final class Cache: Sendable {}
private struct DiskFull: Error {}
private struct Unwanted: Error {}

@Suite("Errors of providers")
struct ProviderErrorTests {
    private let cache = ServiceProvider<Cache> { throw DiskFull() }

    @Test("name the service and keep the cause")
    func single() {
        let error = failure(of: cache)
        #expect(error?.code == .factoryFailed)
        #expect(error?.path == ["Cache"])
        #expect(error?.underlying is DiskFull)
        #expect(
            error?.description == """
                Can't make a Cache: its factory failed.
                  Error: DiskFull() (DiskFull)
                To fix, correct what the factory of Cache reports, then ask again.
                """)
    }

    @Test("carry the path from what was asked for to what failed")
    func nested() {
        let store = ServiceProvider<Store> { [cache] in
            _ = try cache.resolve()
            return Store()
        }
        let screen = ServiceProvider<Screen>(.transient) {
            _ = try store.resolve()
            return Screen()
        }
        let error = failure(of: screen)
        #expect(error?.path == ["Screen", "Store", "Cache"])
        #expect(error?.underlying is DiskFull)
        #expect(
            error?.description == """
                Can't make a Screen: the factory of Cache failed.
                  Path:  Screen → Store → Cache
                  Error: DiskFull() (DiskFull)
                To fix, correct what the factory of Cache reports, then ask again.
                """)
    }

    @Test("start a new path where a factory throws an error of its own")
    func restarted() {
        let store = ServiceProvider<Store> { [cache] in
            do { _ = try cache.resolve() } catch { throw Unwanted() }
            return Store()
        }
        let error = failure(of: store)
        #expect(error?.path == ["Store"])
        #expect(error?.underlying is Unwanted)
    }

    @Test("of an eager service gain the type that asked for it")
    func eagerNested() {
        let eager = ServiceProvider<Cache>(.eager) { throw DiskFull() }
        let store = ServiceProvider<Store> {
            _ = try eager.resolve()
            return Store()
        }
        #expect(failure(of: eager)?.path == ["Cache"])
        #expect(failure(of: store)?.path == ["Store", "Cache"])
        #expect(failure(of: eager)?.path == ["Cache"])
    }

    @Test("that a factory lets through from a fill are causes, not part of the path")
    func otherLibraryError() throws {
        struct Hole { @Injected var cache: Cache? }
        let store = ServiceProvider<Store> {
            var hole = Hole()
            try ServiceBox().fill(&hole).requireComplete()
            return Store()
        }
        let error = failure(of: store)
        #expect(error?.code == .factoryFailed)
        #expect(error?.path == ["Store"])
        #expect((error?.underlying as? ServiceBoxError)?.code == .incomplete)
    }

    @Test("stop the program with the whole explanation where that is asked for")
    func resolveOrFail() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let cache = ServiceProvider<Cache> { throw DiskFull() }
            _ = cache.resolveOrFail(file: "App/Main.swift", line: 7)
        }
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let text = """
            Fatal error: Can't make a Cache: its factory failed.
              Error: DiskFull() (DiskFull)
            To fix, correct what the factory of Cache reports, then ask again.

            """
        #expect(errors.contains(text), "\(errors)")
    }

    @Test("stop the program where parameters were given too")
    func parametersResolveOrFail() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let cache = ServiceParametersProvider<Cache, Int> { _ in throw DiskFull() }
            _ = cache.resolveOrFail(1, file: "App/Main.swift", line: 7)
        }
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(errors.contains("Fatal error: Can't make a Cache: its factory failed.\n"), "\(errors)")
    }

    @Test("of a session factory that is transient stop the program")
    func transientSession() async throws {
        struct Factory: ServiceSessionFactory {
            let lifetime = Lifetime.transient
            func makeService(for session: ServiceConstantSession) -> Cache { Cache() }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ServiceProvider(Factory(), mediator: ServiceSessionMediator())
        }
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let text = """
            Fatal error: Can't make a transient Cache for sessions: a session keeps one service for each key.
              Lifetime: transient
            To fix, give the session factory an eager, lazy or weak lifetime.

            """
        #expect(errors.contains(text), "\(errors)")
    }
}

@MainActor private final class Window: Sendable {}

@Suite("Services of the main actor")
struct MainActorProviderTests {
    @Test("are refused elsewhere before they are made, and handed out there afterwards")
    func lazy() async throws {
        let provider = ServiceProvider { @MainActor in Window() }
        #expect(
            onThread { failure(of: provider) }??.description == """
                Can't make a Window: its factory belongs to the main actor and was called elsewhere.
                To fix, ask on the main actor; a shared service is available everywhere once made.
                """)
        let window = try await MainActor.run { try provider.resolve() }
        #expect(onThread { (try? provider.resolve()) === window } == true)
    }

    @Test("are refused with the path where another service needs them")
    func nested() {
        let window = ServiceProvider { @MainActor in Window() }
        let store = ServiceProvider<Store> {
            _ = try window.resolve()
            return Store()
        }
        let error = onThread { failure(of: store) } ?? nil
        #expect(error?.code == .wrongIsolation)
        #expect(
            error?.description == """
                Can't make a Store: the factory of Window belongs to the main actor and was called elsewhere.
                  Path: Store → Window
                To fix, ask on the main actor; a shared service is available everywhere once made.
                """)
    }

    @Test("are made at once on the main actor if they are eager, and refused elsewhere")
    func eager() async {
        let made = await MainActor.run { ServiceProvider(.eager) { @MainActor in Window() }.isMade }
        #expect(made)
        let code = onThread { () -> ServiceBoxError.Code? in
            do throws(ServiceBoxError) {
                try ServiceProvider(.eager) { @MainActor in Window() }.validate()
                return nil
            } catch { return error.code }
        }
        #expect(code == .wrongIsolation)
    }

    @Test("may be transient or made from parameters", .timeLimit(.minutes(1)))
    func others() async throws {
        let transient = ServiceProvider(.transient) { @MainActor in Window() }
        let parameters = ServiceParametersProvider { @MainActor (_: Int) in Window() }
        let bound = parameters.bound(to: 1)
        try await MainActor.run {
            let windows = try [
                transient.resolve(), transient.resolve(), parameters.resolve(1), bound.resolve(),
            ]
            #expect(Set(windows.map(ObjectIdentifier.init)).count == 4)
        }
        for provider in [transient, bound] {
            #expect((onThread { failure(of: provider) } ?? nil)?.code == .wrongIsolation)
        }
    }

    @Test("are not asked for by a plain closure")
    func plainClosure() {
        let provider = ServiceProvider(.transient) { Store() }
        #expect(onThread { failure(of: provider) == nil } == true)
    }
}

@globalActor private actor Storage {
    static let shared = Storage()
}

@Storage private final class Ledger: Sendable {}

@Suite("Services of a global actor")
struct GlobalActorProviderTests {
    @Test("are refused elsewhere before they are created, and handed out there afterwards")
    func lazy() async throws {
        let provider = ServiceProvider { @Storage in Ledger() }
        #expect(await MainActor.run { failure(of: provider) }?.code == .wrongIsolation)
        #expect(onThread { failure(of: provider) }??.code == .wrongIsolation)
        let ledger = try await onStorage { () throws(ServiceBoxError) in try provider.resolve() }
        #expect(onThread { (try? provider.resolve()) === ledger } == true)
    }

    @Test("may be transient, eager or created from parameters")
    func others() async throws {
        let transient = ServiceProvider(.transient) { @Storage in Ledger() }
        let parameters = ServiceParametersProvider { @Storage (_: Int) in Ledger() }
        let ledgers = try await onStorage { () throws(ServiceBoxError) in
            try [
                transient.resolve(), parameters.resolve(1), parameters.bound(to: 1).resolve(),
                ServiceProvider(.eager) { @Storage in Ledger() }.resolve(),
            ]
        }
        #expect(Set(ledgers.map(ObjectIdentifier.init)).count == 4)
        for provider in [transient, parameters.bound(to: 1)] {
            #expect(failure(of: provider)?.code == .wrongIsolation)
        }
    }

    @Storage private func onStorage<Result, Failure>(
        _ body: @Storage () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body()
    }
}
