// Part of ServiceBox, released under the MIT License.
// Values by key where there are few.

import Testing

@testable import ServiceBoxKit

@Suite("A small dictionary")
struct SmallDictionaryTests {
    @Test("does what a dictionary does, with few keys and with many", arguments: [1, 2, 8, 9, 40])
    func reference(keyCount: Int) {
        var small = SmallDictionary<Int, Int>()
        var reference: [Int: Int] = [:]
        for step in 0..<500 {
            // Every third takes a key out, wherever it stands.
            let (key, value) = (step * 7 % keyCount, step % 3 == 2 ? nil : step)
            let before = reference[key]
            reference[key] = value
            #expect(small.updateValue(value, forKey: key) == before)
            #expect(small.keys.sorted() == reference.keys.sorted() && small.isEmpty == reference.isEmpty)
            #expect((0..<keyCount).map { small[$0] } == (0..<keyCount).map { reference[$0] })
        }
    }
}
