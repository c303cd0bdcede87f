// Part of ServiceBox, released under the MIT License.
// Values by key where there are few.

import Testing

@testable import ServiceBoxKit

@Suite("A small dictionary")
struct SmallDictionaryTests {
    @Test("has what a dictionary has, whatever is put in and taken out")
    func model() {
        let steps: [(key: Int, value: String?)] = [
            (1, nil), (1, "a"), (2, "b"), (3, "c"), (2, "d"), (1, nil), (4, "e"), (3, nil), (3, nil),
            (4, "f"),
            (2, nil), (4, nil), (5, "g"), (5, nil), (6, "h"), (7, "i"), (7, nil), (6, "j"),
        ]
        var model: [Int: String] = [:]
        var small = SmallDictionary<Int, String>()
        for (key, value) in steps {
            let old = model[key]
            model[key] = value
            #expect(small.updateValue(value, forKey: key) == old)
            #expect((0...8).map { small[$0] } == (0...8).map { model[$0] })
        }
    }
}

@Suite("A dictionary by name")
struct NameDictionaryTests {
    @Test("has what a dictionary has, with few names and with many", arguments: [1, 8, 9, 30])
    func model(count: Int) {
        var model: [String: Int] = [:]
        var names = NameDictionary<Int>()
        func change(_ number: Int, to value: Int?) {
            let name = "service\(number)"
            #expect(names.update(value, for: name) == model[name])
            model[name] = value
            #expect(Dictionary(uniqueKeysWithValues: zip(names.keys, names.values)) == model)
            #expect((0...count).map { names["service\($0)"] } == (0...count).map { model["service\($0)"] })
        }
        for number in 0..<count { change(number, to: number) }
        for number in 0..<count { change(number, to: -number) }
        for number in stride(from: 0, to: count, by: 2) { change(number, to: nil) }
        change(count, to: nil)
        for number in 0..<count { change(number, to: number) }
        for number in (0..<count).reversed() { change(number, to: nil) }
        change(0, to: 1)
    }
}
