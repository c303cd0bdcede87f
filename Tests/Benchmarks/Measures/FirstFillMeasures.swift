// Part of ServiceBox, released under the MIT License.
// The first fill of a type.

import ServiceBoxKit

extension Suite {
    static func firstFillComparisons(_ bench: Bench) -> [Comparison] {
        let types = FreshSource()
        let box = bench.box
        var filled: [any FreshSubject] = []
        let filling = Contender("fill", fixedCount: bench.poolSize) { count in
            filled = types.take(count)
            return Stopwatch.time { for object in filled { box.fill(object as AnyObject) } }
        } isRight: {
            filled = types.take(1)
            let report = box.fill(filled[0] as AnyObject)
            return report.isComplete && isComplete(filled)
        }
        var names: [String] = []
        let walking = Contender("a bare Mirror walk", fixedCount: bench.poolSize) { count in
            let objects = types.take(count)
            names = []
            let elapsed = Stopwatch.time { for object in objects { bareWalk(object, names: &names) } }
            Opaque.sink(names)
            return elapsed
        } isRight: {
            names = []
            bareWalk(types.take(1)[0], names: &names)
            return names == ["service0", "service1", "service2", "service3"]
        }
        return [Comparison("first fill of a type, 4 slots", filling, against: walking, atMost: 3)]
    }

    private static func isComplete(_ objects: [any FreshSubject]) -> Bool {
        objects.allSatisfy { $0.held.enumerated().allSatisfy { $1?.number == $0 } }
    }

    /// What a walk costs that looks at the properties, their names and types, and keeps nothing else.
    private static func bareWalk(_ subject: AnyObject, names: inout [String]) {
        var mirror: Mirror? = Mirror(reflecting: subject)
        while let layer = mirror {
            for child in layer.children {
                guard let label = child.label, child.value is any SlotMark else { continue }
                names.append(String(label.dropFirst()))
            }
            mirror = layer.superclassMirror
        }
    }
}

/// A protocol to cast to, as a walk has to.
private protocol SlotMark {}

extension Injected: SlotMark {}

/// Where both contenders take their fresh types from.
private final class FreshSource {
    private var types = FreshTypes()

    func take(_ count: Int) -> [any FreshSubject] { (0..<count).map { _ in types.next() } }
}
