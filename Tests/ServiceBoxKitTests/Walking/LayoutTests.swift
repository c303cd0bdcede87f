// Part of ServiceBox, released under the MIT License.
// Tests that slots found by the field records are the slots that Mirror shows, whatever lies between them.

import Foundation
import Observation
import ServiceBoxKit
import Testing

@Suite("Slots among other fields")
struct LayoutTests {
    @Test("the first, second and third object of a type are filled alike", arguments: samples)
    fileprivate func filledAlike(_ sample: Sample) {
        let box = ServiceBox()
        box.register(1, as: "one")
        box.register("two", as: "two")
        box.register(Three(), as: "three")
        for round in 1...3 {
            let object = sample.make()
            let expected = mirrored(object)
            #expect(expected.count == sample.slotCount, "round \(round)")
            let report = box.fill(object)
            #expect(report.isComplete, "round \(round)")
            let names = expected.map { String($0.label.dropFirst()) }
            #expect(report.filled.map(\.name) == names, "round \(round)")
            for (label, value) in mirrored(object) {
                let isRight =
                    switch label {
                    case "_one": value as? Int == 1
                    case "_two": value as? String == "two"
                    default: value is Three
                    }
                #expect(isRight, "\(label) in round \(round)")
            }
            #expect(sample.isIntact(object), "round \(round)")
        }
    }

    @Test("objects created before the first fill are filled by offsets, too")
    func madeBefore() {
        let box = ServiceBox()
        box.register(1, as: "one")
        let objects = (0..<10).map { _ in Late() }
        for object in objects { box.fill(object) }
        #expect(objects.allSatisfy { $0.one == 1 })
    }

    @Test("a word that merely equals the address of a slot isn't taken for it")
    func lookalike() {
        let box = ServiceBox()
        box.register(1, as: "one")
        // Padding looks so too, where a freed object left the address and the slot came to lie there again.
        let first = Marked()
        first.mark = Mirror(reflecting: first.holder).children.first.map {
            ObjectIdentifier($0.value as AnyObject)
        }
        #expect(first.mark != nil)
        for object in [first, Marked(), Marked()] {
            box.fill(object)
            #expect(object.one == 1)
        }
    }

    /// What Mirror shows of the slots, label and content.
    private func mirrored(_ object: AnyObject) -> [(label: String, value: Any?)] {
        var found: [(String, Any?)] = []
        var layers = [Mirror(reflecting: object)]
        while let layer = layers.last?.superclassMirror { layers.append(layer) }
        for layer in layers.reversed() {
            for child in layer.children {
                guard let label = child.label else { continue }
                if let slot = child.value as? Injected<Int?> { found.append((label, slot.wrappedValue)) }
                if let slot = child.value as? Injected<String?> { found.append((label, slot.wrappedValue)) }
                if let slot = child.value as? Injected<Three?> { found.append((label, slot.wrappedValue)) }
            }
        }
        return found
    }
}

private let samples: [Sample] = [
    Sample("bytes", slots: 3, make: Bytes.init) { (object: Bytes) -> Bool in
        object.small == -3 && object.flag && object.last == 0x7f
    },
    Sample("tuples and arrays", slots: 3, make: Composite.init) { (object: Composite) -> Bool in
        object.pair == (1, "one", true) && object.list == [1, 2, 3] && object.double == 1.5
    },
    Sample("closures and existentials", slots: 3, make: Closures.init) { (object: Closures) -> Bool in
        object.make() == 5 && object.anything as? Int == 6 && object.sendable as? String == "text"
    },
    Sample("references of all strengths", slots: 3, make: References.init) { (object: References) -> Bool in
        object.weakThree == nil && object.unownedThree === object.anchor
            && object.unsafeThree === object.anchor
    },
    Sample("lazy and constant", slots: 2, make: LazyAndConstant.init) { (object: LazyAndConstant) -> Bool in
        object.constant == 9 && object.computedLate == 12 && object.untouched.isEmpty
    },
    Sample("observable", slots: 2, make: Observed.init) { (object: Observed) -> Bool in
        object.count == 4 && object.text == "text"
    },
    Sample("wide struct", slots: 2, make: Wide.init) { (object: Wide) -> Bool in
        object.block == Block(repeating: 7)
    },
    Sample("subclass of a class of Foundation", slots: 2, make: Coder.init) { (object: Coder) -> Bool in
        object.small == 1 && object.date == nil
    },
    Sample("subclass of an operation", slots: 2, make: Job.init) { (object: Job) -> Bool in
        object.small == 1 && !object.isFinished
    },
    Sample("generic base, over-aligned field", slots: 3, make: Aligned.init) { (object: Aligned) -> Bool in
        object.vector == SIMD8(repeating: 3) && object.small == 1 && object.content == "content"
    },
    Sample("deep subclasses", slots: 3, make: Deepest.init) { (object: Deepest) -> Bool in
        object.first == 1 && object.second == 2 && object.third == 3
    },
    Sample("enums and metatypes", slots: 2, make: Enums.init) { (object: Enums) -> Bool in
        object.payload == 3 && object.type == Int.self
    },
]

private final class Three: Sendable {}

private final class Late {
    let small: Int8 = 1
    @Injected var one: Int?
}

private final class Marked {
    var mark: ObjectIdentifier?
    @Injected var one: Int?
    var holder: Injected<Int?> { _one }
}

private final class Bytes {
    let small: Int8 = -3
    @Injected var one: Int?
    var flag = true
    @Injected var two: String?
    var wide: UInt16 = 1
    var narrow: UInt8 = 2
    @Injected var three: Three?
    var last: Int8 = 0x7f
}

private final class Composite {
    var pair = (Int8(1), "one", true)
    @Injected var one: Int?
    var list = [1, 2, 3]
    var map = ["a": 1]
    @Injected var two: String?
    var double = 1.5
    var float: Float = 2
    @Injected var three: Three?
}

private final class Closures {
    var make: () -> Int = { 5 }
    @Injected var one: Int?
    var anything: Any = 6
    @Injected var two: String?
    var sendable: any Sendable = "text"
    var maybe: Int?
    var hashable: any Hashable = 1
    @Injected var three: Three?
}

private final class References {
    let anchor: Three
    weak var weakThree: Three?
    @Injected var one: Int?
    unowned let unownedThree: Three
    @Injected var two: String?
    unowned(unsafe) let unsafeThree: Three
    @Injected var three: Three?

    init() {
        anchor = Three()
        unownedThree = anchor
        unsafeThree = anchor
    }
}

private final class LazyAndConstant {
    let constant: Int = 9
    lazy var computedLate: Int = constant + 3
    @Injected var one: Int?
    lazy var untouched: [Int] = []
    @Injected var three: Three?
}

@Observable private final class Observed {
    var count = 4
    @ObservationIgnored @Injected var one: Int?
    var text = "text"
    @ObservationIgnored @Injected var two: String?
}

private final class Wide {
    @Injected var one: Int?
    var block = Block(repeating: 7)
    @Injected var two: String?
}

private struct Block: Equatable {
    var first: Int, second: Int, third: UInt8, fourth: Double

    init(repeating value: UInt8) {
        first = Int(value)
        second = Int(value)
        third = value
        fourth = Double(value)
    }
}

private final class Enums {
    indirect enum Tree { case leaf, node(Tree) }

    var payload: Int? = 3
    @Injected var one: Int?
    var tree = Tree.node(.leaf)
    var type: Any.Type = Int.self
    var nothing: Void = ()
    @Injected var two: String?
}

private final class Coder: JSONEncoder, @unchecked Sendable {
    let small: UInt8 = 1
    @Injected var one: Int?
    let date: Date? = nil
    @Injected var two: String?
}

private final class Job: Operation, @unchecked Sendable {
    let small: UInt8 = 1
    @Injected var one: Int?
    @Injected var two: String?
}

private class AlignedBase<Content> {
    let small: UInt8 = 1
    let vector = SIMD8<Double>(repeating: 3)
    @Injected var one: Int?
    let content: Content
    @Injected var two: String?

    init(_ content: Content) { self.content = content }
}

private final class Aligned: AlignedBase<String> {
    @Injected var three: Three?

    init() { super.init("content") }
}

private class Deep {
    let first: UInt8 = 1
    @Injected var one: Int?
}

private class Deeper: Deep {
    let second: UInt8 = 2
    @Injected var two: String?
}

private final class Deepest: Deeper {
    let third: UInt8 = 3
    @Injected var three: Three?
}

private struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let slotCount: Int
    let make: @Sendable () -> AnyObject
    let isIntact: @Sendable (AnyObject) -> Bool

    init<Object: AnyObject>(
        _ name: String, slots: Int, make: @escaping @Sendable () -> Object,
        isIntact: @escaping @Sendable (Object) -> Bool
    ) {
        testDescription = name
        slotCount = slots
        self.make = make
        self.isIntact = { ($0 as? Object).map(isIntact) ?? false }
    }
}
