// Part of ServiceBox, released under the MIT License.
// What the library says when a service cannot be made.

import ServiceBoxKit
import Testing

private struct ValueStore: Store {}
private final class Screen: Sendable {}
private struct DiskFull: Error {}
@MainActor private final class Window: Sendable {}
@globalActor private actor Storage {
    static let shared = Storage()
}

@Suite("The message of a service that cannot be made")
struct MakingMessageTests {
    /// The message of a service, and of another one whose factory asks for it.
    private func texts<Service>(of provider: ServiceProvider<Service>) -> (own: String?, outer: String?) {
        let screen = ServiceProvider<Screen> {
            _ = try provider.resolve()
            return Screen()
        }
        return (failure(of: provider)?.description, failure(of: screen)?.description)
    }

    @Test("names the error of the factory, and the way to it")
    func factoryFailed() {
        let (own, outer) = texts(of: ServiceProvider<Cache> { throw DiskFull() })
        #expect(
            own == """
                Can't make a Cache: its factory failed.
                  Error: DiskFull() (DiskFull)
                To fix, correct what the factory of Cache reports, then ask again.
                """)
        #expect(
            outer == """
                Can't make a Screen: the factory of Cache failed.
                  Path:  Screen → Cache
                  Error: DiskFull() (DiskFull)
                To fix, correct what the factory of Cache reports, then ask again.
                """)
    }

    @Test("names what keeps the error of its factory")
    func keptError() {
        let (own, outer) = texts(of: ServiceProvider<Cache>(.eager) { throw DiskFull() })
        let way =
            "To fix, correct what the factory of Cache reports, then reset() the provider of Cache, which is eager and keeps the error."
        #expect(own?.hasSuffix(way) == true)
        #expect(outer?.hasSuffix(way) == true)
        let cache = ServiceProvider<Cache>(.eager) { throw DiskFull() }
        let screen = ServiceProvider<Screen>(.eager) {
            _ = try cache.resolve()
            return Screen()
        }
        #expect(
            failure(of: screen)?.description.hasSuffix(
                "then reset() the providers of Cache and then Screen, which are eager and keep the error.")
                == true)
    }

    @Test("names each type once whose providers keep the error of a factory")
    func keptErrors() {
        let first = ServiceProvider<Cache>(.eager) { throw DiskFull() }
        let second = ServiceProvider<Cache>(.eager) { try first.resolve() }
        let third = ServiceProvider<Cache>(.eager) { try second.resolve() }
        let screen = ServiceProvider<Screen>(.eager) {
            _ = try third.resolve()
            return Screen()
        }
        let start = """
            Can't make a Screen: the factory of Cache failed.
              Path:  Screen → Cache (3 times)
              Error: DiskFull() (DiskFull)
            To fix, correct what the factory of Cache reports, then reset() the
            """
        #expect(
            failure(of: screen)?.description
                == "\(start) providers of Cache and then Screen, which are eager and keep the error.")
    }

    @Test("names nothing that keeps the error of an eager service that must be awaited")
    func awaitedError() async {
        let box = ServiceBox()
        box.register(as: "cache", lifetime: .eager) { _ async throws -> Cache in throw DiskFull() }
        let error = await failure { try await box.prepare("cache") as Cache }
        #expect(
            error.map { "\($0)".hasSuffix("correct what the factory of Cache reports, then ask again.") }
                == true)
    }

    @Test("says that the chain of factories is too long, and shows it")
    func tooDeep() throws {
        // No provider keeps the next one, or they would be freed in a chain too.
        let chain = Later<[ServiceProvider<Screen>]>()
        let providers = (1...5000).map { next in
            ServiceProvider {
                _ = try chain.get()[next].resolve()
                return Screen()
            }
        }
        chain.set(providers)
        let first = ServiceProvider<Page> {
            _ = try chain.get()[0].resolve()
            return Page()
        }
        let error = try #require(try onSmallThread { failure(of: first) })
        chain.set([])
        #expect(
            error.description == """
                Can't make a Page: the chain of factories is too long for the thread's stack.
                  Path: Page → Screen (\(error.path.count - 1) times)
                To fix, let services on the path take others through injected properties, which are filled without nesting, or \
                ask on a thread with a larger stack.
                """)
    }

    @Test("shows the circle of one that needs itself, and the way into it", .neverHanging)
    func cycle() {
        let own = Later<ServiceProvider<Cache>>()
        let cache = ServiceProvider<Cache> { try own.get().resolve() }
        own.set(cache)
        let (text, outer) = texts(of: cache)
        #expect(
            text == """
                Can't make a Cache: it is needed to make itself.
                  Path: Cache → Cache
                To fix, let its factory ask for another service; all services of a type include its own.
                """)
        #expect(
            outer == """
                Can't make a Screen: a Cache is needed to make itself.
                  Path: Screen → Cache → Cache
                To fix, let its factory ask for another service; all services of a type include its own.
                """)
    }

    @Test("says of services that are created each time that one has to be kept")
    func transientCycle() {
        let chicken = Later<ServiceProvider<Cache>>()
        let egg = ServiceProvider<Page>(.transient) {
            _ = try chicken.get().resolve()
            return Page()
        }
        chicken.set(
            ServiceProvider(.transient) {
                _ = try egg.resolve()
                return Cache()
            })
        #expect(
            failure(of: egg)?.description == """
                Can't make a Page: it is needed to make itself.
                  Path: Page → Cache → Page
                To fix, keep one service on the path, as a lazy or a weak one, in an optional injected property of another, or let one take a provider and resolve that later.
                """)
    }

    @Test("gives one of two that take each other on two actors an async factory", .neverHanging)
    func cycleOfActors() async {
        final class Left: @unchecked Sendable { @Injected var right: Right }
        final class Right: @unchecked Sendable { @Injected var left: Left }
        let box = ServiceBox()
        box.register { @Storage _ in Left() }
        box.register { @MainActor _ in Right() }
        let error = await failure { try await box.prepare(Left.self) }
        #expect(
            (error as? ServiceBoxError)?.description == """
                Can't make a Left: it is needed to make itself, on another actor.
                  Path: Left → Right → Left
                To fix, let the services on the path take each other through injected properties, and give one an async factory, \
                or let one take a provider and resolve that later.
                """)
    }

    @Test("counts the steps of one that asks for itself without end", .neverHanging)
    func endlessRecursion() {
        let own = Later<ServiceParametersProvider<Page, Int>>()
        let pages = ServiceParametersProvider<Page, Int> { try own.get().bound(to: $0 + 1).resolve() }
        own.set(pages)
        let (text, outer) = texts(of: pages.bound(to: 1))
        #expect(
            text == """
                Can't make a Page: its factory asked for another one more than 64 times in a row.
                  Path: Page (65 times)
                To fix, let the recursion end, or make the inner services in a loop.
                """)
        #expect(
            outer == """
                Can't make a Screen: the factory of Page asked for another one more than 64 times in a row.
                  Path: Screen → Page (65 times)
                To fix, let the recursion end, or make the inner services in a loop.
                """)
    }

    @Test("sends one of the main actor's there")
    func wrongIsolation() {
        let (own, outer) = onThread { texts(of: ServiceProvider { @MainActor in Window() }) } ?? (nil, nil)
        #expect(
            own == """
                Can't make a Window: its factory belongs to the main actor and was called elsewhere.
                To fix, in a box await prepare(…), which goes there, or ask on the main actor; a shared service is available everywhere once made.
                """)
        #expect(
            outer == """
                Can't make a Screen: the factory of Window belongs to the main actor and was called elsewhere.
                  Path: Screen → Window
                To fix, in a box await prepare(…), which goes there, or ask on the main actor; a shared service is available everywhere once made.
                """)
    }

    @Test("sends one of another actor's there")
    func otherIsolation() {
        #expect(
            texts(of: ServiceProvider { @Storage in Page() }).own == """
                Can't make a Page: its factory belongs to another actor and was called elsewhere.
                To fix, in a box await prepare(…), which goes there, or ask on that actor; a shared service is available everywhere once made.
                """)
    }

    @Test("promises a service that isn't kept to nobody else")
    func isolationOfNew() {
        let box = ServiceBox()
        box.register(as: "page") { @Storage (_, _: Int) in Page() }
        let error = #expect(throws: ServiceBoxError.self) {
            try box.resolve("page" as ServiceKey<Page>, with: 1)
        }
        #expect(
            error.map { "\($0)" } == """
                Can't make a Page: its factory belongs to another actor and was called elsewhere.
                To fix, ask on that actor.
                """)
        box.register(as: "page", lifetime: .transient) { @Storage _ in Page() }
        #expect(
            box.failure(of: ServiceKey<Page>("page"))?.description == """
                Can't make a Page: its factory belongs to another actor and was called elsewhere.
                To fix, in a box await prepare(…), which goes there, or ask on that actor.
                """)
    }

    @Test("tells a decoration that belongs to an actor from the factory")
    func decorationElsewhere() {
        let box = ServiceBox()
        box.register(as: "page") { _ in Page() }
        let line: UInt = #line + 1
        box.decorate("page" as ServiceKey<Page>) { @MainActor page, _ in page }
        let error = onThread { box.failure(of: "page" as ServiceKey<Page>) } ?? nil
        #expect(
            error.map { "\($0)" } == """
                Can't make a Page: its decoration belongs to the main actor and was called elsewhere.
                  Decorated: \(#fileID):\(line)
                To fix, in a box await prepare(…), which goes there, or ask on the main actor; a shared service is available everywhere once made.
                """)
    }

    @Test("refuses to hold a value weakly, known from its type or once it is made")
    func weakValue() {
        let (number, outer) = texts(of: ServiceProvider(.weak) { 1 })
        #expect(
            number == """
                Can't hold an Int weakly: it isn't a class instance.
                To fix, give Int another lifetime, or make it a class.
                """)
        #expect(
            outer == """
                Can't make a Screen: an Int is to be held weakly, but isn't a class instance.
                  Path: Screen → Int
                To fix, give Int another lifetime, or make it a class.
                """)
        #expect(
            texts(of: ServiceProvider<any Store>(.weak) { ValueStore() }).own == """
                Can't hold a Store weakly: it isn't a class instance.
                  Made: ValueStore
                To fix, give Store another lifetime, or make ValueStore a class.
                """)
    }

    @Test("names the service of a box that is gone")
    func boxIsGone() throws {
        func providerOfLostBox() throws -> ServiceProvider<Cache> {
            let box = ServiceBox()
            box.register(as: "cache") { _ in Cache() }
            return try box.provider("cache")
        }
        let (own, outer) = texts(of: try providerOfLostBox())
        #expect(
            own == """
                Can't make a Cache: the box that it belongs to is gone.
                  Registered: as 'cache'
                To fix, keep the box as long as its providers are used.
                """)
        #expect(
            outer == """
                Can't make a Screen: the box that Cache belongs to is gone.
                  Path:       Screen → Cache
                  Registered: as 'cache'
                To fix, keep the box as long as its providers are used.
                """)
    }
}
