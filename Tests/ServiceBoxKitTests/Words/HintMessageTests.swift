// Part of ServiceBox, released under the MIT License.
// Messages with hints, whole: the hint stands before the instruction, which tells the way that it opens.

import ServiceBoxKit
import Testing

private final class FileAnalytics: Analytics {}

private struct Screen {
    @Injected var cache: Cache?
}

private struct Meter {
    @Injected("events") var analytics: (any Analytics)?
}

private struct Badge {
    @WeakInjected var cache: Cache?
}

private final class Shelf: Injectable {
    var cache: Cache?
    static var injections: InjectionTable { ["cache": .keyPath(\Shelf.cache)] }
}

@Suite("The message of a hole with a hint")
struct HintMessageTests {
    private let box = ServiceBox()

    private func explanation(_ report: FillReport) -> String? { report.holes.first?.explanation }

    // MARK: - Missing

    @Test("that another name would fill shows how to declare it")
    func otherName() {
        box.register(Cache(), as: "archive")
        #expect(
            explanation(box.fill(Screen())) == """
                Can't fill 'cache' of Screen: no service is registered under that name.
                  Property:   Screen.cache, a Cache?
                  Registered: 'archive' (Cache), 'serviceBox' (ServiceBox)
                  'archive' (Cache) would fit.
                To fix, declare it with @Injected("archive").
                """)
    }

    @Test("that several other names would fill shows one declaration for all")
    func otherNames() {
        box.register(Cache(), as: "archive")
        box.register(Cache(), as: "attic")
        #expect(
            explanation(box.fill(Badge())) == """
                Can't fill 'cache' of Badge: no service is registered under that name.
                  Property:   Badge.cache, a Cache?
                  Registered: 'archive' (Cache), 'attic' (Cache), 'serviceBox' (ServiceBox)
                  'archive' (Cache) or 'attic' (Cache) would fit.
                To fix, declare it with one of them, as @WeakInjected("archive").
                """)
    }

    @Test("that a slip of its name left says to rename the property, and never to register the slip")
    func slip() {
        struct Meter {
            @Injected var analitics: (any Analytics)?
        }
        box.register(FileAnalytics(), as: "analytics")
        #expect(
            explanation(box.fill(Meter())) == """
                Can't fill 'analitics' of Meter: no service is registered under that name.
                  Property:   Meter.analitics, an Analytics?
                  Registered: 'analytics' (FileAnalytics), 'serviceBox' (ServiceBox)
                  Did you mean 'analytics'?
                To fix, rename the property to 'analytics', or declare it with @Injected("analytics").
                """)
    }

    @Test("that a slip in a table left says which name the line should have")
    func slipInTable() {
        box.register(Cache(), as: "caches")
        #expect(
            explanation(box.fill(Shelf())) == """
                Can't fill 'cache' of Shelf: no service is registered under that name.
                  Property:   Shelf.cache, a Cache?
                  Registered: 'caches' (Cache), 'serviceBox' (ServiceBox)
                  Did you mean 'caches'?
                To fix, list it as a setter named 'caches'.
                """)
    }

    @Test("in a table shows the line that would take another name")
    func otherNameInTable() {
        box.register(Cache(), as: "archive")
        #expect(
            explanation(box.fill(Shelf())) == """
                Can't fill 'cache' of Shelf: no service is registered under that name.
                  Property:   Shelf.cache, a Cache?
                  Registered: 'archive' (Cache), 'serviceBox' (ServiceBox)
                  'archive' (Cache) would fit.
                To fix, list it as a setter named 'archive'.
                """)
    }

    @Test("that a later registration would fill asks for another fill")
    func registeredLater() {
        let report = box.fill(Screen())
        box.register(Cache(), fileID: "App/Main.swift", line: 7)
        #expect(
            explanation(report) == """
                Can't fill 'cache' of Screen: no service was registered under that name.
                  Property:   Screen.cache, a Cache?
                  Registered: 'cache' (Cache), 'serviceBox' (ServiceBox)
                  'cache' (Cache) is available now, registered at App/Main.swift:7.
                To fix, fill again, or register it before filling.
                """)
    }

    @Test("with an explicit name that a later registration would fill names it")
    func explicitNameRegisteredLater() {
        let report = box.fill(Meter())
        box.register(FileAnalytics(), as: "events", fileID: "App/Main.swift", line: 7)
        #expect(
            explanation(report) == """
                Can't fill 'analytics' of Meter: no service was registered as 'events'.
                  Property:   Meter.analytics, an Analytics?
                  Registered: 'events' (FileAnalytics), 'serviceBox' (ServiceBox)
                  'events' (FileAnalytics) is available now, registered at App/Main.swift:7.
                To fix, fill again, or register it before filling.
                """)
    }

    // MARK: - Another type

    @Test("of another type that a near name would fill asks for that name")
    func nearName() {
        box.register(Clock(), as: "cache")
        box.register(Cache(), as: "caches")
        #expect(
            explanation(box.fill(Screen())) == """
                Can't fill 'cache' of Screen: the service under that name is a Clock, not a Cache.
                  Property: Screen.cache, a Cache?
                  Found:    'cache' (Clock)
                  Did you mean 'caches'?
                To fix, rename the property to 'caches', or declare it with @Injected("caches").
                """)
    }

    @Test("of another type that another name would fill shows how to declare it")
    func otherNameOfMismatch() {
        box.register(Clock(), as: "cache")
        box.register(Cache(), as: "archive")
        #expect(
            explanation(box.fill(Screen())) == """
                Can't fill 'cache' of Screen: the service under that name is a Clock, not a Cache.
                  Property: Screen.cache, a Cache?
                  Found:    'cache' (Clock)
                  'archive' (Cache) would fit.
                To fix, declare it with @Injected("archive").
                """)
    }

    @Test("of a protocol that the service lacks says nothing of isolation")
    func otherNameOfProtocol() {
        box.register(Clock(), as: "events")
        box.register(FileAnalytics())
        #expect(
            explanation(box.fill(Meter())) == """
                Can't fill 'analytics' of Meter: the service under that name is a Clock, not an Analytics.
                  Property: Meter.analytics, an Analytics?
                  Found:    'events' (Clock)
                  'fileAnalytics' (FileAnalytics) would fit.
                To fix, declare it with @Injected("fileAnalytics").
                """)
    }

    @Test("of a provider that was registered as a service says how to register it")
    func provider() {
        box.register(ServiceProvider { Cache() }, as: "cache")
        #expect(
            explanation(box.fill(Screen())) == """
                Can't fill 'cache' of Screen: the service under that name is a ServiceProvider<Cache>, not a Cache.
                  Property: Screen.cache, a Cache?
                  Found:    'cache' (ServiceProvider<Cache>)
                  It makes a Cache, but is registered as a service itself.
                To fix, register it with register(provider:as:).
                """)
    }

    @Test("of a type that hides the parent's asks for another name")
    func hidden() {
        box.register(Cache(), fileID: "App/Main.swift", line: 7)
        let child = box.makeChild(name: "child")
        child.register(Clock(), as: "cache")
        #expect(
            explanation(child.fill(Screen())) == """
                Can't fill 'cache' of Screen: the service under that name is a Clock, not a Cache.
                  Property: Screen.cache, a Cache?
                  Found:    'cache' (Clock)
                  It hides the parent's 'cache' (Cache), registered at App/Main.swift:7.
                To fix, register the Clock under another name, or give the property the type of the service.
                """)
    }

    @Test("of a type that was replaced asks for another fill")
    func replaced() {
        box.register(Clock(), as: "cache")
        let report = box.fill(Screen())
        box.register(Cache(), fileID: "App/Main.swift", line: 7)
        #expect(
            explanation(report) == """
                Can't fill 'cache' of Screen: the service under that name was a Clock, not a Cache.
                  Property: Screen.cache, a Cache?
                  Found:    'cache' (Clock)
                  'cache' (Cache) is available now, registered at App/Main.swift:7.
                To fix, fill again, or register it before filling.
                """)
    }
}
