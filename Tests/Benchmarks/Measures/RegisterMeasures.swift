// Part of ServiceBox, released under the MIT License.
// Registering services of types that nobody has seen before.

import HeapCount
import ServiceBoxKit

extension Suite {
    private static let serviceCount = 10_000

    static func registerOutcomes() -> [Outcome] {
        var types = FreshTypes()
        return outcomes("an instance", nanoseconds: 800, bytes: 300, &types) { $0.register(in: $1, as: $2) }
            + outcomes("a closure", nanoseconds: 1000, bytes: 450, &types) {
                $0.registerFactory(in: $1, as: $2)
            }
    }

    /// What one of many takes, of time and of the heap, what the runtime needs for its type included.
    private static func outcomes(
        _ what: String, nanoseconds: Double, bytes: Double, _ types: inout FreshTypes,
        _ register: (any FreshService, ServiceBox, String) -> Void
    ) -> [Outcome] {
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
        let each = (time: time / count, bytes: use.map { Double($0.bytes) / count })
        return [
            Outcome(
                "register \(what), of 10 000 types", unit: "ns", value: each.time, figure: each.time,
                atMost: nanoseconds),
            Outcome(
                "heap bytes taken to register \(what), of 10 000 types", unit: "bytes", value: each.bytes,
                figure: each.bytes, atMost: bytes, note: each.bytes == nil ? HeapCounter.absence : nil),
        ]
    }
}
