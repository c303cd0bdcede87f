// Part of ServiceBox, released under the MIT License.
// The line that opens a block of code.

/// A fence of three or more backticks or tildes.
///
/// It may stand at any indentation, since code in a list is indented as the list is.
struct Fence {
    private let mark: Character
    private let length: Int

    /// Reads a fence from the line that opens a block.
    ///
    /// - Returns: Nil if the line does not open one.
    init?(openedBy line: Substring) {
        let text = line.trimmed
        guard let first = text.first, first == "`" || first == "~" else { return nil }
        let length = text.prefix { $0 == first }.count
        // With a backtick further on, it is code within a line of text.
        guard length >= 3, first == "~" || !text.dropFirst(length).contains("`") else { return nil }
        mark = first
        self.length = length
    }

    /// Whether a line closes the block: as many of the same marks or more, and nothing else.
    func isClosed(by line: Substring) -> Bool {
        let text = line.trimmed
        return text.count >= length && text.allSatisfy { $0 == mark }
    }
}
