// Part of ServiceBox, released under the MIT License.
// Finds and runs the built programs of Examples.

import Foundation
import Testing

/// A built example, which lies beside the tests.
struct ExampleProgram {
    let name: String

    /// Runs the program and waits for its end.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - folder: The folder to run it in.
    ///   - environment: Variables that replace the inherited ones.
    ///   - command: What a shell does before, such as to set limits.
    /// - Returns: What it printed, and its exit code.
    /// - Throws: If the program is not there or cannot be started.
    func run(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:],
        after command: String = ":"
    ) async throws -> CommandResult {
        let shell = ["-c", "\(command); exec \"$0\" \"$@\"", try locate().plainPath]
        return try await Command.run("/bin/sh", shell + arguments, in: folder, environment: environment)
    }

    /// Looks beside everything that may be the test program, and in the folders around it.
    ///
    /// On Linux the tests are a program in the folder of the products. On Apple platforms they are a bundle
    /// in it, which a helper from elsewhere has loaded and was given as an argument.
    private func locate() throws -> URL {
        let bundles = [Bundle.main] + Bundle.allBundles
        let starts = CommandLine.arguments.map { URL(filePath: $0) } + bundles.map(\.bundleURL)
        for start in starts {
            var folder = start.standardizedFileURL
            // In a bundle it lies four levels below the products: Tests.xctest/Contents/MacOS/Tests.
            for _ in 0...4 {
                let program = folder.appending(path: name)
                let isFile = try? program.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
                if isFile == true, FileManager.default.isExecutableFile(atPath: program.plainPath) {
                    return program
                }
                folder.deleteLastPathComponent()
            }
        }
        return try #require(nil, "The program \(name) is not built beside the tests.")
    }
}

extension CommandResult {
    /// Some lines of the output, counted from 0; fewer if it has not so many.
    func lines(_ range: ClosedRange<Int>) -> [String] {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropFirst(range.lowerBound).prefix(range.count).map(String.init)
    }
}

extension URL {
    var plainPath: String { path(percentEncoded: false) }
}
