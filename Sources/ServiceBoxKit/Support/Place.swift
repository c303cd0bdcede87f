// Part of ServiceBox, released under the MIT License.
// Where something was written in the source.

/// A line of the source.
struct Place: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: UInt

    var description: String { "\(file):\(line)" }

    /// Traps with a message, at this place.
    func stop(_ message: String) -> Never {
        fatalError(message, file: file, line: line)
    }
}
