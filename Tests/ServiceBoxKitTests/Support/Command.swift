// Part of ServiceBox, released under the MIT License.
// Running programs and looking at what they print.

import Foundation

/// What a program printed and how it ended.
struct CommandResult: Equatable {
    let status: Int32
    let output: String
    let errors: String
}

/// A program to run.
enum Command {
    /// Runs a program to its end.
    ///
    /// Output goes through files, so that no pipe fills up.
    ///
    /// - Parameters:
    ///   - program: The path of the program, or the name of one that `PATH` finds.
    ///   - arguments: Its arguments.
    ///   - folder: The folder to run it in.
    /// - Returns: What it printed, and its exit status.
    /// - Throws: What the file system throws, and if there is no such program.
    static func run(
        _ program: String, _ arguments: [String], in folder: URL? = nil
    ) throws -> CommandResult {
        let scratch = try TemporaryFolder()
        let output = scratch.url.appendingPathComponent("output")
        let errors = scratch.url.appendingPathComponent("errors")
        for file in [output, errors] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program.contains("/") ? program : "/usr/bin/env")
        process.arguments = program.contains("/") ? arguments : [program] + arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return CommandResult(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}

/// A folder that goes when its last user does.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("ServiceBox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
