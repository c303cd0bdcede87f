// Part of ServiceBox, released under the MIT License.
// Where something was written in the source.

/// Where something was written in the source, as `Module/File.swift:12`.
struct SourceLocation: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: UInt

    var description: String { "\(file):\(line)" }

    /// Whether another one is the same, as far as that can be told without comparing texts.
    func isSame(as other: Self) -> Bool {
        line == other.line && file.hasPointerRepresentation && other.file.hasPointerRepresentation
            && file.utf8Start == other.file.utf8Start
    }

    /// Traps with a message, at this place.
    func trap(_ message: String) -> Never {
        fatalError(message, file: file, line: line)
    }
}
