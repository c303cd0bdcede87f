// Part of ServiceBox, released under the MIT License.
// Creating objects, filled and not.

import ServiceBoxKit

extension Suite {
    static func createComparisons(_ bench: Bench) -> [Comparison] {
        [
            create(1, Slots1.self, Plain1.self, bench, atMost: 4),
            create(4, Slots4.self, Plain4.self, bench, atMost: 4.5),
            create(16, Slots16.self, Plain16.self, bench, atMost: 6),
            createOnly(1, Slots1.self, Plain1.self),
            createOnly(4, Slots4.self, Plain4.self),
            createOnly(16, Slots16.self, Plain16.self),
            selfFilling(bench),
        ]
    }

    private static func selfFilling(_ bench: Bench) -> Comparison {
        let services = bench.services
        return Comparison(
            "create an object that fills its 4 slots in its initialiser",
            creator("fillWithDependencies") { (_: SelfFilling) in
            } isRight: {
                $0.isFilled
            },
            against: creator("create and assign") { (object: Plain4) in
                object.assign(services)
            } isRight: {
                $0.isFilled
            })
    }

    private static func create<Slots: Subject, Plain: PlainSubject>(
        _ size: Int, _: Slots.Type, _: Plain.Type, _ bench: Bench, atMost bar: Double
    ) -> Comparison {
        let (box, services) = (bench.box, bench.services)
        let assign = Opaque.value { (object: Plain) in object.assign(services) }
        return Comparison(
            "create an object with \(counted(size, "slot")) and fill it",
            creator("create and fill") { (object: Slots) in
                box.fill(object)
            } isRight: {
                $0.isFilled
            },
            against: creator("create and assign", setUp: assign) { $0.isFilled }, atMost: bar)
    }

    private static func createOnly<Slots: Subject, Plain: Subject>(
        _ size: Int, _: Slots.Type, _: Plain.Type
    ) -> Comparison {
        Comparison(
            "create an object with \(counted(size, "slot"))",
            creator("create") { (_: Slots) in
            } isRight: {
                !$0.isFilled
            },
            against: creator("create a plain one") { (_: Plain) in
            } isRight: {
                !$0.isFilled
            })
    }

    /// Makes objects, sets them up and lets them go.
    private static func creator<Object: Subject>(
        _ name: String, setUp: @escaping (Object) -> Void, isRight: @escaping (Object) -> Bool
    ) -> Contender {
        Contender(name) { count in
            Stopwatch.time {
                for _ in 0..<count {
                    let object = Object()
                    setUp(object)
                    Opaque.sink(object)
                }
            }
        } isRight: {
            let object = Object()
            setUp(object)
            return isRight(object)
        }
    }
}
