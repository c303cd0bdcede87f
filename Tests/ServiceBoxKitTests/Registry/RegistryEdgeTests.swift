// Part of ServiceBox, released under the MIT License.
// Tests of registrations that come, go and come back in rare constellations.

import Foundation
import ServiceBoxKit
import Testing

private final class Seeker: @unchecked Sendable { @Injected var cache: Cache? }

private final class Screen { @Injected var cache: Cache? }

/// A type that has nothing to fill.
private final class Bare: Sendable {}

private struct ClockModule: ServiceModule {
    func register(in box: ServiceBox) { box.register(Clock()) }
}

private struct ClearingModule: ServiceModule {
    func register(in box: ServiceBox) { box.clear() }
}

@Suite("A registry, at its edges,", .neverHanging)
struct RegistryEdgeTests {
    private let box = ServiceBox()

    @Test("finds a decorated service once by its type, however many services there are")
    func decorated() throws {
        for number in 0..<20 { box.register(number, as: ServiceKey("number\(number)")) }
        box.register(Page(number: 1))
        #expect(try box.resolve(Page.self).number == 1)
        box.decorate("page" as ServiceKey<Page>) { page, _ in Page(number: page.number + 1) }
        #expect(try box.resolve(Page.self).number == 2)
    }

    @Test("doesn't call a property stale whose object was registered again")
    func sameObject() throws {
        let (screen, cache) = (Screen(), Cache())
        box.trackHolders()
        box.register(cache)
        box.fill(screen)
        box.register(cache)
        #expect(try box.holders(of: "cache").map(\.isStale) == [false])
    }

    @Test("brings back what was registered after the stop, when a module fails after that")
    func registeredAfterStop() async throws {
        let (inside, go, done, clock) = (Gate(), Signal(), Gate(), Clock())
        Thread { [box] in
            try? box.add(
                InterruptedModule { box in
                    box.register(Cache())
                    inside.open()
                    go.wait()
                    box.register(Clock())
                })
            done.open()
        }.start()
        await inside.pass()
        await box.stop()
        box.register(clock)
        go.send()
        await done.pass()
        #expect(try box.resolve(Clock.self) === clock)
    }

    @Test("doesn't call a property stale whose object was registered again during its fill")
    func sameObjectMeanwhile() throws {
        final class Both {
            @Injected var cache: Cache?
            @Injected var clock: Clock?
        }
        let (both, cache) = (Both(), Cache())
        box.trackHolders()
        box.register(cache)
        box.register { box in
            box.register(cache)
            return Clock()
        }
        box.fill(both)
        #expect(both.clock != nil)
        #expect(try box.holders(of: "cache").map(\.isStale) == [false])
    }

    @Test("stops a child's own services of names that are gone, however many there are")
    func gone() async throws {
        let (child, journal) = (box.makeChild(), Journal())
        func add(_ numbers: Range<Int>) throws {
            for number in numbers {
                let key = ServiceKey<LifePart>("part\(number)")
                box.register(as: key, per: .box) { _ in LifePart("\(number)", journal) }
                _ = try child.resolve(key)
            }
        }
        try add(0..<300)
        for number in 0..<300 { box.remove("part\(number)") }
        try add(300..<1000)
        await child.stop()
        #expect(journal.all.count == 1000)
    }

    @Test("gives what one wait has had created to the waits that were tried before", arguments: 2..<9)
    func waits(failures: Int) {
        let (first, second, count) = (Screen(), Screen(), Counter())
        box.register { _ -> Cache in
            if count.next() <= failures { throw Broken() }
            return Cache()
        }
        box.fill(first, waiting: true)
        box.fill(second, waiting: true)
        box.register(Clock())
        #expect((first.cache != nil) == (second.cache != nil))
    }
}

@Suite("A box whose module has failed")
struct FailedModuleEdgeTests {
    private let box = ServiceBox()

    @Test("has a child's own service wait on that the parent hid while the child was cleared")
    func outdated() throws {
        let child = box.makeChild()
        box.register(per: .box) { _ in Seeker() }
        let first = try child.resolve(Seeker.self)
        let other = box.register(per: .box) { _ in Seeker() }
        _ = try child.resolve(Seeker.self)
        try? child.add(InterruptedModule { $0.clear() })
        other.remove()
        child.register(Cache())
        child.fill(Bare())
        #expect(try child.resolve(Seeker.self) === first)
        #expect(first.cache != nil)
    }

    @Test("doesn't stop a service that is removed after a module had replaced it often")
    func removed() async {
        let journal = Journal()
        let first = box.register(Cache(), onStop: { _ in journal.add("stop") })
        try? box.add(InterruptedModule { box in for _ in 0..<20 { box.register(Cache()) } })
        #expect(first.remove())
        await box.stop()
        #expect(journal.all == [])
    }

    @Test("adds a module again that a failed one had added, and cleared", arguments: [false, true])
    func cleared(isByModule: Bool) throws {
        try? box.add(
            InterruptedModule { box in
                try box.add(ClockModule())
                if isByModule { try box.add(ClearingModule()) } else { box.clear() }
            })
        try box.add(ClockModule())
        #expect(box.failure(of: "clock" as ServiceKey<Clock>) == nil)
    }

    @Test("gives a service to who waits for it that lacked only what a failed module had taught")
    func taughtInVain() {
        final class Thing: @unchecked Sendable { var cache: Cache? }
        final class ThingSeeker: @unchecked Sendable { @Injected var thing: Thing? }
        let (thing, seeker) = (Thing(), ThingSeeker())
        box.register(thing)
        box.register(seeker)
        try? box.add(
            InterruptedModule { box in
                box.teach(Thing.self, ["cache": .setter { (it: Thing, cache: Cache) in it.cache = cache }])
                _ = box.fill(Bare())
            })
        box.fill(Bare())
        #expect(seeker.thing === thing)
    }
}
