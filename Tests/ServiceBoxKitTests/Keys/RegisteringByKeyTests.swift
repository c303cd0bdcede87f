// Part of ServiceBox, released under the MIT License.
// Every way to say what a service is registered under.

import ServiceBoxKit
import Testing

private final class FileAnalytics: Analytics {}
private final class EventStore: Sendable {
    let analytics: any Analytics
    init(_ analytics: any Analytics) { self.analytics = analytics }
}
private final class Document: @unchecked Sendable {
    @Injected var cache: Cache?
    let number: Int
    init(_ number: Int) { self.number = number }
}
@MainActor private final class Dashboard {
    nonisolated let number = 1
}
@globalActor private actor Storage {
    static let shared = Storage()
}
@Storage private final class Shelf {}

extension ServiceKey where Service == any Analytics {
    fileprivate static var analytics: Self { "analytics" }
}
extension ServiceKey where Service == Page {
    fileprivate static var page: Self { "page" }
}

@Suite("A registration")
struct RegisteringByKeyTests {
    private let box = ServiceBox()

    private func registeredType(_ name: String) -> Any.Type? {
        box.registrations.first { $0.name == name }?.type
    }

    @Test("of an instance is of the key's type")
    func instanceByKey() throws {
        let analytics = FileAnalytics()
        box.register(analytics, as: .analytics)
        #expect(registeredType("analytics") == (any Analytics).self)
        #expect(try box[.analytics] as? FileAnalytics === analytics)
    }

    @Test("of an instance by a literal is of the type that it is passed as")
    func instanceByLiteral() {
        box.register(FileAnalytics(), as: "own")
        box.register(FileAnalytics() as any Analytics, as: "interface")
        box.register(FileAnalytics(), as: ServiceKey<any Analytics>("key"))
        #expect(registeredType("own") == FileAnalytics.self)
        #expect(registeredType("interface") == (any Analytics).self)
        #expect(registeredType("key") == (any Analytics).self)
    }

    @Test("may take its name from a variable or from an interpolation")
    func computedName() throws {
        let name = "left"
        box.register(1, as: ServiceKey(name))
        box.register(as: ServiceKey("\(name)Made")) { _ in 2 }
        for number in 3...4 { box.register(number, as: "number\(number)") }
        #expect(try box["left"] == 1)
        #expect(try box["leftMade"] == 2)
        #expect(try box["number4"] == 4)
    }

    @Test("without a key is named after the type of the instance, or what the factory returns")
    func derived() throws {
        box.register(Cache())
        box.register { _ in FileAnalytics() }
        box.register { _ -> any Analytics in FileAnalytics() }
        box.register { (_, number: Int) in Page(number: number) }
        #expect(registeredType("cache") == Cache.self)
        #expect(registeredType("fileAnalytics") == FileAnalytics.self)
        #expect(registeredType("analytics") == (any Analytics).self)
        #expect(registeredType("page") == Page.self)
        struct Old_Page2: Sendable {}
        box.register(Old_Page2())
        #expect(registeredType("old_Page2") == Old_Page2.self)
    }

    @Test("of a factory is of the key's type, lazy unless it says otherwise, and gets the box")
    func factory() throws {
        let makes = Counter()
        box.register(as: .analytics) { _ in
            makes.next()
            return FileAnalytics()
        }
        box.register(as: "store", lifetime: .transient) { box in EventStore(try box[.analytics]) }
        #expect(makes.value == 0)
        #expect(registeredType("analytics") == (any Analytics).self)
        let (first, second): (EventStore, EventStore) = (try box["store"], try box["store"])
        #expect(first !== second)
        #expect(makes.value == 1)
    }

    @Test("of a factory that declares the type of the box is one of a factory all the same")
    func annotatedFactory() throws {
        box.register(as: "cache") { (_: ServiceBox) -> Cache in Cache() }
        #expect(registeredType("cache") == Cache.self)
    }

    @Test("of a main actor's factory makes the service there only")
    @MainActor
    func mainActorFactory() throws {
        box.register { @MainActor _ in Dashboard() }
        let box = box
        let refused = onThread { error { () throws(ServiceBoxError) in try box.resolve(Dashboard.self) } }
        #expect(refused??.code == .wrongIsolation)
        #expect(try box.resolve(Dashboard.self).number == 1)
    }

    @Test("of another global actor's factory makes the service there only, and hands it out anywhere")
    func globalActorFactory() async throws {
        box.register { @Storage _ in Shelf() }
        let key = ServiceKey<Shelf>("shelf")
        #expect(error { () throws(ServiceBoxError) in try box[key] }?.code == .wrongIsolation)
        await MainActor.run {
            #expect(error { () throws(ServiceBoxError) in try box[key] }?.code == .wrongIsolation)
        }
        let made = try await Self.onStorage { [box] in try box[key] }
        #expect(try box[key] === made)
    }

    @Storage private static func onStorage<Result: Sendable>(
        _ body: @Storage () throws -> Result
    ) rethrows -> Result { try body() }

    @Test("of a factory with parameters gives it the box and the parameters, and fills what it makes")
    func parameters() throws {
        let cache = Cache()
        box.register(cache)
        box.register(10, as: "ten")
        box.register(as: "document") { (box, number: Int) in Document(try box["ten"] + number) }
        let document: Document = try box.resolve("document", with: 3)
        #expect(document.number == 13)
        #expect(document.cache === cache)
        #expect(try box.resolve(ServiceKey<Document>("document"), with: 3) !== document)
    }

    @Test("of a factory may take several parameters, which are given one by one or as a tuple")
    func severalParameters() throws {
        box.register(as: .page) { (_, number: Int, title: String) in Page(number: number, title: title) }
        let page = Page(number: 3, title: "Three")
        #expect(try box.resolve(.page, with: 3, "Three") == page)
        #expect(try box.resolve(.page, with: (3, "Three")) == page)
        let provider = BookOfPages()
        #expect(box.fill(provider).isComplete)
        #expect(try provider.page.resolve((3, "Three")) == page)
        box.register(as: .page) { (_, number: Int, title: String, isLast: Bool) in
            Page(number: number, title: isLast ? title + "." : title)
        }
        #expect(try box.resolve(.page, with: 3, "Three", true) == Page(number: 3, title: "Three."))
    }

    private final class BookOfPages {
        @Injected var page: ServiceParametersProvider<Page, (Int, String)>
    }

    @Test("of a main actor's factory with parameters makes services there only")
    @MainActor
    func mainActorParameters() throws {
        box.register(as: .page) { @MainActor (_, number: Int) in
            MainActor.assertIsolated()
            return Page(number: number)
        }
        let box = box
        let refused = onThread {
            error { () throws(ServiceBoxError) in try box.resolve(.page, with: 3) }
        }
        #expect(refused??.code == .wrongIsolation)
        #expect(try box.resolve(.page, with: 3) == Page(number: 3))
    }

    @Test("of a factory with parameters is refused with other parameters, more, fewer or none")
    func otherParameters() {
        box.register(as: .page) { (_, number: Int, title: String) in Page(number: number, title: title) }
        let codes = [
            error { () throws(ServiceBoxError) in try box.resolve(.page, with: "3", "Three") },
            error { () throws(ServiceBoxError) in try box.resolve(.page, with: 3, "Three", 3) },
            error { () throws(ServiceBoxError) in try box.resolve(.page, with: 3) },
            error { () throws(ServiceBoxError) in try box[.page] },
        ].map { $0?.code }
        #expect(codes == Array(repeating: .typeMismatch, count: 4))
    }

    @Test("of a factory with parameters throws once its box is gone")
    func boxIsGone() throws {
        var box: ServiceBox? = ServiceBox()
        box?.register(as: .page) { (_, number: Int) in Page(number: number) }
        let book = Book()
        box?.fill(book)
        #expect(try book.page.resolve(3) == Page(number: 3))
        box = nil
        #expect(error { () throws(ServiceBoxError) in try book.page.resolve(3) }?.code == .boxIsGone)
    }

    private final class Book {
        @Injected var page: ServiceParametersProvider<Page, Int>
    }

    @Test("of a factory object or a provider has a label; without one, the object is the service")
    func labels() throws {
        struct PageFactory: ServiceFactory {
            let lifetime = Lifetime.transient
            func makeService() -> Page { Page(number: 1) }
        }
        struct TitledPageFactory: ServiceParametersFactory {
            func makeService(_ title: String) -> Page { Page(number: 2, title: title) }
        }
        box.register(factory: PageFactory())
        box.register(factory: TitledPageFactory(), as: "titled")
        #expect(try box[.page] == Page(number: 1))
        #expect(try box.resolve("titled", with: "Two") == Page(number: 2, title: "Two"))
        let provider = ServiceProvider { Cache() }
        box.register(provider: provider)
        box.register(provider: ServiceParametersProvider { (_: Int) in Cache() }, as: "caches")
        box.register(provider)
        #expect(registeredType("cache") == Cache.self)
        #expect(registeredType("caches") == Cache.self)
        #expect(registeredType("serviceProvider") == ServiceProvider<Cache>.self)
        #expect(try box.resolve(ServiceKey<ServiceProvider<Cache>>("serviceProvider")) === provider)
    }
}

/// What a look-up throws.
private func error<Result>(_ body: () throws(ServiceBoxError) -> Result) -> ServiceBoxError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
