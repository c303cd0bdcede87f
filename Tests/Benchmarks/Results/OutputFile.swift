// Part of ServiceBox, released under the MIT License.
// The file that the results are written to.

package import Foundation

/// A file that could be opened for writing.
package struct OutputFile {
    private let path: String
    private let handle: FileHandle

    /// Opens the file, and makes it if there is none; what is in it stays until something is written.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: `WrongUse` if the file cannot be written.
    package init(path: String) throws(WrongUse) {
        let exists = FileManager.default.fileExists(atPath: path)
        guard exists || FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw WrongUse("can't write to '\(path)'") }
        self.path = path
        self.handle = handle
    }

    /// Replaces what the file holds.
    ///
    /// - Parameter data: The new contents.
    /// - Throws: `WrongUse` if the file cannot be written.
    package func write(_ data: Data) throws(WrongUse) {
        do {
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: data)
            try handle.close()
        } catch {
            throw WrongUse("can't write to '\(path)': \(error.localizedDescription)")
        }
    }
}
