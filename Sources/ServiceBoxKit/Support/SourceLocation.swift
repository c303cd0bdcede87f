// Part of ServiceBox, released under the MIT License.
// A place in the source.

/// A place in the source, printed as `Module/File.swift:12`.
struct SourceLocation: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: UInt

    var description: String { "\(file):\(line)" }
}
