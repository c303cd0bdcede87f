// Part of ServiceBox, released under the MIT License.
// What a box tells its observers.

import ServiceBoxKit
import Testing

private final class Reader: @unchecked Sendable { @Injected var clock: Clock? }
private final class Watch: @unchecked Sendable { @Injected var clock: Clock }
private struct Failure: Error {}

private struct ClockFactory: ServiceParametersFactory {
    func makeService(_ parameters: Bool) throws -> Clock {
        if parameters { throw Failure() }
        return Clock()
    }
}

private final class Screen: Injectable {
    @Injected var clock: Clock?
    @Injected var reader: Reader?
}

/// What happened, as one line an event.
private final class Log: Sendable {
    private let log = Locked<[String]>([])
    var lines: [String] { log.withLock { $0 } }

    func add(_ event: ServiceEvent) { log.withLock { $0.append(event.description) } }
    func clear() { log.withLock { $0 = [] } }
}

@Suite("Observing a box")
struct ObservingTests {
    @Test("aren't told of an object with nothing to fill")
    func nothingToFill() {
        let (box, events) = (ServiceBox(), Journal())
        let observation = box.observe { events.add("\($0)") }
        box.fill(Clock())
        #expect(events.all.isEmpty)
        observation.cancel()
    }

    private let box = ServiceBox()
    private let log = Log()

    private func observe() -> ServiceObservation { box.observe { [log] in log.add($0) } }

    @Test("reports a decoration as a replacement only of what the box has handed out itself")
    func decorations() throws {
        let key = ServiceKey<Page>("page")
        func decorate(_ box: ServiceBox) -> String? {
            let observation = box.observe { [log] in log.add($0) }
            box.decorate(key) { page, _ in page }
            observation.cancel()
            return log.lines.last
        }
        box.register(Page(), as: key)
        #expect(decorate(box) == "registered 'page' (Page)")
        _ = try box[key]
        #expect(decorate(box.copy()) == "registered 'page' (Page)")
        #expect(decorate(box)?.hasPrefix("replaced 'page' (Page)") == true)
    }

    @Test("reports a decoration as a replacement of what a property or a factory has the provider of")
    func decorationsOfProvided() throws {
        final class Winder { @Injected var clock: ServiceProvider<Clock>? }
        let takers: [(ServiceBox) throws -> Void] = [
            { $0.fill(Winder()) },
            { box in
                box.register(as: "page") { box in
                    _ = try box.provider("clock" as ServiceKey<Clock>)
                    return Page()
                }
                _ = try box.resolve(Page.self)
            },
        ]
        for take in takers {
            let box = ServiceBox()
            box.register(as: "clock") { _ in Clock() }
            try take(box)
            let observation = box.observe { [log] in log.add($0) }
            box.decorate("clock" as ServiceKey<Clock>) { clock, _ in clock }
            observation.cancel()
            #expect(log.lines.last?.hasPrefix("replaced 'clock' (Clock)") == true)
        }
    }

    @Test("reports a ready-made service as filled whose properties were set by hand")
    func setByHand() throws {
        let (observation, reader) = (observe(), Reader())
        reader.clock = Clock()
        box.register(reader)
        _ = try box.resolve(Reader.self)
        #expect(log.lines.last?.hasPrefix("filled 'reader'") == true)
        observation.cancel()
    }

    @Test("reports registrations, replacements and removals")
    func registrations() {
        let observation = observe()
        box.register(Clock())
        box.register(as: "clock") { _ in Clock() }
        box.remove("clock")
        box.remove("clock")
        box.clear()
        #expect(
            log.lines == [
                "registered 'clock' (Clock)", "replaced 'clock' (Clock)", "removed 'clock' (Clock)",
                "cleared",
            ])
        observation.cancel()
    }

    @Test("reports once what a ready-made service requires and gets")
    func readyMade() throws {
        let observation = observe()
        box.register(Watch())
        box.register(Clock())
        _ = try box[ServiceKey<Watch>("watch")]
        #expect(log.lines.count { $0.hasPrefix("filled 'watch'") } == 1, "\(log.lines)")
        observation.cancel()
    }

    @Test("reports each fill, warm ones too, and each hole")
    func fills() {
        box.register(Clock())
        box.fill(Screen())
        let observation = observe()
        box.fill(Screen())
        Screen().fillWithDependencies(from: box)
        let fill = [
            "filled Screen: 1 of 2 filled, 1 optional left empty.",
            "hole Screen.reader: no service is registered under that name",
        ]
        #expect(log.lines == fill + fill)
        observation.cancel()
    }

    @Test("reports a cross-filled service once")
    func crossFill() {
        let observation = observe()
        box.register(Reader())
        box.crossFill()
        box.crossFill()
        log.clear()
        box.register(Clock())
        box.crossFill()
        box.crossFill()
        #expect(log.lines == ["registered 'clock' (Clock)", "filled 'reader' (Reader): 1 of 1 filled."])
        observation.cancel()
    }

    @Test("reports a created service after what was filled with it")
    func made() throws {
        box.register(Clock())
        box.register(as: "reader") { _ in Reader() }
        let observation = observe()
        _ = try box.resolve(ServiceKey<Reader>("reader"))
        _ = try box.resolve(ServiceKey<Reader>("reader"))
        #expect(log.lines == ["filled 'reader' (Reader): 1 of 1 filled.", "made 'reader' (Reader)"])
        observation.cancel()
    }

    @Test("reports a failure once, for the service that failed first")
    func failed() throws {
        box.register(as: ServiceKey<Clock>("clock")) { _ in throw Failure() }
        box.register(as: "reader") { box in
            _ = try box.resolve(ServiceKey<Clock>("clock"))
            return Reader()
        }
        let observation = observe()
        #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<Reader>("reader")) }
        #expect(log.lines == ["failed 'clock' (Clock): its factory failed: Failure() (Failure)"])
        observation.cancel()
    }

    @Test("reports no failure of a factory that succeeds when what it asks for was awaited")
    func awaited() async throws {
        box.register(as: "clock") { _ async -> Clock in Clock() }
        box.register(as: "reader") { box in
            _ = try box.resolve(ServiceKey<Clock>("clock"))
            return Reader()
        }
        let observation = observe()
        _ = try await box.prepare(ServiceKey<Reader>("reader"))
        #expect(log.lines.filter { $0.hasPrefix("failed") } == [])
        #expect(log.lines.last == "made 'reader' (Reader)")
        observation.cancel()
    }

    @Test("reports the failure of a factory that asks for a ready-made service which lacks something")
    func lackOfReadyMade() {
        box.register(Watch(), as: "watch")
        box.register(as: "reader") { box in
            _ = try box.resolve(ServiceKey<Watch>("watch"))
            return Reader()
        }
        let observation = observe()
        #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<Reader>("reader")) }
        #expect(log.lines.filter { $0.hasPrefix("failed 'reader' (Reader)") }.count == 1)
        observation.cancel()
    }

    @Test("reports that an eager service is registered, and then that it is created")
    func eager() throws {
        let observation = observe()
        box.register(as: "clock", lifetime: .eager) { _ in Clock() }
        #expect(log.lines == ["registered 'clock' (Clock)", "made 'clock' (Clock)"])
        observation.cancel()
    }

    @Test("lets an observer resolve an eager service that is only registered, which is created once")
    func eagerAskedFor() throws {
        let makes = Counter()
        let asked = Locked<Clock?>(nil)
        let observation = box.observe { [box] event in
            guard event.kind == .registered else { return }
            let clock = onThread { try? box.resolve(ServiceKey<Clock>("clock")) }
            asked.withLock { $0 = clock ?? nil }
        }
        box.register(as: "clock", lifetime: .eager) { _ in
            makes.next()
            return Clock()
        }
        let clock: Clock = try box.resolve("clock")
        #expect(makes.value == 1)
        #expect(asked.withLock { $0 } === clock)
        observation.cancel()
    }

    @Test("reports the failure of an eager factory when it happens, and not on every resolve")
    func eagerFailure() {
        let observation = observe()
        box.register(as: ServiceKey<Clock>("clock"), lifetime: .eager) { _ in throw Failure() }
        #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<Clock>("clock")) }
        #expect(log.lines.filter { $0.hasPrefix("failed") }.count == 1)
        observation.cancel()
    }

    @Test(
        "reports each creation of a service that the box doesn't fill",
        arguments: [Lifetime.transient, .weak])
    func notFilled(lifetime: Lifetime) throws {
        let box = ServiceBox()
        box.register(as: "clock", lifetime: lifetime, fills: false) { _ in Clock() }
        _ = try box["clock"] as Clock
        let counter = Locked(0)
        let observation = box.observe { event in
            if event.kind == .made { counter.withLock { $0 += 1 } }
        }
        for _ in 0..<3 { _ = try box["clock"] as Clock }
        #expect(counter.withLock { $0 } == 3)
        withExtendedLifetime(observation) {}
    }

    @Test("reports what is created from parameters")
    func parameters() {
        box.register(factory: ClockFactory(), as: "clock")
        let observation = observe()
        _ = try? box.resolve(ServiceKey<Clock>("clock"), with: false)
        _ = try? box.resolve(ServiceKey<Clock>("clock"), with: true)
        #expect(log.lines.map { $0.prefix { $0 != " " } } == ["made", "failed"])
        observation.cancel()
    }

    @Test("reports a reset")
    func reset() throws {
        box.register(as: "clock") { _ in Clock() }
        let observation = observe()
        try box.provider(ServiceKey<Clock>("clock")).reset()
        #expect(log.lines == ["reset 'clock' (Clock)"])
        observation.cancel()
    }

    @Test("ends when the observation is cancelled or released")
    func ends() {
        let observation = observe()
        observation.cancel()
        box.register(Clock())
        do {
            let short = observe()
            withExtendedLifetime(short) {}
        }
        box.register(Clock())
        #expect(log.lines.isEmpty)
    }

    @Test("lets observers use the box without an event for themselves; others get one")
    func reentrance() {
        let count = Locked(0)
        let observation = observe()
        let acting = box.observe { [box] event in
            count.withLock { $0 += 1 }
            box.register(as: "clock") { _ in Clock() }
            box.fill(Reader())
        }
        box.register(Reader())
        #expect(count.withLock { $0 } == 1)
        #expect(
            log.lines == [
                "registered 'reader' (Reader)", "registered 'clock' (Clock)", "made 'clock' (Clock)",
                "filled 'reader' (Reader): 1 of 1 filled.", "filled Reader: 1 of 1 filled.",
            ])
        acting.cancel()
        observation.cancel()
    }

    @Test("lets an observer end its own observation")
    func endsFromInside() {
        let count = Locked(0)
        let token = Locked<ServiceObservation?>(nil)
        let observation = box.observe { _ in
            count.withLock { $0 += 1 }
            token.withLock { $0 }?.cancel()
        }
        token.withLock { $0 = observation }
        box.register(Clock())
        box.register(Clock())
        #expect(count.withLock { $0 } == 1)
    }

    @Test("sends an observer nothing more once another one ended its observation")
    func endedByAnother() {
        let token = Locked<ServiceObservation?>(nil)
        let first = box.observe { _ in token.withLock { $0 }?.cancel() }
        token.withLock { $0 = observe() }
        box.register(Clock())
        #expect(log.lines.isEmpty)
        first.cancel()
    }

    @Test("sends a child's observers the events of the child only")
    func child() {
        let child = box.makeChild(name: "child")
        let observation = child.observe { [log] in log.add($0) }
        box.register(Clock())
        box.fill(Screen())
        #expect(log.lines.isEmpty)
        child.fill(Reader())
        #expect(log.lines == ["filled Reader: 1 of 1 filled."])
        observation.cancel()
    }

    @Test("reports the work of eight tasks to observers that come and go")
    func stress() async {
        for _ in 0..<20 {
            let box = ServiceBox()
            let count = Locked(0)
            let kept = box.observe { _ in count.withLock { $0 += 1 } }
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        let observation = box.observe { event in _ = event.description }
                        box.register(Clock(), as: "clock\(task)")
                        box.register(as: "clock") { _ in Clock() }
                        box.fill(Reader())
                        observation.cancel()
                    }
                }
            }
            #expect(count.withLock { $0 } >= 24)
            kept.cancel()
        }
    }

    @Test("aren't told of a created value that can have nothing to fill")
    func opaqueValue() throws {
        let events = Journal()
        let observation = box.observe { events.add("\($0)") }
        box.register(as: "size") { _ in 7 }
        _ = try box["size"] as Int
        #expect(events.all == ["registered 'size' (Int)", "made 'size' (Int)"])
        observation.cancel()
    }

    @Test("reports each property that a refill reaches as filled, without a report on its object")
    func refill() throws {
        box.trackHolders()
        box.register(Clock())
        let readers = [Reader(), Reader()]
        for reader in readers { box.fill(reader) }
        box.register(Clock())
        let events = Locked<[ServiceEvent]>([])
        let observation = box.observe { event in events.withLock { $0.append(event) } }
        try box.refill("clock")
        observation.cancel()
        #expect(events.withLock { $0.map(\.description) } == ["filled Reader", "filled Reader"])
        #expect(events.withLock { $0.allSatisfy { $0.report == nil } })
    }
}
