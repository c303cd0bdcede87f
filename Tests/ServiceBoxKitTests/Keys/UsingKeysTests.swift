// Part of ServiceBox, released under the MIT License.
// Names and typed keys in look-ups, properties and every other verb.

import ServiceBoxKit
import Testing

private protocol EventLog: AnyObject, Sendable {}
private final class FileAnalytics: EventLog {}

extension ServiceKey where Service == any EventLog {
    fileprivate static var analytics: Self { "events" }
}
extension ServiceKey where Service == Cache {
    fileprivate static var cache: Self { "diskCache" }
}

private final class Screen {
    @Injected(.analytics) var optional: (any EventLog)?
    @Injected(.analytics) var required: any EventLog
    @Injected("events") var literal: (any EventLog)?
    @Injected("diskCache") var cache: Cache
    @Injected(.cache) var defaulted: Cache = Cache()
    @Injected(.cache) var optionalDefaulted: Cache? = Cache()
    @Injected("diskCache") var literalDefaulted: Cache? = Cache()
    @Injected(.cache) var emptied: Cache? = nil
    @WeakInjected(.analytics) var weak: (any EventLog)?
    @WeakInjected("events") var weakLiteral: (any EventLog)?
}

@Suite("A key")
struct UsingKeysTests {
    private let box = ServiceBox()
    private let analytics = FileAnalytics()
    private let cache = Cache()

    init() {
        box.register(analytics, as: .analytics)
        box.register(cache, as: .cache)
    }

    @Test("looks a service up, as a literal too")
    func lookUps() throws {
        let literal: Cache = try box["diskCache"]
        let resolved: Cache = try box.resolve("diskCache")
        #expect(literal === cache && resolved === cache)
        #expect(try box[.cache] === cache)
        #expect(try box.resolve(.cache) === cache)
        #expect(try box.resolve(Cache.self) === cache)
        #expect(try box.provider(.analytics).resolve() === analytics)
        let provider: ServiceProvider<Cache> = try box.provider("diskCache")
        #expect(try provider.resolve() === cache)
    }

    @Test("names the service of a property, optional or not, weak or not, with a default value or without")
    func properties() {
        let screen = Screen()
        #expect(!screen.$optional.isFilled && !screen.$emptied.isFilled)
        #expect(screen.$defaulted.isFilled && screen.$optionalDefaulted.isFilled)
        #expect(screen.defaulted !== cache && screen.literalDefaulted !== cache)
        #expect(box.fill(screen).isComplete)
        #expect(screen.optional === analytics && screen.required === analytics)
        #expect(screen.literal === analytics)
        #expect(screen.cache === cache && screen.defaulted === cache)
        #expect(screen.optionalDefaulted === cache && screen.literalDefaulted === cache)
        #expect(screen.emptied === cache)
        #expect(screen.weak === analytics && screen.weakLiteral === analytics)
    }

    @Test("stands for its name where only that matters, as do a literal and any other string")
    func names() throws {
        let name = "events"
        #expect(box.isRegistered(.analytics) && box.isRegistered("events") && box.isRegistered(name))
        box.trackHolders()
        let screen = Screen()
        box.fill(screen)
        let holders = try box.holders(of: .analytics).map(\.property)
        #expect(holders.count == 5)
        #expect(try box.holders(of: name).map(\.property) == holders)
        #expect(try box.refill(.analytics).refilled.count == 5)
        #expect(try box.refill(name).refilled.count == 5)
        #expect(!box.isLive(name))
        box.markLive(.analytics)
        box.markLive("diskCache", name)
        #expect(box.isLive("events") && box.isLive("diskCache"))
        #expect(box.remove(.analytics))
        #expect(!box.remove(name))
        #expect(!box.isRegistered(.analytics))
        #expect(box.remove("diskCache"))
    }

    @Test("of a type that the service doesn't fit is refused, and nothing is created")
    func otherType() {
        let makes = Counter()
        box.register(as: ServiceKey<Int>("diskCache")) { _ in
            makes.next()
            return 1
        }
        #expect(throws: ServiceBoxError.self) { try box[.cache] }
        #expect(throws: ServiceBoxError.self) { try box.provider(.cache) }
        #expect(throws: ServiceBoxError.self) { try box.resolve(.cache, with: 1) }
        #expect(box.fill(Screen()).outcome(of: "cache") == .typeMismatch)
        #expect(makes.value == 0)
    }
}
