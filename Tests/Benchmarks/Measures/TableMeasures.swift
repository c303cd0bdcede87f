// Part of ServiceBox, released under the MIT License.
// Filling through tables.

import ServiceBoxKit

extension Suite {
    static func tableComparisons(_ bench: Bench) -> [Comparison] {
        [setters(bench), keyPaths(bench)]
    }

    private static func setters(_ bench: Bench) -> Comparison {
        let setters = Opaque.value(SetterSubject.setters)
        let services = Opaque.value(Array(bench.services.all.prefix(setters.count)))
        let byHand = Contender(
            "calling the closures", on: bench.pool { SetterSubject() }, prepare: { $0.empty() }
        ) {
            for index in setters.indices { setters[index]($0, services[index]) }
        } isRight: {
            $0.isFilled
        }
        return Comparison(
            "fill 4 properties through setters", filler(of: bench.pool { SetterSubject() }, bench),
            against: byHand, atMost: 2.5)
    }

    private static func keyPaths(_ bench: Bench) -> Comparison {
        let paths = Opaque.value([
            \KeyPathSubject.service0, \KeyPathSubject.service1, \KeyPathSubject.service2,
            \KeyPathSubject.service3,
        ])
        let services = Opaque.value(Array(bench.services.all.prefix(paths.count)))
        let byHand = Contender(
            "writing through them", on: bench.pool { KeyPathSubject() }, prepare: { $0.empty() }
        ) {
            for index in paths.indices { $0[keyPath: paths[index]] = services[index] }
        } isRight: {
            $0.isFilled
        }
        return Comparison(
            "fill 4 properties through key paths", filler(of: bench.pool { KeyPathSubject() }, bench),
            against: byHand, atMost: 1.5)
    }
}
