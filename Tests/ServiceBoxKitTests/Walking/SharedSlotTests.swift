// Part of ServiceBox, released under the MIT License.
// Tests of slots whose copies lie elsewhere in the same object, and of what a generic caller passes.

import ServiceBoxKit
import Testing

@Suite("Slots seen twice")
struct SharedSlotTests {
    @Test("a copy of a slot in front of it, where Mirror shows no slot, doesn't mislead later fills")
    func copyInTuple() {
        let box = ServiceBox()
        box.register(1, as: "number")
        let first = TupleHolder(sharing: true)
        let second = TupleHolder(sharing: false)
        let third = TupleHolder(sharing: true)
        for object in [first, second, third] { #expect(box.fill(object).isComplete) }
        #expect([first.number, second.number, third.number] == [1, 1, 1])
        #expect(second.pair.slot.wrappedValue == nil)
        #expect(third.pair.slot.wrappedValue == 1)
    }

    @Test("two fields may hold one slot in one object and two in the next")
    func twoFields() {
        let box = ServiceBox()
        box.register(1, as: "number")
        box.register(1, as: "other")
        for sharing in [true, false, true, false] {
            let twin = Twin(sharing: sharing)
            box.fill(twin)
            #expect(twin.number == 1)
            #expect(twin.other == 1)
        }
    }

    @Test("a slot with a label of its own, not written as a wrapper, is filled too")
    func bareField() {
        let box = ServiceBox()
        box.register(1, as: "bare")
        box.register(2, as: "behind")
        for _ in 1...3 {
            let object = BareField()
            #expect(box.fill(object).outcomes == ["bare": .filled, "behind": .filled])
            #expect(object.bare.wrappedValue == 1)
            #expect(object.behind == 2)
        }
    }

    @Test("a struct in a variable of type Any, passed on by generic code, is filled but for its table")
    func anyInGenericCode() {
        let box = ServiceBox()
        box.register(1, as: "number")
        box.register(2, as: "plain")
        var anything: Any = Value()
        let report = Passer<Any>(box: box).fill(&anything)
        #expect(report.outcomes == ["number": .filled, "plain": .constant])
        #expect((anything as? Value)?.number == 1)
        #expect((anything as? Value)?.plain == nil)
        var object: AnyObject = BareField()
        #expect(isSame(Passer<AnyObject>(box: box).fill(&object).subjectType, BareField.self))
    }
}

/// Keeps the compiler from opening the existential.
private struct Passer<Subject> {
    let box: ServiceBox

    func fill(_ subject: inout Subject) -> FillReport { box.fill(&subject) }
}

private final class TupleHolder {
    let pair: (slot: Injected<Int?>, label: String)
    @Injected var number: Int?

    init(sharing: Bool) {
        let own = Injected<Int?>()
        pair = (sharing ? own : Injected(), "label")
        _number = own
    }
}

private final class Twin {
    @Injected var other: Int?
    @Injected var number: Int?

    init(sharing: Bool) {
        if sharing { _other = _number }
    }
}

private final class BareField {
    let bare = Injected<Int?>()
    @Injected var behind: Int?
}

private struct Value: Injectable {
    @Injected var number: Int?
    var plain: Int?

    static var injections: InjectionTable { ["plain": .keyPath(\Value.plain)] }
}
