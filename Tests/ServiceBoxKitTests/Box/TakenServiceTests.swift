// Part of ServiceBox, released under the MIT License.
// Tests of services that others take while they are filled.

import ServiceBoxKit
import Testing

@Suite("A service that another one takes by a property")
struct TakenServiceTests {
    @Test("may look up, in its factory, one that is further up")
    func circle() throws {
        let box = ServiceBox()
        box.register(as: "s0") { _ in Link(to: "s1") }
        box.register(as: "s1") { _ in Link(to: "s2") }
        box.register(as: "s2") { box in Anchor(above: try box.resolve("s0")) }
        let link: Link = try box.resolve("s0")
        let anchor: Anchor = try box.resolve("s2")
        #expect(anchor.above === link)
        #expect((link.next.wrappedValue as? Link)?.next.wrappedValue as? Anchor === anchor)
    }

    @Test(
        "is complete though a factory has tried to look it up too early, whichever is taken first",
        arguments: [("s1", "s2"), ("s2", "s1")], ["s0", "s2"])
    func tried(taken: (String, String), other: String) throws {
        let box = ServiceBox()
        let early = Locked<ServiceBoxError?>(nil)
        box.register(as: "s0") { _ in Two(taken.0, taken.1) }
        box.register(as: "s1") { _ in Two("s2", other) }
        box.register(as: "s2") { box in
            early.withLock { $0 = box.failure(of: "s1" as ServiceKey<Two>) }
            return Last()
        }
        let two: Two = try box.resolve("s0")
        let parts = [two.first, two.second].map(\.wrappedValue)
        let inner = try #require(parts.lazy.compactMap { $0 as? Two }.first)
        #expect(parts.contains { $0 is Last } && inner.first.wrappedValue is Last)
        let error = try #require(early.withLock { $0 })
        #expect(error.code == .incomplete && error.path.starts(with: ["s1", "first"]))
    }

    @Test("is created once for all that take it, also if it fails")
    func failure() {
        let box = ServiceBox()
        let creations = Counter()
        for layer in 0..<12 {
            for side in ["a", "b"] {
                box.register(as: ServiceKey("\(side)\(layer)")) { _ in
                    creations.next()
                    return Fork(above: layer < 11 ? "\(layer + 1)" : " that isn't there")
                }
            }
        }
        let key: ServiceKey<Fork> = "a0"
        #expect(box.failure(of: key) != nil)
        #expect(creations.value == 23)
    }

    @Test("is told that it is filled when those that take it can be looked up")
    func observers() throws {
        let box = ServiceBox()
        box.register(Clock(), as: "clock")
        box.register(as: "taken") { box in Taken(box) }
        box.register(as: "taker") { _ in Taker() }
        let events = Counter()
        let observation = box.observe { event in
            if event.serviceName == "taken", box.failure(of: "taker" as ServiceKey<Taker>) == nil {
                events.next()
            }
        }
        let taker: Taker = try box.resolve("taker")
        #expect(taker.taken.wrappedValue?.found.withLock { $0 } === taker)
        #expect(events.value == 2)
        withExtendedLifetime(observation) {}
    }
}

private final class Link: Sendable {
    let next: Injected<any Linked>
    init(to name: String) { next = Injected(ServiceKey(name)) }
}
private protocol Linked: Sendable {}
extension Link: Linked {}

private final class Anchor: Linked {
    let above: Link
    init(above: Link) { self.above = above }
}

private final class Last: Linked {}

private final class Two: Linked {
    let (first, second): (Injected<any Linked>, Injected<any Linked>)
    init(_ first: String, _ second: String) {
        (self.first, self.second) = (Injected(ServiceKey(first)), Injected(ServiceKey(second)))
    }
}

private final class Fork: Sendable {
    let a: Injected<Fork>
    let b: Injected<Fork>
    init(above name: String) { (a, b) = (Injected(ServiceKey("a" + name)), Injected(ServiceKey("b" + name))) }
}

private final class Taken: FillObserving, Sendable {
    static var injections: InjectionTable { [:] }
    let clock = Injected<Clock?>("clock")
    let found = Locked<Taker?>(nil)
    let box: ServiceBox
    init(_ box: ServiceBox) { self.box = box }
    func didFill(by report: FillReport) {
        let taker = try? box.resolve("taker" as ServiceKey<Taker>)
        found.withLock { $0 = taker }
    }
}

private final class Taker: Sendable {
    let taken = Injected<Taken?>("taken")
}
