// Part of ServiceBox, released under the MIT License.
// Keys that know the type of their service.

import ServiceBoxKit
import Testing

private protocol Store: Sendable {}
private final class FileStore: Store {}
private final class Cache: Sendable {}

extension ServiceKey where Service == any Store {
    fileprivate static var store: Self { "store" }
    fileprivate static var backup: Self { "backup" }
}
extension ServiceKey where Service == Cache {
    fileprivate static var cache: Self { "cache" }
    /// Has the name of another key.
    fileprivate static var otherStore: Self { "store" }
}

private final class Screen {
    @Injected(.store) var first: (any Store)?
    @Injected(.backup) var second: any Store
    @Injected(.cache) var cache: Cache?
}

@Suite("A typed key")
struct ServiceKeyTests {
    private let box = ServiceBox()

    @Test("names a service and its type")
    func roundTrip() throws {
        let store = FileStore()
        box.register(store, as: .store)
        box.register(as: .cache, lifetime: .transient) { _ in Cache() }
        #expect(try box[.store] as? FileStore === store)
        #expect(try box[.cache] !== box[.cache])
        #expect(box.registrations.contains { $0.name == "store" && $0.type == (any Store).self })
        #expect("\(ServiceKey.store)" == "'store' (Store)")
    }

    @Test("tells services of one type apart by its name")
    func variants() throws {
        let (first, second) = (FileStore(), FileStore())
        box.register(first, as: .store)
        box.register(second, as: .backup)
        #expect(try box[.store] as? FileStore === first)
        #expect(try box[.backup] as? FileStore === second)
    }

    @Test("fills properties that are declared with it")
    func injected() {
        let (first, second) = (FileStore(), FileStore())
        box.register(first, as: .store)
        box.register(second, as: .backup)
        box.register(as: .cache) { _ in Cache() }
        let screen = Screen()
        #expect(box.fill(screen).isComplete)
        #expect(screen.first as? FileStore === first)
        #expect(screen.second as? FileStore === second)
        #expect(screen.cache != nil)
    }

    @Test("of a registered name and another type is refused and creates nothing")
    func collision() throws {
        let makes = Counter()
        box.register(as: ServiceKey<Cache>.otherStore) { _ in
            makes.next()
            return Cache()
        }
        let error = #expect(throws: ServiceBoxError.self) { try box[.store] }
        #expect(error?.code == .typeMismatch)
        #expect(error?.path == ["store"])
        #expect(box.fill(Screen()).outcome(of: "first") == .typeMismatch)
        #expect(makes.value == 0)
        box.register(FileStore(), as: .store)
        _ = try box[.store]
        let old = #expect(throws: ServiceBoxError.self) { try box[ServiceKey<Cache>.otherStore] }
        #expect(old?.code == .typeMismatch)
    }

    @Test("that isn't registered is missing")
    func missing() {
        let error = #expect(throws: ServiceBoxError.self) { try box[.store] }
        #expect(error?.code == .missing)
    }

    @Test("equals keys of the same name and type")
    func equality() {
        #expect(ServiceKey<Cache>("a") == ServiceKey<Cache>("a"))
        #expect(ServiceKey<Cache>("a") != ServiceKey<Cache>("b"))
        #expect(Set([ServiceKey.store, .store, .backup]).count == 2)
    }
}
