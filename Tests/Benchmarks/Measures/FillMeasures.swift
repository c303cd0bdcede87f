// Part of ServiceBox, released under the MIT License.
// Filling objects that are there.

import ServiceBoxKit

extension Suite {
    static func fillComparisons(_ bench: Bench) -> [Comparison] {
        [
            fill(1, Slots1.self, Plain1.self, bench, atMost: 10),
            fill(4, Slots4.self, Plain4.self, bench, atMost: 4),
            fill(16, Slots16.self, Plain16.self, bench, atMost: 3),
            refill(bench), fillWithCreated(bench), selfFill(bench),
        ]
    }

    private static func fill<Slots: Subject, Plain: PlainSubject>(
        _ size: Int, _: Slots.Type, _: Plain.Type, _ bench: Bench, atMost bar: Double
    ) -> Comparison {
        Comparison(
            "fill an object with \(counted(size, "slot"))",
            filler(of: bench.pool { Slots() }, bench),
            against: assigner(of: bench.pool { Plain() }, bench), atMost: bar)
    }

    /// Fills with what is there already.
    private static func refill(_ bench: Bench) -> Comparison {
        let (box, services) = (bench.box, bench.services)
        let assign = Opaque.value { (object: Plain4) in object.assign(services) }
        return Comparison(
            "fill 4 slots again with the same",
            Contender("fill", on: bench.pool { Slots4() }) {
                box.fill($0)
            } isRight: {
                $0.isFilled
            },
            against: Contender("assignments", on: bench.pool { Plain4() }, body: assign) { $0.isFilled })
    }

    /// Fills with services that the box has created and may create anew.
    private static func fillWithCreated(_ bench: Bench) -> Comparison {
        let box = ServiceBox()
        for number in 0..<4 {
            box.register(as: ServiceKey<Service>("service\(number)")) { _ in Service(number) }
        }
        return Comparison(
            "fill 4 slots with created services",
            Contender("created", on: bench.pool { Slots4() }, prepare: { $0.empty() }) {
                box.fill($0)
            } isRight: {
                $0.isFilled
            },
            against: filler(of: bench.pool { Slots4() }, bench), atMost: 10)
    }

    private static func selfFill(_ bench: Bench) -> Comparison {
        let box = ServiceBox.default
        bench.services.register(in: box)
        return Comparison(
            "fillWithDependencies(), 4 slots",
            Contender("fillWithDependencies", on: bench.pool { Slots4() }, prepare: { $0.empty() }) {
                $0.fillWithDependencies()
            } isRight: {
                $0.isFilled
            },
            against: Contender("fill", on: bench.pool { Slots4() }, prepare: { $0.empty() }) {
                box.fill($0)
            } isRight: {
                $0.isFilled
            })
    }

    /// Fills empty objects from the box.
    static func filler<Slots: Subject>(of pool: [Slots], _ bench: Bench) -> Contender {
        let box = bench.box
        return Contender("fill", on: pool, prepare: { $0.empty() }) {
            box.fill($0)
        } isRight: {
            $0.isFilled
        }
    }

    /// Assigns empty objects' properties by hand, behind an opaque call.
    static func assigner<Plain: PlainSubject>(of pool: [Plain], _ bench: Bench) -> Contender {
        let services = bench.services
        let assign = Opaque.value { (object: Plain) in object.assign(services) }
        return Contender("assignments", on: pool, prepare: { $0.empty() }, body: assign) { $0.isFilled }
    }

    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
