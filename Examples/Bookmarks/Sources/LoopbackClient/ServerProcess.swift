// Part of ServiceBox, released under the MIT License.
// A server that runs as a program of its own.

package import Foundation
private import Synchronization

/// A server in a process, which ends with this object.
package final class ServerProcess: Sendable {
    /// Where the server's program lies.
    package let process: Process
    private let lines: Lines
    /// The port that it listens on; nil if it has ended instead.
    package let port: Int?

    /// The lines that it has written to standard error.
    private final class Lines: Sendable {
        let data = Mutex(Data())
    }

    /// Starts a server, and waits until it is ready or has ended.
    ///
    /// - Parameters:
    ///   - program: Its file.
    ///   - arguments: Its arguments.
    ///   - environment: Its variables, besides those of this process that don't concern it.
    /// - Throws: What starting it throws.
    package init(_ program: URL, _ arguments: [String] = [], _ environment: [String: String]) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("BOOKMARKS_") }.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardError = pipe
        let lines = Lines()
        try process.run()
        self.process = process
        self.lines = lines
        var port: Int?
        let handle = pipe.fileHandleForReading
        // The first line says where it listens, or why it doesn't.
        while port == nil {
            let data = handle.availableData
            if data.isEmpty { break }
            lines.data.withLock { $0 += data }
            let text = String(decoding: lines.data.withLock { $0 }, as: UTF8.self)
            guard let ready = text.range(of: #""note":"http://[^"]*""#, options: .regularExpression) else {
                continue
            }
            port = text[ready].split(separator: ":").last.flatMap { Int($0.dropLast()) }
        }
        self.port = port
        // What it writes has to be read, so that it isn't kept waiting.
        Thread.detachNewThread {
            while true {
                let data = handle.availableData
                if data.isEmpty { return }
                lines.data.withLock { if $0.count < 1 << 20 { $0 += data } }
            }
        }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// What it has written to standard error so far, a megabyte at most.
    package var output: String { String(decoding: lines.data.withLock { $0 }, as: UTF8.self) }

    /// Sends a signal, and waits until it has ended.
    ///
    /// - Returns: The exit code, or the signal that has ended it.
    @discardableResult
    package func end(_ signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationStatus
    }
}
