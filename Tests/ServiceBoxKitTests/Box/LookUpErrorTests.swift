// Part of ServiceBox, released under the MIT License.
// Errors of look-ups: what they keep on their way through factories, and what they keep alive.

import ServiceBoxKit
import Testing

private final class Shop: Sendable {}
private final class Screen: Sendable {}
private final class Owner { @Injected var screen: Screen? }

@Suite("The error of a look-up in a factory")
struct LookUpErrorTests {
    private let box = ServiceBox()

    /// Registers a screen that needs a store that needs what a look-up is for.
    private func register<Service>(_ lookUp: @escaping @Sendable (ServiceBox) throws -> Service) {
        box.register(as: "store") { box in
            _ = try lookUp(box)
            return Shop()
        }
        box.register(as: "screen") { box in
            _ = try box.resolve(Shop.self)
            return Screen()
        }
    }

    private func thrown<Service>(_ type: Service.Type, named name: String) -> ServiceBoxError? {
        #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<Service>(name)) }
    }

    @Test("keeps its code, and its path ends in the resolved name")
    func missing() throws {
        register { try $0.resolve(ServiceKey<Cache>("cache")) }
        box.register(Cache(), as: "caches")
        let error = try #require(thrown(Screen.self, named: "screen"))
        #expect(error.code == .missing)
        #expect(error.path == ["Screen", "Shop", "cache"])
        #expect(error.underlying == nil)
    }

    @Test("is equal to one with the same code and path")
    func equality() {
        let missing = thrown(Cache.self, named: "cache")
        #expect(missing == thrown(Shop.self, named: "cache"))
        #expect(missing != thrown(Cache.self, named: "caches"))
        box.register(Clock(), as: "cache")
        #expect(thrown(Cache.self, named: "cache")?.path == missing?.path)
        #expect(missing != thrown(Cache.self, named: "cache"))
    }

    @Test("has the error of the look-up itself as its root, and its text in its own")
    func root() throws {
        register { try $0.resolve(ServiceKey<Cache>("cache")) }
        box.register(Cache(), as: "caches")
        let error = try #require(thrown(Screen.self, named: "screen"))
        let direct = try #require(thrown(Cache.self, named: "cache"))
        #expect(error.root == direct)
        #expect(error.root.description == direct.description)
        #expect(direct.root.description == direct.description)
        let lines = direct.description.split(separator: "\n")
        #expect(lines.count == 4)
        for line in [lines[0], lines[2], lines[3]] { #expect(error.description.contains(line)) }
        #expect(error.description.hasSuffix("\nTo fix, ask for 'caches'."))
    }

    @Test("for another type, or one that several fit, keeps its code too, and ends in what was resolved")
    func otherCodes() throws {
        box.register(1, as: "cache")
        register { try $0.resolve(ServiceKey<Cache>("cache")) }
        let mismatch = try #require(thrown(Screen.self, named: "screen"))
        #expect(mismatch.code == .typeMismatch)
        #expect(mismatch.path == ["Screen", "Shop", "cache"])
        box.register(2, as: "other")
        register { try $0.resolve(Int.self) }
        let ambiguous = try #require(thrown(Screen.self, named: "screen"))
        #expect(ambiguous.code == .ambiguous)
        #expect(ambiguous.path == ["Screen", "Shop", "Int"])
        #expect(ambiguous.root.path == ["Int"])
    }

    @Test("is kept whole by the hole of a property, with its hint")
    func hole() throws {
        register { try $0.resolve(ServiceKey<Cache>("cache")) }
        box.register(Cache(), as: "caches")
        let hole = try #require(box.fill(Owner()).holes.first)
        #expect(hole.error?.code == .missing)
        #expect(hole.error?.path == ["Screen", "Shop", "cache"])
        #expect(hole.error?.root.path == ["cache"])
        #expect(
            hole.explanation == """
                Can't fill 'screen' of Owner: its service could not be made, since a look-up in the factory of Shop failed.
                  Property:   Owner.screen, a Screen?
                  Found:      'screen' (Screen)
                  Path:       Screen → Shop → cache
                  Error:      Can't find a Cache named 'cache': no service is registered under that name.
                  Registered: 'caches' (Cache), 'screen' (Screen), 'serviceBox' (ServiceBox), 'store' (Shop)
                  Did you mean 'caches'?
                To fix, ask for 'caches'.
                """)
    }

    @Test("is reported to observers once, for the service whose factory looked it up")
    func told() throws {
        register { try $0.resolve(ServiceKey<Cache>("cache")) }
        let journal = Journal()
        let observation = box.observe { if $0.kind == .failed { journal.add("\($0)") } }
        _ = thrown(Screen.self, named: "screen")
        observation.cancel()
        #expect(
            journal.all == [
                """
                failed 'store' (Shop): a look-up in its factory failed: Can't find a Cache named 'cache': \
                no service is registered under that name
                """
            ])
    }

    @Test("is replaced by a factory's own error, which has the failed service as its root")
    func ownError() throws {
        register { _ -> Cache in throw Broken() }
        let error = try #require(thrown(Screen.self, named: "screen"))
        #expect(error.code == .factoryFailed)
        #expect(error.path == ["Screen", "Shop"])
        #expect(error.root.path == ["Shop"])
        #expect(error.root.underlying is Broken)
        #expect(error.root.description.hasPrefix("Can't make a Shop: its factory failed.\n"))
    }

    @Test("that ends in a cycle has the cycle as its root")
    func cycle() throws {
        box.register(as: "screen") { box in
            _ = try box.resolve(Shop.self)
            return Screen()
        }
        box.register(as: "store") { box in
            _ = try box.resolve(Cache.self)
            return Shop()
        }
        box.register(as: "cache") { box in
            _ = try box.resolve(Shop.self)
            return Cache()
        }
        let error = try #require(thrown(Screen.self, named: "screen"))
        #expect(error.code == .cycle)
        #expect(error.path == ["Screen", "Shop", "Cache", "Shop"])
        #expect(error.root.path == ["Shop", "Cache", "Shop"])
    }

    @Test("keeps neither the box nor its services alive")
    func keepsNothing() throws {
        func lost() throws -> (error: ServiceBoxError, box: () -> Bool) {
            let box = ServiceBox()
            let cache = Cache()
            box.register(cache)
            let error = #expect(throws: ServiceBoxError.self) { try box.resolve(Shop.self) }
            return (try #require(error), { [weak box, weak cache] in box == nil && cache == nil })
        }
        let (error, isGone) = try lost()
        #expect(isGone())
        #expect(error.code == .missing)
    }
}
