// Part of ServiceBox, released under the MIT License.
// Tests of one box used by many tasks at once.

import ServiceBoxKit
import Synchronization
import Testing

@Suite("One box used by many tasks")
struct ConcurrentUseTests {
    private static let taskCount = 8
    private static let rounds = 20

    @Test(
        "a look-up gets a whole service while its registration is replaced",
        arguments: [Lifetime.lazy, .weak])
    func lookUp(_ lifetime: Lifetime) async {
        let box = ServiceBox()
        let key = ServiceKey<Spoke>("spoke")
        box.register(as: key, lifetime: lifetime) { _ in Spoke(0) }
        await inParallel { task in
            for round in 0..<Self.rounds * 10 {
                if task == 0 { box.register(as: key, lifetime: lifetime) { _ in Spoke(round) } }
                let number = (try? box[key].number) ?? -1
                #expect((0..<Self.rounds * 10).contains(number))
            }
        }
    }

    @Test("registering, removing, clearing, filling and reading at once is safe")
    func everythingTogether() async {
        let box = ServiceBox()
        box.register(Hub(), as: "hub")
        await inParallel { task in
            let own = "own\(task)"
            for round in 0..<Self.rounds {
                box.register(Spoke(task), as: ServiceKey(own))
                box.register(Spoke(round), as: "shared")
                box.register(Hub(), as: "hub")
                let screen = Screen()
                let report = box.fill(screen)
                #expect(report.properties.count == 3)
                for property in report.properties {
                    #expect(property.outcome == .filled || property.outcome == .missing)
                }
                // Whatever the others do, a slot holds a whole value of its type.
                #expect(screen.shared.map { $0.number < Self.rounds } ?? true)
                let reports = box.crossFill()
                for report in reports {
                    #expect(report.properties.allSatisfy { $0.outcome != .typeMismatch })
                }
                #expect(box.registrations.contains { $0.name == "serviceBox" })
                box.fill(screen, keepingExisting: true)
                _ = box.isRegistered("shared")
                if round % 5 == 4 { box.remove(own) }
                if round % 10 == 9, task == 0 { box.clear() }
            }
        }
        box.clear()
        box.register(Spoke(3), as: "shared")
        let screen = Screen()
        box.fill(screen)
        #expect(screen.shared?.number == 3)
    }

    @Test("no task gets a service that is half wired")
    func neverHalfWired() async {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            box.register(Hub(), as: "hub")
            box.register(Spoke(1), as: "shared")
            await inParallel { _ in
                let screen = Screen()
                box.fill(screen)
                #expect(screen.hub?.shared?.number == 1)
            }
        }
    }

    @Test("services registered by many tasks at once all reach each other")
    func registeredTogether() async {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            let hubs = (0..<Self.taskCount).map { _ in Hub() }
            await inParallel { task in
                box.register(hubs[task], as: "hub\(task)")
                box.fill(Screen())
                if task == 0 { box.register(Spoke(7), as: "shared") }
                box.fill(Screen())
            }
            box.fill(Screen())
            #expect(hubs.allSatisfy { $0.shared?.number == 7 })
        }
    }

    @Test("a setter runs once, however many tasks cross-fill at once")
    func setterOnce() async {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            let tally = Tally()
            box.register(tally, as: "tally")
            box.register(Spoke(1), as: "shared")
            await inParallel { _ in
                box.fill(Screen())
                box.crossFill()
            }
            #expect(tally.count.load(ordering: .relaxed) == 1)
        }
    }

    @Test("the same services are filled again and again while others read them")
    func readersAndFillers() async {
        let box = ServiceBox()
        let hub = Hub()
        let spokes = [Spoke(1), Spoke(2)]
        box.register(hub, as: "hub")
        box.register(spokes[0], as: "shared")
        box.crossFill()
        await inParallel { task in
            for round in 0..<Self.rounds {
                if task == 0 { box.register(spokes[round % 2], as: "shared") }
                if task < 4 {
                    box.fill(hub)
                } else {
                    #expect(hub.shared.map { [1, 2].contains($0.number) } ?? false)
                }
            }
        }
    }

    @Test("of several boxes that cross-fill one service at once, exactly one fills it")
    func manyBoxes() async {
        for _ in 0..<(10 * Self.rounds) {
            let hub = Hub()
            let boxes = (0..<Self.taskCount).map { number in
                let box = ServiceBox()
                box.register(hub, as: "service")
                box.register(Spoke(number), as: "shared")
                return box
            }
            let filled = Atomic(0)
            await inParallel { task in
                let report = boxes[task].crossFill().report(on: Hub.self)
                guard report?.outcome(of: "slots.shared") == .filled else { return }
                filled.wrappingAdd(1, ordering: .relaxed)
            }
            #expect(filled.load(ordering: .relaxed) == 1)
        }
    }

    @Test("after services were replaced during fills, the next fill gets the latest")
    func lastReplacement() async {
        for round in 0..<(10 * Self.rounds) {
            let box = ServiceBox()
            box.register(Spoke(-1), as: "shared")
            await inParallel { task in
                if task == 0 { box.register(Spoke(round), as: "shared") } else { box.fill(Screen()) }
            }
            let screen = Screen()
            box.fill(screen)
            #expect(screen.shared?.number == round)
        }
    }

    @Test("many tasks can fill the first objects of a type at once")
    func firstMetTogether() async {
        await firstMet(Fresh<Int>.self)
        await firstMet(Fresh<String>.self)
        await firstMet(Fresh<[Int]>.self)
        await firstMet(Fresh<Double?>.self)
    }

    @Test("many tasks can release services whose deinitialisers use the box")
    func deinitialisers() async {
        let box = ServiceBox()
        await inParallel { task in
            for _ in 0..<Self.rounds {
                box.register(Parting(box), as: "parting")
                box.fill(Screen())
                if task % 2 == 0 { box.remove("parting") } else { box.clear() }
            }
        }
        box.clear()
        #expect(!box.isRegistered("parting"))
    }

    @Test("actors can be registered, filled from outside and fill themselves at once")
    func actors() async {
        let box = ServiceBox()
        box.register(Spoke(4), as: "shared")
        let nodes = (0..<Self.taskCount).map { _ in Node() }
        await withTaskGroup(of: Void.self) { group in
            for (index, node) in nodes.enumerated() {
                group.addTask {
                    box.register(node, as: "node\(index)")
                    for _ in 0..<Self.rounds {
                        box.fill(nodes[(index + 1) % nodes.count] as AnyObject)
                        await box.fill(node)
                        #expect(await node.shared?.number == 4)
                    }
                }
            }
        }
    }

    private func firstMet<Content>(_: Fresh<Content>.Type) async {
        let box = ServiceBox()
        box.register(Spoke(5), as: "shared")
        await inParallel { _ in
            for _ in 0..<Self.rounds {
                let fresh = Fresh<Content>()
                box.fill(fresh)
                #expect(fresh.shared?.number == 5)
            }
        }
    }

    private func inParallel(_ body: @escaping @Sendable (_ task: Int) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<Self.taskCount { group.addTask { body(task) } }
        }
    }
}

private final class Spoke: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }
}

private final class Hub: Sendable {
    private let slots = HubSlots()
    var shared: Spoke? { slots.shared }
}

private struct HubSlots: Sendable {
    @Injected var shared: Spoke?
    @WeakInjected var hub: Hub?
}

private final class Screen {
    @Injected var hub: Hub?
    @Injected var shared: Spoke?
    @Injected var serviceBox: ServiceBox?
}

private final class Tally: Sendable, Injectable {
    let count = Atomic(0)

    static var injections: InjectionTable {
        [
            "shared": .setter { (tally: Tally, _: Spoke) in
                tally.count.wrappingAdd(1, ordering: .relaxed)
            }
        ]
    }
}

private final class Fresh<Content> {
    private var content: Content?
    @Injected var shared: Spoke?
}

private final class Parting: Sendable {
    private unowned let box: ServiceBox

    init(_ box: ServiceBox) { self.box = box }

    deinit {
        box.register(1, as: "farewell")
        _ = box.registrations
        box.crossFill()
        box.remove("farewell")
    }
}

private actor Node {
    @Injected var shared: Spoke?
    @WeakInjected var node0: Node?
}
