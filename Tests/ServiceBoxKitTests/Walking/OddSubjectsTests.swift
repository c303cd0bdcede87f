// Part of ServiceBox, released under the MIT License.
// Tests of things given to a fill that are no plain objects.

import ServiceBoxKit
import Testing

@Suite("Unusual subjects of a fill")
struct OddSubjectsTests {
    @Test(
        "enums, tuples, optionals, functions, scalars and collections are reported once, as a whole",
        arguments: unfillable)
    fileprivate func unfillableThings(_ sample: Sample) {
        let box = ServiceBox()
        box.register(1, as: "number")
        let report = sample.fill(box)
        #expect(report.properties.map(\.outcome) == [.notWalkable])
        #expect(report.properties.map(\.name) == ["self"])
        #expect(!report.isComplete)
    }

    @Test("a slot in an enum's payload or in an optional struct is left alone")
    func hiddenSlots() {
        let box = ServiceBox()
        box.register(1, as: "number")
        let slotted = Slotted()
        box.fill(Choice.payload(slotted))
        box.fill(Optional(slotted))
        box.fill((slotted, 1))
        box.fill([slotted])
        #expect(slotted.number == nil)
        box.fill(slotted)
        #expect(slotted.number == 1)
    }

    @Test("an object in an existential or in Any is filled as the object it is")
    func existentials() {
        let box = ServiceBox()
        box.register(1, as: "number")
        let object: any Numbered = NumberedObject()
        #expect(isSame(box.fill(object).subjectType, NumberedObject.self))
        #expect(object.number == 1)
        let second = NumberedObject()
        let anything: Any = second
        #expect(isSame(box.fill(anything).subjectType, NumberedObject.self))
        #expect(second.number == 1)
        var third: Any = NumberedObject()
        #expect(box.fill(&third).isComplete)
        #expect((third as? NumberedObject)?.number == 1)
        let loose: AnyObject = NumberedObject()
        #expect(box.fill(loose).isComplete)
    }

    @Test("a struct in an existential is filled, its table too if it can be changed")
    func structInExistential() {
        let box = ServiceBox()
        box.register(1, as: "number")
        box.register(2, as: "plain")
        let constant: any Numbered = NumberedStruct()
        #expect(box.fill(constant).outcomes == ["number": .filled, "plain": .constant])
        #expect(constant.number == 1)
        var variable: any Numbered = NumberedStruct()
        #expect(box.fill(&variable).outcomes == ["number": .filled, "plain": .filled])
        #expect((variable as? NumberedStruct)?.plain == 2)
    }

    @Test("a copy of a struct shares its slots, not its plain properties")
    func copies() {
        let box = ServiceBox()
        box.register(1, as: "number")
        box.register(2, as: "plain")
        var original = NumberedStruct()
        let copy = original
        box.fill(&original)
        #expect(copy.number == 1)
        #expect(copy.plain == nil)
        #expect(original.plain == 2)
    }

    @Test("a fill of an object that is being filled by its own setter ends")
    func nestedFill() {
        let box = ServiceBox()
        box.register(1, as: "number")
        box.register(2, as: "trigger")
        let nested = Nested(box)
        #expect(box.fill(nested).isComplete)
        #expect(nested.number == 1)
        #expect(nested.depth == 3)
    }

    @Test("slots that something else holds too are filled in every object of their type")
    func copiedElsewhere() {
        let box = ServiceBox()
        box.register(1, as: "number")
        for _ in 1...3 {
            let object = NumberedObject()
            let copies = [object.slot, object.slot]
            box.fill(object)
            #expect(object.number == 1)
            #expect(copies.allSatisfy { $0.wrappedValue == 1 })
        }
        for _ in 1...2 {
            let twin = Twin()
            box.fill(twin)
            #expect(twin.number == 1)
            #expect(twin.other.wrappedValue == 1)
        }
    }

    @Test("a slot in a field of type Any is left alone, whatever the objects hold there")
    func slotInAny() {
        let box = ServiceBox()
        box.register(1, as: "thing")
        let slot = Injected<Int?>()
        let makers: [() -> Any] = [{ Injected<Int?>() }, { 42 }, { "text" }, { slot }]
        for make in makers { box.fill(Anything(make())) }
        #expect(slot.wrappedValue == nil)
    }
}

private let unfillable: [Sample] = [
    Sample("enum") { $0.fill(Choice.plain) },
    Sample("enum with payload") { $0.fill(Choice.payload(Slotted())) },
    Sample("tuple") { $0.fill((1, Slotted())) },
    Sample("nil") { $0.fill(NumberedObject?.none) },
    Sample("optional object") { $0.fill(Optional(NumberedObject())) },
    Sample("function") { $0.fill({ (number: Int) in number }) },
    Sample("integer") { $0.fill(7) },
    Sample("text") { $0.fill("text") },
    Sample("array") { $0.fill([Slotted()]) },
    Sample("dictionary") { $0.fill(["key": Slotted()]) },
    Sample("metatype") { $0.fill(NumberedObject.self) },
    Sample("void") { $0.fill(()) },
    Sample("variable enum") {
        var choice = Choice.plain
        return $0.fill(&choice)
    },
]

private struct Slotted {
    @Injected var number: Int?
}

private enum Choice {
    case plain
    case payload(Slotted)
}

private protocol Numbered {
    var number: Int? { get }
}

private final class NumberedObject: Numbered {
    @Injected var number: Int?
    var slot: Injected<Int?> { _number }
}

private struct NumberedStruct: Numbered, Injectable {
    @Injected var number: Int?
    var plain: Int?

    static var injections: InjectionTable { ["plain": .keyPath(\NumberedStruct.plain)] }
}

private final class Twin {
    let other: Injected<Int?>
    @Injected var number: Int?

    init() {
        other = Injected("number")
        _number = other
    }
}

private final class Nested: Injectable {
    @Injected var number: Int?
    var depth = 0
    private let box: ServiceBox

    init(_ box: ServiceBox) { self.box = box }

    static var injections: InjectionTable {
        [
            "trigger": .setter { (nested: Nested, _: Int) in
                nested.depth += 1
                if nested.depth < 3 { nested.box.fill(nested) }
            }
        ]
    }
}

private final class Anything {
    private let _thing: Any

    init(_ thing: Any) { _thing = thing }
}

private struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fill: @Sendable (ServiceBox) -> FillReport

    init(_ name: String, fill: @escaping @Sendable (ServiceBox) -> FillReport) {
        testDescription = name
        self.fill = fill
    }
}
