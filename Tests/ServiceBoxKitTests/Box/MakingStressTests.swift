// Part of ServiceBox, released under the MIT License.
// Boxes that many tasks use at a time.

import Foundation
import ServiceBoxKit
import Testing

private final class Cart: Sendable {
    let parts = Parts()
    var clock: Clock? { parts.clock }
}
private struct Parts: Sendable {
    @Injected var clock: Clock?
    @Injected var cart: Cart?
}
private final class Screen {
    @Injected var clock: Clock?
    @Injected var cart: Cart?
    @InjectedAll var clocks: [Clock]
}

private final class Shop: Sendable { init(_ clerk: Clerk?) {} }
private final class Clerk: @unchecked Sendable { @Injected var shop: Shop }

@MainActor private final class Sign {}
private final class Front: Sendable { init(_ sign: Sign) {} }

/// Where a thread waits in a factory until another one is about to look its service up.
private struct Meeting: Sendable {
    private let hasBegun = Signal()
    private let hasEnded = Signal()
    private let attempts = Counter()
    private let arrivals = Counter()

    /// Waits, in the first of all attempts.
    func wait() {
        guard attempts.next() == 1 else { return }
        hasBegun.send()
        while arrivals.value == 0 {}
    }

    /// Runs a body while another one waits on a thread of its own.
    func after(_ first: @escaping @Sendable () -> Void, _ second: () -> Void) {
        Thread.detachNewThread {
            first()
            hasEnded.send()
        }
        hasBegun.wait()
        arrivals.next()
        second()
        hasEnded.wait()
    }
}

@Suite("A box under load from many tasks", .neverHanging)
struct MakingStressTests {
    private static let rounds = 20
    private static let tasks = 8

    /// Runs a body in many tasks at a time and gathers what they return.
    private func each<Result: Sendable>(
        _ body: @escaping @Sendable (_ task: Int) throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: Result.self) { group in
            for task in 0..<Self.tasks { group.addTask { try body(task) } }
            var results: [Result] = []
            for try await result in group { results.append(result) }
            return results
        }
    }

    private func register(
        in box: ServiceBox, _ lifetime: Lifetime, per scope: ServiceScope = .family
    ) -> Counter {
        let makes = Counter()
        box.register(as: "clock", lifetime: lifetime, per: scope) { _ in
            makes.next()
            return Clock()
        }
        box.register(as: "cart") { _ in Cart() }
        return makes
    }

    @Test("creates a lazy service once, and fills it before anyone sees it")
    func lazy() async throws {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            let makes = register(in: box, .lazy)
            let clocks = try await each { task in
                switch task % 4 {
                case 0: return try box.resolve(ServiceKey<Clock>("clock"))
                case 1: return try box.resolve(Clock.self)
                case 2: return try #require(try box.resolve(ServiceKey<Cart>("cart")).clock)
                default:
                    let screen = Screen()
                    #expect(box.fill(screen).isComplete)
                    #expect(screen.cart?.clock === screen.clock)
                    #expect(screen.clocks.count == 1)
                    return try #require(screen.clock)
                }
            }
            #expect(makes.value == 1)
            #expect(Set(clocks.map(ObjectIdentifier.init)).count == 1)
        }
    }

    @Test("creates a weak service once while it is held")
    func weak() async throws {
        let box = ServiceBox()
        let makes = Counter()
        box.register(as: "clock", lifetime: .weak) { _ in
            makes.next()
            return Clock()
        }
        for round in 1...Self.rounds {
            let held = try box.resolve(ServiceKey<Clock>("clock"))
            let clocks = try await each { task in
                // A task may hold its result a little longer than the next round begins.
                if task.isMultiple(of: 2) {
                    return ObjectIdentifier(try box.resolve(ServiceKey<Clock>("clock")))
                }
                let screen = Screen()
                box.fill(screen)
                return ObjectIdentifier(try #require(screen.clock))
            }
            #expect(clocks.allSatisfy { $0 == ObjectIdentifier(held) })
            #expect(makes.value == round)
        }
    }

    @Test("creates a transient service on every resolve")
    func transient() async throws {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            let makes = Counter()
            box.register(as: "clock", lifetime: .transient) { _ in
                makes.next()
                return Clock()
            }
            let clocks = try await each { _ in try box.resolve(ServiceKey<Clock>("clock")) }
            #expect(makes.value == Self.tasks)
            #expect(Set(clocks.map(ObjectIdentifier.init)).count == Self.tasks)
        }
    }

    @Test("creates one service for a family, or one for each box where registered per box")
    func family() async throws {
        for _ in 0..<Self.rounds {
            let (parent, perBox) = (ServiceBox(), ServiceBox())
            let makes = register(in: parent, .lazy)
            let makesPerBox = register(in: perBox, .lazy, per: .box)
            let children = (0..<2).map { perBox.makeChild(name: "\($0)") }
            let clocks = try await each { task in
                let child = parent.makeChild(name: "child")
                let box = task.isMultiple(of: 2) ? child : parent
                for child in children {
                    let own = try child.resolve(ServiceKey<Clock>("clock"))
                    let screen = Screen()
                    child.fill(screen)
                    #expect(screen.clock === own)
                }
                return try box.resolve(ServiceKey<Clock>("clock"))
            }
            #expect(makes.value == 1)
            #expect(Set(clocks.map(ObjectIdentifier.init)).count == 1)
            // The cart, which the family shares, has the one of the box itself.
            #expect(makesPerBox.value == 3)
        }
    }

    @Test("fills two lazy services with each other when tasks start at both ends")
    func propertyCycle() async throws {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            box.register(as: "first") { _ in First() }
            box.register(as: "second") { _ in Second() }
            let pairs = try await each { task in
                if task.isMultiple(of: 2) {
                    let first: First = try box.resolve("first")
                    return (ObjectIdentifier(first), first.parts.second.map(ObjectIdentifier.init))
                }
                let second: Second = try box.resolve("second")
                let first = try #require(second.parts.first)
                return (ObjectIdentifier(first), ObjectIdentifier(second))
            }
            let first: First = try box.resolve("first")
            let second: Second = try box.resolve("second")
            #expect(pairs.allSatisfy { $0.0 == ObjectIdentifier(first) })
            #expect(first.parts.second === second)
            #expect(second.parts.first === first)
        }
    }

    @Test("finds a way round a circle from both ends at once, as it does from each alone")
    func bothEnds() {
        let failures = Locked<[any Error]>([])
        for _ in 0..<500 {
            let box = ServiceBox()
            box.register { box in Shop(try? box.resolve()) }
            box.register { _ in Clerk() }
            let begin = Counter()
            /// Looks a service up when both threads are there.
            func look<Service>(for _: Service.Type) -> @Sendable () -> Void {
                {
                    _ = begin.next()
                    while begin.value < 2 {}
                    do { _ = try box.resolve(Service.self) } catch {
                        failures.withLock { $0.append(error) }
                    }
                }
            }
            onThreads([look(for: Shop.self), look(for: Clerk.self)])
        }
        #expect(failures.withLock { $0 }.isEmpty)
    }

    @Test("creates on its actor what another thread fails to create elsewhere at the same time")
    @MainActor func elsewhere() {
        for _ in 0..<Self.rounds {
            let (box, meeting) = (ServiceBox(), Meeting())
            box.register { @MainActor _ in Sign() }
            box.register { box in
                meeting.wait()
                return Front(try box.resolve())
            }
            meeting.after({ _ = try? box.resolve(Front.self) }) {
                #expect(throws: Never.self) { try box.resolve(Front.self) }
            }
        }
    }

    @Test("creates what another thread fails to create inside what that needs at the same time")
    func inside() {
        for _ in 0..<Self.rounds {
            let (box, meeting) = (ServiceBox(), Meeting())
            box.register { box in Shop(try? box.resolve()) }
            box.register { _ in
                meeting.wait()
                return Clerk()
            }
            meeting.after({ _ = try? box.resolve(Shop.self) }) {
                #expect(throws: Never.self) { try box.resolve(Clerk.self) }
            }
        }
    }

    @Test("takes registering, removing, resolving and filling at once")
    func everything() async throws {
        for _ in 0..<Self.rounds {
            let parent = ServiceBox()
            let box = parent.makeChild(name: "child")
            let makes = register(in: parent, .lazy, per: .box)
            let fills = try await each { task in
                var filled = 0
                for step in 0..<10 {
                    switch (task + step) % 8 {
                    case 0: box.register(as: "clock") { _ in Clock() }
                    case 1: box.remove("clock")
                    case 2: parent.register(Clock(), as: "other")
                    case 3: _ = try box.resolve(ServiceKey<Cart>("cart"))
                    case 4: _ = box.copy().fill(Screen())
                    case 5: _ = try box.resolveAll(Clock.self)
                    case 6: _ = box.crossFill().map(\.description)
                    default:
                        let screen = Screen()
                        if box.fill(screen).isComplete { filled += 1 }
                        #expect(screen.clock != nil && screen.cart != nil)
                    }
                }
                return filled
            }
            #expect(fills.reduce(0, +) == Self.tasks * 10 / 8)
            #expect(makes.value <= 2)
            let cart: Cart = try box.resolve("cart")
            #expect(try parent.resolve(ServiceKey<Cart>("cart")) === cart)
        }
    }
}

private final class First: Sendable {
    let parts = Ends()
}
private final class Second: Sendable {
    let parts = Ends()
}
private struct Ends: Sendable {
    @Injected var first: First?
    @Injected var second: Second?
}
