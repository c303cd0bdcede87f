// Part of ServiceBox, released under the MIT License.
// A place in the source.

/// A place in the source, printed as `Module/File.swift:12`.
struct SourceLocation: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: UInt

    var description: String { "\(file):\(line)" }

    /// Whether another location is the same, as far as pointers to the file names tell, without comparing
    /// text.
    func isSame(as other: Self) -> Bool {
        line == other.line && file.hasPointerRepresentation && other.file.hasPointerRepresentation
            && file.utf8Start == other.file.utf8Start
    }

    /// Traps with a message, attributed to this place.
    func trap(_ message: String) -> Never {
        fatalError(message, file: file, line: line)
    }
}
