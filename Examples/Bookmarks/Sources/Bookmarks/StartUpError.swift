// Part of ServiceBox, released under the MIT License.
// Why the program can't start, each in one line.

import Foundation

/// A reason not to start: a line for people and an exit code for programs.
///
/// The codes are those of the system's `sysexits.h`.
struct StartUpError: Error, CustomStringConvertible {
    let line: String
    let exitCode: Int32

    var description: String { line }

    static func usage(_ problem: String) -> Self { Self(line: "\(problem); \(Command.usage)", exitCode: 64) }

    static func badAddress(_ host: String) -> Self {
        Self(line: "BOOKMARKS_HOST: '\(host)' isn't an IPv4 address.", exitCode: 78)
    }

    static func cannotListen(_ host: String, _ port: Int, _ reason: Int32) -> Self {
        let why = reason == EADDRINUSE ? "another program does" : String(cString: strerror(reason))
        return Self(line: "can't listen on \(host):\(port): \(why).", exitCode: 69)
    }

    static func newerDatabase(version: Int, known: Int) -> Self {
        Self(
            line:
                "the database has version \(version), and this program knows \(known); use a newer program.",
            exitCode: 65)
    }

    static func cannotOpen(_ path: String, _ error: SQLiteError) -> Self {
        let why = "\(error.message) (SQLite \(error.extendedCode))"
        return Self(line: "can't open the database '\(path)': \(why).", exitCode: 74)
    }

    /// Everything that is wrong with the environment.
    static func configuration(_ problems: [String]) -> Self {
        let lines = problems.map { "\n  \($0)" }.joined()
        return Self(line: "the environment can't be used:\(lines)", exitCode: 78)
    }
}
