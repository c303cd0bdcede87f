// Part of ServiceBox, released under the MIT License.
// Tests of injected properties by themselves.

import ServiceBoxKit
import Testing

@Suite("Injected properties")
struct InjectedTests {
    @Test("an optional property is nil until it is filled, and can be set and emptied in code")
    func optional() {
        let holder = Holder()
        #expect(holder.number == nil)
        #expect(!holder.$number.isFilled)
        holder.number = 3
        #expect(holder.number == 3)
        #expect(holder.$number.isFilled)
        holder.number = nil
        #expect(holder.number == nil)
        #expect(!holder.$number.isFilled)
    }

    @Test("an emptied property takes a service even from a fill that keeps existing values")
    func emptied() {
        let box = ServiceBox()
        box.register(5, as: "number")
        let holder = Holder()
        holder.number = 3
        holder.number = nil
        box.fill(holder, keepingExisting: true)
        #expect(holder.number == 5)
    }

    @Test("reading a required property traps until it is filled or set")
    func nonOptional() async {
        await #expect(processExitsWith: .failure) { _ = Strict().number }
        let strict = Strict()
        #expect(!strict.$number.isFilled)
        strict.number = 4
        #expect(strict.number == 4)
        let box = ServiceBox()
        box.register(6, as: "number")
        #expect(box.fill(strict).isComplete)
        #expect(strict.number == 6)
    }

    @Test("a value in the declaration holds until a fill, and is kept by one that keeps existing values")
    func initialValue() {
        let box = ServiceBox()
        box.register(5, as: "number")
        box.register(6, as: "other")
        let kept = Preset()
        #expect(kept.number == 1)
        #expect(
            box.fill(kept, keepingExisting: true).outcomes == [
                "number": .kept, "named": .kept, "empty": .filled,
            ])
        #expect([kept.number, kept.named] == [1, 2])
        box.fill(kept)
        #expect([kept.number, kept.named, kept.empty] == [5, 6, 5])
    }

    @Test("a property holds whatever its type allows, large values and nested nil too")
    func values() {
        let odd = Odd()
        odd.big = Array(0..<1000)
        odd.twice = .some(nil)
        odd.tuple = (1, "a", 2.5)
        odd.run = { $0 + 1 }
        #expect(odd.big?.count == 1000)
        #expect(odd.tuple?.1 == "a")
        #expect(odd.run?(1) == 2)
        odd.big = nil
        #expect(odd.big == nil)
    }

    @Test("an optional in an existential is what it wraps, and empties the property if that is nothing")
    func optionalInExistential() {
        let settings: [String: Any] = ["a": 5]
        let nested: Any? = Optional<Any>.none
        let odd = Odd()
        odd.anything = settings["a"] as Any
        #expect(odd.anything as? Int == 5)
        #expect(odd.$anything.isFilled)
        odd.anything = nested as Any
        #expect(!odd.$anything.isFilled)
        odd.anything = Optional<Any?>.some(settings["a"]) as Any
        #expect(odd.anything as? Int == 5)
        odd.anything = Optional<Any?>.some(nested) as Any
        #expect(!odd.$anything.isFilled)
    }

    @Test("an optional in an existential that is nothing is the value of a property that can't be empty")
    func requiredExistential() {
        let wide = Wide()
        #expect(wide.$anything.isFilled)
        #expect(wide.anything as? Int? == .some(nil))
        wide.anything = Optional<String>.none as Any
        #expect(wide.anything as? String? == .some(nil))
    }

    @Test("copies of a struct share a property, whichever of them is set or filled")
    func shared() {
        let box = ServiceBox()
        box.register(5, as: "number")
        var first = Value()
        let second = first
        first.number = 1
        #expect(second.number == 1)
        box.fill(second)
        #expect(first.number == 5)
        first.number = nil
        #expect(second.number == nil)
    }

    @Test("a replaced value that a copy may read stays alive with the copy")
    func replacedWhileShared() {
        let box = ServiceBox()
        var value = ObjectValue()
        let copy = value
        value.object = Thing()
        let seen = copy.object
        value.object = Thing()
        box.register(Thing(), as: "object")
        box.fill(value)
        box.fill(value)
        #expect(seen !== copy.object)
        #expect(copy.object === value.object)
    }

    @Test("a slot frees all it ever held on its release, filled in turns by two services or set in code")
    func frees() {
        var gone: [WeakThing] = []
        do {
            let box = ServiceBox()
            let things = [Thing(), Thing()]
            gone = things.map { WeakThing($0) }
            var value = ObjectValue()
            let copy = value
            for round in 0..<9 {
                box.register(things[round % 2], as: "object")
                box.fill(value)
                #expect(copy.object === things[round % 2])
                let own = Thing()
                gone.append(WeakThing(own))
                value.object = own
            }
        }
        #expect(gone.count == 11)
        #expect(gone.allSatisfy { $0.thing == nil })
    }

    @Test("the properties beside one that can't be filled are filled")
    func neighbours() {
        let box = ServiceBox()
        box.register("text", as: "number")
        box.register(2, as: "second")
        for _ in 1...2 {
            let pair = Pair()
            #expect(box.fill(pair).outcomes == ["number": .typeMismatch, "second": .filled])
            #expect(pair.number == nil)
            #expect(pair.second == 2)
        }
    }

    @Test("a Sendable class may have injected properties in a constant struct")
    func sendable() async {
        let holder = SendableHolder()
        let box = ServiceBox()
        box.register(5, as: "number")
        box.fill(holder)
        let number = await Task.detached { holder.value.number }.value
        #expect(number == 5)
    }
}

private final class Holder {
    @Injected var number: Int?
}

private final class Strict {
    @Injected var number: Int
}

private final class Preset {
    @Injected var number: Int = 1
    @Injected("other") var named: Int = 2
    @Injected("number") var empty: Int? = nil
}

private final class Wide {
    @Injected var anything: Any = Int?.none as Any
}

private final class Odd {
    @Injected var big: [Int]?
    @Injected var twice: Int??
    @Injected var tuple: (Int, String, Double)?
    @Injected var run: ((Int) -> Int)?
    @Injected var anything: Any?
}

private struct Value: Sendable {
    @Injected var number: Int?
}

private struct ObjectValue {
    @Injected var object: Thing?
}

private final class Thing: Sendable {}

private final class WeakThing {
    weak var thing: Thing?

    init(_ thing: Thing) { self.thing = thing }
}

private final class Pair {
    @Injected var number: Int?
    @Injected var second: Int?
}

private final class SendableHolder: Sendable {
    let value = Value()
}
