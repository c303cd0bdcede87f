// Part of ServiceBox, released under the MIT License.
// A place in the source.

/// A place in the source, printed as `Module/File.swift:12`.
struct SourceLocation: Sendable, CustomStringConvertible {
    let file: StaticString
    /// In half a word, which fits beside the file.
    private let row: UInt32

    init(file: StaticString, line: UInt) {
        self.file = file
        row = UInt32(clamping: line)
    }

    var line: UInt { UInt(row) }

    var description: String { "\(file):\(line)" }
}
