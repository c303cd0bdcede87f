// Part of ServiceBox, released under the MIT License.
// Services that are not made yet, for properties of `any Table<Int>` and others that only a cast can tell.

import ServiceBoxKit
import Testing

private protocol Base: Sendable {}
private protocol Table<Item>: Base {
    associatedtype Item: Sendable
}
private protocol SharedStore<Item>: Table, AnyObject {}
private final class IntStore: SharedStore { typealias Item = Int }
private struct IntTable: Table { typealias Item = Int }
private struct TextTable: Table { typealias Item = String }
/// A protocol that its service isn't known to be `Sendable` by.
private protocol Shelf<Item> {
    associatedtype Item
}
private struct IntShelf: Shelf { typealias Item = Int }
private struct Tick: Sendable, Equatable { let time: Int }

private final class Screen {
    @Injected var store: (any Table<Int>)?
    @Injected("store") var both: (any Base & Table<Int>)?
    @Injected("store") var base: (any Base)?
    @WeakInjected("store") var weak: (any Table<Int>)?
}

@Suite("A service that isn't created yet")
struct ParameterisedProtocolTests {
    private let box = ServiceBox()

    private func expectFilled(_ screen: Screen = Screen(), isClass: Bool = true) {
        let report = box.fill(screen)
        #expect(report.outcome(of: "store") == .filled)
        #expect(report.outcome(of: "both") == .filled)
        #expect(report.outcome(of: "base") == .filled)
        #expect(report.outcome(of: "weak") == (isClass ? .filled : .typeMismatch))
        #expect(screen.store != nil && screen.both != nil && screen.base != nil)
        #expect((screen.weak != nil) == isClass)
    }

    @Test("fills a property of a parameterised protocol as a class")
    func classes() {
        box.register(as: "store") { _ in IntStore() }
        expectFilled()
    }

    @Test("fills a property of a parameterised protocol as a struct")
    func structs() {
        box.register(as: "store") { _ in IntTable() }
        expectFilled(isClass: false)
    }

    @Test("fills a property of a parameterised protocol if it is registered as one")
    func interfaces() throws {
        box.register(as: ServiceKey<any Table<Int>>("store")) { _ in IntStore() }
        expectFilled()
        #expect(try box.resolve((any Table<Int>).self) is IntStore)
        #expect(try box.resolveAll((any Table<Int>).self).count == 1)
    }

    @Test("is one of a parameterised protocol's, if it is registered as that and Sendable")
    func sendable() throws {
        box.register(as: "shelf") { _ -> any Shelf<Int> & Sendable in IntShelf() }
        #expect(try box.resolve((any Shelf<Int>).self) is IntShelf)
        #expect(try box.resolveAll((any Shelf<Int>).self).count == 1)
        #expect(try box.resolveAll((any Shelf<String>).self).isEmpty)
    }

    @Test("fills a property of a protocol that its parameterised one refines")
    func refining() {
        box.register(as: ServiceKey<any SharedStore<Int>>("store")) { _ in IntStore() }
        expectFilled()
    }

    @Test("may be weak as a parameterised protocol")
    func weakly() throws {
        box.register(as: ServiceKey<any SharedStore<Int>>("store"), lifetime: .weak) { _ in IntStore() }
        let store: any SharedStore<Int> = try box.resolve("store")
        let screen = Screen()
        expectFilled(screen)
        #expect(screen.weak as? IntStore === store)
    }

    @Test("is a mismatch of both types if its parameter is another")
    func otherParameter() {
        box.register(as: "store") { _ in TextTable() }
        let screen = Screen()
        let report = box.fill(screen)
        #expect(report.outcome(of: "store") == .typeMismatch)
        #expect(report.outcome(of: "base") == .filled)
        #expect(screen.store == nil)
        let line = report.properties.first { $0.name == "store" }?.description ?? ""
        #expect(line.contains("is a TextTable, not a Table<Int>"))
    }

    @Test("fills a property of AnyHashable")
    func hashable() throws {
        final class Keyed { @Injected var key: AnyHashable? }
        box.register(as: "key") { _ in "name" }
        let keyed = Keyed()
        #expect(box.fill(keyed).isComplete)
        #expect(keyed.key == AnyHashable("name"))
        #expect(try box.resolve(AnyHashable.self) == AnyHashable("name"))
    }

    @Test("fills a property whose type is an optional of an optional")
    func optionals() {
        final class Watch {
            @Injected var clock: Tick??
            @Injected("clock") var interface: (any Sendable)??
        }
        box.register(as: "clock") { _ in Tick(time: 1) }
        let watch = Watch()
        #expect(box.fill(watch).isComplete)
        #expect(watch.clock == Tick(time: 1))
        #expect(watch.interface as? Tick == Tick(time: 1))
    }
}
