// Part of ServiceBox, released under the MIT License.
// Tests of services that get each other.

import ServiceBoxKit
import Testing

@Suite("Services that get each other")
struct CrossFillingTests {
    @Test(
        "the first fill fills every service from the box, whatever the order",
        arguments: [false, true])
    func anyOrder(reversed: Bool) {
        let box = ServiceBox()
        let left = Left()
        let right = Right()
        if reversed { box.register(right, as: "right") }
        box.register(left, as: "left")
        if !reversed { box.register(right, as: "right") }
        #expect(left.right == nil)
        box.fill(Viewer())
        #expect(left.right === right)
        #expect(right.left === left)
    }

    @Test("have got each other when a provider hands one of them out")
    func byProvider() throws {
        let box = ServiceBox()
        box.register(Left(), as: "left")
        let left = try box.provider("left" as ServiceKey<Left>)
        #expect(try left.resolve().right == nil)
        box.register(Right(), as: "right")
        let right = try box.provider("right" as ServiceKey<Right>).resolve()
        #expect(try right.left === left.resolve())
        #expect(try left.resolve().right === right)
    }

    @Test("a target of the first fill gets services that have got each other")
    func targetSeesWired() {
        let box = ServiceBox()
        box.register(Left(), as: "left")
        box.register(Right(), as: "right")
        let viewer = Viewer()
        box.fill(viewer)
        #expect(viewer.left?.right?.left === viewer.left)
        #expect(viewer.left != nil)
    }

    @Test("a service that isn't created, or is transient, isn't reported", arguments: [false, true])
    func notMade(isAskedFor: Bool) throws {
        let box = ServiceBox()
        box.register(as: "screen", lifetime: .transient) { @MainActor _ in MainActorPage() }
        box.register(as: "left", lifetime: .transient) { _ in Left() }
        box.register(as: "lateLeft", lifetime: .lazy) { _ in Left() }
        if isAskedFor { _ = try box.resolve(ServiceKey<Left>("left")) }
        #expect(box.crossFill().isEmpty)
    }

    @Test(
        "a line of a table is written once, though another thread fills its service meanwhile", .neverHanging)
    func lineOnce() {
        let (box, ring, clocks) = (ServiceBox(), Ring(), Counter())
        box.register(ring, as: "ring")
        box.register(as: "clock", lifetime: .transient) { box in
            if clocks.next() == 1 { onThreads([{ box.crossFill() }]) }
            return Clock()
        }
        box.crossFill()
        #expect(clocks.value == 2)
        #expect(ring.writes.value == 1)
    }

    @Test("a service registered after the first fill is filled on the next use and reaches earlier ones")
    func lateService() {
        let box = ServiceBox()
        let left = Left()
        box.register(left, as: "left")
        box.fill(Viewer())
        #expect(left.right == nil)
        let right = Right()
        box.register(right, as: "right")
        box.fill(Viewer())
        #expect(left.right === right)
        #expect(right.left === left)
    }

    @Test("a service gets what was registered before another one was replaced")
    func beforeReplacement() {
        let box = ServiceBox()
        let (left, right) = (Left(), Right())
        box.register(left, as: "left")
        box.register(Clock(), as: "clock")
        box.fill(Viewer())
        box.register(right, as: "right")
        box.register(Clock(), as: "clock")
        box.fill(Viewer())
        #expect(left.right === right)
    }

    @Test("a service may fill itself before registration is finished")
    func earlyUse() {
        let box = ServiceBox()
        let left = Left()
        box.register(left, as: "left")
        let eager = EagerService(box: box)
        box.register(eager, as: "eager")
        let right = Right()
        box.register(right, as: "right")
        box.fill(Viewer())
        #expect(eager.left === left)
        #expect(eager.right === right)
        #expect(left.right === right)
    }

    @Test("a service's initialiser may fill itself while it is being registered")
    func fillsWhileRegistered() {
        let box = ServiceBox()
        let right = Right()
        box.register(right, as: "right")
        box.register(EagerService(box: box), as: "eager")
        let holder = EagerHolder()
        box.fill(holder)
        #expect(holder.eager?.right === right)
        #expect(holder.eager?.left == nil)
    }

    @Test("a service gets itself in a property of its own name and type")
    func itself() {
        let box = ServiceBox()
        let mirror = Narcissus()
        box.register(mirror, as: "narcissus")
        let report = box.crossFill().report(on: Narcissus.self)
        #expect(mirror.narcissus === mirror)
        #expect(report?.outcome(of: "narcissus") == .filled)
        #expect(report?.notes.map(\.outcome) == [.strongCycle])
        mirror.narcissus = nil
    }

    @Test("a cross-fill leaves what a service was given by hand")
    func keepsOwn() {
        let box = ServiceBox()
        let left = Left()
        let own = Right()
        left.right = own
        box.register(left, as: "left")
        box.register(Right(), as: "right")
        let report = box.crossFill().report(on: Left.self)
        #expect(left.right === own)
        #expect(report?.outcome(of: "right") == .kept)
    }

    @Test("a replaced service stays where it was cross-filled")
    func replaced() {
        let box = ServiceBox()
        let left = Left()
        let early = Right()
        box.register(left, as: "left")
        box.register(early, as: "right")
        box.crossFill()
        box.register(Right(), as: "right")
        let report = box.crossFill().report(on: Left.self)
        #expect(left.right === early)
        #expect(report?.outcome(of: "right") == .kept)
    }

    @Test("a service of a type that doesn't fit is skipped until one that fits takes its name")
    func fittingLater() {
        let box = ServiceBox()
        let left = Left()
        box.register(left, as: "left")
        box.register(3, as: "right")
        #expect(box.crossFill().report(on: Left.self)?.outcome(of: "right") == .typeMismatch)
        let right = Right()
        box.register(right, as: "right")
        #expect(box.crossFill().report(on: Left.self)?.outcome(of: "right") == .filled)
        #expect(left.right === right)
    }

    @Test("a removed service is neither filled nor injected any more")
    func removed() {
        let box = ServiceBox()
        let left = Left()
        box.register(left, as: "left")
        box.crossFill()
        box.remove("left")
        let right = Right()
        box.register(right, as: "right")
        box.fill(Viewer())
        #expect(left.right == nil)
        #expect(right.left == nil)
    }

    @Test("cross-fill reports are sorted by the services' names in every run")
    func order() {
        let names = (0..<40).map { "service\($0)" }.shuffled()
        let box = ServiceBox()
        for name in names { box.register(Left(), as: ServiceKey(name)) }
        box.register(Log(), as: "log")
        let labels = (0..<40).map { "recorder\($0)" }
        for label in labels { box.register(Recorder(label), as: ServiceKey(label)) }
        box.crossFill()
        var log: [String] = []
        let reader = LogReader()
        box.fill(reader)
        log = reader.log?.lines ?? []
        #expect(log == labels)
    }
}

private final class Left: @unchecked Sendable {
    @WeakInjected private var nobody: Left?
    @Injected var right: Right?
}

private final class Right: @unchecked Sendable {
    @WeakInjected var left: Left?
}

private final class Viewer {
    @Injected var left: Left?
    @Injected var right: Right?
}

private final class EagerService: @unchecked Sendable, Injectable {
    @Injected var left: Left?
    @Injected var right: Right?

    init(box: ServiceBox) { fillWithDependencies(from: box) }
}

private final class EagerHolder {
    @Injected var eager: EagerService?
}

private final class Narcissus: @unchecked Sendable {
    @Injected var narcissus: Narcissus?
}

private final class Log: @unchecked Sendable {
    var lines: [String] = []
}

private final class Recorder: @unchecked Sendable, Injectable {
    let label: String

    init(_ label: String) { self.label = label }

    static var injections: InjectionTable {
        ["log": .setter { (recorder: Recorder, log: Log) in log.lines.append(recorder.label) }]
    }
}

private final class LogReader {
    @Injected var log: Log?
}

@MainActor
private final class MainActorPage {
    @Injected var left: Left?

    nonisolated init() {}
}

private final class Ring: Sendable, Injectable {
    let writes = Counter()

    static var injections: InjectionTable {
        ["clock": .setter(optional: true) { (ring: Ring, _: Clock) in ring.writes.next() }]
    }
}
