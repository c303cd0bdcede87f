// Part of ServiceBox, released under the MIT License.
// Objects that are filled before their services are registered.

@testable import ServiceBoxKit
import Testing

private class Base {
    @Injected var clock: Clock
}

private final class Screen: Base {
    struct Part {
        @Injected var store: (any Store)?
    }

    @Injected var cache: Cache?
    @Injected("diskCache") var disk: DiskCache?
    @WeakInjected var router: Router?
    @InjectedAll var numbers: [Int]
    let part = Part()
}

private final class Router: Sendable {}

private final class Needy: @unchecked Sendable {
    @Injected var clock: Clock
}

private final class Holder {
    @Injected var needy: Needy?
    @Injected var cache: Cache?
}

private actor Desk {
    @Injected var cache: Cache?
    func fill(from box: ServiceBox) { box.fill(self, waiting: true) }
}

private final class Own: Injectable {
    @Injected var cache: Cache?
    init(_ box: ServiceBox) { fillWithDependencies(from: box, waiting: true) }
}

/// Shows its properties in another order each time.
private final class Shifty: CustomReflectable {
    @Injected var cache: Cache?
    @Injected var number: Int?
    private var turns = 0

    var customMirror: Mirror {
        turns += 1
        let children: [Mirror.Child] = [("_cache", _cache), ("_number", _number)]
        return Mirror(self, children: turns % 2 == 0 ? children.reversed() : children)
    }
}

private final class Tabled: Injectable {
    var cache: Cache?
    static var injections: InjectionTable { ["cache": .keyPath(\Tabled.cache)] }
}

@Suite("An object that waits for its services", .neverHanging)
struct LateArrivalTests {
    @Test(
        "gets each from the registering call: its own, inherited, named, weak ones and those of its structs")
    func properties() {
        let (box, screen, router) = (ServiceBox(), Screen(), Router())
        #expect(box.fill(screen, waiting: true).filled.map(\.name) == ["numbers"])
        let cache = Cache()
        box.register(cache)
        #expect(screen.cache === cache)
        box.register(DiskCache())
        box.register(FileStore() as any Store, as: "store")
        box.register(router)
        #expect(!screen.$clock.isFilled)
        box.register { _ in Clock() }
        #expect(screen.$clock.isFilled)
        #expect(screen.disk != nil && screen.part.store != nil && screen.router === router)
    }

    @Test("gets what it lacks once, and keeps it and what was set by hand")
    func once() {
        let (box, screen) = (ServiceBox(), Screen())
        let (own, first) = (DiskCache(), Cache())
        box.fill(screen, waiting: true)
        screen.disk = own
        box.register(first)
        box.register(Cache())
        box.register(DiskCache())
        #expect(screen.cache === first)
        #expect(screen.disk === own)
        screen.cache = nil
        box.register(Cache())
        #expect(screen.cache == nil)
    }

    @Test("gets what one gets that is filled afterwards, however many services come")
    func alike() {
        let (box, early, late) = (ServiceBox(), Screen(), Screen())
        box.fill(early, waiting: true)
        for service in [Cache(), Cache()] { box.register(service, as: "other\(ObjectIdentifier(service))") }
        box.register(DiskCache())
        box.register(DiskCache() as Cache, as: "cache")
        box.register(Clock())
        box.fill(late)
        #expect(early.cache === late.cache)
        #expect(early.disk === late.disk)
        #expect(early.clock === late.clock)
    }

    @Test("waits on where what comes doesn't fit or can't be created, until something comes that does")
    func failures() throws {
        let (box, holder) = (ServiceBox(), Holder())
        box.fill(holder, waiting: true)
        box.register(Clock(), as: "cache")
        #expect(holder.cache == nil)
        box.register(as: "cache") { _ -> Cache in throw Broken() }
        #expect(holder.cache == nil)
        box.register(Cache())
        #expect(holder.cache != nil)
        // Incomplete itself, so that anything may be what it lacks.
        box.register { _ in Needy() }
        #expect(holder.needy == nil)
        box.register(Clock())
        #expect(holder.needy?.$clock.isFilled == true)
    }

    /// Registers a cache that can be created once something works.
    private func registerCache(in box: ServiceBox, if works: Locked<Bool>) {
        box.register(as: "cache") { _ -> Cache in
            if works.withLock({ $0 }) { return Cache() }
            throw Broken()
        }
    }

    @Test("gets a service that could not be created once somebody else has had it created")
    func createdLater() throws {
        let (box, holder, works) = (ServiceBox(), Holder(), Locked(false))
        registerCache(in: box, if: works)
        box.fill(holder, waiting: true)
        works.withLock { $0 = true }
        #expect(holder.cache == nil)
        let cache = try box[ServiceKey<Cache>("cache")]
        #expect(holder.cache === cache)
    }

    @Test("in a copy gets a service that its original creates later")
    func createdForCopy() throws {
        let (box, holder, works) = (ServiceBox(), Holder(), Locked(false))
        registerCache(in: box, if: works)
        let copy = box.copy().copy()
        copy.fill(holder, waiting: true)
        works.withLock { $0 = true }
        let cache = try copy[ServiceKey<Cache>("cache")]
        #expect(holder.cache === cache)
    }

    @Test("misses nothing that its service's factory registers while it is tried, and comes to an end")
    func reenters() {
        let (box, holder, tries) = (ServiceBox(), Holder(), Counter())
        box.fill(holder, waiting: true)
        box.register(as: "cache") { box -> Cache in
            box.register(tries.next(), as: "number")
            throw Broken()
        }
        // Once for the registration, and once more for what that try has registered.
        #expect(tries.value == 2)
        #expect(holder.cache == nil)
        box.register(as: "needy") { box -> Needy in
            box.register(Clock())
            return Needy()
        }
        #expect(holder.needy?.$clock.isFilled == true)
    }

    @Test(
        "gets a service whose factory failed, once somebody has it created, though it was created before",
        arguments: [Lifetime.transient, .weak, .lazy], [true, false])
    func createdAgain(lifetime: Lifetime, fills: Bool) throws {
        let (box, isBroken) = (ServiceBox(), Locked(false))
        box.register(lifetime: lifetime, fills: fills) { _ in
            if isBroken.withLock({ $0 }) { throw Broken() }
            return Cache()
        }
        for _ in 0..<2 { _ = try box["cache"] as Cache }
        try box.provider(ServiceKey<Cache>("cache")).reset()
        isBroken.withLock { $0 = true }
        let own = Own(box)
        isBroken.withLock { $0 = false }
        #expect(own.cache == nil)
        let cache: Cache = try box["cache"]
        #expect(own.cache != nil)
        withExtendedLifetime(cache) {}
    }

    @Test("hears of what an ancestor of its box registers")
    func ancestors() {
        let parent = ServiceBox()
        let (box, holder) = (parent.makeChild(name: "child"), Holder())
        box.fill(holder, waiting: true)
        parent.register(Cache())
        #expect(holder.cache != nil)
    }

    @Test("is kept alive by nobody who waits, and neither is its box")
    func lifetimes() {
        let parent = ServiceBox()
        weak var goneScreen: Screen?
        weak var goneBox: ServiceBox?
        do {
            let (box, screen) = (parent.makeChild(name: "child"), Screen())
            (goneBox, goneScreen) = (box, screen)
            box.fill(screen, waiting: true)
        }
        #expect(goneScreen == nil && goneBox == nil)
        parent.register(Cache())
        let (screen, created) = (Screen(), Counter())
        do { parent.makeChild(name: "child").fill(screen, waiting: true) }
        parent.register { _ in
            created.next()
            return DiskCache()
        }
        #expect(screen.disk == nil)
        #expect(created.value == 0)
    }

    @Test("may be an actor, one that fills itself, a struct, or any object")
    func subjects() async {
        struct Value { @Injected var cache: Cache? }
        let (box, desk) = (ServiceBox(), Desk())
        await desk.fill(from: box)
        let own = Own(box)
        var (variable, constant) = (Value(), Value())
        box.fill(&variable, waiting: true)
        let copy = constant
        box.fill(copy, waiting: true)
        let object = Screen()
        box.fill(object as Any, waiting: true)
        let cache = Cache()
        box.register(cache)
        #expect(await desk.cache === cache)
        #expect(own.cache === cache)
        #expect(variable.cache === cache)
        #expect(constant.cache === cache)
        #expect(object.cache === cache)
        constant.cache = nil
    }

    @Test("doesn't wait for what its table writes, nor where it isn't told to wait")
    func without() {
        let (box, tabled, screen) = (ServiceBox(), Tabled(), Screen())
        #expect(box.fill(tabled, waiting: true).outcomes == ["cache": .missing])
        box.fill(screen)
        box.register(Cache())
        #expect(tabled.cache == nil)
        #expect(screen.cache == nil)
    }

    @Test("gets nothing of another type, though its mirror shows other properties than for the fill")
    func mirrors() {
        let (box, shifty) = (ServiceBox(), Shifty())
        box.fill(shifty, waiting: true)
        box.register(Cache())
        box.register(5, as: "number")
        #expect(shifty.cache == nil && shifty.number == nil)
    }

    @Test("that is filled again and again waits once")
    func again() {
        let (box, holder, tries) = (ServiceBox(), Holder(), Counter())
        for _ in 0..<1000 { box.fill(holder, waiting: true) }
        box.register(as: "cache") { _ -> Cache in
            tries.next()
            throw Broken()
        }
        #expect(tries.value < 200)
    }

    @Test("is forgotten once it has what it lacked, or it or its box is gone")
    func forgotten() {
        let (parent, holder) = (ServiceBox(), Needy())
        var isNobodyWaiting: Bool { parent.registry.arrivals.isEmpty }
        parent.fill(holder, waiting: true)
        parent.register(Clock())
        #expect(isNobodyWaiting)
        parent.remove("clock")
        parent.fill(Needy(), waiting: true)
        // Looking through all of them each time would cost too much.
        for number in 1...32 { parent.register(number, as: "other") }
        #expect(isNobodyWaiting)
        let late = Needy()
        do { parent.makeChild(name: "child").fill(late, waiting: true) }
        for number in 1...32 { parent.register(number, as: "other") }
        #expect(isNobodyWaiting)
        #expect(!late.$clock.isFilled)
    }

    @Test("has no service created that doesn't fit")
    func misfit() {
        let (box, holder, created) = (ServiceBox(), Needy(), Counter())
        box.fill(holder, waiting: true)
        box.register(as: "clock") { _ in created.next() }
        #expect(created.value == 0)
        box.register(Clock())
        #expect(holder.$clock.isFilled)
    }

    @Test("counts as a use of what it gets, is tracked, and shows in the graph")
    func records() throws {
        let (box, holder) = (ServiceBox(), Holder())
        let events = Journal()
        let observation = box.observe { if $0.kind == .filled { events.add("\($0)") } }
        box.trackHolders()
        box.fill(holder, waiting: true)
        _ = events.take()
        box.register(Cache())
        #expect(events.all == ["filled Holder"])
        #expect(try box.holders(of: "cache").map(\.object) == [ObjectIdentifier(holder)])
        #expect(box.uses.first { $0.name == "cache" }?.isUsed == true)
        #expect(box.graph().edges.first { $0.property == "cache" }?.target == "service:cache")
        let other = Cache()
        box.register(other)
        try box.refill("cache")
        #expect(holder.cache === other)
        withExtendedLifetime(observation) {}
    }

    @Test("are filled from a child of a copy, when the original has created the service")
    func childOfCopy() throws {
        let isReady = Locked(false)
        let original = ServiceBox()
        original.register { _ in
            if !isReady.withLock({ $0 }) { throw Broken() }
            return Cache()
        }
        let child = original.copy().makeChild(name: "child")
        let holder = Holder()
        child.fill(holder, waiting: true)
        #expect(holder.cache == nil)
        isReady.withLock { $0 = true }
        let cache: Cache = try original["cache"]
        #expect(holder.cache === cache)
    }

    @Test("that have got a value by hand meanwhile have no service created")
    func setByHand() {
        let (box, makes, holder, cache) = (ServiceBox(), Counter(), Holder(), Cache())
        box.fill(holder, waiting: true)
        holder.cache = cache
        box.register { _ in
            makes.next()
            return Cache()
        }
        #expect(holder.cache === cache)
        #expect(makes.value == 0)
    }

    @Test("that get a value by hand while their service is created keep that, and are told of no fill")
    func setByHandMeanwhile() {
        let (box, needy, own, fills) = (ServiceBox(), Needy(), Clock(), Counter())
        box.fill(needy, waiting: true)
        let observation = box.observe { if $0.kind == .filled { fills.next() } }
        box.register { _ in
            needy.clock = own
            return Clock()
        }
        #expect(needy.clock === own)
        #expect(fills.value == 0)
        observation.cancel()
    }

    @Test("that hold a new service each, which nothing else keeps, have one created each")
    func transientAndWeak() {
        let (box, makes, screens) = (ServiceBox(), Counter(), (0..<4).map { _ in Screen() })
        for screen in screens { box.fill(screen, waiting: true) }
        box.register(lifetime: .transient) { _ in
            makes.next()
            return Router()
        }
        #expect(makes.value == screens.count)
    }

    @Test("tries again at once if another thread registers something while its service fails")
    func newsMeanwhile() {
        let (box, own, tries) = (ServiceBox(), Holder(), Counter())
        box.fill(own, waiting: true)
        box.register { box in
            if tries.next() == 1 {
                onThreads([{ box.register(Clock()) }])
                throw Broken()
            }
            return Cache()
        }
        #expect(own.cache != nil)
    }
}
