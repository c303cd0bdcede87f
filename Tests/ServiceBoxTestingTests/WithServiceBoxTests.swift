// Part of ServiceBox, released under the MIT License.
// What the trait does, for other test frameworks.

import ServiceBoxKit
import ServiceBoxTesting
import Synchronization
import Testing

private final class Alarm: Injectable {
    @Injected var clock: Clock
    init() { fillWithDependencies() }
}

/// A test case as XCTest would have it: a method for each test, which throws.
private final class AlarmTestCase {
    func testAlarm() throws -> ServiceBox {
        try withServiceBox { box in
            box.register(Clock())
        } operation: {
            let clock: Clock = try ServiceBox.default.resolve()
            #expect(Alarm().clock === clock)
            return ServiceBox.default
        }
    }

    @MainActor
    func testAlarmLater() async throws -> ServiceBox {
        try await withServiceBox { box in
            box.register(Clock())
        } operation: {
            await Task.yield()
            MainActor.assertIsolated()
            _ = Alarm().clock
            return ServiceBox.default
        }
    }
}

/// Where something happened, as the default box of the moment tells.
private final class Seen: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append("\(line) \(ServiceBox.default.name ?? "")") } }
}

private final class Heart: ServiceLifecycle {
    private let seen: Seen

    init(_ seen: Seen) {
        self.seen = seen
        seen.add("init")
    }

    func start() async { seen.add("start") }
    func stop() async { seen.add("stop") }
}

@Suite("A test case of functions")
struct WithServiceBoxTests {
    @Test("has a box of its own for each test, named after it")
    func boxes() async throws {
        let box = try AlarmTestCase().testAlarm()
        #expect(box.name == "testAlarm()")
        #expect(try AlarmTestCase().testAlarm() !== box)
        let later = try await AlarmTestCase().testAlarmLater()
        #expect(later.name == "testAlarmLater()")
        #expect(ServiceBox.default === ServiceBox.named("default"))
    }

    @Test("builds on what it names, on an enclosing scope, or on nothing")
    func bases() throws {
        let base = ServiceBox()
        base.register(Clock())
        try withServiceBox {
            #expect(!$0.isRegistered("clock"))
        } operation: {
        }
        try withServiceBox(basedOn: base, named: "outer") {
            #expect($0.isRegistered("clock"))
        } operation: {
            try withServiceBox {
                #expect($0.isRegistered("clock"))
            } operation: {
            }
            try withServiceBox(basedOn: ServiceBox()) {
                #expect(!$0.isRegistered("clock"))
            } operation: {
            }
        }
    }

    @Test("has its box as the default during its set-up")
    func setUp() throws {
        try withServiceBox(requiring: .everyOverrideIsUsed) { box in
            box.register(Clock())
            _ = Alarm()
            #expect(ServiceBox.default === box)
        } operation: {
        }
    }

    @Test("has its box as the default in what a start and a stop call")
    func life() async throws {
        let seen = Seen()
        try await withServiceBox { box in
            box.register(as: "heart") { _ in Heart(seen) }
            box.register(Clock(), onStop: { _ in seen.add("onStop") })
        } operation: {
            try await withRunning(.default) {}
        }
        #expect(seen.all == ["init life()", "start life()", "stop life()", "onStop life()"])
    }

    @Test("may throw anything")
    func errors() async {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try withServiceBox { _ in
                throw Failure()
            } operation: {
            }
        }
        #expect(throws: Failure.self) { try withServiceBox { throw Failure() } }
        await #expect(throws: Failure.self) {
            try await withServiceBox {
                await Task.yield()
                throw Failure()
            }
        }
    }

    @Test("returns what the operation returns, Sendable or not")
    func results() async throws {
        final class Result {}
        #expect(try withServiceBox { 1 } == 1)
        let result = try await withServiceBox {
            await Task.yield()
            return Result()
        }
        withExtendedLifetime(result) {}
    }
}
