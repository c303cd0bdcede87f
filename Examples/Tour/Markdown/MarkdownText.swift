// Part of ServiceBox, released under the MIT License.
// How many words and headings a Markdown text has.

/// What was counted in a Markdown text.
///
/// A word is what stands between white space and has a letter or a digit. A heading is a line that begins
/// with one to six `#`, or a line of text that is underlined with `=` or `-`. Front matter and fenced code
/// count as neither.
struct MarkdownText {
    private(set) var words = 0
    private(set) var headings = 0

    /// Counts.
    ///
    /// - Parameter source: The whole text.
    init(_ source: String) {
        let lines = source.trimmingPrefix("\u{FEFF}").split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var fence: Fence?
        var isAfterText = false
        for line in lines.dropFirst(Self.frontMatterLength(of: lines)) {
            if let open = fence {
                if open.isClosed(by: line) { fence = nil }
                continue
            }
            fence = Fence(openedBy: line)
            guard fence == nil else {
                isAfterText = false
                continue
            }
            let isMarked = Self.isMarkedHeading(line)
            if isMarked || isAfterText && Self.isUnderline(line) { headings += 1 }
            isAfterText = !isMarked && Self.isText(line, continuing: isAfterText)
            words += line.split(whereSeparator: \.isWhitespace).count(where: Self.isWord)
        }
    }

    /// The number of lines from an opening `---` in the first line to the one that closes it; 0 without one.
    private static func frontMatterLength(of lines: [Substring]) -> Int {
        guard lines.first?.trimmed == "---" else { return 0 }
        let end = lines.dropFirst().firstIndex { ["---", "..."].contains($0.trimmed) }
        return end.map { $0 + 1 } ?? 0
    }

    /// Whether a line is a heading by itself: `## Title`.
    private static func isMarkedHeading(_ line: Substring) -> Bool {
        guard line.indentation < 4 else { return false }
        let marks = line.trimmed.prefix { $0 == "#" }
        guard (1...6).contains(marks.count) else { return false }
        return line.trimmed.dropFirst(marks.count).first?.isWhitespace ?? true
    }

    /// Whether a line makes the text above it a heading: `=====` or `-----`.
    private static func isUnderline(_ line: Substring) -> Bool {
        guard line.indentation < 4, let mark = line.trimmed.first, mark == "=" || mark == "-" else {
            return false
        }
        return line.trimmed.allSatisfy { $0 == mark }
    }

    /// Whether a line is running text, which an underline makes a heading; not a list, a quotation or code.
    private static func isText(_ line: Substring, continuing isAfterText: Bool) -> Bool {
        let text = line.trimmed
        guard let first = text.first, !isUnderline(line) else { return false }
        if [">", "-", "*", "+"].contains(first), text.dropFirst().first.map(\.isWhitespace) ?? true {
            return false
        }
        let number = text.prefix { $0.isASCII && $0.isNumber }
        if !number.isEmpty, [".", ")"].contains(text.dropFirst(number.count).first) { return false }
        return isAfterText || line.indentation < 4
    }

    private static func isWord(_ part: Substring) -> Bool {
        part.contains { $0.isLetter || $0.isNumber }
    }
}

extension Substring {
    /// The line without white space at its ends.
    var trimmed: Substring {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return self[...last].drop(while: \.isWhitespace)
    }

    /// How many columns of white space a line begins with; a tab fills up to four.
    var indentation: Int {
        prefix(while: \.isWhitespace).reduce(0) { $1 == "\t" ? ($0 / 4 + 1) * 4 : $0 + 1 }
    }
}
