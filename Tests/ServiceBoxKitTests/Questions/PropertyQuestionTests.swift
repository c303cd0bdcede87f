// Part of ServiceBox, released under the MIT License.
// What users ask about a property, answered by the box alone.

import ServiceBoxKit
import Testing

private final class ProfileScreen {
    @Injected var clock: Cache?
    @Injected var store: (any Store)?
    @Injected var user: String?
}

private final class SettingsScreen {
    var cache: Cache?
}

private final class CartScreen {
    @Injected var cahce: Cache
}

private class Base {
    @Injected private var clock: Clock?
}
private final class Details: Base {
    @Injected private var clock: Clock?
    @Injected private var store: any Store
}

private final class Visit {
    @Injected var user: String?
    @Injected var limit: Int = 3
    @InjectedAll var stores: [any Store]
    @Injected var clock: Clock
}

@Suite("Asked about a property, the box says")
struct PropertyQuestionTests {
    private let box = ServiceBox()

    private func answer(_ report: FillReport) -> String {
        let whole = report.properties.filter { $0.outcome != .filled && $0.outcome != .kept }.map(
            \.explanation)
        return (["\(report)"] + whole).joined(separator: "\n\n")
    }

    @Test("why it is nil")
    func whyNil() {
        box.register(Clock())
        box.register(as: "store") { _ -> any Store in throw Broken() }
        #expect(
            answer(box.fill(ProfileScreen())) == """
                ProfileScreen: 0 of 3 filled, 3 optional left empty.
                  ProfileScreen.clock: the service under that name is a Clock, not a Cache
                  ProfileScreen.store: its service could not be made, since its factory failed: Broken() (Broken)
                  ProfileScreen.user: no service is registered under that name

                Can't fill 'clock' of ProfileScreen: the service under that name is a Clock, not a Cache.
                  Property: ProfileScreen.clock, a Cache?
                  Found:    'clock' (Clock)
                To fix, register a Cache under that name, or give the property the type of the service.

                Can't fill 'store' of ProfileScreen: its service could not be made, since its factory failed.
                  Property: ProfileScreen.store, a Store?
                  Found:    'store' (Store)
                  Error:    Broken() (Broken)
                To fix, correct what the factory of Store reports, then fill again.

                Can't fill 'user' of ProfileScreen: no service is registered under that name.
                  Property:   ProfileScreen.user, a String?
                  Registered: 'clock' (Clock), 'serviceBox' (ServiceBox), 'store' (Store)
                To fix, register a String as 'user' before filling.
                """)
    }

    @Test("that it is a plain one, in the report and in an audit")
    func plainProperty() throws {
        box.register(Cache(), fileID: "App/Main.swift", line: 7)
        #expect(
            answer(box.fill(SettingsScreen())) == """
                SettingsScreen: nothing to fill.
                  SettingsScreen.cache: 'cache' is registered, but a plain property can't be filled

                Note on 'cache' of SettingsScreen: 'cache' is registered, but a plain property can't be filled.
                  Property:   SettingsScreen.cache, a Cache?
                  Registered: 'cache' (Cache)
                To fix, declare it with @Injected, list it in an injection table, or teach the box: \
                teach(SettingsScreen.self, ["cache": .keyPath(\\SettingsScreen.cache)]).
                """)
        #expect(
            box.audit().findings.map(\.explanation) == [
                """
                Can't find a use for 'cache': nothing asks for it.
                  Service:    'cache' (Cache)
                  Registered: App/Main.swift:7
                  SettingsScreen.cache has its name, but is a plain property.
                To fix, declare that property with @Injected, or list it in an injection table.
                """
            ])
        box.teach(SettingsScreen.self, ["cache": .keyPath(\SettingsScreen.cache)])
        #expect(
            answer(box.fill(SettingsScreen())) == """
                SettingsScreen: 1 of 1 filled.
                  SettingsScreen.cache: filled with 'cache' (Cache)
                """)
        try box.audit().requireClean()
    }

    @Test("which name was meant")
    func nearMiss() {
        box.register(Cache())
        #expect(
            answer(box.fill(CartScreen())) == """
                CartScreen: 0 of 1 filled, 1 hole.
                  CartScreen.cahce: no service is registered under that name; did you mean 'cache'?

                Can't fill 'cahce' of CartScreen: no service is registered under that name.
                  Property:   CartScreen.cahce, a Cache
                  Registered: 'cache' (Cache), 'serviceBox' (ServiceBox)
                  Did you mean 'cache'?
                To fix, rename the property to 'cache', or declare it with @Injected("cache").
                """)
    }

    @Test("that it is filled, though it is private or inherited")
    func privateAndInherited() {
        box.register(Clock())
        box.register(FileStore(), as: "store")
        #expect(
            answer(box.fill(Details())) == """
                Details: 3 of 3 filled.
                  Base.clock: filled with 'clock' (Clock)
                  Details.clock: filled with 'clock' (Clock)
                  Details.store: filled with 'store' (FileStore)
                """)
    }

    @Test("that it is fine without a service")
    func fineWithout() throws {
        box.register(Clock())
        let report = box.fill(Visit())
        #expect(
            "\(report)" == """
                Visit: 2 of 4 filled, 1 kept, 1 optional left empty.
                  Visit.user: no service is registered under that name
                  Visit.limit: kept what it held
                  Visit.stores: filled with no services, none fits
                  Visit.clock: filled with 'clock' (Clock)
                """)
        try report.requireComplete()
        #expect("\(box.audit())" == "Audit of 1 service and 1 type: clean.")
        #expect(
            box.plan(for: Visit.self).holes.map(\.explanation).last == """
                Can't fill 'limit' of Visit: no service is registered under that name.
                  Property:   Visit.limit, an Int
                  Required:   no, it has a value of its own
                  Registered: 'clock' (Clock), 'serviceBox' (ServiceBox)
                To fix, register an Int as 'limit' before filling.
                """)
    }
}
