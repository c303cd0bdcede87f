// Part of ServiceBox, released under the MIT License.
// Tests of user code that uses the box while the box is at work.

import ServiceBoxKit
import Testing

@Suite("Using the box inside its own work")
struct ReentranceTests {
    @Test("a setter may register a service during a cross-fill, and the next use fills it")
    func registersInCrossFill() {
        let box = ServiceBox()
        let extender = Extender { box in
            box.register(Late(), as: "late")
            box.register(2, as: "number")
        }
        box.register(extender, as: "extender")
        box.register(Waiter(), as: "waiter")
        box.register(1, as: "trigger")
        box.register(box.isRegistered("late"), as: "before")
        box.crossFill()
        #expect(box.isRegistered("late"))
        let viewer = Viewer()
        #expect(box.fill(viewer).isComplete)
        #expect(viewer.late?.number == 2)
        #expect(viewer.waiter?.late === viewer.late)
    }

    @Test("a setter may register, remove and clear during a fill, which keeps the services it began with")
    func changesInFill() {
        let box = ServiceBox()
        let extender = Extender { box in
            box.remove("number")
            box.clear()
            box.register(9, as: "number")
        }
        box.register(1, as: "trigger")
        box.register(2, as: "number")
        let report = box.fill(extender)
        #expect(report.isComplete)
        #expect(extender.serviceBox === box)
        let late = Late()
        box.fill(late)
        #expect(late.number == 9)
    }

    @Test("a setter may replace or remove the service that is being cross-filled")
    func removesItself() {
        let box = ServiceBox()
        let extender = Extender { $0.remove("extender") }
        box.register(extender, as: "extender")
        box.register(1, as: "trigger")
        box.crossFill()
        #expect(!box.isRegistered("extender"))
        let replacing = Extender { $0.register(Late(), as: "extender") }
        box.register(replacing, as: "extender")
        box.register(3, as: "number")
        box.crossFill()
        let holder = LateHolder()
        #expect(box.fill(holder).isComplete)
        #expect(holder.extender?.number == 3)
    }

    @Test("what a replaced or cleared table captured may use the box in its deinitialiser")
    func droppedTables() {
        let box = ServiceBox()
        let departures = Counter()
        func table() -> InjectionTable {
            let leaver = Leaver(box, departures)
            return [
                "number": .setter { (late: Late, number: Int) in
                    withExtendedLifetime(leaver) { late.number = number }
                }
            ]
        }
        box.teach(Late.self, table())
        box.teach(Late.self, table())
        #expect(departures.value == 1)
        box.clear()
        #expect(departures.value == 2)
    }

    @Test("clearing inside a cross-fill leaves an empty box")
    func clearsInCrossFill() {
        let box = ServiceBox()
        box.register(Extender { $0.clear() }, as: "extender")
        box.register(Waiter(), as: "waiter")
        box.register(1, as: "trigger")
        box.crossFill()
        #expect(box.registrations.map(\.name) == ["serviceBox"])
        box.register(Late(), as: "late")
        #expect(box.crossFill().count == 1)
    }

    @Test("a service removed during a cross-fill isn't filled afterwards")
    func removedMeanwhile() {
        let box = ServiceBox()
        let waiter = Waiter()
        box.register(waiter, as: "waiter")
        box.register(Extender { $0.remove("waiter") }, as: "extender")
        box.register(1, as: "trigger")
        box.crossFill()
        box.register(Late(), as: "late")
        box.crossFill()
        #expect(waiter.late == nil)
    }

    @Test("an error that a factory threw may use the box in its deinitialiser")
    func droppedErrors() {
        let box = ServiceBox()
        let departures = Counter()
        box.register(as: "late") { [weak box] _ -> Late in throw LeavingError(box, departures) }
        let waiter = Waiter()
        box.register(waiter, as: "waiter")
        for _ in 1...3 {
            box.crossFill()
            box.fill(Waiter())
        }
        #expect(departures.value > 0)
        #expect(waiter.late == nil)
    }

    @Test("a setter may read a report, and create, fill and release a box")
    func otherBoxInside() {
        let box = ServiceBox()
        let extender = Extender { outer in
            let inner = ServiceBox()
            inner.register(5, as: "number")
            #expect(inner.fill(Late()).isComplete)
            #expect(!outer.registrations.isEmpty)
            #expect(outer.fill(Viewer()).description.isEmpty == false)
        }
        box.register(1, as: "trigger")
        #expect(box.fill(extender).isComplete)
    }
}

private final class Leaver: Sendable {
    private let box: ServiceBox
    private let departures: Counter

    init(_ box: ServiceBox, _ departures: Counter) {
        self.box = box
        self.departures = departures
    }

    deinit {
        _ = box.isRegistered("number")
        departures.next()
    }
}

private final class LeavingError: Error, @unchecked Sendable {
    private weak var box: ServiceBox?
    private let departures: Counter

    init(_ box: ServiceBox?, _ departures: Counter) {
        self.box = box
        self.departures = departures
    }

    deinit {
        box?.crossFill()
        departures.next()
    }
}

private final class Extender: @unchecked Sendable, Injectable {
    @Injected var serviceBox: ServiceBox?
    private let action: (ServiceBox) -> Void

    init(_ action: @escaping (ServiceBox) -> Void) { self.action = action }

    static var injections: InjectionTable {
        [
            "trigger": .setter { (extender: Extender, _: Int) in
                if let box = extender.serviceBox { extender.action(box) }
            }
        ]
    }
}

private final class Late: @unchecked Sendable {
    @Injected var number: Int?
}

private final class Waiter: @unchecked Sendable {
    @Injected var late: Late?
}

private final class Viewer {
    @Injected var late: Late?
    @Injected var waiter: Waiter?
}

private final class LateHolder {
    @Injected var extender: Late?
}
