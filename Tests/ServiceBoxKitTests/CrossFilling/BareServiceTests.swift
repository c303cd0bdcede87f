// Part of ServiceBox, released under the MIT License.
// Tests of services whose types have nothing to fill, which a box doesn't look into before somebody asks.

import ServiceBoxKit
import Testing

@Suite("A service with nothing to fill")
struct BareServiceTests {
    private let box = ServiceBox()

    @Test("is filled by what its box was taught before")
    func taughtBefore() throws {
        box.register(Cache())
        box.teach(Bare.self, table)
        box.register(Bare(), as: "ready")
        box.register(as: "lazy") { _ in Bare() }
        try expectFilled()
    }

    @Test("is filled by what its box is taught later")
    func taughtLater() throws {
        box.register(Cache())
        box.register(Bare(), as: "ready")
        box.register(as: "lazy") { _ in Bare() }
        let _: Bare = try box["lazy"]
        box.teach(Bare.self, table)
        try expectFilled()
    }

    @Test("is filled by what its box is taught later also where another service is asked for")
    func taughtWhenHeld() throws {
        box.register(Cache())
        box.register(Bare(), as: "ready")
        box.register(as: "lazy") { _ in Bare() }
        let services: [Bare] = [try box["ready"], try box["lazy"]]
        box.teach(Bare.self, table)
        let cache: Cache = try box["cache"]
        #expect(services.allSatisfy { $0.taken === cache })
    }

    @Test("isn't handed out when it is taught to require what isn't there")
    func incomplete() throws {
        box.register(Bare(), as: "ready")
        let _: Bare = try box["ready"]
        box.teach(Bare.self, table)
        #expect(box.failure(of: ServiceKey<Bare>("ready"))?.code == .incomplete)
        box.register(Cache())
        let service: Bare = try box["ready"]
        #expect(service.taken != nil)
    }

    @Test("isn't handed out when its box was taught before to require what isn't there")
    func incompleteFromTheStart() throws {
        box.teach(Bare.self, table)
        box.register(Bare(), as: "ready")
        #expect(box.failure(of: ServiceKey<Bare>("ready"))?.code == .incomplete)
    }

    @Test("is left alone where the box is to fill nothing of it")
    func leftAlone() throws {
        box.register(Cache())
        box.register(Bare(), as: "ready", fills: false)
        box.register(as: "lazy", fills: false) { _ in Bare() }
        box.teach(Bare.self, table)
        for name in ["ready", "lazy"] {
            let service: Bare = try box[ServiceKey(name)]
            #expect(service.taken == nil, "\(name)")
        }
    }

    @Test("shows its own type, its place in the order, and no properties")
    func shown() throws {
        box.register(Bare() as any Marker, as: "ready")
        box.register(as: "lazy") { _ in Bare() as any Marker }
        let _: any Marker = try box["lazy"]
        #expect(
            box.graph().description == """
                Graph of a box: 2 services, 0 types, 0 properties, 0 holes.
                'lazy' (Bare as Marker), lazy, filled 2nd
                'ready' (Bare as Marker), filled 1st
                """)
        #expect(box.audit().findings.map(\.subject) == ["ready"])  // nothing takes them
        #expect(box.audit().unexamined.isEmpty)
        #expect(box.crossFill().isEmpty)
    }

    @Test("is offered to what waits for it, each time that it is created")
    func offered() throws {
        let holder = Holder()
        box.register(holder)
        box.register(as: "bare") { _ in Bare() }
        let first: Bare = try box["bare"]
        #expect(holder.bare === first)
        try box.provider(ServiceKey<Bare>("bare")).reset()
        let late = Holder()
        box.register(late, as: "late")
        let second: Bare = try box["bare"]
        #expect(late.bare === second && second !== first)
    }

    @Test("is offered to what found it broken, once it can be created again")
    func offeredAgain() throws {
        let isBroken = Locked(false)
        box.register(as: "bare") { _ in
            if isBroken.withLock({ $0 }) { throw Broken() }
            return Bare()
        }
        let _: Bare = try box["bare"]
        try box.provider(ServiceKey<Bare>("bare")).reset()
        isBroken.withLock { $0 = true }
        let holder = Holder()
        box.register(holder)
        let _: Holder = try box["holder"]
        #expect(holder.bare == nil)
        isBroken.withLock { $0 = false }
        let bare: Bare = try box["bare"]
        let again: Holder = try box["holder"]
        #expect(again.bare === bare)
    }

    private var table: InjectionTable {
        ["cache": .setter { (bare: Bare, cache: Cache) in bare.take(cache) }]
    }

    private func expectFilled() throws {
        for name in ["ready", "lazy"] {
            let service: Bare = try box[ServiceKey(name)]
            #expect(service.taken === (try box["cache"] as Cache), "\(name)")
        }
    }
}

private protocol Marker: Sendable {}

private final class Bare: Marker {
    private let cache = Locked<Cache?>(nil)
    var taken: Cache? { cache.withLock { $0 } }
    func take(_ new: Cache) { cache.withLock { $0 = new } }
}

private final class Holder: @unchecked Sendable {
    @Injected var bare: Bare?
}
