// Part of ServiceBox, released under the MIT License.
// Why the wiring of a box doesn't match the recorded one.

/// Why the wiring of a box doesn't match a file.
///
/// Its text is for people and may change.
public struct WiringLockError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file.
    public let file: String
    /// What differs, or why the file can't be read or written, and what to do.
    public let description: String
}
