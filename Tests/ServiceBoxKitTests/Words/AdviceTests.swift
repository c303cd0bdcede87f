// Part of ServiceBox, released under the MIT License.
// Advice that depends on how a property is declared, on what it belongs to, and on what was passed.

import ServiceBoxKit
import Testing

private class Base: @unchecked Sendable {}
private final class Derived: Base, @unchecked Sendable {}

private struct CacheFactory: ServiceFactory {
    let lifetime = Lifetime.lazy
    func makeService() -> Cache { Cache() }
}

private final class Reader: @unchecked Sendable { @Injected(when: .read) var cache: Cache? }

private enum Shelf { struct ID: Sendable {} }

@Suite("Advice")
struct AdviceTests {
    private let box = ServiceBox()

    /// The last line of the explanation of an object's only property.
    private func advice(_ report: FillReport) throws -> String {
        let property = try #require(report.properties.first)
        return property.explanation.split(separator: "\n").last.map(String.init) ?? ""
    }

    @Test("for a property that is looked up when it is read says so, and that a fill keeps its value")
    func onRead() throws {
        box.register(Cache(), as: "cash")
        let reader = Reader()
        box.fill(reader)
        #expect(reader.cache == nil)
        box.register(Cache())
        #expect(reader.cache != nil)
        #expect(try advice(box.fill(reader)) == "To replace it, set the property.")
        box.register(Cache(), as: "cache")
        let way =
            "To fix, set the property, or call trackHolders() on the box that fills it, before it does, to know."
        #expect(box.plan(for: reader).properties.last?.explanation.hasSuffix(way) == true)
    }

    @Test("for a service's property with a default is to remove that, for an object's only to rename it")
    func defaulted() throws {
        final class Service: @unchecked Sendable { @Injected var cache: Cache = Cache() }
        box.register(Cache(), as: "caches")
        #expect(
            try advice(box.fill(Service()))
                == "To replace it, rename the property to 'caches', or declare it with @Injected(\"caches\")."
        )
        box.register(Service())
        let report = try #require(box.crossFill().report(on: Service.self))
        #expect(
            try advice(report)
                == "To replace it, rename the property to 'caches', without a value, or declare it with "
                + "@Injected(\"caches\"), without a value.")
    }

    @Test("for a list with a value of its own isn't to declare it as what it is")
    func list() throws {
        final class Service: @unchecked Sendable {
            @InjectedAll var caches: [Cache]
            init() { caches = [] }
        }
        box.register(Cache())
        let report = box.fill(Service(), keepingExisting: true)
        #expect(report.outcomes == ["caches": .kept])
        #expect(try !advice(report).contains("@InjectedAll"))
    }

    @Test("for a property that wants a provider of what a factory makes is to register it as a factory")
    func factory() throws {
        final class Service { @Injected var cache: ServiceProvider<Cache> }
        box.register(CacheFactory(), as: "cache")
        #expect(try advice(box.fill(Service())) == "To fix, register it with register(factory:as:).")
    }

    @Test("for a property that wants a provider is to register what the provider would make")
    func provider() throws {
        final class Service { @Injected var cache: ServiceProvider<Cache> }
        final class Book { @Injected var page: ServiceParametersProvider<Page, Int> }
        #expect(try advice(box.fill(Service())) == "To fix, register a Cache as 'cache' before filling.")
        #expect(
            try advice(box.fill(Book()))
                == "To fix, register a Page, made from parameters, as 'page' before filling.")
    }

    @Test("for a slot inside another wrapper is to name the service, which that wrapper hides")
    func wrapped() throws {
        @propertyWrapper struct Logged<Value> { var wrappedValue: Value }
        final class Service { @Logged @Injected var port: Int? }
        #expect(
            try advice(box.fill(Service()))
                == "To fix, give it the name of its service, as @Injected(\"port\").")
    }

    @Test("for a protocol's associated types isn't to conform once more")
    func associatedTypes() throws {
        final class Service { @Injected var list: any Collection<String> }
        box.register([1], as: "list")
        #expect(
            try advice(box.fill(Service()))
                == "To fix, register a Collection<String> under that name.")
    }

    @Test("for a parameter of a class is to pass it as that")
    func parameter() {
        box.register(as: "page") { (_, base: Base) in Page() }
        let error = #expect(throws: ServiceBoxError.self) {
            try box.resolve(ServiceKey<Page>("page"), with: Derived())
        }
        let advice = "To fix, ask for it with a Base: resolve(\"page\", with: … as Base)."
        #expect(error.map { "\($0)".hasSuffix(advice) } == true)
    }

    @Test("for parameters that a literal is not says what to cast them to")
    func parameterTypes() {
        box.register(as: "page") { (_, _: String, _: Int?) in Page() }
        box.register(as: "list") { (_, _: [Base]) in Page() }
        let pair = #expect(throws: ServiceBoxError.self) {
            try box.resolve(ServiceKey<Page>("page"), with: "a", 4)
        }
        let list = #expect(throws: ServiceBoxError.self) {
            try box.resolve(ServiceKey<Page>("list"), with: [Derived()])
        }
        #expect(pair.map { "\($0)".hasSuffix("with: …), each value as exactly that type.") } == true)
        #expect(list.map { "\($0)".hasSuffix("with: … as Array<ServiceBoxKitTests.Base>).") } == true)
    }

    @Test("writes nested types as code does")
    func nested() throws {
        final class Screen { @Injected var page: Page? }
        box.register(as: "page") { (_, _: Shelf.ID) in Page() }
        #expect(
            try advice(box.fill(Screen()))
                == "To fix, declare the property as a ServiceParametersProvider<Page, Shelf.ID>.")
    }

    @Test("for a provider of an interface is to register the service as that")
    func providerOfInterface() throws {
        final class Screen { @Injected var store: ServiceProvider<any Store>? }
        final class Editor { @Injected var store: ServiceProvider<Int>? }
        box.register(as: "store") { _ in FileStore() }
        #expect(
            try advice(box.fill(Screen()))
                == #"To fix, register it as ServiceKey<any Store>("store"), or take a ServiceProvider<FileStore>."#
        )
        #expect(
            try advice(box.fill(Editor()))
                == "To fix, register an Int under that name, or take a ServiceProvider<FileStore>.")
    }

    @Test("for a weak variable is a slot without weak")
    func weakVariable() throws {
        final class Screen { weak var cache: Cache? }
        box.register(Cache())
        #expect(
            try advice(box.fill(Screen())).hasPrefix(
                "To fix, declare it with @WeakInjected, without weak, list"))
    }

    @Test("for a property whose service must be awaited each time is to set it")
    func awaitedEachTime() throws {
        final class Screen { @Injected var cache: Cache? }
        box.register(lifetime: .transient) { (_) async in Cache() }
        #expect(
            try advice(box.fill(Screen())) == """
                To fix, await prepare("cache") and set the property to what it returns, or give it a lifetime that is kept.
                """)
    }

    @Test("for a property whose service another actor creates each time is to fill there")
    func createdElsewhereEachTime() throws {
        final class Screen { @Injected var cache: Cache? }
        box.register(lifetime: .transient) { @MainActor _ in Cache() }
        #expect(try advice(box.fill(Screen())) == "To fix, fill on the main actor.")
    }

    @Test("tells the way to a property from that of the factories that have failed")
    func twoPaths() {
        final class Screen: @unchecked Sendable { @Injected var page: Page }
        box.register { _ in Screen() }
        box.register { box in
            let _: Cache = try box.resolve()
            return Page()
        }
        box.register { (_) throws -> Cache in throw Broken() }
        final class Root: @unchecked Sendable { @Injected var screen: Screen }
        box.register { _ in Root() }
        #expect(
            box.failure(of: ServiceKey<Root>("root"))?.description == """
                Can't hand out 'root': it needs 'page' of Screen, but its service could not be made, since the factory of \
                Cache failed.
                  Path:      root → screen → page
                  Property:  Screen.page, a Page
                  Found:     'page' (Page)
                  Factories: Page → Cache
                  Error:     Broken() (Broken)
                To fix, correct what the factory of Cache reports, then ask again.
                """)
    }

    @Test("counts a list whose only service couldn't be created as nothing that was given")
    func givenNothing() {
        final class Service { @InjectedAll var caches: [Cache] }
        box.register { (_) async -> Cache in Cache() }
        let report = box.fill(Service())
        #expect(!"\(report)".contains("in part"))
        #expect("\(report)".hasPrefix("Service: 0 of 1 filled, 1 optional left empty."))
    }
}
