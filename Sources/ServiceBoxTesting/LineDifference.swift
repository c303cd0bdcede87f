// Part of ServiceBox, released under the MIT License.
// What changed from one text to another.

/// The lines that a text has lost and won, in their order.
struct LineDifference {
    /// A line with what became of it.
    struct Change: Equatable {
        let isNew: Bool
        let line: Substring
    }

    /// The changes; what is replaced stands before what replaces it.
    let changes: [Change]

    /// Compares two texts.
    ///
    /// How lines end does not matter: a check-out may have changed it.
    ///
    /// - Parameters:
    ///   - old: What was.
    ///   - new: What is.
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
