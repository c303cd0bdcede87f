// Part of ServiceBox, released under the MIT License.
// Many registrations.

import ServiceBoxKit

extension Suite {
    static func scaleComparisons(_ bench: Bench) -> [Comparison] {
        [scale(bench), registration(bench)]
    }

    private static func scale(_ bench: Bench) -> Comparison {
        let (few, many) = (box(holding: 10, bench), box(holding: 100_000, bench))
        func filler(_ name: String, from box: ServiceBox) -> Contender {
            Contender(name, on: bench.pool { Slots4() }, prepare: { $0.empty() }) {
                box.fill($0)
            } isRight: {
                $0.isFilled
            }
        }
        return Comparison(
            "fill 4 slots, 100 000 registrations", filler("100 000", from: many),
            against: filler("10 registrations", from: few), atMost: 1.2)
    }

    static func box(holding count: Int, _ bench: Bench) -> ServiceBox {
        let box = ServiceBox()
        for number in 0..<count {
            box.register(
                number < Services.count ? bench.services.all[number] : Service(number),
                as: "service\(number)")
        }
        return box
    }

    private static func registration(_ bench: Bench) -> Comparison {
        let names = (0..<1000).map { "service\($0)" }
        let service = bench.services.service0
        var box = ServiceBox()
        var dictionary: [String: Service] = [:]
        let registering = Contender("register", fixedCount: names.count) { _ in
            box = ServiceBox()
            return Stopwatch.time { for name in names { box.register(service, as: ServiceKey(name)) } }
        } isRight: {
            for name in names { box.register(service, as: ServiceKey(name)) }
            return names.allSatisfy(box.isRegistered)
        }
        let storing = Contender("a dictionary", fixedCount: names.count) { _ in
            dictionary = [:]
            return Stopwatch.time { for name in names { dictionary[name] = service } }
        } isRight: {
            for name in names { dictionary[name] = service }
            return names.allSatisfy { dictionary[$0] === service }
        }
        return Comparison("register a service, of 1000", registering, against: storing)
    }
}
