// Part of ServiceBox, released under the MIT License.
// Names that are likely slips, found as a plain table of distances finds them.

import Testing

@testable import ServiceBoxKit

@Suite("Near names")
struct NearNameTests {
    /// Random words, the same in each run.
    private static let words: [String] = {
        var dice = Dice(seed: 7)
        let words = (0..<500).map { _ in
            String((0...dice.roll(12)).map { _ in dice.pick(from: Array("aabbC1é")) })
        }
        return Set(words).sorted()
    }()

    @Test("are found up to a hundred letters, which no search takes long for")
    func long() {
        for (count, isFound) in [(100, true), (101, false), (50_000, false)] {
            let name = String(repeating: "a", count: count)
            let near = NearestNames.to(name, among: [name.dropLast() + "b", String(name.dropLast())])
            #expect(near.isEmpty != isFound)
        }
    }

    @Test("are those that a table of distances finds, nearest first")
    func reference() {
        let words = Self.words
        let registered = words.indices.filter { !$0.isMultiple(of: 3) }.map { words[$0] }
        let box = ServiceBox()
        for word in registered { box.register(1, as: ServiceKey(word)) }
        var hintCount = 0
        for word in words where !registered.contains(word) {
            let error = #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<Int>(word)) }
            let lines = (error?.description ?? "").split(separator: "\n").map(String.init)
            let near = Self.near(word, among: registered)
            let names = near.map { "'\($0)'" }.joined(separator: " or ")
            #expect(
                lines.first { $0.hasPrefix("  Did") } == (near.isEmpty ? nil : "  Did you mean \(names)?"))
            if !near.isEmpty { hintCount += 1 }
        }
        #expect(hintCount > 40)
    }

    @Test("are at most three where they are listed")
    func three() {
        let names = ["cachea", "cacheb", "cachec", "cached"]
        #expect(NearestNames.to("cache", among: names) == ["cachea", "cacheb", "cachec"])
    }

    private static func near(_ wanted: String, among names: [String]) -> [String] {
        let limit = wanted.count < 3 ? 0 : wanted.count < 6 ? 1 : wanted.count < 10 ? 2 : 3
        func digits(_ name: String) -> String { name.filter(\.isNumber) }
        let rated = names.compactMap { name -> (Int, String)? in
            if !digits(name).isEmpty, !digits(wanted).isEmpty, digits(name) != digits(wanted) { return nil }
            if name.lowercased() == wanted.lowercased() { return (0, name) }
            let distance = distance(Array(name), Array(wanted))
            return distance <= limit ? (distance, name) : nil
        }
        return rated.sorted { $0 < $1 }.prefix(3).map(\.1)
    }

    /// The optimal string alignment distance, by its whole table.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var table = Array(repeating: Array(0...second.count), count: first.count + 1)
        for row in table.indices { table[row][0] = row }
        for row in 1..<table.count {
            for column in 1..<table[row].count {
                let isSame = first[row - 1] == second[column - 1]
                table[row][column] = min(
                    table[row - 1][column - 1] + (isSame ? 0 : 1), table[row - 1][column] + 1,
                    table[row][column - 1] + 1)
                if row > 1, column > 1, first[row - 1] == second[column - 2],
                    first[row - 2] == second[column - 1]
                {
                    table[row][column] = min(table[row][column], table[row - 2][column - 2] + 1)
                }
            }
        }
        return table[first.count][second.count]
    }
}
