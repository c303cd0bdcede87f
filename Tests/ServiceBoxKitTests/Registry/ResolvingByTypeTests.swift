// Part of ServiceBox, released under the MIT License.
// A look-up by type judges a service by the type that it is registered as, and creates none to find out.

import ServiceBoxKit
import Testing

private protocol Transport: Sendable {}
private protocol Plugin: Sendable {}
private protocol LoudPlugin: Plugin {}
private protocol Notes: Sendable {}
private final class Connection: Sendable {}
private struct HTTPTransport: Transport { let connection: Connection }
private final class Loud: LoudPlugin {}
private struct Quiet: Plugin {}
private struct Diary: Notes, Plugin {}
private class Page: @unchecked Sendable {}
private final class HomePage: Page, Notes, @unchecked Sendable {}
private final class PageUser { @Injected var page: ServiceProvider<Page>? }

@Suite("Looking up by type")
struct ResolvingByTypeTests {
    private let box = ServiceBox()

    private func code<Result>(_ body: () throws(ServiceBoxError) -> Result) -> ServiceBoxError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return error.code
        }
    }

    /// Registers a service of an interface whose factory must not run.
    private func registerUntouchedDiary() {
        box.register(as: ServiceKey<any Notes>("diary")) { _ in
            Issue.record("The diary was created.")
            return Diary()
        }
    }

    @Test("finds nothing where only factories of unrelated interfaces are there, the one that asks included")
    func missing() throws {
        box.register(as: ServiceKey<any Transport>("transport")) { box in
            HTTPTransport(connection: try box.resolve())
        }
        let error = try #require(throws: ServiceBoxError.self) { try box.resolve((any Transport).self) }
        #expect(error.code != .cycle)
        let root = error.underlying as? ServiceBoxError ?? error
        #expect(root.code == .missing)
        #expect(root.path.last == "Connection")
    }

    @Test("isn't ambiguous because of factories of unrelated interfaces, and creates none of them")
    func unrelated() {
        registerUntouchedDiary()
        box.register(as: ServiceKey<any Plugin>("plugin")) { _ in
            Issue.record("The plugin was created.")
            return Quiet()
        }
        #expect(code { () throws(ServiceBoxError) in try box.resolve(Connection.self) } == .missing)
        #expect(code { () throws(ServiceBoxError) in try box.resolve((any Transport).self) } == .missing)
        #expect(code { () throws(ServiceBoxError) in try box.resolve(Diary.self) } == .missing)
        #expect(box.audit().findings.filter { $0.kind == .ambiguousType }.isEmpty)
    }

    @Test("finds by a refined interface, by a superclass, and by the own type of what is there")
    func fitting() throws {
        box.register(as: ServiceKey<any LoudPlugin>("loud")) { _ in Loud() }
        box.register(HTTPTransport(connection: Connection()), as: ServiceKey<any Transport>("transport"))
        box.register(as: ServiceKey<any Page & Notes>("page")) { _ in HomePage() }
        #expect(try box.resolve((any Plugin).self) is Loud)
        #expect(try box.resolve((any Plugin & Sendable).self) is Loud)
        #expect(
            try box.resolve(HTTPTransport.self).connection === box.resolve(HTTPTransport.self).connection)
        #expect(try box.resolve(Page.self) is HomePage)
        #expect(try box.resolve((any Notes).self) is HomePage)
        #expect(try box.resolveAll(AnyObject.self).count == 1)
        box.register(Quiet(), as: "quiet")
        #expect(try box.resolveAll((any Plugin).self).count == 2)
    }

    @Test("and by name tries a service as a type that its interface says nothing about")
    func byName() throws {
        box.register(as: ServiceKey<any Notes>("diary")) { _ in Diary() }
        _ = try box.resolve(ServiceKey<Diary>("diary"))
        _ = try box.resolve(ServiceKey<any Plugin>("diary"))
        #expect(
            code { () throws(ServiceBoxError) in try box.resolve(ServiceKey<any Transport>("diary")) }
                == .typeMismatch)
    }

    @Test("takes what is registered as the type, not what might be of it")
    func interfaces() throws {
        box.register(as: ServiceKey<any Plugin>("plugin")) { _ in Quiet() }
        registerUntouchedDiary()
        #expect(try box.resolve((any Plugin).self) is Quiet)
    }

    @Test("takes the class itself rather than a subclass")
    func classes() throws {
        let page = Page()
        box.register(HomePage(), as: "home")
        box.register(page, as: "page")
        #expect(try box.resolve(Page.self) === page)
    }

    @Test("is ambiguous when two are registered as the type")
    func ambiguous() {
        box.register(Page(), as: "left")
        box.register(Page(), as: "right")
        #expect(code { () throws(ServiceBoxError) in try box.resolve(Page.self) } == .ambiguous)
    }

    @Test("collects no service whose interface lacks the type, and creates none to see")
    func collecting() throws {
        registerUntouchedDiary()
        box.register(Quiet(), as: "quiet")
        #expect(try box.resolveAll(Quiet.self).count == 1)
    }

    @Test("fills a property of its provider's type with a provider of a ready service")
    func provider() throws {
        let page = Page()
        box.register(page)
        let user = PageUser()
        box.fill(user)
        #expect(try user.page?.resolve() === page)
    }
}
