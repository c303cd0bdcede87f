// Part of ServiceBox, released under the MIT License.
// What locators could do, where a box does it in another way.

import ServiceBoxKit
import Testing

private final class Cache: Sendable {}

private struct Page: Sendable, Equatable {
    let number: Int
}

private struct Refusal: Error, Equatable {
    let reason: String
}

private final class Screen {
    @Injected var cache: Cache?
    @Injected(ServiceKey<Cache>("cache")) var byKey: Cache?
    @Injected("cache") var provider: ServiceProvider<Cache>?
}

@Suite("What locators could do")
struct LocatorRowsTests {
    private let box = ServiceBox()

    @Test("a provider and a parameters provider under one name replace each other")
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

    @Test("what a factory throws is the cause of the error, whatever it is")
    func cause() throws {
        box.register(as: "page") { _ -> Page in throw Refusal(reason: "closed") }
        let error = try #require(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<Page>("page")) }
        #expect(error.code == .factoryFailed)
        #expect(error.underlying as? Refusal == Refusal(reason: "closed"))
    }

    @Test(
        "the shared box is always there, and another takes its place for a scope alone"
    )
    func sharedBox() {
        let shared = ServiceBox.default
        ServiceBox.withDefault(box) { #expect(ServiceBox.default === box) }
        #expect(ServiceBox.default === shared)
    }

    @Test(
        "a sealed box can be copied, and the copy has everything and can be changed")
    func copyOfSealed() throws {
        box.register(Page(number: 1))
        box.seal()
        let copy = box.copy()
        copy.register(Cache())
        #expect(try copy.resolve(Page.self) == Page(number: 1))
        #expect(!box.isRegistered("cache"))
    }

    @Test("by type and by name lead to the same service of one box")
    func typeAndName() throws {
        box.register(as: "cache") { _ in Cache() }
        #expect(try box.resolve(Cache.self) === box.resolve("cache"))
    }

    @Test("whether a name is registered can be asked, and makes nothing")
    func asked() throws {
        box.register(as: "page") { _ -> Page in
            Issue.record("Asking made the service.")
            return Page(number: 1)
        }
        #expect(box.isRegistered("page"))
        #expect(!box.isRegistered("pages"))
        #expect(box.registrations.map(\.name) == ["page", "serviceBox"])
    }

    @Test("properties take services by name and by key, and providers")
    func properties() throws {
        box.register(provider: ServiceProvider { Cache() }, as: "cache")
        let screen = Screen()
        try box.fill(screen).requireComplete()
        #expect(screen.cache != nil)
        #expect(screen.byKey === screen.cache)
        #expect(try screen.provider?.resolve() === screen.cache)
    }
}
