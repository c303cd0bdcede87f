// Part of ServiceBox, released under the MIT License.
// Properties that take providers, properties that their services fit, and those that get nothing.

import ServiceBoxKit
import Testing

private protocol Shelf {}
private protocol Stranger {}
private class BaseStore: @unchecked Sendable {}
private final class ShelfStore: BaseStore, Store, Shelf, @unchecked Sendable {}

private final class Screen {
    @Injected("store") var provider: ServiceProvider<ShelfStore>
    @Injected("store") var optional: ServiceProvider<ShelfStore>?
    @Injected var store: ShelfStore?
    @Injected("store") var interface: any Store
    @Injected("store") var both: (any Store & Shelf)?
    @Injected("store") var base: BaseStore?
    @Injected("store") var object: AnyObject?
    @Injected("store") var anything: Any?
    @WeakInjected("store") var weakly: ShelfStore?
}

private final class Misfits {
    @Injected("store") var number: Int?
    @Injected("store") var page: Page?
    @Injected("store") var stranger: (any Stranger)?
    @Injected("store") var strangeStore: (any Store & Stranger)?
    @Injected("store") var otherProvider: ServiceProvider<BaseStore>?
    @Injected("store") var parameters: ServiceParametersProvider<ShelfStore, Int>?
}

private final class Pages {
    @Injected("page") var provider: ServiceParametersProvider<Page, Int>
    @Injected("page") var optional: ServiceParametersProvider<Page, Int>?
    @Injected("page") var other: ServiceParametersProvider<Page, String>?
    @Injected var page: Page?
}

private final class Listed: Injectable {
    var store: ShelfStore?
    static var injections: InjectionTable { ["store": .keyPath(\Listed.store)] }
}

extension ServiceKey where Service == ShelfStore {
    fileprivate static var store: Self { "store" }
}

extension ServiceKey where Service == Page {
    fileprivate static var page: Self { "page" }
}

private final class Keyed {
    @Injected(.store) var store: ServiceProvider<ShelfStore>
    @Injected(.page) var pages: ServiceParametersProvider<Page, Int>
}

@Suite("A registered provider")
struct ProviderPropertyTests {
    private let box = ServiceBox()
    private let makes = Counter()

    private func register(_ lifetime: Lifetime = .lazy) {
        box.register(as: "store", lifetime: lifetime) { [makes] _ in
            makes.next()
            return ShelfStore()
        }
    }

    @Test("goes into properties of its own type, and its service into all that it fits")
    func fits() throws {
        register()
        let screen = Screen()
        let report = box.fill(screen)
        #expect(report.isComplete, "\(report)")
        let store = try screen.provider.resolve()
        #expect(screen.optional === screen.provider)
        #expect(screen.provider === (try box.provider(ServiceKey<ShelfStore>("store"))))
        #expect(screen.store === store && screen.base === store && screen.object === store)
        #expect(screen.interface as? ShelfStore === store && screen.both as? ShelfStore === store)
        #expect(screen.anything as? ShelfStore === store && screen.weakly === store)
        #expect(makes.value == 1)
    }

    @Test("goes into properties that name it by the key of its service")
    func keyed() throws {
        register()
        box.register(as: .page) { (_, number: Int) in Page(number: number) }
        let keyed = Keyed()
        #expect(box.fill(keyed).isComplete)
        #expect(try keyed.store.resolve() === box.resolve(.store))
        #expect(try keyed.pages.resolve(3) == Page(number: 3))
    }

    @Test("goes into registered services too")
    func crossFilled() throws {
        final class Holder: @unchecked Sendable {
            @Injected("store") var provider: ServiceProvider<ShelfStore>?
            @Injected var store: ShelfStore?
        }
        register()
        let holder = Holder()
        box.register(holder)
        box.crossFill()
        #expect(try holder.provider?.resolve() === holder.store)
        #expect(makes.value == 1)
    }

    @Test("creates nothing when only its provider is injected")
    func makesNothing() throws {
        final class Lazily {
            @Injected var store: ServiceProvider<ShelfStore>
        }
        register()
        let lazily = Lazily()
        #expect(box.fill(lazily).isComplete)
        #expect(makes.value == 0)
        _ = try lazily.store.resolve()
        #expect(makes.value == 1)
    }

    @Test("creates nothing for properties that its service doesn't fit")
    func misfits() {
        register()
        let report = box.fill(Misfits())
        #expect(Set(report.outcomes.values) == [.typeMismatch])
        #expect(report.holes.count == 6)
        #expect(makes.value == 0)
    }

    @Test("creates nothing for a property that keeps its value")
    func keeps() {
        register()
        let screen = Screen()
        let own = ShelfStore()
        screen.provider = ServiceProvider { own }
        screen.optional = screen.provider
        screen.store = own
        screen.interface = own
        screen.both = own
        screen.base = own
        screen.object = own
        screen.anything = own
        screen.weakly = own
        let report = box.fill(screen, keepingExisting: true)
        #expect(Set(report.outcomes.values) == [.kept])
        let listed = Listed()
        listed.store = own
        #expect(box.fill(listed, keepingExisting: true).outcome(of: "store") == .kept)
        #expect(makes.value == 0)
    }

    @Test("of an interface fits properties of the interface")
    func ofInterface() {
        final class Interfaces {
            @Injected("store") var provider: ServiceProvider<any Store>?
            @Injected var store: (any Store)?
        }
        box.register(provider: ServiceProvider<any Store> { ShelfStore() })
        let screen = Interfaces()
        #expect(box.fill(screen).isComplete)
        #expect(screen.store is ShelfStore)
    }

    @Test("with parameters goes into properties of its own type only")
    func parameters() throws {
        box.register(provider: ServiceParametersProvider { (number: Int) in Page(number: number) })
        let pages = Pages()
        let report = box.fill(pages)
        #expect(
            report.outcomes == [
                "provider": .filled, "optional": .filled, "other": .typeMismatch, "page": .typeMismatch,
            ])
        #expect(try pages.provider.resolve(4) == Page(number: 4))
        #expect(try pages.optional?.resolve(5) == Page(number: 5))
    }

    @Test("whose factory fails leaves a hole with the error; other properties are filled")
    func failing() throws {
        final class Half {
            @Injected var store: ShelfStore?
            @Injected var number: Int?
        }
        box.register(1, as: "number")
        box.register(as: "inner") { _ -> BaseStore in throw Broken() }
        box.register(as: "store") { box in
            _ = try box.resolve(ServiceKey<BaseStore>("inner"))
            return ShelfStore()
        }
        let half = Half()
        let report = box.fill(half)
        #expect(report.outcomes == ["store": .failed, "number": .filled])
        let hole = try #require(report.holes.first)
        #expect(hole.error?.code == .factoryFailed)
        #expect(hole.error?.path == ["ShelfStore", "BaseStore"])
        #expect(hole.error?.underlying is Broken)
        #expect(isSame(hole.foundType, ShelfStore.self))
        #expect(half.number == 1)
    }

    @Test("whose factory fails in a struct, in a table and in a service leaves a hole with the error")
    func failingElsewhere() throws {
        struct Plain {
            @Injected var store: ShelfStore?
        }
        final class Holder: @unchecked Sendable {
            @Injected var store: ShelfStore?
        }
        let attempts = Counter()
        box.register(as: "store") { _ -> ShelfStore in
            attempts.next()
            throw Broken()
        }
        var plain = Plain()
        #expect(box.fill(&plain).holes.first?.error?.code == .factoryFailed)
        #expect(box.fill(Plain()).holes.first?.error?.code == .factoryFailed)
        #expect(box.fill(Listed()).holes.first?.error?.code == .factoryFailed)
        box.register(Holder())
        let hole = try #require(box.crossFill().report(on: Holder.self)?.holes.first)
        #expect(hole.outcome == .failed, "\(hole)")
        #expect(hole.error?.code == .factoryFailed)
    }

    @Test("whose factory failed in a cross-fill is tried again by the next one")
    func retried() {
        final class Holder: @unchecked Sendable {
            @Injected var store: ShelfStore?
        }
        let attempts = Counter()
        box.register(as: "store") { _ in
            if attempts.next() == 1 { throw Broken() }
            return ShelfStore()
        }
        let holder = Holder()
        box.register(holder)
        box.crossFill()
        #expect(holder.store == nil)
        box.crossFill()
        #expect(holder.store != nil)
    }

    @Test(
        "isn't planned for a property that takes the provider of another type",
        arguments: [Lifetime.lazy, .transient])
    func ofInterface(_ lifetime: Lifetime) {
        final class Taker {
            @Injected var store: ServiceProvider<FileStore>
            @Injected("store") var parameters: ServiceParametersProvider<FileStore, Int>
        }
        let count = Counter()
        box.register(as: ServiceKey<any Store>("store"), lifetime: lifetime) { _ -> any Store in
            count.next()
            return FileStore()
        }
        #expect(box.plan(for: Taker()).outcomes == ["store": .typeMismatch, "parameters": .typeMismatch])
        box.fill(Taker())
        #expect(count.value == 0)
    }
}
