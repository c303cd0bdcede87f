// Part of ServiceBox, released under the MIT License.
// Registering services of types that nobody has seen before.

import HeapCount
import ServiceBoxKit

extension Suite {
    private static let serviceCount = 10_000
    /// How many boxes are filled with instances, and as many with closures, in turn; odd, for the median.
    private static let registerRounds = 5

    /// Registering at launch: to be measured before all else, while the heap is that of a young process.
    static func registerOutcomes() -> [Outcome] {
        var types = FreshTypes()
        var (instances, closures): ([Use], [Use]) = ([], [])
        for _ in 0..<registerRounds {
            instances.append(use(of: &types) { $0.register(in: $1, as: $2) })
            closures.append(use(of: &types) { $0.registerFactory(in: $1, as: $2) })
        }
        return outcomes("an instance", instances, nanoseconds: 800, bytes: 300)
            + outcomes("a closure", closures, nanoseconds: 1000, bytes: 450)
    }

    /// What one of many takes, of time and of the heap, what the runtime needs for its type included.
    private typealias Use = (time: Double, bytes: Double?)

    private static func use(
        of types: inout FreshTypes, _ register: (any FreshService, ServiceBox, String) -> Void
    ) -> Use {
        let services = (0..<serviceCount).map { _ in types.nextService() }
        let names = services.indices.map { "service\($0)" }
        let box = ServiceBox()
        var time = 0.0
        let use = HeapCounter.use {
            time = Stopwatch.time {
                for (service, name) in zip(services, names) { register(service, box, name) }
            }
        }
        let count = Double(serviceCount)
        return (time / count, use.map { Double($0.bytes) / count })
    }

    private static func outcomes(
        _ what: String, _ rounds: [Use], nanoseconds: Double, bytes: Double
    ) -> [Outcome] {
        let time = rounds.map(\.time).median
        let taken = rounds.compactMap(\.bytes).median
        return [
            Outcome(
                "register \(what), of 10 000 types", unit: "ns", value: time, figure: time,
                atMost: nanoseconds),
            Outcome(
                "heap bytes taken to register \(what), of 10 000 types", unit: "bytes", value: taken,
                figure: taken, atMost: bytes, note: taken == nil ? HeapCounter.absence : nil),
        ]
    }
}
