// Part of ServiceBox, released under the MIT License.
// Boxes as text.

import ServiceBoxKit
import Testing

private protocol Named: Sendable {}
private struct Anna: Named {}
private final class Screen {
    @Injected var clock: Clock
    @Injected var count: Int
    @Injected var name: String?
    @Injected var size = 7
}
private final class Panel {
    @Injected var clock: Clock
    init(_ clock: Clock? = nil) { if let clock { self.clock = clock } }
}
private final class Reader: @unchecked Sendable { @Injected var clock: Clock }

private final class Plate: @MainActor Injectable, @unchecked Sendable {
    var cache: Cache?

    @MainActor static var injections: InjectionTable {
        ["cache": .setter { (plate: Plate, cache: Cache) in plate.cache = cache }]
    }
}

@Suite("Boxes as text")
struct BoxDescriptionTests {
    private let box = ServiceBox()

    @Test("list the services with their lifetimes and types")
    func services() {
        #expect("\(box)" == "ServiceBox, no services")
        box.register(Clock())
        box.register(Anna(), as: ServiceKey<any Named>("userName"))
        box.register(as: "cache", lifetime: .eager) { _ in Cache() }
        box.register(as: "store", lifetime: .weak, per: .box) { _ in FileStore() }
        box.register(as: "session", per: .box) { _ in DiskCache() }
        box.register(as: "size", lifetime: .transient) { _ in 7 }
        box.register(as: "page") { (_, number: Int) in Page(number: number) }
        #expect(
            "\(box)" == """
                ServiceBox, 7 services
                  cache     eager            Cache
                  clock     ready-made       Clock
                  page      with parameters  Page
                  session   lazy, per box    DiskCache
                  size      transient        Int
                  store     weak, per box    FileStore
                  userName  ready-made       Anna as Named
                """)
    }

    @Test("say what a service replaced, until it is removed")
    func replaced() {
        box.register(Clock())
        box.register(Cache(), as: "spare", fileID: "App/A.swift", line: 1)
        box.register(7, as: "spare", fileID: "App/B.swift", line: 2)
        box.register(FileStore(), as: "store", fileID: "App/A.swift", line: 3)
        box.register(as: "store") { _ in FileStore() }
        #expect(
            "\(box)" == """
                ServiceBox, 3 services
                  clock  ready-made  Clock
                  spare  ready-made  Int, replaced a Cache registered at App/A.swift:1
                  store  lazy        FileStore, replaced a FileStore registered at App/A.swift:3
                """)
        box.remove("spare")
        box.remove("store")
        box.register(8, as: "spare")
        #expect(
            "\(box)" == """
                ServiceBox, 2 services
                  clock  ready-made  Clock
                  spare  ready-made  Int
                """)
    }

    @Test("say that a service was decorated after it was handed out")
    func decorated() throws {
        box.register(Clock())
        _ = try box.resolve(Clock.self)
        box.decorate("clock" as ServiceKey<Clock>, fileID: "App/A.swift", line: 1) { clock, _ in clock }
        #expect(
            "\(box)" == """
                ServiceBox, 1 service
                  clock  lazy  Clock, decorated at App/A.swift:1
                """)
    }

    @Test("name a child, say that it is sealed, and list what it has from each ancestor and doesn't hide")
    func ancestors() {
        box.register(Clock())
        box.register(Cache())
        let parent = box.makeChild(name: "app")
        parent.register(as: "store", per: .box) { _ in FileStore() }
        parent.register(7, as: "size")
        let child = parent.makeChild(name: "request")
        child.register(as: "clock", lifetime: .transient) { _ in Clock() }
        child.seal()
        #expect(
            "\(child)" == """
                ServiceBox 'request', 4 services, sealed
                  clock  transient      Clock
                From the parent 'app':
                  size   ready-made     Int
                  store  lazy, per box  FileStore
                From an ancestor:
                  cache  ready-made     Cache
                """)
        #expect(
            "\(parent)" == """
                ServiceBox 'app', 4 services
                  size   ready-made     Int
                  store  lazy, per box  FileStore
                From the parent:
                  cache  ready-made     Cache
                  clock  ready-made     Clock
                """)
        #expect(
            "\(ServiceBox(name: "root").makeChild(name: "empty").makeChild(name: "leaf"))"
                == "ServiceBox 'leaf', no services")
    }

    @Test("list the services and types whose required properties are empty")
    func unfilled() {
        box.register("7", as: "count")
        box.register(Reader())
        box.register(as: "lazyReader") { _ in Reader() }
        box.fill(Screen())
        _ = try? box.resolve("lazyReader") as Reader
        #expect(
            "\(box)" == """
                ServiceBox, 3 services
                  count       ready-made  String
                  lazyReader  lazy        Reader
                  reader      ready-made  Reader
                Unfilled:
                  'lazyReader' (Reader)  clock (missing)
                  'reader' (Reader)      clock (missing)
                  Screen                 clock (missing), count (typeMismatch)
                """)
    }

    @Test("list what an object lacked though it is registered now, which doesn't reach the object")
    func unfilledObject() {
        final class Table { @Injected var clock: Clock }
        box.fill(Table())
        box.register(Clock())
        #expect("\(box)".hasSuffix("Unfilled:\n  Table  clock (missing)"), "\(box)")
    }

    @Test("say of a service that couldn't be created which properties wait for it")
    func failed() {
        box.register(as: "clock") { _ -> Clock in throw Broken() }
        box.fill(Panel())
        #expect(
            "\(box)" == """
                ServiceBox, 1 service
                  clock  lazy  Clock
                Unfilled:
                  Panel  clock (failed)
                """)
    }

    @Test("list nothing as unfilled that the next use fills, and create nothing to find out")
    func pending() {
        box.register(Reader())
        box.register(as: "lazyReader") { _ in Reader() }
        _ = try? box.resolve("lazyReader") as Reader
        let makes = Counter()
        box.register(as: "clock") { _ in
            makes.next()
            return Clock()
        }
        #expect(
            "\(box)" == """
                ServiceBox, 3 services
                  clock       lazy        Clock
                  lazyReader  lazy        Reader
                  reader      ready-made  Reader
                """)
        #expect(makes.value == 0)
    }

    @Test("list no type as unfilled whose last object was given what it requires by its initialiser")
    func initialised() {
        box.fill(Panel())
        #expect("\(box)".contains("Unfilled"))
        box.fill(Panel(Clock()))
        #expect(!"\(box)".contains("Unfilled"))
        box.fill(Panel())
        #expect("\(box)".contains("Unfilled"))
    }

    @Test("list a service as unfilled whose table is the main actor's, once a use elsewhere has left it so")
    func mainActorsTable() {
        box.register(Plate())
        box.register(Cache())
        func text() -> String { onThread { [box] in "\(box)" } ?? "" }
        #expect(!text().contains("Unfilled"))
        onThread { [box] in _ = try? box["cache"] as Cache }
        #expect(text().contains("Unfilled:\n  'plate' (Plate)  self (wrongIsolation)"))
    }
}
