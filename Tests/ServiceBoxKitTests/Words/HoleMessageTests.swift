// Part of ServiceBox, released under the MIT License.
// What the report says of a property that could not be filled.

import ServiceBoxKit
import Testing

private protocol Logging: Sendable {}

private final class Screen {
    @Injected var analytics: (any Analytics & Logging)?
    @Injected("userCache") var cache: Cache?
    @WeakInjected var number: AnyObject?
}

private enum Other {
    final class Cache: Sendable {}
}

@Suite("Holes in words")
struct HoleMessageTests {
    private final class Store {
        @Injected var cache: Cache
    }

    private let box = ServiceBox()

    private func explanations(of report: FillReport) -> [String] { report.holes.map(\.explanation) }

    @Test("a missing service names what is registered, and the nearest name that fits")
    func missing() {
        box.register(Cache(), as: "caches")
        box.register(Clock())
        #expect(
            explanations(of: box.fill(Store())) == [
                """
                Can't fill 'cache' of Store: no service is registered under that name.
                  Property:   Store.cache, a Cache
                  Registered: 'caches' (Cache), 'clock' (Clock), 'serviceBox' (ServiceBox)
                  Did you mean 'caches'?
                To fix, rename the property to 'caches', or declare it with @Injected("caches").
                """
            ])
    }

    @Test("a box that has a name is named, and so is a value that the property has")
    func namedBox() throws {
        struct Settings { @Injected var limit: Int = 3 }
        let box = ServiceBox(name: "request")
        box.fill(Settings())
        #expect(
            explanations(of: box.plan(for: Settings.self)) == [
                """
                Can't fill 'limit' of Settings: no service is registered under that name.
                  Property:   Settings.limit, an Int
                  Required:   no, it has a value of its own
                  Box:        'request'
                  Registered: 'serviceBox' (ServiceBox)
                To fix, register an Int as 'limit' before filling.
                """
            ])
    }

    @Test("a near name whose service would not fit is not offered")
    func nearNameOfAnotherType() {
        box.register(Clock(), as: "caches")
        #expect(
            explanations(of: box.fill(Store())) == [
                """
                Can't fill 'cache' of Store: no service is registered under that name.
                  Property:   Store.cache, a Cache
                  Registered: 'caches' (Clock), 'serviceBox' (ServiceBox)
                To fix, register a Cache as 'cache' before filling.
                """
            ])
    }

    @Test("a property with an explicit name is explained by that name")
    func explicitName() {
        box.register(Cache(), as: "usercache")
        box.register(Cache(), as: "userCaches")
        box.register(Cache(), as: "cache")
        #expect(
            explanations(of: box.fill(Screen()))[1] == """
                Can't fill 'cache' of Screen: no service is registered as 'userCache'.
                  Property:   Screen.cache, a Cache?
                  Registered: 'cache' (Cache), 'serviceBox' (ServiceBox), 'userCaches' (Cache), 'usercache' (Cache)
                  Did you mean 'usercache' or 'userCaches'?
                To fix, declare it with one of them, as @Injected("usercache").
                """)
    }

    @Test("of many registrations eight are listed and the rest is counted")
    func manyRegistrations() {
        for number in 1...9 { box.register(number, as: "number\(number)") }
        #expect(
            explanations(of: box.fill(Store())) == [
                """
                Can't fill 'cache' of Store: no service is registered under that name.
                  Property:   Store.cache, a Cache
                  Registered: 'number1' (Int), 'number2' (Int), 'number3' (Int), 'number4' (Int), 'number5' (Int), \
                'number6' (Int), 'number7' (Int), 'number8' (Int) and 2 more
                To fix, register a Cache as 'cache' before filling.
                """
            ])
    }

    @Test("a report that outlives its box says so")
    func boxIsGone() {
        let report = ServiceBox().fill(Store())
        #expect(
            explanations(of: report) == [
                """
                Can't fill 'cache' of Store: no service is registered under that name.
                  Property:   Store.cache, a Cache
                  Registered: unknown, the box is gone
                To fix, register a Cache as 'cache' before filling.
                """
            ])
    }

    @Test("a service of another class names wanted and found")
    func wrongClass() {
        box.register(Clock(), as: "cache")
        #expect(
            explanations(of: box.fill(Store())) == [
                """
                Can't fill 'cache' of Store: the service under that name is a Clock, not a Cache.
                  Property: Store.cache, a Cache
                  Found:    'cache' (Clock)
                To fix, register a Cache under that name, or give the property the type of the service.
                """
            ])
    }

    @Test("types that read alike are told apart by their full names")
    func typesThatReadAlike() throws {
        box.register(Other.Cache(), as: "cache")
        let text = try #require(explanations(of: box.fill(Store())).first)
        let found = String(reflecting: Other.Cache.self)
        let wanted = String(reflecting: Cache.self)
        #expect(
            text == """
                Can't fill 'cache' of Store: the service under that name is a \(found), not a \(wanted).
                  Property: Store.cache, a Cache
                  Found:    'cache' (\(found))
                To fix, register a \(wanted) under that name, or give the property the type of the service.
                """)
    }

    @Test("a service that conforms to one of two protocols names both")
    func wrongProtocol() {
        struct Printer: Analytics {}
        box.register(Printer(), as: "analytics")
        #expect(
            explanations(of: box.fill(Screen()))[0] == """
                Can't fill 'analytics' of Screen: the service under that name is a Printer, not an Analytics & Logging.
                  Property: Screen.analytics, an (Analytics & Logging)?
                  Found:    'analytics' (Printer)
                To fix, register an Analytics & Logging under that name, or let Printer conform to Analytics & Logging.
                """)
    }

    @Test("a service of another type is one, also if it is made from parameters")
    func wrongClassMadeFromParameters() {
        box.register(provider: ServiceParametersProvider { (_: Int) in Clock() }, as: "cache")
        #expect(
            explanations(of: box.fill(Store())) == [
                """
                Can't fill 'cache' of Store: the service under that name is a Clock, not a Cache.
                  Property: Store.cache, a Cache
                  Found:    'cache' (Clock)
                To fix, register a Cache under that name, or give the property the type of the service.
                """
            ])
    }

    @Test("a value is no object, also behind an interface")
    func valueForObject() {
        box.register(7 as any Sendable & Equatable, as: "number")
        #expect(
            explanations(of: box.fill(Screen()))[2] == """
                Can't fill 'number' of Screen: the service under that name is an Equatable, not an AnyObject.
                  Property: Screen.number, an AnyObject?
                  Found:    'number' (Equatable)
                To fix, register an AnyObject under that name.
                """)
    }

    @Test("a value cannot be held weakly, whatever other interface it was registered behind")
    func weakValueOfOtherInterface() {
        struct Reader {
            @WeakInjected var failure: (any CustomStringConvertible)?
        }
        box.register(7 as any Sendable & Equatable, as: "failure")
        #expect(
            explanations(of: box.fill(Reader())) == [
                """
                Can't fill 'failure' of Reader: it holds class instances weakly, and the service under that name isn't a class instance.
                  Property: Reader.failure, a CustomStringConvertible?
                  Found:    'failure' (Equatable)
                To fix, declare the property with @Injected.
                """
            ])
    }

    @Test("a property for all services of a type isn't optional")
    func optionalArray() {
        struct Shelf {
            @Injected var caches: [Cache]?
        }
        box.register(as: "cache") { _ in Cache() }
        #expect(
            explanations(of: box.fill(Shelf())) == [
                """
                Can't fill 'caches' of Shelf: no service is registered under that name.
                  Property:   Shelf.caches, an Array<Cache>?
                  Registered: 'cache' (Cache), 'serviceBox' (ServiceBox)
                  1 service would fit its elements.
                To fix, declare it with @InjectedAll, without the question mark.
                """
            ])
    }

    @Test("a property for all services of a type has no value of its own")
    func defaultedArray() {
        struct Shelf {
            @Injected var caches: [Cache] = []
        }
        box.register(Cache())
        let property = box.fill(Shelf()).properties.first
        #expect(
            property?.explanation == """
                'caches' of Shelf kept what it held.
                  Property: Shelf.caches, an Array<Cache>
                  1 service would fit its elements.
                To replace it, declare it with @InjectedAll, without a value.
                """)
        #expect(property?.isWarning == true)
    }

    @Test("a value of another type is one, also if it cannot be held weakly")
    func wrongValue() {
        struct Counter {
            @WeakInjected var clock: Clock?
        }
        box.register(7, as: "clock")
        #expect(
            explanations(of: box.fill(Counter())) == [
                """
                Can't fill 'clock' of Counter: the service under that name is an Int, not a Clock.
                  Property: Counter.clock, a Clock?
                  Found:    'clock' (Int)
                To fix, register a Clock under that name, or give the property the type of the service.
                """
            ])
    }

    @Test("a value cannot be held weakly, whatever interface it is behind")
    func weakValueOfInterface() {
        struct Reader {
            @WeakInjected var failure: (any Error)?
        }
        box.register(as: "failure") { _ -> any Error in Broken() }
        #expect(
            explanations(of: box.fill(Reader())) == [
                """
                Can't fill 'failure' of Reader: it holds class instances weakly, and the service under that name isn't a class instance.
                  Property: Reader.failure, an Error?
                  Found:    'failure' (Error)
                To fix, declare the property with @Injected.
                """
            ])
    }

    @Test("a value cannot be held weakly by a property of its own type")
    func weakValueOfItsType() {
        struct Counter {
            @WeakInjected var number: Int?
        }
        box.register(7, as: "number")
        #expect(
            explanations(of: box.fill(Counter())) == [
                """
                Can't fill 'number' of Counter: it holds class instances weakly, and the service under that name isn't a class instance.
                  Property: Counter.number, an Int?
                  Found:    'number' (Int)
                To fix, declare the property with @Injected.
                """
            ])
    }

    @Test(
        "a note on a plain property names its type as it stands in the source, and the property isn't required"
    )
    func plainOfNestedType() throws {
        box.register(Cache(), as: "cache")
        let property = try #require(box.fill(Outer.Inner()).properties.first)
        #expect(
            property.explanation == """
                Note on 'cache' of Inner: 'cache' is registered, but a plain property can't be filled.
                  Property:   Inner.cache, a Cache?
                  Registered: 'cache' (Cache)
                To fix, declare it with @Injected, list it in an injection table, or teach the box: \
                teach(Outer.Inner.self, ["cache": .keyPath(\\Outer.Inner.cache)]).
                """)
        #expect(!property.isRequired)
    }

    @Test("a property isn't to be renamed to what isn't an identifier")
    func dottedName() {
        final class User { @Injected var userCache: Cache? }
        box.register(Cache(), as: "user.cache")
        #expect(
            explanations(of: box.fill(User())) == [
                """
                Can't fill 'userCache' of User: no service is registered under that name.
                  Property:   User.userCache, a Cache?
                  Registered: 'serviceBox' (ServiceBox), 'user.cache' (Cache)
                  Did you mean 'user.cache'?
                To fix, declare it with @Injected("user.cache").
                """
            ])
    }
}

private enum Outer {
    final class Inner { var cache: Cache? }
}
