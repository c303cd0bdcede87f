// Part of ServiceBox, released under the MIT License.
// Running programs and looking at what they print.

import Foundation

/// What a program printed and how it ended.
struct CommandResult: Equatable {
    let output: String
    let errors: String
    let exitCode: Int32
}

/// A program to run.
enum Command {
    /// Runs a program to its end.
    ///
    /// What it prints goes to files, since a full pipe would stop it.
    ///
    /// - Parameters:
    ///   - program: The path of the program, or the name of one that `PATH` finds.
    ///   - arguments: Its arguments.
    ///   - folder: The folder to run it in.
    ///   - environment: Variables that replace the inherited ones.
    /// - Returns: What it printed, and its exit code.
    /// - Throws: What the file system throws, and if there is no such program.
    static func run(
        _ program: String, _ arguments: [String], in folder: URL, environment: [String: String] = [:]
    ) async throws -> CommandResult {
        let scratch = try TemporaryFolder()
        let output = scratch.url.appending(path: "output")
        let errors = scratch.url.appending(path: "errors")
        for file in [output, errors] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: program.contains("/") ? program : "/usr/bin/env")
        process.arguments = program.contains("/") ? arguments : [program] + arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        let exitCode = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        return CommandResult(
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self), exitCode: exitCode)
    }
}

/// A folder that goes when its last user does, or with the process.
final class TemporaryFolder: Sendable {
    let url: URL

    /// Where they all lie; what is kept as long as the tests run has no last user.
    private static let ofProcess: URL = {
        atexit { try? FileManager.default.removeItem(at: TemporaryFolder.ofProcess) }
        return FileManager.default.temporaryDirectory.appending(path: "ServiceBox-\(UUID().uuidString)")
    }()

    init() throws {
        url = Self.ofProcess.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
