// Part of ServiceBox, released under the MIT License.
// Tests of objects that describe themselves, truthfully or not.

import ServiceBoxKit
import Testing

private class Lazy {
    lazy var cache = Cache()
}

private final class ShowingLazy: Lazy, CustomReflectable {
    @Injected var number: Int?

    var customMirror: Mirror {
        Mirror(self, children: ["_number": _number as Any], ancestorRepresentation: .generated)
    }
}

private final class HidingListed: Injectable, CustomReflectable {
    var number: Int?

    static var injections: InjectionTable { ["number": .keyPath(\HidingListed.number)] }
    var customMirror: Mirror { Mirror(self, children: ["text": "seven"]) }
}

@Suite("Custom mirrors")
struct CustomMirrorTests {
    @Test("slots that a custom mirror shows are filled, for each object on its own")
    func showing() {
        let box = numberedBox()
        for _ in 1...3 {
            let object = Showing()
            #expect(box.fill(object).outcomes == ["number": .filled])
            #expect(object.number == 1)
        }
    }

    @Test("slots in a struct that a custom mirror shows are filled, and reported where an optional has them")
    func showingInside() {
        struct Plain { let number = 1 }
        final class Object { @Injected var number: Int? }
        let (part, slot) = (Part(), Injected<Int?>())
        let object = Liar([
            ("part", part), ("maybe", Part() as Part? as Any), ("bare", slot as Injected<Int?>? as Any),
            ("none", nil as Part? as Any),
            ("plain", Plain()), ("several", (Plain() as Plain?) as Any), (nil, Part()),
            (nil, Part() as Part? as Any),
            ("object", Object()), ("mirrored", MirroredValue(style: .struct)),
        ])
        let report = numberedBox().fill(object)
        #expect(report.outcomes == ["part.number": .filled, "maybe": .notWalkable, "bare": .notWalkable])
        #expect(part.number == 1)
    }

    @Test("slots that a custom mirror hides are reported, and left alone")
    func hiding() {
        let box = numberedBox()
        for _ in 1...2 {
            let object = Hiding()
            #expect(box.fill(object).properties.map(\.outcome) == [.notWalkable])
            #expect(object.number == nil)
        }
    }

    @Test("a value that hides its slots is filled as a service, and refused where it lacks something")
    func hidingService() throws {
        let box = ServiceBox()
        box.register(as: "made", lifetime: .transient) { _ in HidingValue() }
        box.register(as: "numbered") { (_, _: Int) in HidingValue() }
        let lacking = #expect(throws: ServiceBoxError.self) { try box.resolve("made") as HidingValue }
        #expect(lacking?.code == .incomplete)
        box.register(1, as: "number")
        #expect(try (box.resolve("made") as HidingValue).number == 1)
        #expect(try (box.resolve("numbered", with: 7) as HidingValue).number == 1)
    }

    @Test("a struct inside another type is filled, whatever its own mirror shows")
    func hidingInside() {
        final class Outer { let inner = HidingValue() }
        let outer = Outer()
        #expect(numberedBox().fill(outer).outcomes == ["inner.number": .filled])
        #expect(outer.inner.number == 1)
    }

    @Test("a subclass inherits its superclass's mirror, which hides the subclass's slots")
    func inherited() {
        let box = numberedBox()
        let object = ShowingMore()
        box.fill(object)
        #expect(object.number == 1)
        #expect(object.more == nil)
    }

    @Test("a mirror that shows another object's slot under its own name fills that slot")
    func borrowed() {
        let box = numberedBox()
        let lender = Showing()
        let liar = Liar([("_number", lender.slot), ("_number", lender.slot), (nil, lender.slot)])
        let report = box.fill(liar)
        #expect(lender.number == 1)
        #expect(report.properties.map(\.outcome) == [.filled, .filled, .notWalkable])
    }

    @Test("a mirror that shows a string as a property, or slots of changing types, corrupts nothing")
    func changing() {
        let box = numberedBox()
        box.register("text", as: "text")
        let number = Injected<Int?>()
        let text = Injected<String?>()
        box.fill(Liar([("_number", number)]))
        box.fill(Liar([("_number", text)]))
        box.fill(Liar([("_text", text), ("_number", number)]))
        box.fill(Liar([("_number", "no slot")]))
        box.fill(Liar([]))
        #expect(number.wrappedValue == 1)
        #expect(text.wrappedValue == "text")
    }

    @Test("a mirror that shows no slots the next time has none of them wait")
    func vanishing() {
        let (box, object) = (ServiceBox(), Vanishing())
        #expect(box.fill(object, waiting: true).outcomes == ["number": .missing])
        box.register(1, as: "number")
        #expect(object.number == nil)
    }

    @Test("a struct that shows its slots is filled; one that claims to be an enum isn't")
    func structs() {
        let box = numberedBox()
        let honest = MirroredValue(style: .struct)
        let enumLike = MirroredValue(style: .enum)
        let styleless = MirroredValue(style: nil)
        #expect(box.fill(honest).outcomes == ["number": .filled])
        #expect(honest.number == 1)
        #expect(box.fill(enumLike).holes.map(\.outcome) == [.notWalkable])
        #expect(enumLike.number == nil)
        #expect(box.fill(styleless).outcomes == ["number": .filled])
    }

    @Test("a registered service with a custom mirror is cross-filled through it")
    func service() {
        let box = numberedBox()
        let first = Showing()
        let second = Showing()
        box.register(first, as: "first")
        box.register(second, as: "second")
        #expect(box.crossFill().map { $0.outcome(of: "number") } == [.filled, .filled])
        #expect([first.number, second.number] == [1, 1])
    }

    @Test("a custom mirror may use the box while it is read")
    func usesBox() {
        let box = numberedBox()
        let object = BoxUser(box)
        #expect(box.fill(object).outcome(of: "number") == .filled)
        box.register(BoxUser(box), as: "user")
        box.crossFill()
        #expect(box.isRegistered("seen"))
    }

    private func numberedBox() -> ServiceBox {
        let box = ServiceBox()
        box.register(1, as: "number")
        return box
    }

    @Test("a lazy property beside a custom mirror isn't optional, and so no note")
    func lazyProperty() {
        let box = numberedBox()
        box.register(Cache())
        #expect(box.fill(ShowingLazy()).outcomes == ["number": .filled])
    }

    @Test("a table writes a property that a custom mirror hides")
    func hidingListed() {
        let object = HidingListed()
        #expect(numberedBox().fill(object).outcomes == ["number": .filled])
        #expect(object.number == 1)
    }
}

private class Showing: CustomReflectable, @unchecked Sendable {
    @Injected var number: Int?

    var slot: Injected<Int?> { _number }
    var customMirror: Mirror { Mirror(self, children: ["_number": _number as Any]) }
}

private final class ShowingMore: Showing, @unchecked Sendable {
    @Injected("number") var more: Int?
}

private final class Hiding: CustomReflectable {
    @Injected var number: Int?

    var customMirror: Mirror { Mirror(self, children: [:]) }
}

private final class Vanishing: CustomReflectable {
    @Injected var number: Int?
    private var isShown = true

    var customMirror: Mirror {
        defer { isShown = false }
        return Mirror(self, children: isShown ? ["_number": _number as Any] : [:])
    }
}

private final class Liar: CustomReflectable {
    let shown: [(label: String?, value: Any)]

    init(_ shown: [(label: String?, value: Any)]) { self.shown = shown }

    var customMirror: Mirror { Mirror(self, children: shown.map { ($0.label, $0.value) }) }
}

private struct Part { @Injected var number: Int? }

private struct MirroredValue: CustomReflectable {
    @Injected var number: Int?
    let style: Mirror.DisplayStyle?

    init(style: Mirror.DisplayStyle?) { self.style = style }

    var customMirror: Mirror { Mirror(self, children: ["_number": _number as Any], displayStyle: style) }
}

private final class BoxUser: CustomReflectable, @unchecked Sendable {
    @Injected var number: Int?
    private let box: ServiceBox

    init(_ box: ServiceBox) { self.box = box }

    var customMirror: Mirror {
        box.register(true, as: "seen")
        return Mirror(self, children: ["_number": _number as Any])
    }
}

private struct HidingValue: CustomReflectable, @unchecked Sendable {
    @Injected var number: Int
    var customMirror: Mirror { Mirror(self, children: []) }
}
