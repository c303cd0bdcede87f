// Part of ServiceBox, released under the MIT License.
// Tests of emptying a box.

import ServiceBoxKit
import Testing

@Suite("Clearing")
struct ClearingTests {
    @Test("clearing drops every service and keeps the box's own entry")
    func keepsOwnEntry() {
        let box = ServiceBox()
        box.register(1, as: "number")
        box.register(Part(), as: "part")
        box.clear()
        #expect(box.registrations.map(\.name) == ["serviceBox"])
        let part = Part()
        #expect(box.fill(part).outcomes == ["number": .missing, "serviceBox": .filled])
        #expect(part.serviceBox === box)
    }

    @Test("clearing leaves what was filled")
    func leavesFilled() {
        let box = ServiceBox()
        box.register(1, as: "number")
        let part = Part()
        box.fill(part)
        box.clear()
        #expect(part.number == 1)
    }

    @Test("after clearing, new services are filled with each other again")
    func startsAnew() {
        let box = ServiceBox()
        box.register(1, as: "number")
        box.crossFill()
        box.clear()
        let part = Part()
        box.register(part, as: "part")
        box.register(2, as: "number")
        box.crossFill()
        #expect(part.number == 2)
    }

    @Test("a service dropped by clearing receives nothing that is registered later")
    func dropsWaiting() {
        let box = ServiceBox()
        let part = Part()
        box.register(part, as: "part")
        box.crossFill()
        box.clear()
        box.register(2, as: "number")
        box.crossFill()
        #expect(part.number == nil)
    }

    @Test("clearing forgets what the box was taught, not a type's own table")
    func forgetsTaught() {
        let box = ServiceBox()
        box.teach(Plain.self, ["number": .keyPath(\Plain.number)])
        box.clear()
        box.register(3, as: "number")
        #expect(box.fill(Plain()).outcome(of: "number") == .plainProperty)
        #expect(box.fill(Listed()).outcome(of: "number") == .filled)
    }

    @Test("clearing releases services that nobody else holds")
    func releases() {
        let box = ServiceBox()
        weak var gone: Part?
        do {
            let part = Part()
            gone = part
            box.register(part, as: "part")
            box.crossFill()
        }
        #expect(gone != nil)
        box.clear()
        // The part holds the box, and the box the part no more.
        #expect(gone == nil)
    }

    @Test("a service whose deinitialiser uses the box may be removed, alone or beneath another, and cleared")
    func deinitUsesBox() {
        let box = ServiceBox()
        for name in ["first", "second", "third"] { box.register(Farewell(box), as: ServiceKey(name)) }
        box.crossFill()
        box.register(0, as: "first")
        box.remove("first")
        #expect(box.isRegistered("farewell1"))
        box.remove("second")
        #expect(box.isRegistered("farewell2"))
        box.clear()
        // The third said farewell after the box was emptied.
        #expect(box.isRegistered("farewell1"))
        #expect(box.registrations.map(\.name) == ["farewell1", "serviceBox"])
    }
}

private final class Part: @unchecked Sendable {
    @Injected var number: Int?
    @Injected var serviceBox: ServiceBox?
}

private final class Plain {
    var number: Int?
}

private final class Listed: Injectable {
    var number: Int?

    static var injections: InjectionTable { ["number": .keyPath(\Listed.number)] }
}

private final class Farewell: Sendable {
    private unowned let box: ServiceBox

    init(_ box: ServiceBox) { self.box = box }

    deinit {
        let said = box.registrations.count { $0.name.hasPrefix("farewell") }
        box.register(true, as: "farewell\(said + 1)")
        box.crossFill()
        box.remove("nobody")
    }
}
