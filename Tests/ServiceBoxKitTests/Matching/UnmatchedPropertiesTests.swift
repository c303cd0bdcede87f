// Part of ServiceBox, released under the MIT License.
// Tests of what is told about properties that get nothing.

import ServiceBoxKit
import Testing

@Suite("Properties that get nothing")
struct UnmatchedPropertiesTests {
    @Test("a type that doesn't fit leaves the property alone and is reported, expected and found")
    func typeMismatch() throws {
        let box = ServiceBox()
        box.register(1.5, as: "count")
        let counter = CounterView()
        counter.count = 9
        let report = box.fill(counter)
        #expect(counter.count == 9)
        let hole = try #require(report.holes.first { $0.name == "count" })
        #expect(hole.outcome == .typeMismatch)
        #expect(isSame(hole.owner, CounterView.self))
        #expect(isSame(hole.wantedType, Int?.self))
        #expect(isSame(hole.foundType, Double.self))
        #expect(hole.isHole)
    }

    @Test("an unregistered name leaves the property alone and is reported")
    func missing() throws {
        let counter = CounterView()
        let report = ServiceBox().fill(counter)
        #expect(counter.count == nil)
        let hole = try #require(report.holes.first { $0.name == "count" })
        #expect(hole.outcome == .missing)
        #expect(isSame(hole.foundType, nil))
        #expect(hole.serviceName == "count")
    }

    @Test("a property with a value of its own, whose name nobody registered, keeps it and is no hole")
    func missingButSet() {
        let counter = CounterView()
        counter.count = 9
        #expect(ServiceBox().fill(counter).outcome(of: "count") == .kept)
        #expect(counter.count == 9)
    }

    @Test("a fill returns a report of filled properties, kept ones and holes")
    func returnsReport() {
        let box = ServiceBox()
        box.register(1, as: "count")
        box.register(1, as: "label")
        let report = box.fill(CounterView())
        #expect(isSame(report.subjectType, CounterView.self))
        #expect(report.outcomes == ["count": .filled, "label": .typeMismatch, "unit": .missing])
        #expect(throws: ServiceBoxError.self) { try report.requireComplete(includingOptionals: true) }
        #expect(report.filled.map(\.name) == ["count"])
        #expect(report.holes.map(\.name) == ["label", "unit"])
    }

    @Test("requiring completeness with optionals throws one error that lists every hole")
    func listsEveryHole() {
        let report = ServiceBox().fill(CounterView())
        let error = #expect(throws: ServiceBoxError.self) {
            try report.requireComplete(includingOptionals: true)
        }
        #expect(error?.code == .incomplete)
        #expect(error?.path == ["CounterView.count", "CounterView.label", "CounterView.unit"])
    }

    @Test("a typing error is a hole whose text has the near name")
    func typoIsVisible() throws {
        let box = ServiceBox()
        box.register(3, as: "cuont")
        let hole = try #require(box.fill(CounterView()).holes.first { $0.name == "count" })
        #expect(hole.explanation.contains("'cuont'"))
    }

    @Test("a complete report throws nothing")
    func complete() throws {
        let box = ServiceBox()
        box.register(1, as: "count")
        box.register("", as: "label")
        box.register("", as: "unit")
        try box.fill(CounterView()).requireComplete()
    }

    @Test("later registrations don't change a report")
    func reportIsFixed() {
        let box = ServiceBox()
        let report = box.fill(CounterView())
        box.register(1, as: "count")
        #expect(report.outcome(of: "count") == .missing)
    }

    @Test("a report outlives its box and its object")
    func reportOutlives() {
        weak var gone: ServiceBox?
        weak var goneCounter: CounterView?
        let report: FillReport = {
            let box = ServiceBox()
            let counter = CounterView()
            gone = box
            goneCounter = counter
            box.register(1, as: "count")
            return box.fill(counter)
        }()
        #expect(gone == nil)
        #expect(goneCounter == nil)
        #expect(report.outcome(of: "count") == .filled)
        #expect(report.outcome(of: "label") == .missing)
    }

    @Test("plain scalar, tuple, function and untyped properties of registered names are left alone")
    func plainProperties() {
        let box = ServiceBox()
        for name in ["scalar", "pair", "function", "anything", "object", "structure"] {
            box.register(name, as: ServiceKey(name))
        }
        let odds = Odds()
        #expect(box.fill(odds).properties.isEmpty)
        #expect(odds.scalar == 0)
        #expect(odds.anything as? Int == 0)
    }

    @Test("a plain property that could be nil is reported if a service of its name fits")
    func plainOptionals() {
        let box = ServiceBox()
        for name in ["cache", "clock", "number"] { box.register(Cache(), as: ServiceKey(name)) }
        let report = box.fill(PlainOptionals())
        #expect(report.outcomes == ["cache": .plainProperty])
        #expect(report.isComplete)
    }

    @Test("scalar, struct, tuple, function and untyped slots are matched like any others")
    func oddSlots() {
        let box = ServiceBox()
        for name in ["scalar", "pair", "function", "anything", "object", "structure"] {
            box.register(Point(x: 1), as: ServiceKey(name))
        }
        let report = box.fill(OddSlots())
        #expect(
            report.outcomes == [
                "scalar": .typeMismatch, "pair": .typeMismatch, "function": .typeMismatch,
                "anything": .filled, "object": .typeMismatch, "structure": .filled,
            ])
    }
}

private struct Point: Sendable { var x = 0 }

private final class CounterView {
    @Injected var count: Int?
    @Injected var label: String?
    @Injected var unit: String?
}

private final class Odds {
    var scalar = 0
    var pair = (1, 2)
    var function: () -> Void = {}
    var anything: Any = 0
    var object: AnyObject = CounterView()
    var structure = Point()
}

private final class PlainOptionals {
    var cache: Cache?
    var clock: Clock?
    var number: Int?
    var caches = Cache()
}

private final class OddSlots {
    @Injected var scalar: Int8?
    @Injected var pair: (Int, Int)?
    @Injected var function: (() -> Void)?
    @Injected var anything: Any?
    @Injected var object: AnyObject?
    @Injected var structure: Point?
}
