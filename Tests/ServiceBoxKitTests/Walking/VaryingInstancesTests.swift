// Part of ServiceBox, released under the MIT License.
// Objects of one type whose slots differ.

import ServiceBoxKit
import Testing

@Suite("Slots that differ from object to object")
struct VaryingInstancesTests {
    private let box = ServiceBox()
    private let names = ["first", "second", nil, "first", "second", nil]
    private let expected = [1, 2, 3, 1, 2, 3]

    init() {
        box.register(1, as: "first")
        box.register(2, as: "second")
        box.register(3, as: "value")
    }

    @Test("each object of a class gets what its own slot's name says, also once offsets are known")
    func objects() {
        let objects = names.map(Renamed.init)
        for object in objects { box.fill(object) }
        #expect(objects.map(\.value) == expected)
    }

    @Test("each object gets what the name of the slot in its struct says")
    func structsInside() {
        let objects = names.map(RenamedInside.init)
        for object in objects { box.fill(object) }
        #expect(objects.map(\.value) == expected)
    }

    @Test("each struct of a type gets what its own slot's name says")
    func structs() {
        let values = names.map(RenamedValue.init)
        for value in values { box.fill(value) }
        #expect(values.map(\.value) == expected)
    }

    @Test("each registered service gets what its own slot's name says")
    func services() {
        let direct = names.map(Renamed.init)
        let inside = names.map(RenamedInside.init)
        for (index, service) in direct.enumerated() { box.register(service, as: "direct\(index)") }
        for (index, service) in inside.enumerated() { box.register(service, as: "inside\(index)") }
        box.crossFill()
        #expect(direct.map(\.value) == expected)
        #expect(inside.map(\.value) == expected)
    }

    @Test("each created service gets what its own slot's name says, also once the type is known")
    func created() throws {
        let (made, names) = (Counter(), names)
        box.register(as: "created", lifetime: .transient) { _ in Renamed(names[(made.next() - 1) % 6]) }
        for value in expected + expected {
            let service: Renamed = try box["created"]
            #expect(service.value == value)
        }
    }

    @Test("each actor filled from outside gets what its own slot's name says")
    func actors() async {
        await box.fill(RenamedActor("first"))
        let second = RenamedActor("second")
        let unnamed = RenamedActor(nil)
        box.fill(second as AnyObject)
        box.fill(unnamed as AnyObject)
        #expect(await second.value == 2)
        #expect(await unnamed.value == 3)
    }

    @Test("an object without a named slot doesn't decide for the next one")
    func namedAndUnnamed() {
        let objects = [RenamedInside(nil), RenamedInside("second"), RenamedInside(nil)]
        for object in objects { box.fill(object) }
        #expect(objects.map(\.value) == [3, 2, 3])
    }

    @Test("each object gets its service when its own slot says")
    func times() {
        let objects = [InjectionTime.fill, .read, .fill].map(Punctual.init)
        for object in objects { box.fill(object) }
        #expect(objects.map(\.$value.isFilled) == [true, false, true])
    }

    @Test("slots of a struct in a property of an interface type are left alone, whatever came first")
    func structsBehindInterfaces() {
        let dark = Themed(Dark())
        for object in [Themed(Plain()), dark] { #expect(box.fill(object).properties.isEmpty) }
        #expect(box.fill(ThemedValue(theme: Dark())).properties.isEmpty)
        box.register(dark, as: "service")
        box.crossFill()
        #expect((dark.theme as? Dark)?.first == nil)
    }

    @Test("each gets what its own slot says, also after many that said the same")
    func afterMany() {
        func check<First>(after first: String?, _: First.Type) {
            let names = [first, first, first, "second", first, nil, "second"]
            let expected = names.map { $0 == "first" ? 1 : $0 == "second" ? 2 : 3 }
            let objects = names.map(RenamedLater<First>.init)
            for object in objects { box.fill(object) }
            #expect(objects.map(\.value) == expected)
            let values = names.map(RenamedValueLater<First>.init)
            for value in values { box.fill(value) }
            #expect(values.map(\.value) == expected)
        }
        // Types of their own, since what the first of a type says is expected of the others.
        check(after: nil, Int.self)
        check(after: "first", String.self)
    }
}

private final class Renamed: @unchecked Sendable {
    @Injected var value: Int?

    init(_ name: String?) {
        if let name { _value = Injected(ServiceKey(name)) }
    }
}

private final class Punctual {
    @Injected var value: Int?

    init(_ time: InjectionTime) { _value = Injected(when: time) }
}

private final class RenamedLater<First> {
    @Injected var value: Int?

    init(_ name: String?) {
        if let name { _value = Injected(ServiceKey(name)) }
    }
}

private struct RenamedValueLater<First> {
    @Injected var value: Int?

    init(_ name: String?) {
        if let name { _value = Injected(ServiceKey(name)) }
    }
}

private final class RenamedInside: Sendable {
    private let storage: RenamedValue
    var value: Int? { storage.value }

    init(_ name: String?) { storage = RenamedValue(name) }
}

private struct RenamedValue: Sendable {
    @Injected var value: Int?

    init(_ name: String?) {
        if let name { _value = Injected(ServiceKey(name)) }
    }
}

private actor RenamedActor {
    @Injected var value: Int?

    init(_ name: String?) {
        if let name { _value = Injected(ServiceKey(name)) }
    }
}

private protocol Theme: Sendable {}

private struct Dark: Theme {
    @Injected var first: Int?
}

private struct Plain: Theme {
    let size = 3
}

private final class Themed: Sendable {
    let theme: any Theme

    init(_ theme: any Theme) { self.theme = theme }
}

private struct ThemedValue {
    let theme: any Theme
}
