// Part of ServiceBox, released under the MIT License.
// Builds the programs whose launch is measured, and runs them.

import Foundation

/// A package of its own with the programs, alone and with many more types, in a folder that a later run finds again.
struct LaunchPackage {
    /// What one run of a program took, in microseconds of its thread.
    struct Run {
        let registering: Double
        let filling: Double

        var all: Double { registering + filling }
    }

    /// A program that couldn't be built or run, in one line.
    struct Failure: Error {
        let text: String
    }

    private let root: URL
    private let folder: URL

    /// Writes the sources and builds them.
    ///
    /// - Parameter root: The folder of the package that the library belongs to.
    /// - Throws: `Failure`, or what writing throws.
    init(for root: URL) throws {
        self.root = root
        folder = root.appending(path: ".build-launch")
        for program in LaunchProgram.allCases {
            for suffix in ["", "Many"] {
                try write(program.source, to: "Sources/\(program.rawValue)\(suffix)/main.swift")
            }
        }
        try write(ManyTypes.source, to: "many.swift")
        // Always, since otherwise a build doesn't see files that were added to the library.
        try manifest(root).write(
            to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        let object = folder.appending(path: "many.o")
        if !FileManager.default.fileExists(atPath: object.plainPath) {
            try Self.run(
                "swiftc",
                ["-parse-as-library", "-module-name", "Many", "-c", "many.swift", "-o", "many.o"], in: folder)
        }
        try Self.run("swift", ["build", "-c", "release"], in: folder)
    }

    /// Runs a program in a fresh process.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - hasManyTypes: Whether it contains many more types.
    /// - Returns: What it took.
    /// - Throws: `Failure` if it didn't fill what it should.
    func run(_ program: LaunchProgram, hasManyTypes: Bool) throws -> Run {
        let output = try Self.run(
            executable(program, hasManyTypes).plainPath, [], in: folder)
        let words = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard words.count == 3, words[2] == Double(LaunchProgram.sum) else {
            throw Failure(text: "\(program.rawValue) printed '\(output)'")
        }
        return Run(registering: words[0], filling: words[1])
    }

    /// How many bytes a program takes without its symbols.
    func strippedSize(_ program: LaunchProgram) throws -> Double {
        try Self.run(
            "strip", ["-o", "stripped", executable(program, false).plainPath], in: folder)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.appending(path: "stripped").plainPath)
        return (attributes[.size] as? NSNumber)?.doubleValue ?? 0
    }

    /// The processor time of building the library from nothing, in seconds.
    func libraryBuildTime() throws -> Double {
        let scratch = folder.appending(path: "library")
        try? FileManager.default.removeItem(at: scratch)
        let build = """
            swift build -c release --target ServiceBoxKit --package-path '\(root.plainPath)' \
                --scratch-path '\(scratch.plainPath)' > /dev/null 2>&1
            """
        let output = try Self.run(
            "bash", ["-c", "TIMEFORMAT='%U %S'; { time \(build); } 2>&1"], in: folder)
        return output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }.reduce(0, +)
    }

    private func executable(_ program: LaunchProgram, _ hasManyTypes: Bool) -> URL {
        folder.appending(path: ".build/release/\(program.rawValue)\(hasManyTypes ? "Many" : "")")
    }

    /// Writes a file unless it is as it should be, so that what hasn't changed isn't built again.
    private func write(_ text: String, to path: String) throws {
        let file = folder.appending(path: path)
        if let known = try? String(contentsOf: file, encoding: .utf8), known == text { return }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func manifest(_ root: URL) -> String {
        let targets = LaunchProgram.allCases.flatMap { program in
            ["", "Many"].map { suffix in
                let dependencies =
                    program == .withBox
                    ? #"[.product(name: "ServiceBoxKit", package: "ServiceBox")]"# : "[]"
                let settings =
                    suffix.isEmpty
                    ? "[]" : "[.unsafeFlags([\"\(folder.plainPath)/many.o\"])]"
                return """
                    .executableTarget(
                        name: "\(program.rawValue)\(suffix)", dependencies: \(dependencies),
                        linkerSettings: \(settings)),
                    """
            }
        }
        return """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(
                name: "Launch", platforms: [.macOS(.v15)],
                dependencies: [.package(name: "ServiceBox", path: "\(root.plainPath)")],
                targets: [
                    \(targets.joined(separator: "\n"))
                ],
                swiftLanguageModes: [.v6]
            )

            """
    }

    /// Runs a command.
    ///
    /// - Returns: What it printed.
    /// - Throws: `Failure` if it can't be run or doesn't end well.
    @discardableResult
    private static func run(_ command: String, _ arguments: [String], in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(text: "'\(command)' ended with \(process.terminationStatus)")
        }
        return output
    }
}

extension URL {
    fileprivate var plainPath: String { path(percentEncoded: false) }
}
