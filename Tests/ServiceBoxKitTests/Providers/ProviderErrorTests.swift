// Part of ServiceBox, released under the MIT License.
// Errors of providers: codes, paths, causes, texts.

import ServiceBoxKit
import Testing

private final class Screen: Sendable {}
private final class Shop: Sendable {}
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
    }

    @Test("carry the path from what was resolved to what failed")
    func nested() {
        let store = ServiceProvider<Shop> { [cache] in
            _ = try cache.resolve()
            return Shop()
        }
        let screen = ServiceProvider<Screen>(.transient) {
            _ = try store.resolve()
            return Screen()
        }
        let error = failure(of: screen)
        #expect(error?.path == ["Screen", "Shop", "Cache"])
        #expect(error?.underlying is DiskFull)
    }

    @Test("start a new path where a factory throws an error of its own")
    func restarted() {
        let store = ServiceProvider<Shop> { [cache] in
            do { _ = try cache.resolve() } catch { throw Unwanted() }
            return Shop()
        }
        let error = failure(of: store)
        #expect(error?.path == ["Shop"])
        #expect(error?.underlying is Unwanted)
    }

    @Test("of an eager service gain the type that resolved it")
    func eagerNested() {
        let eager = ServiceProvider<Cache>(.eager) { throw DiskFull() }
        let store = ServiceProvider<Shop> {
            _ = try eager.resolve()
            return Shop()
        }
        #expect(failure(of: eager)?.path == ["Cache"])
        #expect(failure(of: store)?.path == ["Shop", "Cache"])
        #expect(failure(of: eager)?.path == ["Cache"])
    }

    @Test("that a factory lets through from a fill are causes, not part of the path")
    func otherLibraryError() throws {
        struct Hole { @Injected var cache: Cache }
        let store = ServiceProvider<Shop> {
            var hole = Hole()
            try ServiceBox().fill(&hole).requireComplete()
            return Shop()
        }
        let error = failure(of: store)
        #expect(error?.code == .factoryFailed)
        #expect(error?.path == ["Shop"])
        #expect((error?.underlying as? ServiceBoxError)?.code == .incomplete)
    }

    @Test("trap with the whole explanation in resolveOrFail")
    func resolveOrFail() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let cache = ServiceProvider<Cache> { throw DiskFull() }
            _ = cache.resolveOrFail(fileID: "App/Main.swift", line: 7)
        }
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let text = """
            Fatal error: Can't make a Cache: its factory failed.
              Error: DiskFull() (DiskFull)
            To fix, correct what the factory of Cache reports, then ask again.

            """
        #expect(errors.contains(text), "\(errors)")
    }

    @Test("trap with parameters too")
    func parametersResolveOrFail() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let cache = ServiceParametersProvider<Cache, Int> { _ in throw DiskFull() }
            _ = cache.resolveOrFail(1, fileID: "App/Main.swift", line: 7)
        }
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(errors.contains("Fatal error: Can't make a Cache: its factory failed.\n"), "\(errors)")
    }

    @Test("of a transient session factory trap")
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

    @Test(
        "that pass through 100 000 factories name all of them, keep their root, and end on a small stack",
        .neverHanging)
    func deep() throws {
        let count = 100_000
        func failing(_ error: any Error) -> ServiceBoxError? {
            failure(of: ServiceProvider<Cache> { throw error })
        }
        var latest = failing(Broken())
        for _ in 1..<count { latest = latest.flatMap(failing) }
        var error = try #require(latest)
        latest = nil
        #expect(error.path.count == count)
        #expect(error.root.path == ["Cache"])
        #expect(error.underlying is Broken)
        // The whole path is let go of here.
        let path = Locked<ServiceBoxError?>(error)
        error = error.root
        try onSmallThread { path.withLock { $0 = nil } }
        #expect(error.code == .factoryFailed)
    }
}
