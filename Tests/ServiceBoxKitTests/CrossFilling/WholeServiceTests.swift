// Part of ServiceBox, released under the MIT License.
// Nobody sees a service before it and what it needs are filled.

import ServiceBoxKit
import Testing

private final class ZonedClock: @unchecked Sendable {
    @Injected var zone: Zone?
}
private final class Zone: Sendable {}

private final class Desk: @unchecked Sendable {
    @Injected var clock: ZonedClock?
    @Injected var alarm: Alarm?
}
private final class Alarm: Sendable {
    let clock: ZonedClock
    /// What a factory saw.
    let wasWhole: Bool

    init(_ clock: ZonedClock) {
        self.clock = clock
        wasWhole = clock.zone != nil
    }
}

private final class Front: @unchecked Sendable {
    @Injected var back: Back
}
private final class Back: @unchecked Sendable {
    @Injected var side: Side
}
private final class Side: @unchecked Sendable {
    @Injected var front: Front
}

private final class Hub: @unchecked Sendable {
    @Injected var screen: Screen?
}
private final class Screen: @unchecked Sendable {
    let board: Board
    init(_ board: Board) { self.board = board }
}
private final class Board: @unchecked Sendable {
    @Injected var hub: Hub?
}

private final class House: @unchecked Sendable {
    @Injected var door: Door
    @Injected var visit: Visit
}
private final class Door: @unchecked Sendable {
    @Injected var house: House
}
private struct Visit: Sendable {
    /// What a factory saw.
    let isWhole: Bool
}

@Suite("A resolved service is filled to its last property", .neverHanging)
struct WholeServiceTests {
    @Test("for a factory that resolves a service which its caller is about to fill")
    func factory() throws {
        let box = ServiceBox()
        box.register(as: "zone") { _ in Zone() }
        box.register(as: "clock") { _ in ZonedClock() }
        box.register(as: "alarm") { Alarm(try $0.resolve()) }
        box.register(as: "desk") { _ in Desk() }
        let desk: Desk = try box.resolve("desk")
        #expect(desk.alarm?.wasWhole == true)
        #expect(desk.alarm?.clock === desk.clock)
    }

    @Test("for a factory that runs on another thread at the same time")
    func factoriesOnThreads() async throws {
        for _ in 0..<40 {
            let box = ServiceBox()
            box.register(as: "zone") { _ in Zone() }
            box.register(as: "clock") { _ in ZonedClock() }
            box.register(as: "alarm") { Alarm(try $0.resolve()) }
            box.register(as: "desk") { _ in Desk() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        let isWhole =
                            switch task % 3 {
                            case 0: try box.resolve(ServiceKey<Desk>("desk")).alarm?.wasWhole == true
                            case 1: try box.resolve(ServiceKey<Alarm>("alarm")).wasWhole
                            default: try box.resolve(ServiceKey<ZonedClock>("clock")).zone != nil
                            }
                        #expect(isWhole)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(
        "with everything it reaches when many tasks enter a cycle of properties from its ends",
        arguments: [2, 8])
    func cycle(tasks: Int) async throws {
        for _ in 0..<40 {
            let box = ServiceBox()
            box.register(as: "front") { _ in Front() }
            box.register(as: "back") { _ in Back() }
            box.register(as: "side") { _ in Side() }
            let fronts = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
                for task in 0..<tasks {
                    group.addTask {
                        // Reading an empty one of these traps.
                        let front: Front =
                            switch task % 3 {
                            case 0: try box.resolve("front")
                            case 1: try box.resolve(ServiceKey<Back>("back")).side.front
                            default: try box.resolve(ServiceKey<Side>("side")).front
                            }
                        return ObjectIdentifier(front.back.side.front)
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(fronts.count == 1)
        }
    }

    @Test("although a factory in the middle of the cycle resolves what refers back")
    func backReference() throws {
        let box = ServiceBox()
        box.register(as: "hub") { _ in Hub() }
        box.register(as: "screen") { Screen(try $0.resolve()) }
        box.register(as: "board") { _ in Board() }
        let hub: Hub = try box.resolve("hub")
        #expect(hub.screen?.board.hub === hub)
        let board: Board = try box.resolve("board")
        #expect(board === hub.screen?.board)
    }

    @Test("although a factory that took it has met a service meanwhile that fails")
    func failedMeanwhile() throws {
        let box = ServiceBox()
        box.register(as: "broken") { _ -> Clock in throw Broken() }
        box.register(as: "hub") { _ in Hub() }
        box.register(as: "screen") { box in
            let board: Board = try box.resolve()
            #expect(box.failure(of: ServiceKey<Clock>("broken"))?.code == .factoryFailed)
            return Screen(board)
        }
        box.register(as: "board") { _ in Board() }
        let hub: Hub = try box.resolve("hub")
        #expect(hub.screen?.board.hub === hub)
    }

    @Test("with what it requires, for a factory that reaches it while it is filled")
    func reachedMeanwhile() throws {
        let box = ServiceBox()
        box.register(as: "house") { _ in House() }
        box.register(as: "door") { _ in Door() }
        box.register(as: "visit") { box in
            let door: Door = try box.resolve()
            return Visit(isWhole: door.$house.isFilled && door.house.$door.isFilled)
        }
        let house: House = try box.resolve("house")
        #expect(house.visit.isWhole)
    }

    @Test("or missing: a factory that resolves what is being filled with its own service is a cycle")
    func factoryMeetsUnfinished() throws {
        final class Owner: @unchecked Sendable {
            @Injected var part: Part?
        }
        final class Part: Sendable {
            let owner: Owner
            init(_ owner: Owner) { self.owner = owner }
        }
        let box = ServiceBox()
        let errors = Locked<[[String]]>([])
        box.register(as: "owner") { _ in Owner() }
        box.register(as: "part") { box in
            do {
                return Part(try box.resolve())
            } catch let error as ServiceBoxError {
                errors.withLock { $0.append(error.code == .cycle ? error.path : []) }
                throw error
            }
        }
        let owner: Owner = try box.resolve("owner")
        #expect(errors.withLock { $0 } == [["Owner", "Part", "Owner"]])
        // The owner is there by now.
        let part: Part = try box.resolve("part")
        #expect(part.owner === owner)
        #expect(owner.part === part)
        owner.part = nil
    }

    @Test("unless it is transient and needs itself, which is a hole with the cycle's path")
    func transientCycle() throws {
        final class Odd: @unchecked Sendable {
            @Injected var even: Even?
        }
        final class Even: @unchecked Sendable {
            @Injected var odd: Odd?
        }
        let box = ServiceBox()
        let paths = Locked<[[String]]>([])
        let observation = box.observe { event in
            if let error = event.hole?.error { paths.withLock { $0.append(error.path) } }
        }
        box.register(as: "odd", lifetime: .transient) { _ in Odd() }
        box.register(as: "even", lifetime: .transient) { _ in Even() }
        let odd: Odd = try box.resolve("odd")
        #expect(odd.even != nil)
        #expect(odd.even?.odd == nil)
        #expect(paths.withLock { $0 } == [["Odd", "Even", "Odd"]])
        observation.cancel()
    }

    @Test("if it is weak, and lives until its caller holds it")
    func weakCycle() throws {
        final class Nest: @unchecked Sendable {
            @WeakInjected var bird: Bird?
        }
        final class Bird: @unchecked Sendable {
            @Injected var nest: Nest?
        }
        let box = ServiceBox()
        box.register(as: "nest", lifetime: .weak) { _ in Nest() }
        box.register(as: "bird", lifetime: .weak) { _ in Bird() }
        let bird: Bird = try box.resolve("bird")
        #expect(bird.nest?.bird === bird)
        #expect(try box.resolve(ServiceKey<Bird>("bird")) === bird)
    }
}
