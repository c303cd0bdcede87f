// Part of ServiceBox, released under the MIT License.
// Handlers that wait for a service to be registered.

@testable import ServiceBoxKit
import Testing

@Suite("A handler that waits for a service", .neverHanging)
struct WhenRegisteredTests {
    private static let cache: ServiceKey<Cache> = "cache"

    @Test("is called at once if the service is there, and not again")
    func there() {
        let (box, calls) = (ServiceBox(), Counter())
        box.register(Cache())
        let observation = box.whenRegistered(Self.cache) { calls.next() }
        #expect(calls.value == 1)
        box.register(Cache())
        #expect(calls.value == 1)
        withExtendedLifetime(observation) {}
    }

    @Test("is called once, by the registering call, which creates nothing for it")
    func comes() {
        let (box, calls, created) = (ServiceBox(), Counter(), Counter())
        let observation = box.whenRegistered(Self.cache) { calls.next() }
        box.register(Clock())
        #expect(calls.value == 0)
        box.register { _ in
            created.next()
            return Cache()
        }
        #expect(calls.value == 1)
        #expect(created.value == 0)
        box.register(Cache())
        #expect(calls.value == 1)
        withExtendedLifetime(observation) {}
    }

    @Test("is called when the module has registered that brings the service")
    func module() throws {
        struct CacheModule: ServiceModule {
            let calls: Counter
            func register(in box: ServiceBox) {
                box.register(Cache())
                #expect(calls.value == 0)
            }
        }
        let (box, calls) = (ServiceBox(), Counter())
        let observation = box.whenRegistered(Self.cache) { calls.next() }
        try box.add(CacheModule(calls: calls))
        #expect(calls.value == 1)
        withExtendedLifetime(observation) {}
    }

    @Test("passes over what doesn't fit, and is called for what takes its place")
    func fits() {
        let (box, calls) = (ServiceBox(), Counter())
        let observation = box.whenRegistered("cache" as ServiceKey<DiskCache>) { calls.next() }
        box.register(Cache())
        box.register(Clock(), as: "cache")
        #expect(calls.value == 0)
        box.register(DiskCache(), as: "cache")
        #expect(calls.value == 1)
        withExtendedLifetime(observation) {}
    }

    @Test(
        "hears of what an ancestor registers, and of what is seen since a child's own was removed or cleared")
    func ancestors() {
        let parent = ServiceBox()
        let box = parent.makeChild(name: "middle").makeChild(name: "inner")
        let calls = Journal()
        let first = box.whenRegistered(Self.cache) { calls.add("cache") }
        parent.register(Cache())
        #expect(calls.take() == ["cache"])
        parent.register("the parent's", as: "text")
        box.register(1, as: "text")
        let second = box.whenRegistered("text" as ServiceKey<String>) { calls.add("removed") }
        #expect(calls.take().isEmpty)
        box.remove("text")
        #expect(calls.take() == ["removed"])
        box.register(1, as: "text")
        let third = box.whenRegistered("text" as ServiceKey<String>) { calls.add("cleared") }
        box.clear()
        #expect(calls.take() == ["cleared"])
        withExtendedLifetime((first, second, third)) {}
    }

    @Test("is not called for what a child registers, nor by a copy")
    func relatives() {
        let (box, calls) = (ServiceBox(), Counter())
        let observation = box.whenRegistered(Self.cache) { calls.next() }
        box.makeChild(name: "child").register(Cache())
        box.copy().register(Cache())
        #expect(calls.value == 0)
        withExtendedLifetime(observation) {}
    }

    @Test("ends with its observation, which releases it, and when that is cancelled")
    func ends() {
        let (box, calls) = (ServiceBox(), Counter())
        weak var captured: Clock?
        do {
            let clock = Clock()
            captured = clock
            var observation: ServiceObservation? = box.whenRegistered(Self.cache) { [clock] in
                withExtendedLifetime(clock) { _ = calls.next() }
            }
            withExtendedLifetime(observation) {}
            observation = nil
        }
        #expect(captured == nil)
        let observation = box.whenRegistered(Self.cache) { calls.next() }
        observation.cancel()
        box.register(Cache())
        #expect(calls.value == 0)
    }

    @Test("keeps no box alive")
    func box() {
        weak var gone: ServiceBox?
        let observation: ServiceObservation
        do {
            let box = ServiceBox()
            gone = box
            observation = box.whenRegistered(Self.cache) {}
        }
        #expect(gone == nil)
        withExtendedLifetime(observation) {}
    }

    @Test("may register, fill, wait for more, and cancel itself; nothing that it asks for is lost")
    func reenters() {
        final class Screen { @Injected var clock: Clock? }
        let (box, calls) = (ServiceBox(), Journal())
        let (inner, own) = (Later<ServiceObservation>(), Later<ServiceObservation>())
        let observation = box.whenRegistered(Self.cache) {
            calls.add("cache")
            inner.set(box.whenRegistered("clock" as ServiceKey<Clock>) { calls.add("clock") })
            box.register(Cache())
            let screen = Screen()
            box.fill(screen, waiting: true)
            box.register(Clock())
            if screen.clock != nil { calls.add("filled") }
            try? own.get().cancel()
        }
        own.set(observation)
        box.register(Cache())
        #expect(calls.all == ["cache", "clock", "filled"])
    }

    @Test("is called in the order in which handlers came, each though another one is cancelled by the first")
    func order() throws {
        let (box, calls, second) = (ServiceBox(), Journal(), Later<ServiceObservation>())
        let first = box.whenRegistered(Self.cache) {
            calls.add("first")
            try? second.get().cancel()
        }
        second.set(box.whenRegistered(Self.cache) { calls.add("second") })
        let third = box.whenRegistered(Self.cache) { calls.add("third") }
        box.register(Cache())
        #expect(calls.all == ["first", "third"])
        withExtendedLifetime((first, third)) {}
    }

    @Test("goes though many have come and gone before")
    func many() {
        let (box, calls) = (ServiceBox(), Counter())
        let kept = (0..<100).map { _ in
            for _ in 0..<10 { box.whenRegistered(Self.cache) { calls.next() }.cancel() }
            return box.whenRegistered(Self.cache) { calls.next() }
        }
        box.register(Cache())
        #expect(calls.value == 100)
        withExtendedLifetime(kept) {}
    }

    @Test("is called though each of hundreds registers what the next waits for, on a small stack")
    func chained() throws {
        let calls = try onSmallThread {
            let (box, calls) = (ServiceBox(), Counter())
            let kept = (0..<600).map { number in
                box.whenRegistered(ServiceKey<Int>("service\(number)")) {
                    calls.next()
                    box.register(number, as: ServiceKey("service\(number + 1)"))
                }
            }
            box.register(0, as: "service0")
            withExtendedLifetime(kept) {}
            return calls.value
        }
        #expect(calls == 600)
    }

    @Test("is called when the first of those that register one another's has returned, if the stack was full")
    func postponed() throws {
        let seen = try onSmallThread {
            let (box, isOver, seen) = (ServiceBox(), Locked(false), Locked<[Bool]>([]))
            let kept = (0..<600).map { number in
                box.whenRegistered(ServiceKey<Int>("service\(number)")) {
                    seen.withLock { $0.append(isOver.withLock { $0 }) }
                    box.register(number, as: ServiceKey("service\(number + 1)"))
                    if number == 0 { isOver.withLock { $0 = true } }
                }
            }
            box.register(0, as: "service0")
            withExtendedLifetime(kept) {}
            return seen.withLock { $0 }
        }
        let inside = seen.prefix { !$0 }
        #expect((2..<600).contains(inside.count))
        #expect(seen[inside.count...].allSatisfy { $0 })
    }

    @Test("is called by code that has hardly any stack left")
    func atTheEnd() throws {
        let calls = try onSmallThread {
            let (box, calls) = (ServiceBox(), Counter())
            let kept = box.whenRegistered(Self.cache) { calls.next() }
            func register() {
                if ConstructionStack.here.value.hasRoom { register() } else { box.register(Cache()) }
            }
            register()
            withExtendedLifetime(kept) {}
            return calls.value
        }
        #expect(calls == 1)
    }

    @Test("is not called when its wait is cancelled while it is tried")
    func cancelledInTry() {
        let (wait, calls) = (Locked<Arrival?>(nil), Counter())
        let arrival = Arrival(of: "cache", while: { true }) {
            wait.withLock { $0 }?.cancel()
            return .over { calls.next() }
        }
        wait.withLock { $0 = arrival }
        arrival.attempt(for: nil)
        #expect(calls.value == 0)
        wait.withLock { $0 = nil }
    }
}
