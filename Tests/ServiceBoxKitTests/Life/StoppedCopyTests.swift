// Part of ServiceBox, released under the MIT License.
// Tests of what a copy keeps when its original has stopped.

import ServiceBoxKit
import Testing

private final class Watch: @unchecked Sendable { @Injected var clock: Clock? }

@Suite("Services whose original has stopped")
struct StoppedCopyTests {
    @Test("leave a copy the service that it has of its own by their name")
    func ownOfCopy() async throws {
        let (box, clock) = (ServiceBox(), Clock())
        box.register(Clock())
        let copy = box.copy()
        copy.register(clock)
        await box.stop()
        #expect(try copy["clock"] === clock)
    }

    @Test("leave a copy's own service, which nobody has used yet, to be filled")
    func unusedOwnOfCopy() async throws {
        let box = ServiceBox()
        box.register(Clock(), as: "watch")
        let copy = box.copy()
        copy.register(Watch(), as: "watch")
        copy.register(Clock())
        await box.stop()
        copy.crossFill()
        #expect(try copy.resolve(ServiceKey<Watch>("watch")).clock != nil)
    }

    @Test("were started with it, also if only a copy still has them")
    func replaced() async throws {
        let (box, journal) = (ServiceBox(), Journal())
        let key = ServiceKey<LifePart>("part")
        try await box.start()
        box.register(as: key) { _ in LifePart("old", journal) }
        let copy = box.copy()
        box.register(as: key) { _ in LifePart("new", journal) }
        _ = try await copy.prepare(key)
        await box.stop()
        #expect(journal.all == ["start old", "stop old"])
    }

    @Test("let a copy go of the service that it decorated and never used")
    func copyLetsGo() async {
        let box = ServiceBox()
        weak var kept: Clock?
        do {
            let clock = Clock()
            kept = clock
            box.register(clock)
        }
        let copy = box.copy()
        copy.decorate(ServiceKey<Clock>("clock")) { clock, _ in clock }
        #expect(kept != nil)
        await box.stop()
        #expect(kept == nil)
    }

    @Test("let a copy go of a service that it has looked up again and again")
    func lookedUp() async throws {
        let (box, lookUps) = (ServiceBox(), 64)
        weak var cache: Cache?
        do {
            let new = Cache()
            cache = new
            box.register(new)
        }
        let copy = box.copy()
        for _ in 0..<lookUps { _ = try copy.resolve(Cache.self) }
        await box.stop()
        #expect(cache == nil)
        withExtendedLifetime(copy) {}
    }

    @Test("let a copy go of one that was replaced so often that it can't come back")
    func replacedOften() async {
        let (box, journal) = (ServiceBox(), Journal())
        weak var oldest: LifePart?
        do {
            let part = LifePart("oldest", journal)
            oldest = part
            box.register(part, as: "part")
        }
        for _ in 0..<20 { box.register(LifePart("later", journal), as: "part") }
        let copy = box.copy()
        await box.stop()
        #expect(oldest == nil)
        withExtendedLifetime(copy) {}
    }
}
