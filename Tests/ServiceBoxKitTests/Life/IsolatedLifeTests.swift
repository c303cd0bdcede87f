// Part of ServiceBox, released under the MIT License.
// Services of actors that start and stop asynchronously, in their own isolation.

import ServiceBoxKit
import Testing

@globalActor private actor Stage {
    static let shared = Stage()
}

@MainActor private final class Board: ServiceLifecycle {
    private(set) var isOn = false

    func start() async {
        MainActor.assertIsolated()
        await Task.yield()
        isOn = true
    }

    func stop() async throws {
        MainActor.assertIsolated()
        isOn = false
    }
}

@Stage private final class Light: ServiceLifecycle {
    private(set) var isOn = false

    func start() async throws {
        Stage.assertIsolated()
        await Task.yield()
        isOn = true
    }

    func stop() async {
        Stage.assertIsolated()
        isOn = false
    }
}

private actor Motor: ServiceLifecycle {
    private(set) var isOn = false

    func start() async {
        await Task.yield()
        isOn = true
    }

    func stop() async { isOn = false }
}

/// Has its box stop while it starts.
private final class Quitter: ServiceLifecycle {
    private let box: WeakBox
    private let journal: Journal

    init(_ box: ServiceBox, _ journal: Journal) {
        self.box = WeakBox(box)
        self.journal = journal
    }

    func start() async {
        journal.add("start")
        await box.value?.stop()
        journal.add("started")
    }

    func stop() { journal.add("stop") }
}

private struct WeakBox: Sendable {
    weak var value: ServiceBox?

    init(_ box: ServiceBox) { value = box }
}

@Suite("Services that start and stop in an isolation")
struct IsolatedLifeTests {
    private let box = ServiceBox()

    @Test("run asynchronous methods on the global actor of their class")
    func globalActors() async throws {
        box.register { @MainActor _ in Board() }
        box.register { @Stage _ in Light() }
        try await box.start()
        let (board, light) = (try box.resolve(Board.self), try box.resolve(Light.self))
        #expect(await board.isOn)
        #expect(await light.isOn)
        await box.stop()
        #expect(await !board.isOn)
        #expect(await !light.isOn)
    }

    @Test("run asynchronous methods of an actor there")
    func actors() async throws {
        box.register(Motor())
        try await box.start()
        let motor = try box.resolve(Motor.self)
        #expect(await motor.isOn)
        await box.stop()
        #expect(await !motor.isOn)
    }

    @Test("stop once if they have their box stop while they start")
    func stopFromStart() async {
        let journal = Journal()
        box.register(Quitter(box, journal))
        await #expect(throws: (any Error).self) { try await box.start() }
        #expect(journal.all.count { $0 == "stop" } == 1)
        #expect(await box.stop().isEmpty)
        #expect(journal.all.count { $0 == "stop" } == 1)
    }

    @Test("fail to start if they say that they are cancelled, though nobody has cancelled the start")
    func cancelledByItself() async {
        final class Hasty: ServiceLifecycle { func start() async throws { throw CancellationError() } }
        box.register(Hasty(), as: "hasty")
        let error = await failure { [box] in try await box.start() } as? ServiceBoxError
        #expect(error?.code == .startFailed)
    }

    @Test("aren't started any more when the start is cancelled before what they need has", .neverHanging)
    func cancelledBefore() async {
        final class First: LifePart, @unchecked Sendable {
            let gate = Gate()

            override func start() async throws {
                await gate.pass()
                try await super.start()
            }
        }
        final class Second: LifePart, @unchecked Sendable { @Injected var first: First }
        let (journal, box) = (Journal(), box)
        let first = First("first", journal)
        box.register(first)
        box.register(Second("second", journal))
        let start = Task { try await box.start() }
        await first.gate.arrivals()
        start.cancel()
        #expect(await failure { try await start.value } is CancellationError)
        #expect(!journal.all.contains("start second"))
    }
}
