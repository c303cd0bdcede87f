// Part of ServiceBox, released under the MIT License.
// Looking up by a type that one service is registered as and others might be.

import ServiceBoxKit
import Testing

private protocol Store: Sendable {}
private protocol Diary: Sendable {}
private struct FileStore: Store {}
private struct FileDiary: Diary {}
private class Cache: @unchecked Sendable {}
private final class DiskCache: Cache, @unchecked Sendable {}
private final class Reader { @Injected var cache: ServiceProvider<Cache>? }

@Suite("Looking up by a type that a service is registered as")
struct ResolvingExactTypeTests {
    private let box = ServiceBox()

    @Test("takes that one, and not what is registered as another interface and might be of the type")
    func interfaces() throws {
        box.register(as: ServiceKey<any Store>("store")) { _ in FileStore() }
        box.register(as: ServiceKey<any Diary>("journal")) { _ in
            Issue.record("made")
            return FileDiary()
        }
        #expect(try box.resolve((any Store).self) is FileStore)
    }

    @Test("takes the class itself rather than a subclass")
    func classes() throws {
        let cache = Cache()
        box.register(DiskCache(), as: "disk")
        box.register(cache, as: "cache")
        #expect(try box.resolve(Cache.self) === cache)
    }

    @Test("is ambiguous when two are registered as it")
    func ambiguous() {
        box.register(Cache(), as: "near")
        box.register(Cache(), as: "far")
        let error = #expect(throws: ServiceBoxError.self) { try box.resolve(Cache.self) }
        #expect(error?.code == .ambiguous)
    }

    @Test("fills a property of its provider's type with a provider of a ready service")
    func provider() throws {
        let cache = Cache()
        box.register(cache)
        let reader = Reader()
        box.fill(reader)
        #expect(try reader.cache?.resolve() === cache)
    }

    @Test(
        "collects no service that is registered as an interface which the type lacks, and makes none to see")
    func collecting() throws {
        box.register(as: ServiceKey<any Diary>("journal")) { _ in
            Issue.record("made")
            return FileDiary()
        }
        box.register(FileStore(), as: "store")
        #expect(try box.resolveAll(FileStore.self).count == 1)
    }
}
