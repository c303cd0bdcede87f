// Part of ServiceBox, released under the MIT License.
// Tests of rarely met properties, types and mirrors.

import ServiceBoxKit
import Testing

private protocol Bulb {}

@MainActor private final class Lantern { nonisolated init() {} }

extension Lantern: @MainActor Bulb {}

private actor Room {
    struct Corner { @Injected var lamp: (any Bulb)? }

    private var corner = Corner()
}

private final class Watch {
    weak var cache: Cache?
    unowned let clock: Clock

    init(_ clock: Clock) { self.clock = clock }
}

private final class Mirrored: CustomReflectable, FillObserving {
    @Injected var clock: Clock?
    private(set) var fills = 0

    var customMirror: Mirror { Mirror(self, children: ["_clock": _clock]) }

    func didFill(by report: FillReport) { fills += 1 }
}

private class Elder {
    @Injected fileprivate var first: Int?
}

private final class Heir: Elder, CustomReflectable {
    @Injected fileprivate var second: Int?

    var customMirror: Mirror {
        Mirror(self, children: ["_second": _second], ancestorRepresentation: .generated)
    }
}

extension Int {
    fileprivate struct Parts: Sendable {
        let clock = Clock()
    }
}

private struct Whole: Sendable {
    let parts = Int.Parts()
}

private struct Core {
    @Injected(when: .read) var clock: Clock
}

private final class Outer {
    var inner: Core?
}

private final class Locker<Content: ~Copyable & Sendable>: Sendable {
    let result: Result<Content, CancellationError>

    init(_ make: () -> Content) { result = .success(make()) }
}

private struct Token: ~Copyable, Sendable {
    let number: Int
}

@Suite("Rare subjects")
struct WalkingEdgeTests {
    private let box = ServiceBox()

    @Test("a struct in an actor takes nothing that is bound to the actor which fills it")
    func structInActor() async {
        box.register(as: "lamp") { _ in Lantern() }
        let room = Room()
        let outcome = await MainActor.run { box.fill(room as AnyObject).outcome(of: "corner.lamp") }
        #expect(outcome == .typeMismatch)
    }

    @Test("an unowned reference is no property that may lack a service")
    func unowned() {
        box.register(Clock())
        let clock = Clock()
        #expect(box.fill(Watch(clock)).properties.isEmpty)
        withExtendedLifetime(clock) {}
    }

    @Test("no contents are read that are the result of making something noncopyable")
    func noncopyableResult() {
        let contents = box.register(contentsOf: Locker { Token(number: 7) }, under: "safe")
        #expect(contents.registered.isEmpty)
        #expect(contents.skipped.map(\.name) == ["safe.result"])
    }

    @Test("an object with a custom mirror hears of its fills")
    func mirroredObserver() {
        let object = Mirrored()
        box.fill(object)
        #expect(object.fills == 1)
    }

    @Test("a custom mirror's superclasses come first")
    func mirroredSuperclass() {
        #expect(box.fill(Heir()).properties.map(\.name) == ["first", "second"])
    }

    @Test("contents are opened if they belong to the module, though nested in an extension of another's type")
    func nestedInExtension() {
        let contents = box.register(contentsOf: Whole(), under: "whole")
        #expect(contents.registered == ["whole.parts", "whole.parts.clock"])
    }

    @Test("an optional struct isn't required for a property inside that is looked up when it is read")
    func requiredOnRead() {
        box.fill(Core())
        let property = box.fill(Outer()).properties.first { $0.name == "inner" }
        #expect(property?.isRequired == false)
    }
}
