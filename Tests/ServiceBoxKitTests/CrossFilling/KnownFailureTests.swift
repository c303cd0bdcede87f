// Part of ServiceBox, released under the MIT License.
// Services that many need, and that lack what isn't registered.

import ServiceBoxKit
import Testing

private final class User: Sendable {}
private final class Leaf: @unchecked Sendable { @Injected var user: User }
private final class Holder: @unchecked Sendable { @Injected var leaf: Leaf }
private final class Other: Sendable {}
private final class OtherHolder: @unchecked Sendable {
    @Injected var leaf: Leaf
    @Injected var other: Other
}

@Suite("A service that many need and that lacks something")
struct KnownFailureTests {
    private let box = ServiceBox()
    private let leaves = Counter()

    init() {
        box.register(as: "leaf") { [leaves] _ in
            _ = leaves.next()
            return Leaf()
        }
    }

    private func isComplete(_ name: String) -> Bool {
        (try? box.resolve(ServiceKey<Holder>(name))) != nil
    }

    @Test("is created once for all ready-made services, and again when something is registered")
    func readyMade() {
        for index in 0..<10 { box.register(Holder(), as: ServiceKey("holder\(index)")) }
        box.crossFill()
        #expect(leaves.value == 1)
        box.register(User())
        box.crossFill()
        #expect(leaves.value == 2)
        #expect((0..<10).allSatisfy { isComplete("holder\($0)") })
    }

    @Test("is created once for all services that an audit creates, which finds the lack once")
    func audited() {
        for index in 0..<10 { box.register(as: ServiceKey("holder\(index)")) { _ in Holder() } }
        let findings = box.audit(makingServices: true).findings.filter { $0.subject == "Leaf.user" }
        #expect(findings.count == 1)
        #expect(leaves.value == 1)
    }

    @Test("is created by each look-up")
    func lookedUp() {
        for _ in 0..<3 { #expect(throws: ServiceBoxError.self) { try box["leaf"] as Leaf } }
        #expect(leaves.value == 3)
    }

    @Test("is created again in the same cross-fill if a factory has registered what it lacks")
    func registeredMeanwhile() throws {
        box.register(Holder(), as: "a")
        let others = Counter()
        box.register(as: "other") { box in
            _ = others.next()
            box.register(User())
            _ = try box["leaf"] as Leaf
            return Other()
        }
        let holder = OtherHolder()
        box.register(holder, as: "b")
        _ = try box["b"] as OtherHolder
        #expect(leaves.value == 2 && others.value == 1)
        #expect(isComplete("a"))
    }

    @Test("reaches who has waited for it, also if a list had it created")
    func createdForList() throws {
        class Part: @unchecked Sendable {}
        final class Wheel: Part, @unchecked Sendable {}
        final class Taker: @unchecked Sendable { @InjectedAll var parts: [Part] }
        final class Waiter: @unchecked Sendable { @Injected var wheel: Wheel? }
        let (waiter, isBroken) = (Waiter(), Locked(true))
        box.register(Taker())
        box.register(waiter)
        box.register(as: "frame") { _ in
            if isBroken.withLock({ $0 }) { throw Broken() }
            return Part()
        }
        box.register(as: "wheel") { _ in
            if isBroken.withLock({ $0 }) { throw Broken() }
            return Wheel()
        }
        box.crossFill()
        isBroken.withLock { $0 = false }
        let _: Part = try box["frame"]
        #expect(waiter.wheel != nil)
    }

    @Test("is created again if what it lacks was registered while it was created")
    func registeredInside() throws {
        final class Part: @unchecked Sendable {
            @Injected var user: User
            @Injected var other: Other
        }
        final class Taker: @unchecked Sendable { @Injected var part: Part? }
        box.register { _ in Part() }
        box.register { box in
            box.register(User())
            return Other()
        }
        let takers = [Taker(), Taker()]
        box.register(takers[0], as: "first")
        box.register(takers[1], as: "second")
        _ = try box["second"] as Taker
        #expect(takers.allSatisfy { $0.part != nil })
    }

    @Test("isn't one whose factory failed, which is asked again in the same cross-fill")
    func failedFactory() {
        final class Taker: @unchecked Sendable { @Injected var other: Other? }
        let (makings, takers) = (Counter(), [Taker(), Taker()])
        box.register(as: "other") { _ in
            if makings.next() == 1 { throw Broken() }
            return Other()
        }
        box.register(takers[0], as: "first")
        box.register(takers[1], as: "second")
        box.crossFill()
        #expect(makings.value == 2)
        #expect(takers[1].other != nil)
    }

    @Test("is found in the middle of a path of any length, which is told by its ends")
    func longPath() throws {
        final class Link: @unchecked Sendable {
            @Injected var next: Link
            init(_ next: String) { _next = Injected(ServiceKey<Link>(next)) }
        }
        for index in 0..<40 { box.register(Link("link\(index + 1)"), as: ServiceKey("link\(index)")) }
        let error = try #require(throws: ServiceBoxError.self) { try box.resolve("link0") as Link }
        #expect(error.path.count == 41)
        #expect(
            error.description.contains("link0 → link1 → link2 → link3 → link4 → link5 → … 29 more … → link35")
        )
    }
}
