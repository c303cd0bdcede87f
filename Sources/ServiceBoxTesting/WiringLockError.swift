// Part of ServiceBox, released under the MIT License.
// Why the wiring of a box is not what was recorded.

/// Why the wiring of a box does not match a file.
///
/// Its text is for people and may change. May be used from anywhere.
public struct WiringLockError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file.
    public let file: String
    /// What differs, or why the file could not be read or written, and what to do.
    public let description: String
}
