// Part of ServiceBox, released under the MIT License.
// Names that are likely misspellings of another one.

/// A search for names close to one that wasn't found, prepared once for any number of questions.
struct NearestNames {
    /// A name with cheap features that rule out most others.
    fileprivate struct Candidate {
        let name: String
        let letters: [Unicode.Scalar]
        /// A bit for each letter of the name, lower-cased.
        let letterSet: UInt64
        /// The digits of the name as one number; zero if it has none.
        let number: UInt64

        init(_ name: String) {
            self.name = name
            letters = Array(name.unicodeScalars)
            letterSet = letters.reduce(0) { $0 | 1 << UInt64($1.lowered.value & 63) }
            // Digits count as 1 to 10, in base 11, so that no two short numbers are equal.
            number = letters.reduce(0) { $1.isDigit ? $0 &* 11 &+ UInt64($1.value &- 0x2F) : $0 }
        }
    }

    private static let mostLetters = 100

    /// By length and number.
    private var candidates: [[UInt64: [Candidate]]] = []
    /// Other names, already prepared; none or one.
    private let others: [NearestNames]

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - others: More names, prepared before; may contain the same.
    /// - Complexity: O(*n*) for names of *n* letters in all.
    init(_ names: some Sequence<String>, beside others: NearestNames? = nil) {
        self.others = others.map { [$0] } ?? []
        for candidate in names.lazy.map(Candidate.init) where candidate.letters.count <= Self.mostLetters {
            while candidates.count <= candidate.letters.count { candidates.append([:]) }
            candidates[candidate.letters.count][candidate.number, default: []].append(candidate)
        }
    }

    /// Finds the names that are likely misspellings of a wanted one: a few letters differ, are missing or
    /// swapped, or only their case differs.
    ///
    /// A different number isn't a misspelling: `cache1` isn't `cache2`. Nothing is near a name of over 100 letters.
    ///
    /// - Returns: The names, the nearest first.
    /// - Complexity: O(*n*) for *n* names without a number or with the same one; a few steps for each distant
    ///   name.
    func names(nearestTo name: String) -> [String] {
        near(Candidate(name)).sorted { $0 < $1 }.reduce(into: []) { names, near in
            if names.last != near.name { names.append(near.name) }
        }
    }

    private func near(_ wanted: Candidate) -> [(distance: Int, name: String)] {
        let length = wanted.letters.count
        // What is longer was hardly typed, and comparing takes the square of it.
        if length > Self.mostLetters { return [] }
        let limit = length < 3 ? 0 : length < 6 ? 1 : length < 10 ? 2 : 3
        var found: [(distance: Int, name: String)] = []
        let lengths = max(0, length - limit)..<(length + limit + 1)
        for byNumber in candidates[lengths.clamped(to: candidates.indices)] {
            let alike =
                wanted.number == 0
                ? Array(byNumber.values) : [0, wanted.number].compactMap { byNumber[$0] }
            for candidate in alike.joined() where candidate.mayBeSlip(of: wanted, limit: limit) {
                if candidate.letters == wanted.letters { continue }
                let distance = candidate.distance(to: wanted)
                if distance <= limit { found.append((distance, candidate.name)) }
            }
        }
        return found + others.flatMap { $0.near(wanted) }
    }

    /// Up to three names that are likely misspellings of a wanted one, the nearest first.
    static func to(_ wanted: String, among names: some Sequence<String>) -> [String] {
        Array(NearestNames(names).names(nearestTo: wanted).prefix(3))
    }
}

extension NearestNames.Candidate {
    /// Whether the name may be within the limit: each edit adds at most one letter and removes at most one.
    fileprivate func mayBeSlip(of other: Self, limit: Int) -> Bool {
        (letterSet & ~other.letterSet).nonzeroBitCount <= limit
            && (other.letterSet & ~letterSet).nonzeroBitCount <= limit
    }

    /// The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours; zero if
    /// the names differ in case alone.
    fileprivate func distance(to other: Self) -> Int {
        let wanted = other.letters
        if letters.elementsEqual(wanted, by: { $0.lowered == $1.lowered }) { return 0 }
        var beforeLast: [Int] = []
        var last = Array(0...wanted.count)
        for (row, letter) in letters.enumerated() {
            var current = [row + 1]
            for (column, other) in wanted.enumerated() {
                var distance = min(
                    last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == wanted[column - 1], letters[row - 1] == other {
                    distance = min(distance, beforeLast[column - 1] + 1)
                }
                current.append(distance)
            }
            (beforeLast, last) = (last, current)
        }
        return last[wanted.count]
    }
}

extension Unicode.Scalar {
    /// The lower-case letter, or the first scalar of its lower-case mapping.
    fileprivate var lowered: Unicode.Scalar {
        if value < 0x80 { return (0x41...0x5A).contains(value) ? Unicode.Scalar(UInt8(value + 0x20)) : self }
        return properties.lowercaseMapping.unicodeScalars.first ?? self
    }

    fileprivate var isDigit: Bool {
        value < 0x80 ? (0x30...0x39).contains(value) : properties.numericType != nil
    }
}
