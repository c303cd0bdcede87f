// Part of ServiceBox, released under the MIT License.
// What a service costs of many that come one after the other; it should not depend on how many have come.

import ServiceBoxKit

/// A service that takes all of a type.
final class Collector: @unchecked Sendable {
    @InjectedAll var services: [Service]
}

extension Suite {
    private static let counts = (many: 4000, few: 1000)

    static func growthComparisons(_ bench: Bench) -> [Comparison] {
        [
            Comparison(
                "replace the service of one property, n times", replacing(counts.many),
                against: replacing(counts.few), atMost: 2),
            Comparison(
                "register a service, n times, and use the box", gathering(counts.many),
                against: gathering(counts.few), atMost: 2),
        ]
    }

    private static func replacing(_ count: Int) -> Contender {
        let services = (0..<count).map(Service.init)
        var object = Slots1()
        return Contender("n = \(count)", fixedCount: count) { _ in
            let box = ServiceBox()
            object = Slots1()
            return Stopwatch.time {
                for service in services {
                    box.register(service, as: "service0")
                    box.fill(object)
                }
            }
        } isRight: {
            object.service0 == nil || object.service0 === services.last
        }
    }

    /// With a service in use that takes all.
    private static func gathering(_ count: Int) -> Contender {
        let names = (0..<count).map { "service\($0)" }
        let services = (0..<count).map(Service.init)
        var collector = Collector()
        var isRight = true
        return Contender("n = \(count)", fixedCount: count) { _ in
            let (box, object) = (ServiceBox(), Slots1())
            collector = Collector()
            box.register(collector)
            let time = Stopwatch.time {
                for (name, service) in zip(names, services) {
                    box.register(service, as: ServiceKey(name))
                    box.fill(object)
                    isRight = isRight && collector.services.last === service
                }
            }
            isRight = isRight && collector.services.count == count
            return time
        } isRight: {
            isRight
        }
    }
}
