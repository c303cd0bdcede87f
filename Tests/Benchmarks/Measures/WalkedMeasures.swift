// Part of ServiceBox, released under the MIT License.
// Fills that read their subject with Mirror each time.

import ServiceBoxKit

extension Suite {
    static func walkedComparisons(_ bench: Bench) -> [Comparison] {
        let box = bench.box
        var structs = bench.pool { SlotStruct4() }
        let onStructs = Contender("fill") { count in
            Stopwatch.time {
                for _ in 0..<(count / structs.count) {
                    for index in structs.indices { box.fill(&structs[index]) }
                }
            }
        } isRight: {
            for index in structs.indices { box.fill(&structs[index]) }
            return structs.allSatisfy(\.isFilled)
        }
        return [
            Comparison(
                "fill a CustomReflectable object, 4 slots",
                filler(of: bench.pool { MirroredSlots4() }, bench),
                against: filler(of: bench.pool { Slots4() }, bench)),
            Comparison(
                "fill a struct with 4 slots again", onStructs,
                against: Contender("fill", on: bench.pool { Slots4() }) {
                    box.fill($0)
                } isRight: {
                    $0.isFilled
                }, atMost: 1.5),
            Comparison(
                "fill 4 slots in a struct inside", filler(of: bench.pool { InnerSlots4() }, bench),
                against: filler(of: bench.pool { Slots4() }, bench), atMost: 1.2),
        ]
    }
}
