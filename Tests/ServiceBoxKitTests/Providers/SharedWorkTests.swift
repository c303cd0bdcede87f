// Part of ServiceBox, released under the MIT License.
// Work that many tasks wait for, and that some of them give up.

import Testing

@testable import ServiceBoxKit

@Suite("Shared work", .neverHanging)
struct SharedWorkTests {
    @Test("is still being done when a run ends that was given up before it")
    func givenUp() async throws {
        let owner = Counter()
        let step = ServicePath.Step(provider: ObjectIdentifier(owner), type: Clock.self)
        let work = SharedWork<Int>(AwaitGraph.Node(step))
        let (hasBegun, first, isSecond, second) = (Gate(), Gate(), Gate(), Gate())
        let one = Task {
            try await work.value {
                hasBegun.open()
                await Task.detached { await first.pass() }.value
                throw Broken()
            }
        }
        await hasBegun.pass()
        one.cancel()
        _ = await one.result
        let two = Task {
            try await work.value {
                isSecond.open()
                await second.pass()
                return 2
            }
        }
        // The second run waits for the first one's end, if it has begun by then.
        for _ in 1...50 { await Task.yield() }
        first.open()
        await isSecond.pass()
        #expect(work.isBeingDone)
        second.open()
        #expect(try await two.value == 2)
    }

    @Test("isn't done again if a run that was given up has succeeded after all")
    @MainActor func succeededAnyway() async throws {
        let owner = Counter()
        let step = ServicePath.Step(provider: ObjectIdentifier(owner), type: Clock.self)
        let work = SharedWork<Int>(AwaitGraph.Node(step))
        let (hasBegun, first) = (Gate(), Gate())
        let one = Task {
            try await work.value {
                hasBegun.open()
                await Task.detached { await first.pass() }.value
                return 1
            }
        }
        await hasBegun.pass()
        one.cancel()
        _ = await one.result
        let two = Task { try await work.value { 2 } }
        // Waits its turn on the main actor, where the second run has been asked for by then.
        Task { first.open() }
        #expect(try await two.value == 1)
    }

    @Test("is cancelled at its beginning if that was asked before")
    func cancelledEarly() async {
        let task = SharedTask<Bool>()
        task.cancel()
        let answer = task.follow()
        task.begin {
            for _ in 0..<1000 where !Task.isCancelled { await Task.yield() }
            return Task.isCancelled
        }
        #expect(await answer?.value() == true)
    }
}
