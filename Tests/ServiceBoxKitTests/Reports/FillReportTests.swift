// Part of ServiceBox, released under the MIT License.
// Reports as text, as lists and as errors.

import ServiceBoxKit
import Testing

private class Base {
    @Injected var clock: Clock?
}

private final class Shop: Base {
    @Injected var cache: Cache?
    @Injected var users: Cache
    var plain: Clock?
}

private struct Five {
    @Injected var one: Clock?
    @Injected var two: Clock?
    @Injected var three: Clock?
    @Injected var four: Clock?
    @Injected var five: Clock?
}

private final class Wide {
    let first = Five()
    let second = Five()
    let third = Five()
    let fourth = Five()
    let fifth = Five()
    @Injected var last: Clock?
}

@Suite("Fill reports")
struct FillReportTests {
    private let box = ServiceBox()

    @Test("show a summary and a line for each property: holes, notes, kept, filled")
    func description() {
        box.register(Clock())
        box.register(Clock(), as: "users")
        box.register(Clock(), as: "plain")
        box.register(Cache())
        let store = Shop()
        store.cache = Cache()
        #expect(
            "\(box.fill(store, keepingExisting: true))" == """
                Shop: 1 of 3 filled, 1 kept, 1 hole.
                  Shop.users: the service under that name is a Clock, not a Cache
                  Shop.plain: 'plain' is registered, but a plain property can't be filled
                  Shop.cache: kept what it held
                  Base.clock: filled with 'clock' (Clock)
                """)
    }

    @Test("warn of optional properties alone, and of none that are filled")
    func warnings() {
        box.register(Clock())
        box.register(Clock(), as: "users")
        box.register(Clock(), as: "cache")
        let warned = box.fill(Shop()).properties.filter(\.isWarning).map(\.name)
        #expect(warned == ["cache"])
    }

    @Test("warn of a property that keeps a value of its own only if it may misspell a service that fits")
    func keptUnderNearName() {
        final class Screen {
            @Injected var cahces = Cache()
            @Injected var store = Cache()
            @Injected var usres = Cache()
            @Injected var users = Cache()
        }
        box.register(Cache(), as: "caches")
        box.register(Clock(), as: "users")
        let properties = box.fill(Screen(), keepingExisting: true).properties
        #expect(properties.map(\.outcome) == [.kept, .kept, .kept, .kept])
        #expect(properties.filter(\.isWarning).map(\.name) == ["cahces"])
    }

    @Test("are at most one screen long, however many properties there are")
    func longDescription() {
        let lines = "\(box.fill(Wide()))".split(separator: "\n")
        #expect(lines.first == "Wide: 0 of 26 filled, 26 optional left empty.")
        #expect(lines.dropFirst().first == "  Wide.first.one: no service is registered under that name")
        #expect(lines.last == "  … and 2 more")
        #expect(lines.count == 26)
    }

    @Test("report an object with nothing to fill")
    func nothingToFill() {
        final class Bare { var clock: Clock? }
        #expect("\(box.fill(Bare()))" == "Bare: nothing to fill.")
    }

    @Test("list properties superclass first, with owner, names, types and outcome")
    func properties() throws {
        box.register(Clock())
        let report = box.fill(Shop())
        #expect(report.subjectType is Shop.Type)
        #expect(report.properties.map(\.name) == ["clock", "cache", "users"])
        #expect(report.properties.map(\.outcome) == [.filled, .missing, .missing])
        #expect(report.filled.map(\.name) == ["clock"])
        #expect(report.holes.map(\.name) == ["cache", "users"])
        #expect(report.kept.isEmpty)
        #expect(report.notes.isEmpty)
        #expect(!report.isComplete)
        let clock = try #require(report.filled.first)
        #expect(clock.owner is Base.Type)
        #expect(clock.serviceName == "clock")
        #expect(clock.wantedType is Clock?.Type)
        #expect(clock.foundType is Clock.Type)
        #expect(!clock.isHole)
        #expect(
            clock.explanation == """
                'clock' of Base is filled with 'clock' (Clock).
                  Property: Base.clock, a Clock?
                """)
    }

    @Test("explain a kept value, and what a plain property needs")
    func keptAndPlain() {
        box.register(Clock(), as: "plain")
        box.register(Cache())
        let store = Shop()
        store.cache = Cache()
        let report = box.fill(store, keepingExisting: true)
        #expect(
            report.kept.map(\.explanation) == [
                """
                'cache' of Shop kept what it held.
                  Property: Shop.cache, a Cache?
                To replace it, set the property, or once its service is registered, fill the object in its own isolation without keepingExisting.
                """
            ])
        #expect(
            report.notes.map(\.explanation) == [
                """
                Note on 'plain' of Shop: 'plain' is registered, but a plain property can't be filled.
                  Property:   Shop.plain, a Clock?
                  Registered: 'plain' (Clock)
                To fix, declare it with @Injected, list it in an injection table, or teach the box: \
                teach(Shop.self, ["plain": .keyPath(\\Shop.plain)]).
                """
            ])
    }

    @Test("throw nothing if they are complete")
    func complete() throws {
        box.register(Clock())
        let report = box.fill(Base())
        #expect(report.isComplete)
        try report.requireComplete()
    }

    @Test("throw the explanation of a single hole")
    func oneHole() throws {
        let report = box.fill(Base())
        let error = try #require(throws: ServiceBoxError.self) {
            try report.requireComplete(includingOptionals: true)
        }
        #expect(error.code == .incomplete)
        #expect(error.path == ["Base.clock"])
        #expect(error.underlying == nil)
        #expect(error.description == report.holes.first?.explanation)
    }

    @Test("throw several holes in one error")
    func severalHoles() throws {
        box.register(Clock())
        let error = try #require(throws: ServiceBoxError.self) {
            try box.fill(Shop()).requireComplete(includingOptionals: true)
        }
        #expect(error.path == ["Shop.cache", "Shop.users"])
        #expect(
            error.description == """
                Can't complete a Shop: 2 holes are left.

                Can't fill 'cache' of Shop: no service is registered under that name.
                  Property:   Shop.cache, a Cache?
                  Registered: 'clock' (Clock), 'serviceBox' (ServiceBox)
                To fix, register a Cache as 'cache' before filling.

                Can't fill 'users' of Shop: no service is registered under that name.
                  Property:   Shop.users, a Cache
                  Registered: 'clock' (Clock), 'serviceBox' (ServiceBox)
                To fix, register a Cache as 'users' before filling.
                """)
    }

    @Test("throw errors that are equal by code and path")
    func errorEquality() throws {
        func error(_ object: AnyObject) throws -> ServiceBoxError {
            try #require(throws: ServiceBoxError.self) {
                try box.fill(object).requireComplete(includingOptionals: true)
            }
        }
        let first = try error(Base())
        box.register(Cache())
        #expect(try error(Base()) == first)
        #expect(try error(Shop()) != first)
    }
}
