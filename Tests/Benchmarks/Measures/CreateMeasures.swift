// Part of ServiceBox, released under the MIT License.
// Creating objects, filled and not.

import ServiceBoxKit

/// A service that requires two others.
private final class Requiring: @unchecked Sendable {
    @Injected var service0: Service
    @Injected var service1: Service
}

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
            readyMade(bench),
        ]
    }

    /// A service that is registered ready-made and gets what it requires, beside one that a factory creates.
    private static func readyMade(_ bench: Bench) -> Comparison {
        let names = (0..<200).map { "requiring\($0)" }
        func contender(
            _ name: String, _ register: @escaping (ServiceBox, ServiceKey<Requiring>) -> Void
        ) -> Contender {
            var latest: Requiring?
            return Contender(name, fixedCount: names.count) { _ in
                let box = ServiceBox()
                bench.services.register(in: box)
                return Stopwatch.time {
                    for name in names { register(box, ServiceKey(name)) }
                    for name in names { latest = try? box.resolve(ServiceKey(name)) }
                }
            } isRight: {
                latest.map { $0.$service0.isFilled && $0.$service1.isFilled } ?? true
            }
        }
        return Comparison(
            "register a ready-made service that requires 2 others, and ask for it",
            contender("ready-made") { $0.register(Requiring(), as: $1) },
            against: contender("a factory") { $0.register(as: $1) { _ in Requiring() } }, atMost: 2.5)
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
