// Part of ServiceBox, released under the MIT License.
// Looking services up by name, by type, with parameters.

import ServiceBoxKit
import Testing

private protocol Stranger {}
private enum Inner {
    final class Cache: Sendable {}
}

@Suite("Looking a service up")
struct ResolvingTests {
    private let box = ServiceBox()
    private let makes = Counter()

    private func error<Result>(_ body: () throws(ServiceBoxError) -> Result) -> ServiceBoxError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    private func registerLazily(as name: String = "store") {
        box.register(as: ServiceKey(name)) { [makes] _ in
            makes.next()
            return FileStore()
        }
    }

    @Test("by name finds instances and created services, as their type or an interface")
    func byName() throws {
        let cache = Cache()
        box.register(cache)
        registerLazily()
        #expect(try box.resolve(ServiceKey<Cache>("cache")) === cache)
        let store: any Store = try box.resolve("store")
        #expect(try store as? FileStore === box.resolve(ServiceKey<FileStore>("store")))
        #expect(try box.resolve(ServiceKey<AnyObject>("cache")) === cache)
        #expect(try box.resolve(ServiceKey<ServiceBox>("serviceBox")) === box)
    }

    @Test("distinguishes a missing name from another type, and creates nothing for it")
    func missingOrMismatch() {
        registerLazily()
        #expect(
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<FileStore>("cache")) }?.code
                == .missing)
        let wrong = [
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("store")) },
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<any Stranger>("store")) },
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<any Store & Stranger>("store"))
            },
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("store")) },
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache?>("store")) },
        ]
        #expect(wrong.map { $0?.code } == Array(repeating: .typeMismatch, count: 5))
        #expect(wrong.map { $0?.path } == Array(repeating: ["store"], count: 5))
        #expect(makes.value == 0)
    }

    @Test("if it is registered gives nil only if it isn't, here or in an ancestor")
    func ifRegistered() throws {
        let child = box.makeChild()
        #expect(try child.resolveIfRegistered("store" as ServiceKey<FileStore>) == nil)
        registerLazily()
        let store = try child.resolveIfRegistered("store" as ServiceKey<FileStore>)
        #expect(try store != nil && store === box["store"])
        box.register(as: "page") { _ -> Page in throw Broken() }
        let errors = [
            error { () throws(ServiceBoxError) in try box.resolveIfRegistered(ServiceKey<Cache>("store")) },
            error { () throws(ServiceBoxError) in try box.resolveIfRegistered(ServiceKey<Page>("page")) },
        ]
        #expect(errors.map { $0?.code } == [.typeMismatch, .factoryFailed])
    }

    @Test("by type if it is registered gives nil only if none fits, and isn't preferred")
    func ifOneFits() throws {
        #expect(try box.resolveIfRegistered(FileStore.self) == nil)
        registerLazily()
        let store: FileStore? = try box.makeChild().resolveIfRegistered()
        #expect(try store != nil && store === box["store"])
        box.register(FileStore(), as: "other")
        box.register(as: "page") { _ -> Page in throw Broken() }
        box.prefer("counter", for: Counter.self)
        let errors = [
            error { () throws(ServiceBoxError) in try box.resolveIfRegistered(FileStore.self) },
            error { () throws(ServiceBoxError) in try box.resolveIfRegistered(Page.self) },
            error { () throws(ServiceBoxError) in try box.resolveIfRegistered(Counter.self) },
        ]
        #expect(errors.map { $0?.code } == [.ambiguous, .factoryFailed, .missing])
    }

    @Test("compares types, not their printed names")
    func typeIdentity() {
        box.register(Cache(), as: "cache")
        #expect(
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Inner.Cache>("cache")) }?.code
                == .typeMismatch)
        #expect(error { () throws(ServiceBoxError) in try box.resolve(Inner.Cache.self) }?.code == .missing)
    }

    @Test("finds the service where the result is assigned to an optional")
    func optionalInference() throws {
        registerLazily()
        box.register(Cache())
        box.register(provider: ServiceParametersProvider { (number: Int) in Page(number: number) })
        let store: FileStore? = try box.resolve("store")
        #expect(store != nil)
        let interface: (any Store)? = try box.resolve("store")
        #expect(interface != nil)
        let cache: Cache? = try box.resolve()
        #expect(cache != nil)
        let page: Page? = try box.resolve("page", with: 2)
        #expect(page == Page(number: 2))
        let provider: ServiceProvider<FileStore>? = try box.provider("store")
        #expect(provider != nil)
        let all: [FileStore]? = try box.resolveAll()
        #expect(all?.count == 1)
    }

    @Test("by type finds the one that fits")
    func byType() throws {
        registerLazily(as: "any name")
        box.register(Cache())
        let store: FileStore = try box.resolve()
        #expect(try box.resolve((any Store).self) as? FileStore === store)
        #expect(makes.value == 1)
        #expect(try box.resolve(ServiceBox.self) === box)
    }

    @Test("by type and by name finds the same service")
    func byTypeAndName() throws {
        registerLazily()
        #expect(try box.resolve(FileStore.self) === box.resolve("store"))
    }

    @Test("by type is ambiguous if several fit, and creates none of them")
    func ambiguous() throws {
        registerLazily(as: "b")
        registerLazily(as: "a")
        box.register(MemoryStore(), as: "memory")
        let found = error { () throws(ServiceBoxError) in try box.resolve((any Store).self) }
        #expect(found?.code == .ambiguous)
        #expect(found?.path == ["Store"])
        #expect(makes.value == 0)
        _ = try box.resolve(MemoryStore.self)
        #expect(error { () throws(ServiceBoxError) in try box.resolve(FileStore.self) }?.code == .ambiguous)
    }

    @Test("by type passes over a service that is registered as an unrelated interface")
    func unrelatedInterface() throws {
        let cache = Cache()
        box.register(cache)
        box.register(as: ServiceKey<any Store>("store")) { [makes] _ in
            makes.next()
            return FileStore()
        }
        #expect(try box.resolve(Cache.self) === cache)
        #expect(makes.value == 0)
        box.register(Page(number: 1))
        #expect(try box.resolve(Page.self) == Page(number: 1))
        #expect(try box.resolveAll(Page.self).count == 1)
        #expect(makes.value == 0)
    }

    @Test("by type finds nothing where nothing fits")
    func noneFits() {
        registerLazily()
        let found = error { () throws(ServiceBoxError) in try box.resolve(Cache.self) }
        #expect(found?.code == .missing)
        #expect(found?.path == ["Cache"])
        #expect(makes.value == 0)
    }

    @Test("of all of a type returns them in the order of their registration")
    func all() throws {
        registerLazily(as: "z")
        box.register(MemoryStore(), as: "m")
        box.register(Cache())
        registerLazily(as: "a")
        let all = try box.resolveAll((any Store).self)
        #expect(all.map { type(of: $0) == FileStore.self } == [true, false, true])
        #expect(try all.first as? FileStore === box.resolve("z"))
        #expect(try all.last as? FileStore === box.resolve("a"))
        #expect(try box.resolveAll((any Stranger).self).isEmpty)
        box.register(MemoryStore(), as: "z")
        #expect(try box.resolveAll((any Store).self).map { $0 is MemoryStore } == [true, false, true])
    }

    @Test("of all of a type returns what is registered by then, however often it was asked before")
    func allAgain() throws {
        let child = box.makeChild()
        func expectCounts(_ own: Int, _ childs: Int) throws {
            for _ in 1...20 {
                #expect(try box.resolveAll((any Store).self).count == own)
                #expect(try child.resolveAll((any Store).self).count == childs)
            }
        }
        try expectCounts(0, 0)
        box.register(MemoryStore(), as: "m")
        try expectCounts(1, 1)
        child.register(MemoryStore(), as: "n")
        try expectCounts(1, 2)
        box.remove("m")
        try expectCounts(0, 1)
    }

    @Test("of all of a type throws if one can't be created, and creates no more")
    func allFailing() {
        struct Broken: Error {}
        box.register(MemoryStore(), as: "m")
        box.register(as: "broken") { _ -> FileStore in throw Broken() }
        box.register(as: "last") { _ -> MemoryStore in
            Issue.record("Nobody gets it.")
            return MemoryStore()
        }
        let found = error { () throws(ServiceBoxError) in try box.resolveAll((any Store).self) }
        #expect(found?.code == .factoryFailed)
        #expect(found?.path == ["FileStore"])
    }

    @Test("with parameters requires both types to fit")
    func parameters() throws {
        registerLazily()
        box.register(provider: ServiceParametersProvider { (number: Int) in Page(number: number) })
        #expect(try box.resolve(ServiceKey<Page>("page"), with: 2) == Page(number: 2))
        let wrong = [
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page"), with: "2") },
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("page"), with: 2) },
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<FileStore>("store"), with: 2) },
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page")) },
        ]
        #expect(wrong.map { $0?.code } == Array(repeating: .typeMismatch, count: 4))
        #expect(
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("pages"), with: 2) }?.code
                == .missing)
        #expect(makes.value == 0)
    }

    @Test("of a provider returns one, for instances too, and for the registered type only")
    func providers() throws {
        registerLazily()
        let cache = Cache()
        box.register(cache)
        let provider = try box.provider(ServiceKey<FileStore>("store"))
        #expect(makes.value == 0)
        #expect(try provider.resolve() === box.resolve(ServiceKey<FileStore>("store")))
        #expect(try box.provider(ServiceKey<Cache>("cache")).resolve() === cache)
        #expect(
            error { () throws(ServiceBoxError) in try box.provider(ServiceKey<Cache>("none")) }?.code
                == .missing)
        #expect(
            error { () throws(ServiceBoxError) in try box.provider(ServiceKey<any Store>("store")) }?.code
                == .typeMismatch)
    }

    @Test("doesn't find what was removed")
    func removed() throws {
        registerLazily()
        _ = try box.resolve(FileStore.self)
        #expect(box.remove("store"))
        #expect(!box.remove("store"))
        #expect(
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<FileStore>("store")) }?.code
                == .missing)
        #expect(!box.isRegistered("store"))
    }
}
