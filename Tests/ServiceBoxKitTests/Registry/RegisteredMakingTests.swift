// Part of ServiceBox, released under the MIT License.
// When a box makes a service, how often, and under which name.

import ServiceBoxKit
import Testing

private final class Reader: Sendable {
    let store: FileStore
    init(_ store: FileStore) { self.store = store }
}

private struct StoreFactory: ServiceFactory {
    let lifetime: Lifetime
    let makes: Counter

    func makeService() throws -> any Store {
        makes.next()
        return FileStore()
    }
}

private struct PageFactory: ServiceParametersFactory {
    func makeService(_ number: Int) throws -> Page {
        if number < 0 { throw Broken() }
        return Page(number: number)
    }
}

@Suite("A service that a box creates")
struct RegisteredMakingTests {
    private let box = ServiceBox()
    private let makes = Counter()

    private func register(_ lifetime: Lifetime) {
        box.register(as: "store", lifetime: lifetime) { [makes] _ in
            makes.next()
            return FileStore()
        }
    }

    private func store() throws -> FileStore { try box.resolve("store") }

    @Test("is created once, when it is registered, if it is eager")
    func eager() throws {
        register(.eager)
        #expect(makes.value == 1)
        #expect(try store() === store())
        #expect(makes.value == 1)
    }

    @Test("is created once, on first resolve, if it is lazy")
    func lazy() throws {
        register(.lazy)
        #expect(makes.value == 0)
        #expect(try store() === store())
        #expect(makes.value == 1)
    }

    @Test("is lazy by default")
    func isLazyByDefault() throws {
        box.register(as: "store") { [makes] _ in
            makes.next()
            return FileStore()
        }
        #expect(makes.value == 0)
        #expect(try store() === store())
    }

    @Test("is created again once nobody holds it if it is weak")
    func weak() throws {
        register(.weak)
        var held: FileStore? = try store()
        #expect(try store() === held)
        #expect(makes.value == 1)
        weak let gone = held
        held = nil
        #expect(gone == nil)
        _ = try store()
        #expect(makes.value == 2)
    }

    @Test("is kept by a property that it was filled into if it is weak")
    func weakInProperty() throws {
        register(.weak)
        var screen: Screen? = Screen()
        box.fill(try #require(screen))
        #expect(try store() === screen?.store)
        #expect(makes.value == 1)
        screen = nil
        _ = try store()
        #expect(makes.value == 2)
    }

    @Test("is created on every resolve if it is transient")
    func transient() throws {
        register(.transient)
        #expect(makes.value == 0)
        #expect(try store() !== store())
        #expect(makes.value == 2)
    }

    @Test("is created for every property and every fill if it is transient")
    func transientPerProperty() throws {
        register(.transient)
        let screen = TwoStores()
        #expect(box.fill(screen).isComplete)
        let first = try #require(screen.store)
        #expect(first !== screen.other)
        box.fill(screen)
        #expect(screen.store !== first)
        #expect(makes.value == 4)
    }

    @Test("is the same in every property and every fill if it is lazy")
    func lazyPerProperty() {
        register(.lazy)
        let screen = TwoStores()
        box.fill(screen)
        let first = screen.store
        box.fill(screen)
        #expect(first != nil && screen.store === first && screen.other === first)
        #expect(makes.value == 1)
    }

    @Test("can resolve what it needs in the box that its closure receives")
    func closureReceivesBox() throws {
        register(.lazy)
        box.register(as: "reader") { Reader(try $0.resolve("store")) }
        let reader: Reader = try box.resolve("reader")
        #expect(try reader.store === store())
    }

    @Test("keeps its error if it is eager, and tries again if it is lazy")
    func failures() throws {
        for lifetime in [Lifetime.eager, .lazy, .weak, .transient] {
            let attempts = Counter()
            box.register(as: "store", lifetime: lifetime) { _ in
                if attempts.next() == 1 { throw Broken() }
                return FileStore()
            }
            if lifetime != .eager {
                let error = #expect(throws: ServiceBoxError.self) { try store() }
                #expect(error?.code == .factoryFailed)
                #expect(error?.path == ["FileStore"])
                #expect(error?.underlying is Broken)
                #expect(try type(of: store()) == FileStore.self)
            } else {
                for _ in 0..<2 { #expect(throws: ServiceBoxError.self) { try store() } }
                #expect(attempts.value == 1)
                try box.provider(ServiceKey<FileStore>("store")).reset()
                _ = try store()
            }
            #expect(attempts.value == 2)
        }
    }

    @Test("is tried again, although it is eager, if a service was missing that it looks up")
    func missing() throws {
        box.register(as: "reader", lifetime: .eager) { Reader(try $0.resolve("store")) }
        #expect(throws: ServiceBoxError.self) { try box.resolve("reader") as Reader }
        box.register(FileStore(), as: "store")
        let reader: Reader = try box.resolve("reader")
        #expect(try reader.store === store())
    }

    @Test("is registered as the type that was given")
    func asInterface() throws {
        box.register(as: ServiceKey<any Store>("store")) { _ in FileStore() }
        #expect(box.registrations.contains { $0.name == "store" && $0.type == (any Store).self })
        let screen = InterfaceScreen()
        #expect(box.fill(screen).isComplete)
        #expect(screen.store is FileStore)
        #expect(
            try box.resolve(ServiceKey<any Store>("store")) as? FileStore === screen.store as? FileStore)
    }

    @Test("replaces what was registered under its name, and is replaced itself")
    func replaced() throws {
        register(.lazy)
        let first = try store()
        let screen = Screen()
        box.fill(screen)
        register(.lazy)
        #expect(try store() !== first)
        #expect(screen.store === first)
        box.fill(screen)
        #expect(try screen.store === store())
        let ready = FileStore()
        box.register(ready, as: "store")
        #expect(try store() === ready)
    }

    @Test("from parameters replaces one without, and the other way round")
    func plainAndParameters() throws {
        box.register(provider: ServiceProvider(instance: Page(number: 1)), as: "page")
        box.register(
            provider: ServiceParametersProvider { (number: Int) in Page(number: number) }, as: "page")
        #expect(try box.resolve(ServiceKey<Page>("page"), with: 2) == Page(number: 2))
        #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<Page>("page")) }
        box.register(provider: ServiceProvider(instance: Page(number: 3)), as: "page")
        #expect(try box.resolve(ServiceKey<Page>("page")) == Page(number: 3))
        #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<Page>("page"), with: 4) }
    }

    @Test("that is weak and isn't a class instance is refused on resolve")
    func weakValue() {
        box.register(as: "page", lifetime: .weak) { _ in Page(number: 1) }
        let error = #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<Page>("page")) }
        #expect(error?.code == .weakValue)
    }

    @Test("of a factory object has the factory's lifetime and its type's name")
    func factory() throws {
        box.register(factory: StoreFactory(lifetime: .eager, makes: makes))
        #expect(box.isRegistered("store"))
        #expect(makes.value == 1)
        box.register(factory: StoreFactory(lifetime: .transient, makes: makes), as: "each")
        #expect(makes.value == 1)
        _ = try box.resolve(ServiceKey<any Store>("each"))
        _ = try box.resolve(ServiceKey<any Store>("each"))
        #expect(makes.value == 3)
    }

    @Test("of a provider is the provider's, named after its type")
    func provider() throws {
        let provider = ServiceProvider { [makes] in
            makes.next()
            return FileStore()
        }
        let made = try provider.resolve()
        box.register(provider: provider)
        box.register(provider: provider, as: "store")
        #expect(try box.resolve("fileStore") === made)
        #expect(try store() === made)
        #expect(makes.value == 1)
    }

    @Test("from parameters is created on every resolve, and named after its type")
    func parameters() throws {
        box.register(factory: PageFactory())
        box.register(
            provider: ServiceParametersProvider { (number: Int) in Page(number: -number) }, as: "negative")
        #expect(try box.resolve(ServiceKey<Page>("page"), with: 3) == Page(number: 3))
        #expect(try box.resolve(ServiceKey<Page>("negative"), with: 3) == Page(number: -3))
        let error = #expect(throws: ServiceBoxError.self) {
            try box.resolve(ServiceKey<Page>("page"), with: -1)
        }
        #expect(error?.code == .factoryFailed)
        #expect(error?.underlying is Broken)
    }

    @Test("of the main actor is created there only, and resolved anywhere afterwards")
    @MainActor
    func onMainActor() throws {
        box.register(as: "store") { @MainActor [makes] _ in
            MainActor.assertIsolated()
            makes.next()
            return FileStore()
        }
        let elsewhere = { @Sendable [box] in
            Result { () throws(ServiceBoxError) in try box.resolve(ServiceKey<FileStore>("store")) }
        }
        let refused = #expect(throws: ServiceBoxError.self) { try onThread(elsewhere)?.get() }
        #expect(refused?.code == .wrongIsolation)
        let made = try store()
        #expect(try onThread(elsewhere)?.get() === made)
        #expect(makes.value == 1)
    }

    @Test("of the main actor is a hole with that reason in a fill elsewhere")
    func onMainActorHole() {
        box.register(as: "store") { @MainActor _ in FileStore() }
        let box = box
        let report = onThread { () -> FillReport in box.fill(Screen()) }
        #expect(report?.outcome(of: "store") == .failed)
        #expect(report?.holes.first?.error?.code == .wrongIsolation)
    }

    @Test("is created by resolving only: not by a list, a provider, a query for its name or a copy")
    func notMade() throws {
        register(.lazy)
        _ = box.registrations
        _ = box.isRegistered("store")
        _ = try box.provider(ServiceKey<FileStore>("store"))
        _ = box.copy()
        _ = box.makeChild(name: "child")
        box.crossFill()
        #expect(makes.value == 0)
    }
}

private final class Screen {
    @Injected var store: FileStore?
}
private final class InterfaceScreen {
    @Injected var store: (any Store)?
}
private final class TwoStores {
    @Injected var store: FileStore?
    @Injected("store") var other: FileStore?
}
