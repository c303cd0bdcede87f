// Part of ServiceBox, released under the MIT License.
// The file that keeps the wiring of a box.

import Foundation

/// A file with the wiring that was last accepted.
package struct WiringLock {
    private let file: URL
    private let isRecording: Bool
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
    /// - Throws: What differs, or why the file can't be read or written.
    package func check(_ wiring: String) throws(WiringLockError) {
        if isRecording {
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
