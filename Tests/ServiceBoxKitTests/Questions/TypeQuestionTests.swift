// Part of ServiceBox, released under the MIT License.
// What users ask about protocols and names, answered by the box alone.

import ServiceBoxKit
import Testing

private final class Shelf { @InjectedAll var stores: [any Store] }

private protocol Reading: Sendable {}
private protocol Writing: Sendable {}
private final class File: Reading, Writing {}
private final class Desk {
    @Injected var reader: any Reading
    @Injected var writer: any Writing
}

extension ServiceKey where Service == any Store {
    fileprivate static var archive: Self { "archive" }
}
extension ServiceKey where Service == Cache {
    fileprivate static var cache: Self { "cache" }
}
private final class Typed { @Injected(.archive) var store: any Store }

@Suite("Asked about types, the box says")
struct TypeQuestionTests {
    private let box = ServiceBox()

    @Test("which services of a protocol there are, and which of them failed")
    func allOfProtocol() {
        #expect(
            "\(box.fill(Shelf()))" == """
                Shelf: 1 of 1 filled.
                  Shelf.stores: filled with no services, none fits
                """)
        box.register(FileStore())
        box.register(as: "memory") { _ in MemoryStore() }
        #expect(
            "\(box.fill(Shelf()))" == """
                Shelf: 1 of 1 filled.
                  Shelf.stores: filled with 'fileStore' (FileStore), 'memory' (MemoryStore)
                """)
        box.register(as: "broken") { _ -> any Store in throw Broken() }
        let shelf = Shelf()
        let report = box.fill(shelf)
        #expect(
            "\(report)" == """
                Shelf: 0 of 1 filled, 1 filled in part.
                  Shelf.stores: 'broken', one of its 3 services, could not be made, since its factory failed: Broken() (Broken)
                """)
        #expect(
            report.holes.map(\.explanation) == [
                """
                Can't fill 'stores' of Shelf: 'broken', one of its 3 services, could not be made, since its factory failed.
                  Property: Shelf.stores, an Array<Store>
                  Found:    'broken' (Store)
                  Error:    Broken() (Broken)
                To fix, correct what the factory of Store reports, then fill again.
                """
            ])
        #expect(shelf.stores.count == 2)
    }

    @Test("that one object stands behind several protocols, and which names would do where it doesn't")
    func severalProtocols() throws {
        box.register(as: "file") { _ in File() }
        #expect(
            "\(box.plan(for: Desk.self))" == """
                Desk: 0 of 2 filled, 2 holes.
                  Desk.reader: no service is registered under that name; 'file' (File) would fit
                  Desk.writer: no service is registered under that name; 'file' (File) would fit
                """)
        box.register(as: "reader") { box -> any Reading in try box.resolve(File.self) }
        box.register(as: "writer") { box -> any Writing in try box.resolve(File.self) }
        let desk = Desk()
        box.fill(desk)
        #expect(desk.reader as AnyObject === desk.writer as AnyObject)
        #expect(
            "\(box.graph())" == """
                Graph of a box: 3 services, 1 type, 2 properties, 0 holes.
                'file' (File), lazy, filled 2nd
                'reader' (File as Reading), lazy, filled 3rd
                  asked for → 'file'
                'writer' (File as Writing), lazy, filled 4th
                  asked for → 'file'
                Desk, filled 1st
                  reader → 'reader'
                  writer → 'writer'
                """)
        try box.audit().requireClean()
    }

    @Test("what a typed name stands for, and what is registered where nothing is under it")
    func typedNames() {
        #expect("\(ServiceKey.archive)" == "'archive' (Store)")
        box.register(FileStore(), as: "store")
        box.register(Clock(), as: "cache")
        #expect(
            box.failure(of: .cache)?.description == """
                Can't find a Cache named 'cache': the service under that name is a Clock.
                  Found: 'cache' (Clock)
                To fix, register a Cache under that name, or ask for a Clock.
                """)
        #expect(
            box.fill(Typed()).holes.map(\.explanation) == [
                """
                Can't fill 'store' of Typed: no service is registered as 'archive'.
                  Property:   Typed.store, a Store
                  Registered: 'cache' (Clock), 'serviceBox' (ServiceBox), 'store' (FileStore)
                  'store' (FileStore) would fit.
                To fix, declare it with @Injected("store").
                """
            ])
    }
}
