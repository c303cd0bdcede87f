// Part of ServiceBox, released under the MIT License.
// Comparing the wiring of a box with what was recorded.

public import ServiceBoxKit
import Testing

/// Records an issue if the wiring of a box is not what a file says.
///
/// Keep the file in version control: a change of the wiring then shows in review. Run the test once with
/// `RECORD_WIRING=1` in the environment to write the file, and again when a change is meant. The issue shows
/// the lines that are gone and new.
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
/// It makes and fills nothing, and reads the source folder, which must be there where the test runs. Call it
/// in the isolation of the objects in `others`. For another test framework see
/// ``requireWiring(of:including:matches:filePath:)``.
///
/// - Parameters:
///   - box: The box; one of the test's own, since what a box has filled before is part of its wiring.
///   - others: Types that any box has seen an object of, and objects, to list besides.
///   - path: The path of the file, from the folder of the test's source file unless it is absolute.
///   - fileID: The file of the call, for the issue.
///   - filePath: The path of the file of the call, for the issue and to find the recorded wiring.
///   - line: The line of the call, for the issue.
///   - column: The column of the call, for the issue.
public func expectWiring(
    _ box: ServiceBox, including others: [Any] = [], matches path: String = "Wiring.lock",
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    do {
        try requireWiring(of: box, including: others, matches: path, filePath: filePath)
    } catch {
        Issue.record(
            Comment(rawValue: error.description),
            sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}

/// Throws if the wiring of a box is not what a file says.
///
/// As ``expectWiring(_:including:matches:fileID:filePath:line:column:)``, for any test framework.
///
/// - Parameters:
///   - box: The box; one of the test's own, since what a box has filled before is part of its wiring.
///   - others: Types that any box has seen an object of, and objects, to list besides.
///   - path: The path of the file, from the folder of the test's source file unless it is absolute.
///   - filePath: The path of the file of the call.
/// - Throws: ``WiringLockError`` with what differs, or that the file could not be read or written.
public func requireWiring(
    of box: ServiceBox, including others: [Any] = [], matches path: String = "Wiring.lock",
    filePath: String = #filePath
) throws(WiringLockError) {
    try WiringLock(path, besides: filePath).check(box.wiring(including: others))
}
