// Part of ServiceBox, released under the MIT License.
// Fills from boxes that build on others, and from boxes where something waits.

import Foundation
import ServiceBoxKit

extension Suite {
    static func familyComparisons(_ bench: Bench) -> [Comparison] {
        [4, 8, 12].map { levels($0, bench) } + [
            waiting("a custom actor's table", beside: EngraverTable(), bench),
            waiting("a waiting main-actor table", beside: MainActorTable(), bench),
        ]
    }

    /// A child of the level before, and a copy of the child.
    private static func levels(_ count: Int, _ bench: Bench) -> Comparison {
        let box = (0..<count).reduce(bench.box) { box, number in
            box.makeChild(name: "child \(number)").copy()
        }
        return Comparison(
            "fill 4 slots, \(count) levels of child and copy",
            filler("\(count) levels", of: bench.pool { Slots4() }, from: box),
            against: filler("none", of: bench.pool { Slots4() }, from: bench.box),
            atMost: 1 + Double(count) / 3)
    }

    /// Fills off the main actor, where the table of a service cannot be written.
    private static func waiting(
        _ name: String, beside service: some Sendable, _ bench: Bench
    ) -> Comparison {
        let box = ServiceBox()
        bench.services.register(in: box)
        offMainThread { box.register(service, as: "service") }
        return Comparison(
            "fill 4 slots beside \(name)",
            filler("beside it", of: bench.pool { Slots4() }, from: box).offMainThread,
            against: filler("alone", of: bench.pool { Slots4() }, from: bench.box).offMainThread,
            atMost: 1.1)
    }

    private static func filler(_ name: String, of pool: [Slots4], from box: ServiceBox) -> Contender {
        Contender(name, on: pool, prepare: { $0.empty() }) {
            box.fill($0)
        } isRight: {
            $0.isFilled
        }
    }
}

extension Contender {
    /// The same on another thread, for which the caller waits.
    fileprivate var offMainThread: Contender {
        Contender(name, fixedCount: fixedCount) { [time] count in
            var elapsed = 0.0
            Benchmarks.offMainThread { elapsed = time(count) }
            return elapsed
        } isRight: { [isRight] in
            var answer = false
            Benchmarks.offMainThread { answer = isRight() }
            return answer
        }
    }
}

private func offMainThread(_ body: @escaping () -> Void) {
    let finished = DispatchSemaphore(value: 0)
    // The caller does nothing until it is over.
    nonisolated(unsafe) let body = body
    Thread.detachNewThread {
        body()
        finished.signal()
    }
    finished.wait()
}

@globalActor private actor Engraver {
    static let shared = Engraver()
}

@Engraver private final class EngraverTable {
    var service0: Service?

    nonisolated init() {}
}

extension EngraverTable: @Engraver Injectable {
    static var injections: InjectionTable { ["service0": .keyPath(\EngraverTable.service0)] }
}

@MainActor private final class MainActorTable {
    var service0: Service?

    nonisolated init() {}
}

extension MainActorTable: @MainActor Injectable {
    static var injections: InjectionTable { ["service0": .keyPath(\MainActorTable.service0)] }
}
