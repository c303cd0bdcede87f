// Part of ServiceBox, released under the MIT License.
// The service `storageManager`: files in a folder.

import Foundation
import ServiceBoxKit

/// Reads and writes files in one folder, which it makes when it first writes.
///
/// An immutable class: it has nothing to guard.
final class StorageManager: Sendable {
    private struct Needs {
        /// Weak, because the analytics hold the storage: two strong references would keep both alive forever.
        @WeakInjected var analytics: (any Analytics)?
    }

    private let needs = Needs()
    private let folder: String

    /// Makes a storage.
    ///
    /// - Parameter folder: The path of the folder.
    init(folder: String) {
        self.folder = folder
    }

    func path(of name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// Returns the content of a file, or nil if there is none.
    func read(_ name: String) throws(TourError) -> Data? {
        let path = path(of: name)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let content = FileManager.default.contents(atPath: path) else { throw .cannotRead(path) }
        return content
    }

    /// Writes a file in the place of what was there.
    func write(_ content: Data, to name: String) throws(TourError) {
        let path = path(of: name)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try content.write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .cannotWrite(path)
        }
        needs.analytics?.count("file written")
    }

    /// Adds to the end of a file.
    func append(_ content: Data, to name: String) throws(TourError) {
        let path = path(of: name)
        guard FileManager.default.fileExists(atPath: path) else { return try write(content, to: name) }
        do {
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            defer { try? file.close() }
            try file.seekToEnd()
            try file.write(contentsOf: content)
        } catch {
            throw .cannotWrite(path)
        }
        needs.analytics?.count("file written")
    }
}
