// Part of ServiceBox, released under the MIT License.
// Every sample in the documentation compiles.

import Foundation
import Testing

/// A piece of code in the documentation.
struct DocumentationSample: CustomTestStringConvertible, Sendable {
    let file: String
    let line: Int
    let code: String

    var testDescription: String { "\(file):\(line)" }

    /// The samples of the README, the articles and the documentation comments.
    static let all: [DocumentationSample] = {
        let root = StandaloneLibrary.packageFolder
        let texts =
            ["README.md", "CONTRIBUTING.md"].map { root.appendingPathComponent($0) }
            + StandaloneLibrary.files("md", below: "Sources/ServiceBoxKit/Documentation.docc")
            + StandaloneLibrary.files("swift", below: "Sources")
        return texts.flatMap { url in
            samples(in: (try? String(contentsOf: url, encoding: .utf8)) ?? "", file: url.lastPathComponent)
        }
    }()

    private static func samples(in text: String, file: String) -> [DocumentationSample] {
        let isSource = file.hasSuffix(".swift")
        var samples: [DocumentationSample] = []
        var open: (line: Int, code: [Substring])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var content = line.drop { $0 == " " }
            if isSource {
                guard content.hasPrefix("///") else { continue }
                content = content.dropFirst(3)
                if content.first == " " { content = content.dropFirst() }
            } else {
                content = line
            }
            if content == "```swift" {
                open = (index + 1, [])
            } else if content == "```", let sample = open {
                samples.append(
                    DocumentationSample(
                        file: file, line: sample.line, code: sample.code.joined(separator: "\n")))
                open = nil
            } else {
                open?.code.append(content)
            }
        }
        return samples
    }
}

@Suite("Samples in the documentation")
struct SampleTests {
    /// What the samples of documentation comments take as given.
    private static let library = Task {
        let library = try await StandaloneLibrary.shared.value
        try await library.addModule(
            "ServiceBoxTesting", files: StandaloneLibrary.files("swift", below: "Sources/ServiceBoxTesting"))
        // The part of swift-log that a sample uses: the package depends on nothing.
        try await library.addModule(
            "Logging",
            source: """
                public struct Logger: Sendable {
                    public enum Level: Sendable { case debug, warning }
                    public struct Message: ExpressibleByStringInterpolation, Sendable {
                        public init(stringLiteral value: String) {}
                    }
                    public struct MetadataValue: ExpressibleByStringInterpolation, Sendable {
                        public init(stringLiteral value: String) {}
                    }
                    public func log(
                        level: Level, _ message: @autoclosure () -> Message,
                        metadata: @autoclosure () -> [String: MetadataValue]? = nil
                    ) {}
                }
                """)
        try await library.addModule(
            "Given",
            source: """
                public import ServiceBoxKit
                public protocol Analytics: Sendable {}
                public protocol Store: Sendable {}
                public protocol Router: AnyObject, Sendable {}
                public final class FileAnalytics: Analytics { public init() {} }
                public final class FileStore: Store { public init() {} }
                public final class StorageManager: Sendable { public init() {} }
                public final class Cache: Sendable { public init() {} }
                public final class Logger: Sendable { public init() {} }
                public struct Theme: Sendable {}
                public final class ThirdPartyPlayer { public var logger: Logger? }
                public final class SettingsScreen {
                    public var analytics: (any Analytics)?
                    public init() {}
                    public func apply(_ theme: Theme) {}
                }
                public actor StoreActor {}
                public let box = ServiceBox()
                public let store = StoreActor()
                """)
        return library
    }

    @Test("compile", arguments: DocumentationSample.all)
    func compiles(_ sample: DocumentationSample) async throws {
        let isWhole = sample.code.contains("import ServiceBoxKit")
        let (compiler, _) = try await Self.library.value.compile(
            isWhole ? sample.code : "import ServiceBoxKit\nimport Given\n\(sample.code)",
            flags: ["-typecheck"])
        #expect(compiler.exitCode == 0, "\(compiler.errors)")
    }

    @Test("are found in the README, the articles and the comments")
    func areFound() {
        let files = Set(DocumentationSample.all.map(\.file))
        #expect(
            files.isSuperset(of: [
                "README.md", "GettingStarted.md", "ServiceBox.swift", "Injected.swift",
                "ProviderConformance.swift", "Testing.md", "ServiceBoxTrait.swift",
            ]))
    }
}
