// Part of ServiceBox, released under the MIT License.
// Names that somebody may have meant.

/// The search for names that are close to one that was not found, prepared once for any number of questions.
package struct NearestNames {
    /// What of a name tells most others apart at a glance.
    fileprivate struct Glance {
        /// A bit for each letter that the name has, in lower case.
        let letters: UInt64
        /// The digits of the name as one number; zero if it has none.
        let number: UInt64
        let index: Int
    }

    private let names: [String]
    private var letters: [Unicode.Scalar] = []
    /// Where each name's letters start, and where the last one's end.
    private var starts: [Int] = [0]
    private var byLength: [[Glance]] = []

    /// Prepares a search.
    ///
    /// - Parameter names: The names there are.
    /// - Complexity: O(*n*) for names of *n* letters in all.
    package init(_ names: some Sequence<String>) {
        self.names = Array(names)
        for (index, name) in self.names.enumerated() {
            letters += name.unicodeScalars
            starts.append(letters.count)
            let glance = Self.glance(at: letters[starts[index]...], index: index)
            let length = letters.count - starts[index]
            while byLength.count <= length { byLength.append([]) }
            byLength[length].append(glance)
        }
    }

    /// Finds the names that are likely slips of a wanted one: few letters differ, are missing, are swapped,
    /// or differ in case alone.
    ///
    /// Another number is no slip: `cache1` is not `cache2`.
    ///
    /// - Parameter wanted: The name that was not found.
    /// - Returns: The names, the nearest first.
    /// - Complexity: O(*n*) for *n* names, a few steps for each that is not near.
    func names(nearestTo wanted: String) -> [String] {
        let wantedLetters = Array(wanted.unicodeScalars)
        let limit = Self.tolerance(for: wantedLetters.count)
        let wantedGlance = Self.glance(at: wantedLetters[...], index: 0)
        var distance = EditDistance(to: wantedLetters, atMost: limit)
        var found: [(distance: Int, name: String)] = []
        let lengths = max(0, wantedLetters.count - limit)..<(wantedLetters.count + limit + 1)
        for glances in byLength[lengths.clamped(to: byLength.indices)] {
            for glance in glances where glance.mayBeSlip(of: wantedGlance, limit: limit) {
                let letters = letters[starts[glance.index]..<starts[glance.index + 1]]
                if letters.elementsEqual(wantedLetters) { continue }
                if letters.elementsEqual(wantedLetters, by: { $0.lowered == $1.lowered }) {
                    found.append((0, names[glance.index]))
                } else if let distance = distance.from(letters) {
                    found.append((distance, names[glance.index]))
                }
            }
        }
        return found.sorted { $0 < $1 }.map(\.name)
    }

    /// The at most three names that are likely slips of a wanted one, the nearest first.
    package static func to(_ wanted: String, among names: some Sequence<String>) -> [String] {
        Array(NearestNames(names).names(nearestTo: wanted).prefix(3))
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

    private static func glance(at name: ArraySlice<Unicode.Scalar>, index: Int) -> Glance {
        var letters: UInt64 = 0
        var number: UInt64 = 0
        for letter in name {
            letters |= 1 << UInt64(letter.lowered.value & 63)
            // A digit is ten at most in this way, so that no two short numbers are taken for one.
            if letter.isDigit { number = number &* 11 &+ UInt64(letter.value &- 0x2F) }
        }
        return Glance(letters: letters, number: number, index: index)
    }
}

extension NearestNames.Glance {
    /// Whether a name may be so near another one: each slip adds one letter at most, and takes one away.
    fileprivate func mayBeSlip(of other: Self, limit: Int) -> Bool {
        if number != other.number, number != 0, other.number != 0 { return false }
        return (letters & ~other.letters).nonzeroBitCount <= limit
            && (other.letters & ~letters).nonzeroBitCount <= limit
    }
}

extension Unicode.Scalar {
    /// The letter in lower case, or the first of the letters that it is in lower case.
    fileprivate var lowered: Unicode.Scalar {
        if value < 0x80 { return (0x41...0x5A).contains(value) ? Unicode.Scalar(UInt8(value + 0x20)) : self }
        return properties.lowercaseMapping.unicodeScalars.first ?? self
    }

    fileprivate var isDigit: Bool {
        value < 0x80 ? (0x30...0x39).contains(value) : properties.numericType != nil
    }
}

/// The optimal string alignment distance to one name: insertions, deletions, replacements and swaps of
/// neighbours.
private struct EditDistance {
    private let wanted: [Unicode.Scalar]
    private let limit: Int
    /// The last three rows of the table of distances between beginnings; kept to be used again.
    private var rows: (beforeLast: [Int], last: [Int], current: [Int])

    init(to wanted: [Unicode.Scalar], atMost limit: Int) {
        self.wanted = wanted
        self.limit = limit
        let row = Array(repeating: 0, count: wanted.count + 1)
        rows = (row, row, row)
    }

    /// The distance from a name, or nil if it is above the limit.
    mutating func from(_ name: ArraySlice<Unicode.Scalar>) -> Int? {
        guard limit > 0, abs(name.count - wanted.count) <= limit else { return nil }
        let tooFar = limit + 1
        for column in 0...wanted.count { rows.last[column] = column }
        var before: Unicode.Scalar?
        for (row, letter) in name.enumerated() {
            // Further from the diagonal than the limit nothing is near.
            let band = max(0, row - limit)..<min(wanted.count, row + limit + 1)
            rows.current[band.lowerBound] = band.lowerBound == 0 ? row + 1 : tooFar
            var best = rows.current[band.lowerBound]
            for column in band {
                // Above the band of the row before.
                let above = column < row + limit ? rows.last[column + 1] + 1 : tooFar
                var distance = min(
                    rows.last[column] + (letter == wanted[column] ? 0 : 1), above, rows.current[column] + 1)
                if column > 0, let before, letter == wanted[column - 1], before == wanted[column] {
                    distance = min(distance, rows.beforeLast[column - 1] + 1)
                }
                rows.current[column + 1] = distance
                best = min(best, distance)
            }
            if best > limit { return nil }
            (rows.beforeLast, rows.last, rows.current) = (rows.last, rows.current, rows.beforeLast)
            before = letter
        }
        return rows.last[wanted.count] <= limit ? rows.last[wanted.count] : nil
    }
}
