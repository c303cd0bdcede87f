// Part of ServiceBox, released under the MIT License.
// The lines that differ between two texts.

/// The lines that a text lost and gained, in order.
struct LineDifference {
    /// A line that was added or removed.
    struct Change: Equatable {
        let isNew: Bool
        let line: Substring
    }

    /// The changes; a replaced line comes before its replacement.
    let changes: [Change]

    /// Compares two texts.
    ///
    /// Line endings don't matter, because a check-out may change them.
    ///
    /// - Parameters:
    ///   - old: The old text.
    ///   - new: The new text.
    /// - Complexity: O(*n* · *d*) for *n* lines of which *d* differ.
    init(from old: String, to new: String) {
        let difference = Self.lines(of: new).difference(from: Self.lines(of: old))
        // A change stands behind as many of the lines that both texts have.
        let places = [difference.removals, difference.insertions].flatMap { changes in
            changes.enumerated().map { index, change in
                switch change {
                case .remove(let offset, let line, _): (offset - index, Change(isNew: false, line: line))
                case .insert(let offset, let line, _): (offset - index, Change(isNew: true, line: line))
                }
            }
        }
        changes = places.sorted { ($0.0, $0.1.isNew ? 1 : 0) < ($1.0, $1.1.isNew ? 1 : 0) }.map(\.1)
    }

    private static func lines(of text: String) -> [Substring] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
