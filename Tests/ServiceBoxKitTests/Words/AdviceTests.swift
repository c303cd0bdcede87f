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
        let way = "To fix, set the property, or call trackHolders() on the box that fills it, before it does, to know."
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

    @Test("counts a list whose only service couldn't be created as nothing that was given")
    func givenNothing() {
        final class Service { @InjectedAll var caches: [Cache] }
        box.register { (_) async -> Cache in Cache() }
        let report = box.fill(Service())
        #expect(!"\(report)".contains("in part"))
        #expect("\(report)".hasPrefix("Service: 0 of 1 filled, 1 optional left empty."))
    }
}
