// Part of ServiceBox, released under the MIT License.
// What reports say of what went well, of services that fill each other, and in the first and the last line.

import Observation
import ServiceBoxKit
import Testing

private final class FileAnalytics: Analytics {}

private final class Screen {
    @Injected var analytics: (any Analytics)?
    @Injected var cache: Cache?
    var plain: Cache?
}

@Observable private final class Watched {
    var plain: Cache?
}

private final class Editor {
    @InjectedAll var plugins: [any Analytics]
}

private final class Left: @unchecked Sendable {
    @Injected var right: Right?
    @Injected var cache: Cache?
}

private final class Right: @unchecked Sendable {
    @Injected var left: Left?
}

private final class Desk: @unchecked Sendable {
    @Injected var analytics: FileAnalytics?
}

private final class Till: @unchecked Sendable { @Injected var cache: Cache? }

@Suite("What a report says")
struct ReportMessageTests {
    private let box = ServiceBox()

    private func explanation(of name: String, in report: FillReport?) -> String? {
        report?.properties.first { $0.name == name }?.explanation
    }

    // MARK: - Properties

    @Test("of a property that is filled names the service with its types")
    func filled() {
        box.register(FileAnalytics(), as: ServiceKey<any Analytics>("analytics"))
        #expect(
            explanation(of: "analytics", in: box.fill(Screen())) == """
                'analytics' of Screen is filled with 'analytics' (FileAnalytics as Analytics).
                  Property: Screen.analytics, an Analytics?
                """)
    }

    @Test("of a property that keeps what it held shows how to replace it")
    func kept() {
        box.register(Cache())
        let screen = Screen()
        screen.cache = Cache()
        #expect(
            explanation(of: "cache", in: box.fill(screen, keepingExisting: true)) == """
                'cache' of Screen kept what it held.
                  Property: Screen.cache, a Cache?
                To replace it, set the property, or once its service is registered, fill the object in its own isolation without keepingExisting.
                """)
    }

    @Test("of a property that keeps a value of its own under a name near another names that")
    func keptUnderNearName() {
        final class Screen { @Injected var cahce = Cache() }
        box.register(Cache())
        #expect(
            explanation(of: "cahce", in: box.fill(Screen())) == """
                'cahce' of Screen kept what it held.
                  Property: Screen.cahce, a Cache
                  Did you mean 'cache'?
                To replace it, rename the property to 'cache', or declare it with @Injected("cache").
                """)
    }

    @Test("of a property that takes all of a type lists them, or says that there is none")
    func gathered() {
        #expect(
            explanation(of: "plugins", in: box.fill(Editor())) == """
                'plugins' of Editor is filled with no services, none fits.
                  Property: Editor.plugins, an Array<Analytics>
                """)
        box.register(FileAnalytics(), as: "second")
        box.register(as: ServiceKey<any Analytics>("first")) { _ in FileAnalytics() }
        #expect(
            explanation(of: "plugins", in: box.fill(Editor())) == """
                'plugins' of Editor is filled with 'second' (FileAnalytics), 'first' (Analytics).
                  Property: Editor.plugins, an Array<Analytics>
                """)
    }

    @Test("of an actor's plain property doesn't suggest a key path, which can't write to it")
    func plainOfActor() {
        actor Vault: Injectable { var plain: Cache? }
        box.register(Cache(), as: "plain")
        let note = box.plan(for: Vault.self).properties.first { $0.name == "plain" }?.explanation
        #expect(note?.hasSuffix("declare it with @Injected, or list it in an injection table.") == true)
    }

    @Test("of a plain weak property suggests a weak one")
    func plainAndWeak() {
        final class Child { weak var plain: Cache? }
        box.register(Cache(), as: "plain")
        let note = box.plan(for: Child.self).properties.first { $0.name == "plain" }?.explanation
        #expect(note?.contains("To fix, declare it with @WeakInjected, without weak, list it") == true)
    }

    @Test("of a plain property under a registered name shows how to fill it")
    func plain() {
        box.register(Cache(), as: "plain")
        #expect(
            explanation(of: "plain", in: box.fill(Screen())) == """
                Note on 'plain' of Screen: 'plain' is registered, but a plain property can't be filled.
                  Property:   Screen.plain, a Cache?
                  Registered: 'plain' (Cache)
                To fix, declare it with @Injected, list it in an injection table, or teach the box: \
                teach(Screen.self, ["plain": .keyPath(\\Screen.plain)]).
                """)
    }

    @Test("of a constant says that it has to become a variable")
    func constant() {
        final class Report { let clock: Cache? = nil }
        box.register(Cache(), as: "clock")
        #expect(
            explanation(of: "clock", in: box.fill(Report())) == """
                Note on 'clock' of Report: 'clock' is registered, but a constant can't be filled.
                  Property:   Report.clock, a Cache?
                  Registered: 'clock' (Cache)
                To fix, declare it as a variable, with @Injected, or list that in an injection table.
                """)
    }

    @Test("of a property of an @Observable class tells to exclude its wrapper from observation")
    func observed() {
        box.register(Cache(), as: "plain")
        #expect(
            box.fill(Watched()).properties.map(\.explanation) == [
                """
                Note on 'plain' of Watched: 'plain' is registered, but a plain property can't be filled.
                  Property:   Watched.plain, a Cache?
                  Registered: 'plain' (Cache)
                To fix, declare it with @ObservationIgnored @Injected, list it in an injection table, or teach the box: \
                teach(Watched.self, ["plain": .keyPath(\\Watched.plain)]).
                """
            ])
    }

    @Test("of a service that could not be made names the error")
    func failed() {
        box.register(as: "cache") { _ -> Cache in throw Broken() }
        #expect(
            explanation(of: "cache", in: box.fill(Screen())) == """
                Can't fill 'cache' of Screen: its service could not be made, since its factory failed.
                  Property: Screen.cache, a Cache?
                  Found:    'cache' (Cache)
                  Error:    Broken() (Broken)
                To fix, correct what the factory of Cache reports, then fill again.
                """)
    }

    @Test("of a property that takes all of a type names each service that could not be made")
    func gatheredFailed() {
        struct OtherAnalytics: Analytics {}
        box.register(FileAnalytics(), as: "ready")
        box.register(as: "first") { _ -> FileAnalytics in throw Broken() }
        box.register(as: "second") { _ -> OtherAnalytics in throw Broken() }
        #expect(
            explanation(of: "plugins", in: box.fill(Editor())) == """
                Can't fill 'plugins' of Editor: 'first' and 'second', 2 of its 3 services, could not be made.
                  Property: Editor.plugins, an Array<Analytics>
                  Found:    'first' (FileAnalytics)
                  Error:    Broken() (Broken)
                  Found:    'second' (OtherAnalytics)
                  Error:    Broken() (Broken)
                To fix, correct what the errors name; the report keeps the first one whole.
                """)
    }

    // MARK: - Services that fill each other

    @Test("of a strong cycle through a list says how to leave a service out of it")
    func strongCycleThroughList() {
        final class All: Store, @unchecked Sendable { @InjectedAll var stores: [any Store] }
        box.register(All(), as: "all")
        #expect(
            box.crossFill().report(on: All.self)?.notes.map(\.explanation) == [
                """
                Note on 'stores' of All: it closes a strong cycle, which keeps the services alive: all.stores → all.
                  Property: All.stores, an Array<Store>
                To fix, list another protocol, to which the services that lead back don't conform.
                """
            ])
        box.clear()
    }

    @Test("of a strong cycle shows it and the way to break it")
    func strongCycle() {
        let left = Left()
        box.register(left, as: "left")
        box.register(Right(), as: "right")
        #expect(
            box.crossFill().report(on: Right.self)?.notes.map(\.explanation) == [
                """
                Note on 'left' of Right: it closes a strong cycle, which keeps the services alive: right.left → \
                left.right → right.
                  Property: Right.left, a Left?
                To fix, declare a property on the way with @WeakInjected.
                """
            ])
        left.right = nil
    }

    @Test("of a service that turned out to be of another type does not take it for a missing one")
    func turnedOut() throws {
        struct Other: Analytics {}
        box.register(Desk(), as: "desk")
        box.register(as: ServiceKey<any Analytics>("analytics")) { _ in Other() }
        let hole = try #require(box.crossFill().first?.holes.first)
        #expect(hole.outcome == .typeMismatch)
        #expect(
            hole.explanation == """
                Can't fill 'analytics' of Desk: the service under that name is an Analytics, not a FileAnalytics.
                  Property: Desk.analytics, a FileAnalytics?
                  Found:    'analytics' (Analytics)
                To fix, register a FileAnalytics under that name, or give the property the type of the service.
                """)
    }

    // MARK: - First and last lines

    @Test("in its first line counts what was filled, what was kept and what was not")
    func summary() {
        func firstLine(_ report: FillReport?) -> Substring? {
            report.flatMap { "\($0)".split(separator: "\n").first }
        }
        let screen = Screen()
        #expect(firstLine(box.fill(screen)) == "Screen: 0 of 2 filled, 2 optional left empty.")
        box.register(Cache())
        #expect(firstLine(box.fill(screen)) == "Screen: 1 of 2 filled, 1 optional left empty.")
        box.register(FileAnalytics(), as: "analytics")
        #expect(firstLine(box.fill(screen, keepingExisting: true)) == "Screen: 1 of 2 filled, 1 kept.")
        #expect(firstLine(box.fill(screen)) == "Screen: 2 of 2 filled.")
        #expect("\(box.fill(Cache()))" == "Cache: nothing to fill.")
        box.register(Desk(), as: "table")
        #expect(firstLine(box.crossFill().first) == "'table' (Desk): 1 of 1 filled.")
        box.register(as: "broken") { _ -> any Analytics in throw Broken() }
        #expect(firstLine(box.fill(Editor())) == "Editor: 0 of 1 filled, 1 filled in part.")
    }

    @Test("in its last line counts what it does not show")
    func longList() {
        struct Five {
            @Injected var one: Cache?
            @Injected var two: Cache?
            @Injected var three: Cache?
            @Injected var four: Cache?
            @Injected var five: Cache?
        }
        final class Wide {
            let first = Five()
            let second = Five()
            let third = Five()
            let fourth = Five()
            let fifth = Five()
        }
        #expect("\(box.fill(Wide()))".split(separator: "\n").last == "  … and 1 more")
    }

    @Test("in the error of several holes tells each")
    func incomplete() throws {
        let report = box.fill(Screen())
        let error = try #require(throws: ServiceBoxError.self) {
            try report.requireComplete(includingOptionals: true)
        }
        #expect(
            error.description == """
                Can't complete a Screen: 2 holes are left.

                Can't fill 'analytics' of Screen: no service is registered under that name.
                  Property:   Screen.analytics, an Analytics?
                  Registered: 'serviceBox' (ServiceBox)
                To fix, register an Analytics as 'analytics' before filling.

                Can't fill 'cache' of Screen: no service is registered under that name.
                  Property:   Screen.cache, a Cache?
                  Registered: 'serviceBox' (ServiceBox)
                To fix, register a Cache as 'cache' before filling.
                """)
    }

    // MARK: - Read later

    @Test("says what was so when the fill ran if the name has another service by now, or none")
    func readLater() {
        func line(_ report: FillReport) -> String? { report.holes.last.map { "\($0)" } }
        let report = box.fill(Screen())
        #expect(line(report) == "Screen.cache: no service is registered under that name")
        box.register(3, as: "cache")
        #expect(line(report) == "Screen.cache: no service was registered under that name")
        let other = box.fill(Screen())
        #expect(line(other) == "Screen.cache: the service under that name is an Int, not a Cache")
        box.remove("cache")
        #expect(line(other) == "Screen.cache: the service under that name was an Int, not a Cache")
    }

    @Test(
        "of what could not be made tells to ask again for a service, and to fill an object again"
    )
    func failedOfService() {
        box.register(as: "cache") { _ -> Cache in throw Broken() }
        box.register(Till())
        let ofService = box.crossFill().report(on: Till.self)?.holes.first
        #expect(
            ofService?.explanation.hasSuffix("correct what the factory of Cache reports, then ask again.")
                == true)
        let ofObject = box.fill(Till()).holes.first
        #expect(
            ofObject?.explanation.hasSuffix("correct what the factory of Cache reports, then fill again.")
                == true)
    }
}
