// Part of ServiceBox, released under the MIT License.
// Closures that need each other's services.

import ServiceBoxKit
import Testing

private final class A: Sendable {}
private final class B: Sendable {}

@Suite("A cycle of factories in a box", .neverHanging)
struct FactoryCycleInBoxTests {
    private func register(
        _ lifetime: Lifetime = .lazy, a: ServiceBox, b: ServiceBox, per scope: ServiceScope = .family,
        meet: @escaping @Sendable () -> Void = {}
    ) {
        a.register(as: "a", lifetime: lifetime, per: scope) { box in
            meet()
            _ = try b.resolve(ServiceKey<B>("b"))
            return A()
        }
        b.register(as: "b", lifetime: lifetime) { box in
            meet()
            _ = try a.resolve(ServiceKey<A>("a"))
            return B()
        }
    }

    private func check(_ box: ServiceBox) {
        let a = #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<A>("a")) }
        #expect(a?.code == .cycle)
        #expect(a?.path == ["A", "B", "A"])
        let b = #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<B>("b")) }
        #expect(b?.code == .cycle)
        #expect(b?.path == ["B", "A", "B"])
    }

    @Test("is an error with the path on one thread", arguments: [Lifetime.lazy, .weak, .transient])
    func oneThread(_ lifetime: Lifetime) {
        let box = ServiceBox()
        register(lifetime, a: box, b: box)
        check(box)
    }

    @Test("runs the factory of a transient service once, though a shared one is on the way")
    func throughShared() {
        let (box, count) = (ServiceBox(), Counter())
        box.register(as: "a", lifetime: .transient) { box in
            count.next()
            _ = try box.resolve(ServiceKey<B>("b"))
            return A()
        }
        box.register(as: "b") { box in
            _ = try box.resolve(ServiceKey<A>("a"))
            return B()
        }
        #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<A>("a")) }
        #expect(count.value == 1)
    }

    @Test("is an error with the path across a parent and a child")
    func parentAndChild() {
        let parent = ServiceBox()
        let child = parent.makeChild(name: "child")
        register(a: parent, b: child)
        check(child)
    }

    @Test("of a box with itself is an error")
    func own() {
        let box = ServiceBox()
        box.register(as: "a") { try $0.resolve(ServiceKey<A>("a")) }
        let error = #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<A>("a")) }
        #expect(error?.code == .cycle)
        #expect(error?.path == ["A", "A"])
    }

    @Test("is a hole with the path in a fill, and other properties are filled")
    func hole() throws {
        final class Screen {
            @Injected var a: A?
            @Injected var other: Int?
        }
        let box = ServiceBox()
        register(a: box, b: box)
        box.register(1, as: "other")
        let screen = Screen()
        let report = box.fill(screen)
        #expect(report.outcomes == ["a": .failed, "other": .filled])
        #expect(report.holes.first?.error?.path == ["A", "B", "A"])
        #expect(screen.other == 1)
    }

    @Test("is an error for both threads that enter it from its ends", arguments: [false, true])
    func twoThreads(acrossFamily: Bool) {
        for _ in 0..<20 {
            let parent = ServiceBox()
            let box = acrossFamily ? parent.makeChild(name: "child") : parent
            let arrivals = Counter()
            let (first, second) = (Signal(), Signal())
            register(a: parent, b: box) {
                // Each closure waits until the other runs, the first time.
                switch arrivals.next() {
                case 1: first.wait()
                case 2:
                    first.send()
                    second.send()
                default: break
                }
            }
            let paths = Locked<[[String]]>([])
            let note: @Sendable (any Error) -> Void = { error in
                let error = error as? ServiceBoxError
                paths.withLock { $0.append(error?.code == .cycle ? error?.path ?? [] : []) }
            }
            onThreads([
                {
                    do { _ = try box.resolve(ServiceKey<A>("a")) } catch { note(error) }
                },
                {
                    do { _ = try box.resolve(ServiceKey<B>("b")) } catch { note(error) }
                },
            ])
            #expect(Set(paths.withLock { $0 }) == [["A", "B", "A"], ["B", "A", "B"]])
        }
    }

    @Test("is broken by a provider that is resolved later")
    func brokenByProvider() throws {
        final class Late: Sendable {
            let provider: ServiceProvider<A>
            init(_ provider: ServiceProvider<A>) { self.provider = provider }
        }
        let box = ServiceBox()
        box.register(as: "a") { box in
            _ = try box.resolve(ServiceKey<Late>("late"))
            return A()
        }
        box.register(as: "late") { Late(try $0.provider(ServiceKey<A>("a"))) }
        let late: Late = try box.resolve("late")
        #expect(try late.provider.resolve() === box.resolve(ServiceKey<A>("a")))
    }

    @Test("is none where one of two threads can do without what the other makes", arguments: 0..<40)
    func optional(round: Int) throws {
        final class Hub: @unchecked Sendable {
            @Injected var spoke: Spoke?
        }
        final class Wheel: Sendable {
            let hub: Hub
            init(_ hub: Hub) { self.hub = hub }
        }
        final class Spoke: Sendable {
            let wheel: Wheel
            init(_ wheel: Wheel) { self.wheel = wheel }
        }
        let box = ServiceBox()
        let (hubIsFilled, wheelIsMade) = (Signal(), Signal())
        let meetings = Counter()
        box.register { _ in Hub() }
        box.register { box in
            // Each factory waits until the other runs, the first time; then either may ask first.
            if meetings.next() < 3 {
                wheelIsMade.send()
                hubIsFilled.wait()
            }
            return Wheel(try box.resolve())
        }
        box.register { box in
            if meetings.next() < 3 {
                hubIsFilled.send()
                wheelIsMade.wait()
            }
            return Spoke(try box.resolve())
        }
        let failures = Locked<[any Error]>([])
        onThreads([
            { do { _ = try box.resolve(Hub.self) } catch { failures.withLock { $0.append(error) } } },
            { do { _ = try box.resolve(Wheel.self) } catch { failures.withLock { $0.append(error) } } },
        ])
        #expect(failures.withLock { $0 }.isEmpty)
        let hub: Hub = try box.resolve()
        #expect(try box.resolve(Spoke.self).wheel.hub === hub)
        // It has it by now, or gets it with the next use of the box.
        box.crossFill()
        #expect(try hub.spoke === box.resolve(Spoke.self))
    }
}
