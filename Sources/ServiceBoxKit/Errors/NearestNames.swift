// Part of ServiceBox, released under the MIT License.
// Names that somebody may have meant.

/// The search for names that are close to one that was not found.
package enum NearestNames {
    /// Finds the names that are likely slips of a wanted one: few letters differ, are missing, are swapped,
    /// or differ in case alone.
    ///
    /// Another number is no slip: `cache1` is not `cache2`.
    ///
    /// - Parameters:
    ///   - wanted: The name that was not found.
    ///   - names: The names there are.
    ///   - isMeant: Whether a name, if it is near, can be what was meant.
    /// - Returns: At most three names, the nearest first.
    /// - Complexity: O(*n* · *m*²) for *n* names of *m* letters.
    package static func to(
        _ wanted: String, among names: some Sequence<String>, where isMeant: (String) -> Bool = { _ in true }
    ) -> [String] {
        let wantedLetters = Array(wanted)
        let limit = tolerance(for: wantedLetters.count)
        var found: [(distance: Int, name: String)] = []
        let number = wanted.filter(\.isNumber)
        for name in names where name != wanted {
            if !number.isEmpty {
                let other = name.filter(\.isNumber)
                if !other.isEmpty, other != number { continue }
            }
            if name.lowercased() == wanted.lowercased() {
                found.append((0, name))
            } else if let distance = distance(wantedLetters, Array(name), atMost: limit) {
                found.append((distance, name))
            }
        }
        return Array(found.sorted { $0 < $1 }.map(\.name).filter(isMeant).prefix(3))
    }

    /// How many slips a name of a length may contain and still be recognised.
    private static func tolerance(for length: Int) -> Int {
        switch length {
        case ..<3: 0
        case ..<6: 1
        case ..<10: 2
        default: 3
        }
    }

    /// The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours.
    ///
    /// - Returns: The distance, or nil if it is above the limit.
    private static func distance(_ first: [Character], _ second: [Character], atMost limit: Int) -> Int? {
        guard limit > 0, abs(first.count - second.count) <= limit else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var best = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            if current.allSatisfy({ $0 > limit }) { return nil }
            (beforeLast, last) = (last, current)
        }
        return last[second.count] <= limit ? last[second.count] : nil
    }
}
