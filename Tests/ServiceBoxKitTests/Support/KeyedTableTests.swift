// Part of ServiceBox, released under the MIT License.
// What has a key, by it.

import Testing

@testable import ServiceBoxKit

private struct Element: Named, Equatable {
    let name: String
    let value: Int
}

@Suite("A table by key")
struct KeyedTableTests {
    @Test("does what a dictionary does, with few names and with many", arguments: [1, 2, 8, 9, 16, 40, 200])
    func reference(nameCount: Int) {
        var table = KeyedTable<Element>()
        var reference: [String: Element] = [:]
        let names = (0..<nameCount).map { "service\($0)" }
        for step in 0..<1000 {
            // Every third takes one out, wherever it stands.
            let name = names[step * 7 % nameCount]
            let element = step % 3 == 2 ? nil : Element(name: name, value: step)
            let before = reference[name]
            reference[name] = element
            #expect(table.updateValue(element, for: name) == before)
            #expect(names.map { table[$0] } == names.map { reference[$0] })
            #expect(table.elements.count == reference.count)
            #expect(table.elements.allSatisfy { reference[$0.name] == $0 })
        }
    }

    @Test("has its elements in the order in which they came", arguments: [3, 8, 100])
    func order(count: Int) {
        var table = KeyedTable<Element>()
        let elements = (0..<count).map { Element(name: "\($0)", value: $0) }
        for element in elements { table[element.name] = element }
        #expect(table.elements == elements)
    }

    @Test("finds a name however it is encoded, as a dictionary does", arguments: [1, 20])
    func encodings(count: Int) {
        var table = KeyedTable<Element>()
        for number in 0..<count { table["\(number)"] = Element(name: "\(number)", value: number) }
        table["caf\u{E9}"] = Element(name: "caf\u{E9}", value: -1)
        #expect(table["cafe\u{301}"]?.value == -1)
        table["cafe\u{301}"] = nil
        #expect(table["caf\u{E9}"] == nil)
    }
}
