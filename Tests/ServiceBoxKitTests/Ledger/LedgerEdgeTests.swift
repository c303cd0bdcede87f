// Part of ServiceBox, released under the MIT License.
// Tests of rarely met uses, holders and events.

import ServiceBoxKit
import Testing

private final class Buzzer {
    @Injected var clock: Clock?
}

private class Pool: @unchecked Sendable {}

private final class Disk: Pool, @unchecked Sendable {}

private struct Dial {
    @Injected var clock: Clock?
}

private final class Keeper: @unchecked Sendable {
    @Injected var cache: Pool?
}

@Suite("Rare notes of the ledger")
struct LedgerEdgeTests {
    private let box = ServiceBox()

    @Test("trackHolders() called again goes on tracking")
    func trackedTwice() throws {
        box.trackHolders()
        box.register(Clock())
        let alarm = Buzzer()
        box.fill(alarm)
        box.trackHolders()
        #expect(try box.holders(of: "clock").count == 1)
        withExtendedLifetime(alarm) {}
    }

    @Test("refilled properties use the service that they were given")
    func refilledUse() throws {
        box.trackHolders()
        box.register(Pool(), as: "cache")
        let holder = Keeper()
        box.fill(holder)
        box.register(Disk() as Pool, as: "cache")
        try box.refill("cache")
        #expect(box.uses.first { $0.name == "cache" }?.properties == ["Keeper.cache"])
    }

    @Test("an observer of a parent reads in which child it happened")
    func eventOfChild() {
        let lines = Guarded<[String]>([])
        let observation = box.observe(includingChildren: true) { event in
            lines.withLock { $0.append("\(event)") }
        }
        box.makeChild(name: "request").register(Clock())
        #expect(lines.withLock { $0 } == ["in 'request': registered 'clock' (Clock)"])
        observation.cancel()
    }

    @Test("every fill of a value is told, those of a known type, too")
    func valuesAreTold() {
        box.register(Clock())
        var dial = Dial()
        for _ in 1...3 { box.fill(&dial) }
        let told = Guarded(0)
        let observation = box.observe { event in if event.kind == .filled { told.withLock { $0 += 1 } } }
        for _ in 1...3 { box.fill(&dial) }
        for _ in 1...3 { _ = box.fill(dial) }
        #expect(told.withLock { $0 } == 6)
        observation.cancel()
    }
}
