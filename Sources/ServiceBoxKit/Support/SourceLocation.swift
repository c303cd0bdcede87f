// Part of ServiceBox, released under the MIT License.
// Where something was written in the source.

/// Where something was written in the source, as `Module/File.swift:12`.
struct SourceLocation: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: UInt

    var description: String { "\(file):\(line)" }

    /// Traps with a message, at this place.
    func trap(_ message: String) -> Never {
        fatalError(message, file: file, line: line)
    }
}
