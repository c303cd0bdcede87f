// Part of ServiceBox, released under the MIT License.
// The lines that differ between two texts.

/// A line that a text lost or gained.
struct LineChange {
    let isNew: Bool
    let line: Substring

    /// The lines that differ between two texts, in order; a replaced line comes before its replacement.
    ///
    /// Line endings don't matter, because a check-out may change them.
    ///
    /// - Parameters:
    ///   - old: The old text.
    ///   - new: The new text.
    /// - Returns: The changes.
    /// - Complexity: O(*n* · *d*) for *n* lines of which *d* differ.
    static func all(from old: String, to new: String) -> [LineChange] {
        let difference = lines(of: new).difference(from: lines(of: old))
        // A change stands behind as many of the lines that both texts have.
        let places = [difference.removals, difference.insertions].flatMap { changes in
            changes.enumerated().map { index, change in
                switch change {
                case .remove(let offset, let line, _): (offset - index, LineChange(isNew: false, line: line))
                case .insert(let offset, let line, _): (offset - index, LineChange(isNew: true, line: line))
                }
            }
        }
        return places.sorted { ($0.0, $0.1.isNew ? 1 : 0) < ($1.0, $1.1.isNew ? 1 : 0) }.map(\.1)
    }

    private static func lines(of text: String) -> [Substring] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
