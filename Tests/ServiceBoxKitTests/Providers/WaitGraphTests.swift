// Part of ServiceBox, released under the MIT License.
// Threads that wait for each other's services.

import Testing

@testable import ServiceBoxKit

@Suite("Threads that wait for each other", .neverHanging)
struct WaitGraphTests {
    /// Lets one thread wait for the work of another, inside its own.
    private static func wait(
        for other: Later<RunningWork>, in own: Later<RunningWork>, _ step: ServicePath.Step,
        _ areReady: (own: Signal, other: Signal), as wait: (() -> WaitGraph.Answer) -> WaitGraph.Answer
    ) -> Bool {
        let stack = ConstructionStack.here
        let frame = stack.value.enter(step, .filling)
        defer { stack.value.leave(to: frame) }
        let work = RunningWork(step)
        own.set(work)
        areReady.own.send()
        areReady.other.wait()
        defer { work.advance(to: .ended) }
        guard let other = try? other.get() else { return false }
        if case .reached = wait({ WaitGraph.wait(for: other, until: .filled, .endless) }) { return true }
        return false
    }

    @Test("let the one go on that fills others in passing, whichever closes the circle")
    func crossFilling() {
        let providers = (Counter(), Counter())
        let steps = (
            ServicePath.Step(provider: ObjectIdentifier(providers.0), type: Clock.self),
            ServicePath.Step(provider: ObjectIdentifier(providers.1), type: Cache.self)
        )
        for round in 0..<100 {
            let works = (Later<RunningWork>(), Later<RunningWork>())
            let ready = (Signal(), Signal())
            let answers = Locked([false, false])
            let bodies: [@Sendable () -> Void] = [
                {
                    let answer = Self.wait(for: works.1, in: works.0, steps.0, (ready.0, ready.1)) { wait in
                        ConstructionStack.crossFilling { wait() }
                    }
                    answers.withLock { $0[0] = answer }
                },
                {
                    let answer = Self.wait(for: works.0, in: works.1, steps.1, (ready.1, ready.0)) { $0() }
                    answers.withLock { $0[1] = answer }
                },
            ]
            onThreads(round.isMultiple(of: 2) ? bodies : bodies.reversed())
            #expect(answers.withLock { $0 } == [false, true])
        }
        withExtendedLifetime(providers) {}
    }

    @Test("take no circle for avoidable since what leads to it could be done without")
    func optionalOutside() {
        let providers = (Counter(), Counter(), Counter())
        let outer = ServicePath.Step(provider: ObjectIdentifier(providers.2), type: Page.self)
        let steps = (
            ServicePath.Step(provider: ObjectIdentifier(providers.0), type: Clock.self),
            ServicePath.Step(provider: ObjectIdentifier(providers.1), type: Cache.self)
        )
        let works = (Later<RunningWork>(), Later<RunningWork>())
        let ready = (Signal(), Signal())
        let areAvoidable = Locked<[Bool]>([])
        let noting: @Sendable (() -> WaitGraph.Answer) -> WaitGraph.Answer = { wait in
            let answer = wait()
            if case .cycle(let path) = answer { areAvoidable.withLock { $0.append(path.isAvoidable) } }
            return answer
        }
        onThreads([
            {
                let stack = ConstructionStack.here
                let frame = stack.value.enter(outer, .filling)
                let depth = stack.value.beginOptional()
                _ = Self.wait(for: works.1, in: works.0, steps.0, (ready.0, ready.1), as: noting)
                stack.value.optionalDepth = depth
                stack.value.leave(to: frame)
            },
            { _ = Self.wait(for: works.0, in: works.1, steps.1, (ready.1, ready.0), as: noting) },
        ])
        #expect(areAvoidable.withLock { $0 } == [false])
        withExtendedLifetime(providers) {}
    }
}
