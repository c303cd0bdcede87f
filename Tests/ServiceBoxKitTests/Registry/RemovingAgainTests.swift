// Part of ServiceBox, released under the MIT License.
// Registrations that come and go.

import ServiceBoxKit
import Testing

private final class Screen {
    @Injected var store: (any Store)?
}

/// A service that is filled with others.
private final class Owner: @unchecked Sendable {
    @Injected var cache: Cache?
}

@Suite("A registration that is removed again")
struct RemovingAgainTests {
    private let box = ServiceBox()
    private let key = ServiceKey<any Store>("store")
    private let first = FileStore()
    private let second = MemoryStore()
    private let third = FileStore()

    private func id(_ store: any Store) -> ObjectIdentifier { ObjectIdentifier(store as AnyObject) }

    private var store: AnyObject? { try? box[key] as AnyObject }

    @Test("takes along that the service was marked as a live one, if no other is left")
    func marks() {
        let box = ServiceBox()
        let first = box.register(Clock())
        box.markLive("clock")
        let second = box.register(Clock())
        second.remove()
        #expect(box.isLive("clock"))
        first.remove()
        box.register(Clock())
        #expect(!box.isLive("clock"))
    }

    @Test("brings back what it had replaced, for fills and look-ups, whoever holds its token")
    func newest() {
        box.register(first, as: key)
        box.register(second, as: key)
        box.register(third, as: key)
        #expect(store === third)
        #expect(box.remove(newest: key))
        #expect(store === second)
        let screen = Screen()
        box.fill(screen)
        #expect(screen.store as AnyObject? === second)
        #expect(box.remove(newest: "store"))
        box.fill(screen)
        #expect(screen.store as AnyObject? === first)
        #expect(box.remove(newest: key))
        #expect(!box.isRegistered(key))
        #expect(!box.remove(newest: key))
    }

    @Test("goes by its token, in any order, once, and stays when the token goes")
    func anyOrder() {
        box.register(first, as: key)
        let replacing = box.register(second, as: key)
        let newest = box.register(as: key) { [third] _ in third }
        #expect(replacing.remove())
        #expect(store === third)
        #expect(!replacing.remove())
        #expect(newest.remove())
        #expect(store === first)
        #expect(newest.name == "store")
    }

    @Test("before the box is used leaves the others to be filled, and is let go of", arguments: 0...8)
    func beforeUse(count: Int) {
        weak var last: Owner?
        var owners: [Owner] = []
        var tokens: [ServiceRegistration] = []
        for number in 0..<8 {
            let owner = Owner()
            tokens.append(box.register(owner, as: ServiceKey("owner\(number)")))
            owners.append(owner)
        }
        box.register(Cache(), as: "cache")
        // From the middle, the end and the beginning.
        let removed = [4, 3, 7, 0, 5, 1, 6, 2].prefix(count)
        for number in removed { tokens[number].remove() }
        box.crossFill()
        for (number, owner) in owners.enumerated() {
            #expect((owner.cache == nil) == removed.contains(number))
        }
        last = removed.last.map { owners[$0] }
        owners = []
        #expect(last == nil)
    }

    @Test("removes nothing under its name that isn't its own")
    func otherBox() {
        let token = box.register(first, as: key)
        box.remove(key)
        box.register(second, as: key)
        #expect(!token.remove())
        #expect(store === second)
    }

    @Test("gives back to services what they had")
    func crossFilling() throws {
        final class Shop: @unchecked Sendable { @InjectedAll var stores: [any Store] }
        let shop = Shop()
        box.register(shop)
        box.register(first, as: key)
        #expect(try box.resolve(Shop.self).stores.map(id) == [id(first)])
        let token = box.register(second, as: key)
        #expect(try box.resolve(Shop.self).stores.map(id) == [id(second)])
        token.remove()
        #expect(try box.resolve(Shop.self).stores.map(id) == [id(first)])
    }

    @Test("has what it had replaced filled only once that is back", arguments: [false, true])
    func filledWhenBack(isUsedBefore: Bool) {
        let owner = Owner()
        box.register(owner, as: "owner")
        if isUsedBefore { box.crossFill() }
        let token = box.register(Owner(), as: "owner")
        box.register(Cache())
        box.crossFill()
        #expect(owner.cache == nil)
        token.remove()
        box.crossFill()
        #expect(owner.cache != nil)
    }

    @Test("takes along what it decorates")
    func decorated() {
        weak var inner: Owner?
        do {
            let owner = Owner()
            inner = owner
            box.register(owner, as: "owner")
            box.decorate("owner" as ServiceKey<Owner>) { _, _ in Owner() }
            box.crossFill()
        }
        #expect(inner != nil)
        box.remove("owner")
        #expect(inner == nil)
    }

    @Test("is scoped by an operation, also one that throws or waits")
    func scoped() async {
        box.register(first, as: key)
        box.withRegistration(second, as: key) { #expect(store === second) }
        #expect(store === first)
        #expect(throws: Broken.self) { try box.withRegistration(second, as: key) { throw Broken() } }
        #expect(store === first)
        await box.withRegistration(second, as: key) {
            await Task.yield()
            #expect(store === second)
        }
        #expect(store === first)
    }

    @Test("comes back after any number of operations that overlap")
    func overlapping() async {
        box.register(first, as: key)
        func replace(_ count: Int) {
            if count > 0 { box.withRegistration(second, as: key) { replace(count - 1) } }
        }
        replace(40)
        #expect(store === first)
    }

    @Test("is told of")
    func events() {
        let journal = Journal()
        box.register(first, as: key)
        let observation = box.observe { journal.add("\($0.kind)") }
        let token = box.register(second, as: key)
        token.remove()
        box.remove(newest: key)
        observation.cancel()
        #expect(journal.all == ["replaced", "replaced", "removed"])
    }

    @Test(
        "keeps the latest sixteen under a name, so that a service that is replaced for ever leaves nothing behind"
    )
    func limit() {
        let box = ServiceBox()
        for number in 1...20 { box.register(number, as: "number") }
        var found: [Int] = []
        while let number: Int = try? box["number"] {
            found.append(number)
            box.remove(newest: "number")
        }
        #expect(found == Array((4...20).reversed()))
    }

    @Test("outlives its box harmlessly")
    func noBox() {
        let token = ServiceBox().register(first, as: key)
        #expect(!token.remove())
    }

    @Test("comes and goes on eight tasks at the same time", arguments: 0..<20)
    func stress(round: Int) async {
        box.register(first, as: key)
        await withTaskGroup { group in
            for _ in 1...8 {
                group.addTask { [box, key] in
                    for _ in 1...8 {
                        let token = box.register(MemoryStore(), as: key)
                        #expect((try? box[key]) != nil)
                        let screen = Screen()
                        box.fill(screen)
                        #expect(token.remove())
                    }
                }
            }
        }
        #expect(store === first)
    }
}

@Suite("A registration that isn't to be filled")
struct UnfilledRegistrationTests {
    private final class Part: @unchecked Sendable {
        @Injected var clock: Clock
        var hasClock: Bool { $clock.isFilled }
    }

    private let box = ServiceBox()

    init() { box.register(Clock()) }

    @Test("hands an instance out and leaves its properties alone")
    func instance() throws {
        let part = Part()
        box.register(part, fills: false)
        #expect(try box.resolve(Part.self) === part)
        #expect(!part.hasClock)
        box.crossFill()
        #expect(!part.hasClock)
    }

    @Test(
        "hands out what factories create, and leaves its properties alone",
        arguments: [Lifetime.lazy, .eager, .weak, .transient])
    func factories(lifetime: Lifetime) throws {
        box.register(lifetime: lifetime, fills: false) { _ in Part() }
        box.register(as: "numbered", fills: false) { (_, _: Int) in Part() }
        box.register(provider: ServiceProvider { Part() }, as: "provided", fills: false)
        box.register(as: "own", lifetime: lifetime, per: .box, fills: false) { _ in Part() }
        let child = box.makeChild(name: "child")
        let parts: [Part] = [
            try box["part"], try box.resolve("numbered", with: 1), try box["provided"], try child["own"],
        ]
        box.crossFill()
        child.crossFill()
        #expect(parts.map(\.hasClock) == [false, false, false, false])
    }

    @Test("hands out what it is wrapped in, and leaves the properties of both alone")
    func decorated() throws {
        final class Wrapper: @unchecked Sendable {
            @Injected var clock: Clock?
            let base: Wrapper?
            init(over base: Wrapper? = nil) { self.base = base }
        }
        let (instance, made) = (ServiceKey<Wrapper>("instance"), ServiceKey<Wrapper>("made"))
        box.register(Wrapper(), as: instance, fills: false)
        box.register(as: made, fills: false) { _ in Wrapper() }
        for key in [instance, made] {
            box.decorate(key) { base, _ in Wrapper(over: base) }
            box.decorate(key) { wrapper, _ in wrapper }
        }
        let wrappers: [Wrapper] = [try box[instance], try box.makeChild(name: "child")[made]]
        box.crossFill()
        #expect(wrappers.flatMap { [$0, $0.base] }.allSatisfy { $0 != nil && $0?.clock == nil })
    }

    @Test("hands out what must be awaited")
    func awaited() async throws {
        box.register(fills: false) { _ in
            await Task.yield()
            return Part()
        }
        let part: Part = try await box.prepare()
        #expect(!part.hasClock)
        #expect(try box.resolve(Part.self) === part)
    }

    @Test("brings back a service that gets what comes later")
    func broughtBack() throws {
        let owner = Owner()
        box.register(owner)
        box.register(Owner())
        box.remove(newest: "owner")
        box.register(Cache())
        _ = try box.resolve(Cache.self)
        #expect(owner.cache != nil)
    }
}
