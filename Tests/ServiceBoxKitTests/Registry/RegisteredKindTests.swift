// Part of ServiceBox, released under the MIT License.
// A factory or a provider is never taken for the service, however it is registered.

import ServiceBoxKit
import Testing

private protocol Store: Sendable {}
private final class FileStore: Store {}
private struct StoreFactory: ServiceFactory {
    let lifetime = Lifetime.lazy
    func makeService() throws -> FileStore { FileStore() }
}
private struct PageFactory: ServiceParametersFactory {
    func makeService(_ number: Int) throws -> String { "page \(number)" }
}

@Suite("What is registered")
struct RegisteredKindTests {
    private let box = ServiceBox()

    @Test("is what a factory creates, in every way to register one")
    func factories() throws {
        box.register(factory: StoreFactory())
        box.register(factory: StoreFactory(), per: .box)
        box.register(factory: StoreFactory(), as: "store")
        box.register(factory: StoreFactory(), as: "scoped", per: .box)
        for name in ["fileStore", "store", "scoped"] {
            #expect(box.registrations.contains { $0.name == name && $0.type == FileStore.self })
            _ = try box.resolve(ServiceKey<FileStore>(name))
        }
        #expect(box.registrations.count == 4)
    }

    @Test("is what a provider creates, in every way to register one")
    func providers() throws {
        let provider = ServiceProvider { FileStore() }
        box.register(provider: provider)
        box.register(provider: provider, as: "store")
        for name in ["fileStore", "store"] {
            #expect(box.registrations.contains { $0.name == name && $0.type == FileStore.self })
            #expect(try box.resolve(ServiceKey<FileStore>(name)) === provider.resolve())
        }
    }

    @Test("is what is created from parameters, in every way to register that")
    func parameters() throws {
        box.register(factory: PageFactory())
        box.register(factory: PageFactory(), as: "page")
        box.register(provider: ServiceParametersProvider(PageFactory()), as: "other")
        for name in ["string", "page", "other"] {
            #expect(try box.resolve(ServiceKey<String>(name), with: 3) == "page 3")
        }
    }

    @Test("is what a closure creates, as its own type, an interface or a key's, for each lifetime and scope")
    func closures() throws {
        box.register(as: "own") { _ in FileStore() }
        box.register(as: ServiceKey<any Store>("interface"), lifetime: .transient, per: .box) { _ in
            FileStore()
        }
        box.register(as: ServiceKey<any Store>("key"), lifetime: .eager, per: .family) { _ in FileStore() }
        for name in ["own", "interface", "key"] {
            #expect(try box.resolve(ServiceKey<any Store>(name)) is FileStore)
        }
    }

    @Test("is an instance as its own type, an interface or a key's")
    func instances() throws {
        let store = FileStore()
        box.register(store)
        box.register(store, as: "named")
        box.register(store, as: ServiceKey<any Store>("interface"))
        box.register(store, as: ServiceKey<any Store>("key"))
        for name in ["fileStore", "named", "interface", "key"] {
            #expect(try box.resolve(ServiceKey<FileStore>(name)) === store)
        }
    }
}
