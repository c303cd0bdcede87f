// Part of ServiceBox, released under the MIT License.
// Compares the wiring of a box with the recorded one.

public import ServiceBoxKit
import Testing

/// Records an issue if the wiring of a box differs from a file.
///
/// Keep the file in version control, so that a change of the wiring shows in review. To write the file, and
/// to accept a change, run the test with `RECORD_WIRING=1` in the environment. The issue shows the lines that
/// are gone and new.
///
/// ```swift
/// import ServiceBoxKit
/// import ServiceBoxTesting
/// import Testing
///
/// final class Clock: Sendable {}
/// final class Alarm { @Injected var clock: Clock? }
///
/// @Test(.serviceBox { box in box.register(Clock()) })
/// func wiring() {
///     expectWiring(.default, including: [Alarm()], matches: "Alarm.lock")
/// }
/// ```
///
/// Nothing is created or filled. The source folder has to exist where the test runs. Call this function in
/// the isolation of the objects in `others`. For other test frameworks see
/// ``requireWiring(_:including:matches:filePath:)``.
///
/// - Parameters:
///   - box: The box; the test's own, because what a box has filled before is part of its wiring.
///   - others: Further objects and types to list; objects where declarations give names, which a type alone
///     doesn't tell before some test has seen an object.
///   - path: The path of the file, from the folder of the test's source file unless it is absolute.
///   - fileID: The file of the call, for the issue.
///   - filePath: The path of the file of the call, for the issue and to find the recorded file.
///   - line: The line of the call, for the issue.
///   - column: The column of the call, for the issue.
public func expectWiring(
    _ box: ServiceBox, including others: [Any] = [], matches path: String = "Wiring.lock",
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    do {
        try requireWiring(box, including: others, matches: path, filePath: filePath)
    } catch {
        Issue.record(
            Comment(rawValue: error.description),
            sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}

/// Throws if the wiring of a box differs from a file.
///
/// Like ``expectWiring(_:including:matches:fileID:filePath:line:column:)``, for any test framework.
///
/// - Parameters:
///   - box: The box; the test's own, because what a box has filled before is part of its wiring.
///   - others: Further objects and types to list; objects where declarations give names, which a type alone
///     doesn't tell before some test has seen an object.
///   - path: The path of the file, from the folder of the test's source file unless it is absolute.
///   - filePath: The path of the file of the call.
/// - Throws: ``WiringLockError`` if the wiring differs, or the file can't be read or written.
public func requireWiring(
    _ box: ServiceBox, including others: [Any] = [], matches path: String = "Wiring.lock",
    filePath: String = #filePath
) throws(WiringLockError) {
    try WiringLock(path, besides: filePath).check(box.wiring(including: others))
}
