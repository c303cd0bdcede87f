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
        let (oldLines, newLines) = (Self.lines(of: old), Self.lines(of: new))
        var gone: [Int: Substring] = [:]
        var come: [Int: Substring] = [:]
        for change in newLines.difference(from: oldLines) {
            switch change {
            case .remove(let offset, let line, _): gone[offset] = line
            case .insert(let offset, let line, _): come[offset] = line
            }
        }
        var changes: [Change] = []
        var (oldOffset, newOffset) = (0, 0)
        while oldOffset < oldLines.count || newOffset < newLines.count {
            if let line = gone[oldOffset] {
                changes.append(Change(isNew: false, line: line))
                oldOffset += 1
            } else if let line = come[newOffset] {
                changes.append(Change(isNew: true, line: line))
                newOffset += 1
            } else {
                oldOffset += 1
                newOffset += 1
            }
        }
        self.changes = changes
    }

    private static func lines(of text: String) -> [Substring] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
