// Part of ServiceBox, released under the MIT License.
// Tests that a report calls no property a hole that has something.

import ServiceBoxKit
import Testing

@Suite("Properties that have a value already")
struct KeptValueTests {
    @Test("a fill that keeps existing values finds no hole in a slot with a value")
    func ownValue() {
        let box = ServiceBox()
        for _ in 1...2 {
            let screen = Screen()
            let report = box.fill(screen, keepingExisting: true)
            #expect(report.outcomes == ["size": .kept, "title": .missing])
            #expect(screen.size == 9)
        }
        box.register("wrong", as: "size")
        #expect(box.fill(Screen(), keepingExisting: true).outcome(of: "size") == .kept)
    }

    @Test("a fill of a constant struct keeps existing values, if it is to")
    func constantStruct() {
        let (first, second, part) = (ServiceBox(), ServiceBox(), Screen.Part())
        first.register(1, as: "size")
        second.register(2, as: "size")
        first.fill(part)
        for _ in 1...3 {
            #expect(second.fill(part, keepingExisting: true).outcomes == ["size": .kept])
            #expect(part.size == 1)
        }
        second.fill(part)
        #expect(part.size == 2)
    }

    @Test("a lazy service is no news for a property that keeps it, and none for one that keeps its own")
    func lazyService() {
        let box = ServiceBox()
        box.register { _ in Clock() }
        let desk = Desk()
        #expect(box.fill(desk).outcome(of: "clock") == .filled)
        #expect(box.fill(desk, keepingExisting: true).outcome(of: "clock") == .kept)
        #expect(box.fill(Office(nil) as AnyObject).outcome(of: "clock") == .filled)
        #expect(box.fill(Office(Clock()) as AnyObject).outcome(of: "clock") == .kept)
    }

    @Test("a second box without the service finds the value of the first one, and no hole")
    func secondBox() {
        let first = ServiceBox()
        first.register("Title", as: "title")
        let screen = Screen()
        first.fill(screen)
        let report = ServiceBox().fill(screen)
        #expect(report.outcome(of: "title") == .kept)
        #expect(screen.title == "Title")
    }

    @Test("an empty slot, or one whose service is of another type, is a hole")
    func stillHoles() {
        let box = ServiceBox()
        box.register("wrong", as: "size")
        #expect(box.fill(Screen()).outcomes == ["size": .typeMismatch, "title": .missing])
    }

    @Test("an optional struct with slots inside is a hole unless it is nil, required if one of the slots is")
    func optionalStructs() {
        func holes(_ report: FillReport) -> [Bool] { report.holes.map(\.isRequired) }
        let box = ServiceBox()
        for _ in 1...3 {
            #expect(holes(box.fill(Outer(inner: nil))).isEmpty)
            #expect(holes(box.fill(Outer(inner: Screen.Part()))) == [false])
            #expect(holes(box.fill(OuterValue(outer: .init(inner: nil)))).isEmpty)
            #expect(holes(box.fill(OuterValue(outer: .init(inner: Screen.Part())))) == [false])
            #expect(holes(box.fill(Demanding())).isEmpty)
            #expect(holes(box.fill(Demanding(inner: .init()))) == [true])
            #expect(holes(box.fill(Demanding(slot: .init()))) == [true])
        }
    }

    @Test(
        "an optional struct with slots inside is a hole of a plan or an audit for that object, though no service has it"
    )
    func seenOptionalStructs() throws {
        let box = ServiceBox()
        box.register { _ in Outer(inner: nil) }
        _ = try box.resolve(Outer.self)
        let outer = Outer(inner: Screen.Part())
        #expect(box.plan(for: outer).holes.map(\.name) == ["inner"])
        #expect(box.audit(including: [outer]).findings.map(\.subject).contains("Outer.inner"))
        #expect(box.plan(for: OuterValue(outer: .init(inner: Screen.Part()))).holes.count == 1)
    }

    @Test("an optional struct that nobody has looked into is no hole of a plan or an audit")
    func unseenOptionalStructs() throws {
        let box = ServiceBox()
        let outer = Outer(inner: nil)
        #expect(box.fill(outer).isComplete)
        #expect(box.plan(for: outer).isComplete)
        #expect(box.plan(for: Outer.self).holes.isEmpty)
        #expect(box.audit(including: [outer]).findings.isEmpty)
        #expect(box.audit().findings.isEmpty)
    }
}

private final class Screen {
    struct Part {
        @Injected var size: Int?
    }

    @Injected var size: Int = 9
    @Injected var title: String?
}

private final class Outer: @unchecked Sendable {
    let pad: UInt8 = 1
    let inner: Screen.Part?

    init(inner: Screen.Part?) { self.inner = inner }
}

private final class Desk {
    @Injected var clock: Clock?
}

private actor Office {
    @Injected var clock: Clock?

    init(_ clock: Clock?) { _clock = Injected(wrappedValue: clock) }
}

private struct Demanding {
    struct Part {
        @Injected var size: Int
    }

    var inner: Part?
    var slot: Injected<Int>?
}

private struct OuterValue {
    struct Outer {
        let inner: Screen.Part?
    }

    let pad: UInt8 = 1
    let outer: Outer
}
