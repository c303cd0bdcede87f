// Part of ServiceBox, released under the MIT License.
// The library built by itself, for programs that tests compile.

import Foundation

/// The library as a module and an archive, built once by the compiler alone.
///
/// Programs that need other flags than the test run's are compiled against it, whatever the test run was
/// built with: debug, release, or under a sanitizer.
struct StandaloneLibrary: Sendable {
    private let folder: TemporaryFolder

    /// The library, built when first asked for.
    static let shared = Task { try await StandaloneLibrary() }

    /// The library as a build leaves it that strips the names of properties.
    static let withoutNames = Task { try await StandaloneLibrary(flags: Self.withoutNamesFlags) }

    /// The library as a build leaves it that strips reflection metadata.
    static let withoutMetadata = Task { try await StandaloneLibrary(flags: Self.withoutMetadataFlags) }

    static let withoutNamesFlags = ["-Xfrontend", "-disable-reflection-names"]
    static let withoutMetadataFlags = ["-Xfrontend", "-disable-reflection-metadata"]

    /// The folder of the package.
    static let packageFolder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private init(flags: [String] = []) async throws {
        folder = try TemporaryFolder()
        let sources = Self.files("swift", below: "Sources/ServiceBoxKit").map(\.path)
        let result = try await Command.run(
            "swiftc",
            [
                "-swift-version", "6", "-parse-as-library", "-module-name", "ServiceBoxKit", "-emit-module",
                "-emit-library", "-static", "-o", "libServiceBoxKit.a", "-whole-module-optimization",
            ] + Self.package + Self.features + flags + sources, in: folder.url)
        guard result.exitCode == 0 else { throw Failure(text: result.errors) }
    }

    /// Compiles a program of one file.
    ///
    /// - Parameters:
    ///   - source: The text of its `main.swift`.
    ///   - flags: More flags for the compiler; `-typecheck` to build nothing.
    /// - Returns: What the compiler said, and the program unless it was only checked.
    /// - Throws: What the file system throws.
    func compile(_ source: String, flags: [String] = []) async throws -> (
        compiler: CommandResult, program: Program
    ) {
        let output = try TemporaryFolder()
        try Data(source.utf8).write(to: output.url.appendingPathComponent("main.swift"))
        let link =
            flags.contains("-typecheck") ? [] : ["-L", folder.url.path, "-lServiceBoxKit", "-o", "program"]
        let compiler = try await Command.run(
            "swiftc",
            ["-swift-version", "6", "main.swift", "-I", folder.url.path] + Self.features + flags + link,
            in: output.url)
        return (compiler, Program(folder: output))
    }

    /// Adds a module of one file that programs can import, to be type-checked only.
    func addModule(_ name: String, source: String) async throws {
        let file = folder.url.appendingPathComponent("\(name).swift")
        try Data(source.utf8).write(to: file)
        try await addModule(name, files: [file])
    }

    /// Adds a module that programs can import, to be type-checked only.
    func addModule(_ name: String, files: [URL]) async throws {
        let result = try await Command.run(
            "swiftc",
            ["-swift-version", "6", "-parse-as-library", "-module-name", name, "-emit-module", "-I", "."]
                + Self.package + Self.features + files.map(\.path), in: folder.url)
        guard result.exitCode == 0 else { throw Failure(text: result.errors) }
    }

    /// Builds a module of one file that programs can import and link with the flag `-lNAME`.
    ///
    /// - Parameters:
    ///   - name: The module's name, which no other test gives.
    ///   - source: Its text.
    ///   - flags: More flags for the compiler.
    /// - Throws: What the compiler says, if it fails, and what the file system throws.
    func buildModule(_ name: String, source: String, flags: [String]) async throws {
        try Data(source.utf8).write(to: folder.url.appendingPathComponent("\(name).swift"))
        let result = try await Command.run(
            "swiftc",
            [
                "-swift-version", "6", "-parse-as-library", "-module-name", name, "-emit-module",
                "-emit-library",
                "-static", "-o", "lib\(name).a", "-I", ".", "\(name).swift",
            ] + Self.features + flags, in: folder.url)
        guard result.exitCode == 0 else { throw Failure(text: result.errors) }
    }

    /// A compiled program.
    struct Program {
        fileprivate let folder: TemporaryFolder

        func run() async throws -> CommandResult {
            try await Command.run(folder.url.appendingPathComponent("program").path, [], in: folder.url)
        }
    }

    struct Failure: Error {
        let text: String
    }

    /// The files of a kind below a folder of the package, sorted by their paths.
    static func files(_ kind: String, below path: String) -> [URL] {
        let found = FileManager.default.enumerator(
            at: packageFolder.appendingPathComponent(path), includingPropertiesForKeys: nil)
        let files = found?.compactMap { $0 as? URL }.filter { $0.pathExtension == kind }
        return (files ?? []).sorted { $0.path < $1.path }
    }

    /// Lets modules share what is declared `package`.
    private static let package = ["-package-name", "servicebox"]

    /// The upcoming features that the manifest enables for the library.
    private static let features: [String] = {
        let manifest = try? String(
            contentsOf: packageFolder.appendingPathComponent("Package.swift"), encoding: .utf8)
        return (manifest ?? "").matches(of: /enableUpcomingFeature\("(\w+)"\),/)
            .flatMap { ["-enable-upcoming-feature", String($0.output.1)] }
    }()
}
