// Part of ServiceBox, released under the MIT License.
// What fills and objects take from the heap.

import HeapCount
import ServiceBoxKit

extension Suite {
    static func heapOutcomes(_ bench: Bench) throws -> [Outcome] {
        [try warmFill(bench), slot()] + sizes(1, Slots1.self, Plain1.self, bench)
            + sizes(4, Slots4.self, Plain4.self, bench) + sizes(16, Slots16.self, Plain16.self, bench)
    }

    /// The heap blocks that warm fills take, first of empty objects and then of filled ones.
    private static func warmFill(_ bench: Bench) throws -> Outcome {
        let name = "heap blocks of a warm fill, 4 slots"
        let (box, pool) = (bench.box, bench.pool { Slots4() })
        box.fill(Slots4())
        let use = HeapCounter.use {
            for _ in 0..<2 { for object in pool { box.fill(object) } }
        }
        guard pool.allSatisfy(\.isFilled) else { throw WrongEffect(measure: name, contender: "fill") }
        let blocks = use.map { Double($0.blocks) / Double(2 * pool.count) }
        return Outcome(
            name, unit: "blocks", value: blocks, figure: blocks, atMost: 0,
            note: blocks == nil ? HeapCounter.absence : nil)
    }

    /// What an empty property takes.
    private static func slot() -> Outcome {
        let use = HeapCounter.use { Opaque.sink(Injected<Service?>()) }
        let bytes = use.map { Double($0.bytes) }
        return Outcome(
            "heap bytes of a slot", unit: "bytes", value: bytes, figure: bytes, atMost: 64,
            note: bytes == nil ? HeapCounter.absence : nil)
    }

    /// What a filled object takes, beside a plain one.
    private static func sizes<Slots: Subject, Plain: PlainSubject>(
        _ size: Int, _: Slots.Type, _: Plain.Type, _ bench: Bench
    ) -> [Outcome] {
        let slots = use { (object: Slots) in bench.box.fill(object) }
        let plain = use { (object: Plain) in object.assign(bench.services) }
        func outcome(_ unit: String, _ part: (HeapUse) -> Int) -> Outcome {
            let (value, reference) = (slots.map { Double(part($0)) }, plain.map { Double(part($0)) })
            return Outcome(
                "heap \(unit) of an object, \(counted(size, "slot"))", against: "a plain object", unit: unit,
                value: value, referenceValue: reference,
                figure: value.flatMap { value in reference.map { value / $0 } },
                note: value == nil ? HeapCounter.absence : nil)
        }
        return [outcome("blocks", \.blocks), outcome("bytes", \.bytes)]
    }

    /// What creating and setting up an object takes once its type is known.
    private static func use<Object: Subject>(_ setUp: (Object) -> Void) -> HeapUse? {
        setUp(Object())
        return HeapCounter.use {
            let object = Object()
            setUp(object)
            Opaque.sink(object)
        }
    }
}
