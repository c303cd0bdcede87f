// Part of ServiceBox, released under the MIT License.
// The file that records the wiring of a box, and the differences from it.

import Foundation
import ServiceBoxKit

/// A file with the last accepted wiring.
package struct WiringLock {
    private let file: URL
    private let isRecording: Bool
    /// What this process has recorded, by file.
    private static let recorded = Guarded<[String: String]>([:])
    private let tell: (String) -> Void

    /// Finds the file.
    ///
    /// - Parameters:
    ///   - path: Its path, absolute or from the folder of the source file.
    ///   - sourceFile: The path of the source file that names it.
    ///   - environment: The environment variables; with `RECORD_WIRING=1` the wiring is written, not
    ///     compared.
    ///   - tell: Reports that the wiring was written.
    package init(
        _ path: String, besides sourceFile: String,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        tell: @escaping (String) -> Void = { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
    ) {
        let folder = URL(fileURLWithPath: sourceFile).deletingLastPathComponent()
        file = URL(fileURLWithPath: path, relativeTo: folder).standardizedFileURL
        isRecording = environment["RECORD_WIRING"] == "1"
        self.tell = tell
    }

    /// Compares a wiring with the file, or writes it there.
    ///
    /// - Parameter wiring: The current wiring.
    /// - Throws: The differences, or the reason why the file can't be read or written.
    package func check(_ wiring: String) throws(WiringLockError) {
        if isRecording {
            let first = Self.recorded.withLock { $0.value(for: path, orInsert: wiring) }
            // The check of one of them would fail whatever is recorded.
            if first != wiring {
                throw refusal(TestingMessage.wiringOfAnother(path, LineChange.all(from: first, to: wiring)))
            }
            do { try Data(wiring.utf8).write(to: file, options: .atomic) } catch {
                throw refusal(TestingMessage.unwritableWiring(path, error))
            }
            return tell(TestingMessage.recordedWiring(path))
        }
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw refusal(TestingMessage.noWiring(path))
        }
        let recorded: String
        do { recorded = try String(contentsOf: file, encoding: .utf8) } catch {
            throw refusal(TestingMessage.unreadableWiring(path, error))
        }
        let changes = LineChange.all(from: recorded, to: wiring)
        if !changes.isEmpty { throw refusal(TestingMessage.otherWiring(path, changes)) }
    }

    private var path: String { file.path }

    private func refusal(_ text: String) -> WiringLockError { WiringLockError(file: path, description: text) }
}

/// A line that a text lost or gained.
struct LineChange {
    let isNew: Bool
    let line: Substring

    /// The lines that differ between two texts, in order; a replaced line comes before its replacement.
    ///
    /// Line endings don't matter, because a check-out may change them.
    ///
    /// - Complexity: O(*n* · *d*) for *n* lines of which *d* differ.
    static func all(from old: String, to new: String) -> [LineChange] {
        let difference = lines(of: new).difference(from: lines(of: old))
        // Each change is placed by the number of common lines before it.
        let places = [difference.removals, difference.insertions].flatMap { changes in
            changes.enumerated().map { index, change in
                switch change {
                case .remove(let offset, let line, _): (offset - index, LineChange(isNew: false, line: line))
                case .insert(let offset, let line, _): (offset - index, LineChange(isNew: true, line: line))
                }
            }
        }
        return places.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private static func lines(of text: String) -> [Substring] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}

/// Why the wiring of a box doesn't match a file.
///
/// Its text is for people and may change.
public struct WiringLockError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file.
    public let file: String
    /// The differences, or why the file can't be read or written, and what to do.
    public let description: String
}
