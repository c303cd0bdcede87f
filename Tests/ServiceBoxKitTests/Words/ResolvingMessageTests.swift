// Part of ServiceBox, released under the MIT License.
// What the library says when a look-up fails.

import ServiceBoxKit
import Testing

private enum Inner {
    final class Cache: Sendable {}
}

private protocol Drawing {}
private final class Canvas: Sendable {}
extension Canvas: @MainActor Drawing {}

private struct WrappingStore: Store {
    let inner: any Store
}

private protocol Labelled: Sendable {}

@Suite("The message of a look-up")
struct ResolvingMessageTests {
    private let box = ServiceBox()

    private func text<Result>(_ body: () throws(ServiceBoxError) -> Result) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return error.description
        }
    }

    @Test("for a name that is not there shows what is and what was meant")
    func missing() {
        box.register(Cache(), as: "caches")
        box.register(FileStore(), as: "cash")
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("cache")) } == """
                Can't find a Cache named 'cache': no service is registered under that name.
                  Registered: 'caches' (Cache), 'cash' (FileStore), 'serviceBox' (ServiceBox)
                  Did you mean 'caches'?
                To fix, ask for 'caches'.
                """)
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<(any Store)?>("store")) } == """
                Can't find a Store named 'store': no service is registered under that name.
                  Registered: 'caches' (Cache), 'cash' (FileStore), 'serviceBox' (ServiceBox)
                  'cash' (FileStore) would fit.
                To fix, ask for 'cash'.
                """)
    }

    @Test("for an empty name does not advise to register under it")
    func emptyName() {
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("")) } == """
                Can't find a Cache named '': no service is registered under that name.
                  Registered: 'serviceBox' (ServiceBox)
                To fix, ask for the name that the service is registered under.
                """)
    }

    @Test("for a type that nothing fits says so")
    func missingType() {
        box.register(Cache())
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve((any Store).self) } == """
                Can't find a Store: no registered service fits.
                  Registered: 'cache' (Cache), 'serviceBox' (ServiceBox)
                To fix, register a Store before looking it up.
                """)
    }

    @Test("for a service of another type shows both")
    func typeMismatch() {
        box.register(as: "cache") { _ in Cache() }
        box.register(FileStore(), as: ServiceKey<any Store>("store"))
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<any Store>("cache")) } == """
                Can't find a Store named 'cache': the service under that name is a Cache.
                  Found: 'cache' (Cache)
                  'store' (FileStore as Store) would fit.
                To fix, ask for 'store'.
                """)
        #expect(
            text { () throws(ServiceBoxError) in try box[ServiceKey<Cache>("store")] } == """
                Can't find a Cache named 'store': the service under that name is a Store.
                  Found: 'store' (FileStore as Store)
                  'cache' (Cache) would fit.
                To fix, ask for 'cache'.
                """)
    }

    @Test("for a type of the same name spells both out")
    func sameNames() {
        box.register(Cache())
        let wanted = String(reflecting: Inner.Cache.self)
        let present = String(reflecting: Cache.self)
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Inner.Cache>("cache")) } == """
                Can't find a \(wanted) named 'cache': the service under that name is a \(present).
                  Found: 'cache' (Cache)
                To fix, register a \(wanted) under that name, or ask for a \(present).
                """)
    }

    @Test("for a type that several fit names them")
    func ambiguous() {
        box.register(FileStore(), as: "b")
        box.register(as: "a") { _ in FileStore() }
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve((any Store).self) } == """
                Can't choose a Store: 2 registered services fit.
                  Candidates: 'b' (FileStore), 'a' (FileStore)
                To fix, ask for one of them by its name: resolve(ServiceKey<any Store>("b")), or prefer one of them: prefer("b", for: (any Store).self).
                """)
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(FileStore.self) }?.hasSuffix(
                "resolve(ServiceKey<FileStore>(\"b\")), or prefer one of them: prefer(\"b\", for: FileStore.self)."
            )
                == true)
    }

    @Test("for a nested type advises in code that names the enclosing one")
    func ambiguousNested() {
        for name in ["a", "b"] { box.register(Inner.Cache(), as: ServiceKey(name)) }
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(Inner.Cache.self) }?.hasSuffix(
                "resolve(ServiceKey<Inner.Cache>(\"a\")), or prefer one of them: prefer(\"a\", for: Inner.Cache.self)."
            ) == true)
    }

    @Test("for a type whose short name a service of another type has tells them apart")
    func namesake() {
        box.register(Cache())
        let wanted = String(reflecting: Inner.Cache.self)
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(Inner.Cache.self) } == """
                Can't find a \(wanted): no registered service fits.
                  Registered: 'cache' (Cache), 'serviceBox' (ServiceBox)
                To fix, register a \(wanted) before looking it up.
                """)
    }

    @Test(
        "for a type that several fit advises in code that compiles",
        arguments: [
            ("Any", "Any.self"), ("() -> ()", "(@Sendable () -> ()).self"),
        ])
    func ambiguousCode(_ name: String, _ code: String) throws {
        for name in ["a", "b"] { box.register({ @Sendable () -> Void in }, as: ServiceKey(name)) }
        let text =
            name == "Any"
            ? text { () throws(ServiceBoxError) in try box.resolve(Any.self) }
            : text { () throws(ServiceBoxError) in try box.resolve((@Sendable () -> Void).self) }
        #expect(text?.hasSuffix("for: \(code)).") == true)
    }

    @Test("for a service that fits on its actor only sends there, by name and by type")
    func conformsElsewhere() async {
        box.register(Canvas(), as: "canvas")
        let text = """
            Can't find a Drawing here: 'canvas' is one on an actor only.
              Found:     'canvas' (Canvas)
              Isolation: the conformance to Drawing belongs to an actor and is used on it only
            To fix, register it on that actor as any Drawing & Sendable, or ask on that actor.
            """
        let texts = onThread { [box] in
            [
                self.text { () throws(ServiceBoxError) in
                    try box.resolve(ServiceKey<any Drawing>("canvas"))
                },
                self.text { () throws(ServiceBoxError) in try box.resolve((any Drawing).self) },
            ]
        }
        #expect(texts == [text, text])
        // Wherever the error is read.
        let error = onThread { [box] in
            #expect(throws: ServiceBoxError.self) { try box.resolve((any Drawing).self) }
        }
        #expect(await MainActor.run { error??.description } == text)
    }

    @Test("for a type that several fit advises to take one that isn't being made")
    func ambiguousInFactory() {
        box.register(as: "outer") { WrappingStore(inner: try $0.resolve((any Store).self)) }
        box.register(FileStore(), as: "b")
        box.register(FileStore(), as: "a")
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(WrappingStore.self) }?.hasSuffix(
                "prefer one of them: prefer(\"b\", for: (any Store).self).") == true)
    }

    @Test("for wrong parameters tells them from a wrong type")
    func parameters() {
        box.register(provider: ServiceParametersProvider { (_: Int) in Page() })
        box.register(Cache())
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page"), with: "1") } == """
                Can't make a Page named 'page' from a String: it is made from an Int.
                  Found: 'page' (Page)
                To fix, ask for it with an Int: resolve("page", with: …).
                """)
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page")) } == """
                Can't make a Page named 'page': it is made from an Int.
                  Found: 'page' (Page)
                To fix, ask for it with an Int: resolve("page", with: …).
                """)
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("cache"), with: 1) } == """
                Can't make a Cache named 'cache' from an Int: it is made without parameters.
                  Found: 'cache' (Cache)
                To fix, ask for it without parameters.
                """)
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("page"), with: 1) } == """
                Can't find a Cache named 'page': the service under that name is a Page.
                  Found: 'page' (Page)
                To fix, register a Cache under that name, or ask for a Page.
                """)
    }

    @Test("for a service that is made from an interface shows the cast to it")
    func parametersOfInterface() {
        box.register(as: "outer") { (_, store: any Store) in WrappingStore(inner: store) }
        #expect(
            text { () throws(ServiceBoxError) in
                try box.resolve(ServiceKey<WrappingStore>("outer"), with: FileStore())
            } == """
                Can't make a WrappingStore named 'outer' from a FileStore: it is made from a Store.
                  Found: 'outer' (WrappingStore)
                To fix, ask for it with a Store: resolve("outer", with: … as any Store).
                """)
        box.register(as: "page") { (_, _: (any Store)?) in Page() }
        let page = text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page"), with: 1) }
        #expect(page?.hasSuffix("resolve(\"page\", with: … as (any Store)?).") == true)
    }

    @Test("for a provider of an interface that the service is not registered as says what it is")
    func provider() {
        box.register(FileStore(), as: "store")
        #expect(
            text { () throws(ServiceBoxError) in try box.provider(ServiceKey<any Store>("store")) } == """
                Can't find a provider of Store named 'store': its service is registered as a FileStore.
                  Found: 'store' (FileStore)
                To fix, register it as ServiceKey<any Store>("store"), or ask for a provider of FileStore.
                """)
        box.register(provider: ServiceParametersProvider { (_: Int) in Page() })
        #expect(
            text { () throws(ServiceBoxError) in try box.provider(ServiceKey<Page>("page")) } == """
                Can't make a Page named 'page': it is made from an Int.
                  Found: 'page' (Page)
                To fix, ask for it with an Int: resolve("page", with: …).
                """)
    }

    @Test("that a factory let escape shows the way to it, what it was and how to fix it")
    func escaping() {
        box.register(as: "store") { box in
            _ = try box.resolve(ServiceKey<Cache>("cache"))
            return FileStore()
        }
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<FileStore>("store")) } == """
                Can't make a FileStore: a look-up in its factory failed.
                  Path:       FileStore → cache
                  Error:      Can't find a Cache named 'cache': no service is registered under that name.
                  Registered: 'serviceBox' (ServiceBox), 'store' (FileStore)
                To fix, register a Cache as 'cache' before looking it up.
                """)
        box.register(Cache(), as: "caches")
        box.register(as: "page") { box in
            _ = try box.resolve(ServiceKey<FileStore>("store"))
            return Page()
        }
        #expect(
            text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page")) } == """
                Can't make a Page: a look-up in the factory of FileStore failed.
                  Path:       Page → FileStore → cache
                  Error:      Can't find a Cache named 'cache': no service is registered under that name.
                  Registered: 'caches' (Cache), 'page' (Page), 'serviceBox' (ServiceBox), 'store' (FileStore)
                  Did you mean 'caches'?
                To fix, ask for 'caches'.
                """)
    }

    @Test("that a decoration let escape doesn't blame the factory")
    func escapingDecoration() {
        let key = ServiceKey<FileStore>("store")
        box.register(as: key) { _ in FileStore() }
        box.decorate(key) { store, box in
            _ = try box.resolve(ServiceKey<Cache>("cache"))
            return store
        }
        box.register(as: "page") { box in
            _ = try box.resolve(key)
            return Page()
        }
        let reason = text { () throws(ServiceBoxError) in try box.resolve(key) }?.prefix { $0 != "\n" }
        #expect(reason == "Can't make a FileStore: a look-up in its decoration failed.")
        let outer = text { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page")) }
        #expect(
            outer?.hasPrefix("Can't make a Page: a look-up in the decoration of FileStore failed.") == true)
    }

    @Test("for a property of a protocol doesn't advise a metatype, a function or a protocol to conform to it")
    func impossibleConformance() {
        final class Screen { @Injected var store: any Store }
        struct Silence: Analytics {}
        let way = "To fix, register a Store under that name."
        box.register(FileStore.self, as: "store")
        #expect(box.fill(Screen()).holes.first?.explanation.hasSuffix(way) == true)
        box.register({} as @Sendable () -> Void, as: "store")
        #expect(box.fill(Screen()).holes.first?.explanation.hasSuffix(way) == true)
        box.register(Silence() as any Analytics, as: "store")
        #expect(box.fill(Screen()).holes.first?.explanation.hasSuffix(way) == true)
        box.register(Cache(), as: "store")
        let other = "under that name, or let Cache conform to Store."
        #expect(box.fill(Screen()).holes.first?.explanation.hasSuffix(other) == true)
    }

    @Test("for a weak property doesn't suggest what turned out to be a value")
    func valueForWeak() throws {
        final class Screen { @WeakInjected var stor: (any Labelled)? }
        struct Label: Labelled {}
        box.register(as: "store") { _ -> any Labelled in Label() }
        #expect(box.fill(Screen()).holes.first?.explanation.contains("'store'?") == true)
        _ = try box["store"] as any Labelled
        #expect(box.fill(Screen()).holes.first?.explanation.contains("'store'?") == false)
    }

    @Test("for a property that wants what is made with parameters says so")
    func parametersProperty() {
        final class Screen {
            @Injected var page: Page?
        }
        box.register(provider: ServiceParametersProvider { (_: Int) in Page() })
        #expect(
            box.fill(Screen()).holes.first?.explanation == """
                Can't fill 'page' of Screen: the service under that name is a Page that is made from an Int.
                  Property: Screen.page, a Page?
                  Found:    'page' (Page)
                To fix, declare the property as a ServiceParametersProvider<Page, Int>.
                """)
    }

    @Test("for the provider of another type says what to register and what to take")
    func otherProvider() {
        final class Screen {
            @Injected var store: ServiceProvider<FileStore>
        }
        box.register(as: ServiceKey<any Store>("store")) { _ in FileStore() }
        #expect(
            box.fill(Screen()).holes.first?.explanation == """
                Can't fill 'store' of Screen: the service under that name is a Store, not a ServiceProvider<FileStore>.
                  Property: Screen.store, a ServiceProvider<FileStore>
                  Found:    'store' (Store)
                To fix, register a FileStore under that name, or take a ServiceProvider<any Store>.
                """)
        #expect(
            text { () throws(ServiceBoxError) in
                try box.resolve(ServiceKey<ServiceProvider<FileStore>>("store"))
            } == """
                Can't find a provider of FileStore named 'store': its service is registered as a Store.
                  Found: 'store' (Store)
                To fix, register it as ServiceKey<FileStore>("store"), or ask for a provider of Store.
                """)
    }

    @Test("for a provider of what is made with parameters, or with others, names the right one")
    func parametersProvider() {
        final class Screen {
            @Injected var page: ServiceProvider<Page>?
        }
        final class Book {
            @Injected var page: ServiceParametersProvider<Page, String>?
        }
        box.register(provider: ServiceParametersProvider { (_: Int) in Page() })
        #expect(
            box.fill(Screen()).holes.first?.explanation == """
                Can't fill 'page' of Screen: the service under that name is a Page that is made from an Int.
                  Property: Screen.page, a ServiceProvider<Page>?
                  Found:    'page' (Page)
                To fix, declare the property as a ServiceParametersProvider<Page, Int>.
                """)
        #expect(
            box.fill(Book()).holes.first?.explanation == """
                Can't fill 'page' of Book: the service under that name is a Page that is made from an Int.
                  Property: Book.page, a ServiceParametersProvider<Page, String>?
                  Found:    'page' (Page)
                To fix, declare the property as a ServiceParametersProvider<Page, Int>.
                """)
    }
}
