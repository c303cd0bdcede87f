// Part of ServiceBox, released under the MIT License.
// Messages of look-ups with hints, whole.

import ServiceBoxKit
import Testing

private final class FileAnalytics: Analytics {}
private final class List<Element>: Sendable {}
private protocol Shelf<Item>: Sendable { associatedtype Item }
private struct BookShelf: Shelf { typealias Item = Int }

private protocol Drawing {}
private final class Canvas: Sendable {}
extension Canvas: @MainActor Drawing {}

@Suite("The message of a look-up with a hint")
struct LookUpHintMessageTests {
    @Test("names what a factory creates as an interface, which may be what is asked for by its class")
    func behindInterface() {
        let box = ServiceBox()
        box.register(as: "store") { _ in FileStore() as any Store }
        box.register(as: "anything") { _ in Clock() as any Sendable }
        box.register(MemoryStore() as any Store, as: "memory")
        let error = #expect(throws: ServiceBoxError.self) { try box.resolve(FileStore.self) }
        #expect(
            error?.description == """
                Can't find a FileStore: no registered service fits.
                  Registered: 'anything' (Any), 'memory' (MemoryStore as Store), 'serviceBox' (ServiceBox), 'store' (Store)
                  'store' (Store) may be one.
                To fix, ask for 'store' by its name, or register it as a FileStore.
                """)
        let other = #expect(throws: ServiceBoxError.self) { try box.resolve(Cache.self) }
        #expect(other?.description.contains("may be one") == false)
        for name in ["first", "second", "third"] {
            box.register(as: ServiceKey(name)) { _ in FileStore() as any Store }
        }
        let crowded = #expect(throws: ServiceBoxError.self) { try box.resolve(FileStore.self) }
        #expect(crowded?.description.contains("may be one") == false)
    }

    @Test("names what a factory creates, which may conform to the parameterised protocol asked for")
    func parameterisedProtocol() {
        box.register(as: "books") { _ in BookShelf() }
        box.register(as: "clock") { _ in Clock() }
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve((any Shelf<Int>).self) } == """
                Can't find a Shelf<Int>: no registered service fits.
                  Registered: 'books' (BookShelf), 'clock' (Clock), 'serviceBox' (ServiceBox)
                  'books' (BookShelf) may be one.
                To fix, ask for 'books' by its name, or register it as a Shelf<Int>.
                """)
    }

    private let box = ServiceBox()

    private func text<Result>(_ body: () throws(ServiceBoxError) -> Result) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return error.description
        }
    }

    @Test("doesn't speak of other parameters where the service is of another type")
    func otherTypeFromParameters() {
        box.register(as: "page") { (_, number: Int) in
            Issue.record("Nobody asks for a page.")
            return Page(number: number)
        }
        #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<Cache>("page"), with: 1) }
        let text = text { () throws(ServiceBoxError) in
            try box.resolve(ServiceKey<Cache>("page"), with: "first")
        }
        #expect(text?.contains("from a String") == false)
        let byType = self.text { () throws(ServiceBoxError) in try box.resolve(Cache.self) }
        #expect(byType?.hasPrefix("Can't find a Cache: no registered service fits.") == true)
    }

    @Test("for a name that is not there asks for the other")
    func lookUp() {
        box.register(Cache(), as: "archive")
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("cache")) } == """
                Can't find a Cache named 'cache': no service is registered under that name.
                  Registered: 'archive' (Cache), 'serviceBox' (ServiceBox)
                  'archive' (Cache) would fit.
                To fix, ask for 'archive'.
                """)
        box.register(Cache(), as: "attic")
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("cache")) } == """
                Can't find a Cache named 'cache': no service is registered under that name.
                  Registered: 'archive' (Cache), 'attic' (Cache), 'serviceBox' (ServiceBox)
                  'archive' (Cache) or 'attic' (Cache) would fit.
                To fix, ask for one of them, as 'archive'.
                """)
    }

    @Test("for a type whose service was replaced by another type's asks for two names")
    func replacedLookUp() {
        box.register(List<Cache>(), fileID: "App/Main.swift", line: 7)
        box.register(List<Clock>())
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(List<Cache>.self) } == """
                Can't find a List<Cache>: no registered service fits.
                  Registered: 'list' (List<Clock>), 'serviceBox' (ServiceBox)
                  'list' (List<Cache>), registered at App/Main.swift:7, was replaced.
                To fix, register each of them under a name of its own.
                """)
    }

    @Test("for a type with several replaced services names the latest")
    func replacedLookUps() {
        for line in 1...6 as ClosedRange<UInt> {
            let key = ServiceKey<List<Cache>>("list\(line)")
            box.register(List<Cache>(), as: key, fileID: "App/Main.swift", line: line)
            box.register(List<Clock>(), as: ServiceKey(key.name))
        }
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(List<Cache>.self) }?
                .contains("'list6' (List<Cache>), registered at App/Main.swift:6, was replaced") == true)
    }

    @Test("in a child that hides the parent's asks for another name")
    func hiddenLookUp() {
        box.register(Cache(), fileID: "App/Main.swift", line: 7)
        let child = box.makeChild(name: "child")
        child.register(Clock(), as: "cache")
        #expect(
            text { () throws(ServiceBoxError) in try child.resolve(ServiceKey<Cache>("cache")) } == """
                Can't find a Cache named 'cache': the service under that name is a Clock.
                  Found: 'cache' (Clock)
                  It hides the parent's 'cache' (Cache), registered at App/Main.swift:7.
                To fix, register the Clock under another name, or ask for a Clock.
                """)
    }

    @Test("for what a factory makes that was registered as a service says how to register it")
    func factory() {
        struct ClockFactory: ServiceFactory {
            let lifetime = Lifetime.lazy
            func makeService() -> Clock { Clock() }
        }
        box.register(ClockFactory(), as: "clock")
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Clock>("clock")) } == """
                Can't find a Clock named 'clock': the service under that name is a ClockFactory.
                  Found: 'clock' (ClockFactory)
                  It makes a Clock, but is registered as a service itself.
                To fix, register it with register(factory:as:).
                """)
    }

    @Test("for a provider asks for the other")
    func provider() {
        box.register(Clock(), as: "events")
        box.register(FileAnalytics(), as: ServiceKey<any Analytics>("log"))
        #expect(
            text { () throws(ServiceBoxError) in try box.provider(ServiceKey<any Analytics>("events")) }
                == """
                Can't find a provider of Analytics named 'events': its service is registered as a Clock.
                  Found: 'events' (Clock)
                  'log' (FileAnalytics as Analytics) would fit.
                To fix, ask for 'log'.
                """)
    }

    @Test("doesn't name what is being made for it")
    func ownService() {
        final class Wrapper: Store {
            init(_ store: any Store) {}
        }
        box.register(as: "wrapped") { Wrapper(try $0.resolve(ServiceKey<any Store>("store"))) as any Store }
        let text = text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<any Store>("wrapped")) }
        #expect(text?.contains("would fit") == false)
        box.register(FileStore(), as: "files")
        let other = self.text { () throws(ServiceBoxError) in
            try box.resolve(ServiceKey<any Store>("wrapped"))
        }
        #expect(other?.contains("'files' (FileStore) would fit.") == true)
    }

    @Test("sends nobody to all services of a type who asks for a provider")
    func providerOfArray() {
        box.register(FileStore())
        let stores = ServiceKey<[any Store]>("stores")
        #expect(box.failure(of: stores)?.description.contains("resolveAll") == true)
        let error = #expect(throws: ServiceBoxError.self) { try box.provider(stores) }
        #expect(error?.description.contains("resolveAll") == false)
    }

    @Test("for a service that fits on its actor only sends there only if it needs no parameters")
    func conformsElsewhereFromParameters() {
        box.register(as: "canvas") { (_, _: Int) in Canvas() }
        let texts = onThread { [box] in
            [
                #expect(throws: ServiceBoxError.self) { try box["canvas"] as any Drawing }?.description,
                #expect(throws: ServiceBoxError.self) { try box.resolve((any Drawing).self) }?.description,
            ]
        }
        #expect(texts?.compactMap(\.self).count == 2)
        #expect(texts?.contains { $0?.contains("on an actor") == true } == false)
    }
}
