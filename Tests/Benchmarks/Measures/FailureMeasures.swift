// Part of ServiceBox, released under the MIT License.
// What goes wrong, and what it costs to be told.

import Foundation
import ServiceBoxKit

extension Suite {
    static func failureComparisons() -> [Comparison] { [failingChain()] }

    static func failureOutcomes(_ bench: Bench) throws -> [Outcome] {
        try [1000, 100_000].map { try missedLookUp(among: $0, bench) } + [hint(bench)]
    }

    /// A name that nobody registered, and an error that nobody reads.
    private static func missedLookUp(among count: Int, _ bench: Bench) throws -> Outcome {
        let box = box(holding: count, bench)
        let lookUps = 10_000
        return try outcome(
            "look up a name that is not there, \(count) services", of: lookUps, unit: "ns", atMost: 3000
        ) {
            var found = 0
            for _ in 0..<lookUps where (try? box.resolve(ServiceKey<Service>("nope"))) != nil { found += 1 }
            return found == 0
        }
    }

    private static func hint(_ bench: Bench) throws -> Outcome {
        let box = box(holding: 10_000, bench)
        return try outcome(
            "read an error with a hint, 10 000 services", of: 1, unit: "ms", atMost: 20
        ) {
            // A box that has not changed keeps the names that it has prepared.
            box.register(bench.services.service0, as: "service0")
            do throws(ServiceBoxError) {
                _ = try box.resolve(ServiceKey<Service>("servise17"))
                return false
            } catch {
                return error.description.contains("Did you mean 'service17'?")
            }
        }
    }

    /// The error of a factory that passes through very many others, each step of it.
    private static func failingChain() -> Comparison {
        Comparison(
            "an error through 1 000 factories, each",
            chain(of: 1000), against: chain(of: 250), atMost: 2)
    }

    private static func chain(of length: Int) -> Contender {
        struct Broken: Error {}
        var outermost = ServiceProvider<Service> { throw Broken() }
        for _ in 1..<length {
            outermost = ServiceProvider { [inner = outermost] in try inner.resolve() }
        }
        let provider = outermost
        return Contender("\(length) factories", fixedCount: length * 4) { count in
            LongStack.run {
                // The system hands a stack out as it is used for the first time.
                _ = try? provider.resolve()
                return Stopwatch.time { for _ in 0..<(count / length) { _ = try? provider.resolve() } }
            }
        } isRight: {
            LongStack.run {
                do throws(ServiceBoxError) {
                    _ = try provider.resolve()
                    return false
                } catch {
                    return error.path.count == length
                }
            }
        }
    }
}

/// A thread with room for very many factories that ask each other.
private enum LongStack {
    private static let size = 64 << 20

    static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
        let finished = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var result: Result?
        let thread = Thread {
            result = body()
            finished.signal()
        }
        thread.stackSize = size
        thread.start()
        finished.wait()
        guard let result else { fatalError("The thread ended without a result.") }
        return result
    }
}
