// Part of ServiceBox, released under the MIT License.
// Runs the built Tour on folders with known files.

import Foundation
import Testing

@Suite("The Tour")
final class TourTests {
    /// Holds all that a test makes, and goes with it.
    let root: URL
    let docs: URL
    let output: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "TourTests-\(UUID().uuidString)")
        docs = root.appending(path: "docs")
        output = root.appending(path: "output")
        try FileManager.default.createDirectory(at: docs, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    @Test("prints the index, the longest files, the reports and where it wrote")
    func wholeOutput() async throws {
        try writeHarbour()
        let run = try await tour(docs.plainPath)
        #expect(
            run.output == """
                Index of \(docs.plainPath)
                    words  headings  file
                        9         2  README.md
                        4         1  guide/start.markdown
                        4         0  tides.md
                        1         1  zebra.md
                4 files, 18 words, 4 headings

                The longest files
                  README.md, 9 words
                  guide/start.markdown, 4 words
                  tides.md, 4 words

                What the fills did
                  IndexScreen: 2 of 2 filled.
                    IndexScreen.markdownIndex: filled with 'markdownIndex' (MarkdownIndex, from IndexModule)
                    IndexScreen.analytics: filled with 'analytics' (FileAnalytics as Analytics, from StorageModule)
                  LongestFilesScreen: 2 of 2 filled.
                    LongestFilesScreen.counter: filled with 'analytics' (FileAnalytics as Analytics, from StorageModule)
                    LongestFilesScreen.preferenceManager: filled with 'preferenceManager' (PreferenceManager, from StorageModule)

                What the services gave each other
                  'analytics' (FileAnalytics): 1 of 1 filled.
                    FileAnalytics.needs.storageManager: filled with 'storageManager' (StorageManager, from StorageModule)
                  'markdownIndex' (MarkdownIndex): 1 of 1 filled.
                    MarkdownIndex.analytics: filled with 'analytics' (FileAnalytics as Analytics, from StorageModule)
                  'preferenceManager' (PreferenceManager): 1 of 1 filled.
                    PreferenceManager.needs.storageManager: filled with 'storageManager' (StorageManager, from StorageModule)
                  'storageManager' (StorageManager): 1 of 1 filled.
                    StorageManager.needs.analytics: filled with 'analytics' (FileAnalytics as Analytics, from StorageModule)

                Run 1, written to
                  \(output.plainPath)/preferences.json
                  \(output.plainPath)/events.jsonl

                """)
        #expect(run.errors == "")
        #expect(run.exitCode == 0)
    }

    // MARK: - Writing

    @Test("writes each event with its count as a line of JSON")
    func eventLines() async throws {
        try writeHarbour()
        _ = try await tour(docs.plainPath)
        #expect(try events() == Self.harbourEvents)
    }

    @Test("reads the preferences and appends to the events in a second run")
    func secondRun() async throws {
        try writeHarbour()
        _ = try await tour(docs.plainPath)
        #expect(try preferences() == Preferences(runs: 1, longestFiles: 3))
        let run = try await tour(docs.plainPath)
        #expect(try preferences() == Preferences(runs: 2, longestFiles: 3))
        #expect(run.output.contains("\nRun 2, written to\n"))
        #expect(try events() == Self.harbourEvents + Self.harbourEvents)
    }

    @Test("lists as many of the longest files as the preferences say")
    func longestFiles() async throws {
        try writeHarbour()
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        try JSONEncoder().encode(Preferences(runs: 6, longestFiles: 1)).write(to: preferenceFile)
        let run = try await tour(docs.plainPath)
        #expect(run.lines(8...10) == ["The longest files", "  README.md, 9 words", ""])
        #expect(try preferences() == Preferences(runs: 7, longestFiles: 1))
    }

    // Foundation on Apple platforms asks the system for its temporary folder and cannot be told another.
    #if !canImport(Darwin)
    @Test("writes below the system's temporary folder by default")
    func defaultOutput() async throws {
        try write("untouched", to: "a.md")
        let program = ExampleProgram(name: "Tour")
        let temporary = root.appending(path: "temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        let run = try await program.run(
            [], in: docs, environment: ["TMPDIR": temporary.plainPath])
        let folder = temporary.appending(path: "ServiceBoxTour-\(ProcessInfo.processInfo.userName)")
        #expect(run.output.hasSuffix("\n  \(folder.plainPath)/events.jsonl\n"))
        #expect(try names(in: folder) == ["events.jsonl", "preferences.json"])
        #expect(try names(in: docs) == ["a.md"])
    }
    #endif

    // MARK: - Refusing

    @Test("ends with one line for a folder that doesn't exist, and writes nothing")
    func missingFolder() async throws {
        let missing = root.appending(path: "missing").plainPath
        let run = try await tour(missing)
        #expect(run.output == "")
        #expect(run.errors == "Tour: there is no folder '\(missing)'.\n")
        #expect(run.exitCode == 66)
        #expect(!FileManager.default.fileExists(atPath: output.plainPath))
    }

    @Test("shows the path to a failing factory on request, and writes nothing")
    func brokenFactory() async throws {
        let run = try await tour(docs.plainPath, "--broken")
        #expect(run.output == "")
        #expect(
            run.errors == """
                Tour: Can't make a LongestFilesScreen: the factory of MarkdownFolder failed.
                  Path:  LongestFilesScreen → MarkdownIndex → MarkdownFolder
                  Error: '\(docs.plainPath)' is out of reach, as '--broken' asks for. (TourError)
                To fix, correct what the factory of MarkdownFolder reports, then ask again.

                """)
        #expect(run.exitCode == 69)
        #expect(!FileManager.default.fileExists(atPath: output.plainPath))
    }

    @Test("runs on a stack without limit")
    func unlimitedStack() async throws {
        try write("a file", to: "a.md")
        let run = try await tour(docs.plainPath, after: "ulimit -s unlimited")
        #expect(run.exitCode == 0)
    }

    @Test("ends with one line for a file in the place of the folder")
    func fileForFolder() async throws {
        try write("a file", to: "a.md")
        let file = docs.appending(path: "a.md").plainPath
        let run = try await tour(file)
        #expect(run.output == "")
        #expect(run.errors == "Tour: '\(file)' is a file, not a folder.\n")
        #expect(run.exitCode == 66)
    }

    @Test("ends with one line if the preferences are damaged, and leaves their file alone")
    func damagedPreferences() async throws {
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: preferenceFile)
        let run = try await tour(docs.plainPath)
        #expect(run.output == "")
        #expect(
            run.errors
                == "Tour: '\(preferenceFile.plainPath)' does not hold preferences; mend or remove it.\n")
        #expect(run.exitCode == 65)
        #expect(try Data(contentsOf: preferenceFile) == Data("{".utf8))
    }

    @Test("ends with one line if the output can't be written")
    func unwritableOutput() async throws {
        try Data().write(to: output)
        let run = try await tour(docs.plainPath)
        #expect(run.output == "")
        #expect(run.errors == "Tour: '\(preferenceFile.plainPath)' cannot be written.\n")
        #expect(run.exitCode == 73)
    }

    @Test(
        "ends with one line and the usage for wrong arguments",
        arguments: [
            (["--fast"], "unknown option '--fast'"),
            (["--output"], "'--output' needs a folder"),
            (["--output", "--help"], "'--output' needs a folder"),
            (["--graph"], "'--graph' needs one of mermaid, dot, json"),
            (["--graph", "svg"], "'--graph' needs one of mermaid, dot, json"),
            (["a", "b"], "one folder is enough, 'b' is one too many"),
        ])
    func badArguments(_ arguments: [String], problem: String) async throws {
        let run = try await ExampleProgram(name: "Tour").run(arguments, in: docs)
        #expect(run.output == "")
        #expect(
            run.errors
                == "Tour: \(problem); usage: Tour [FOLDER] [--output FOLDER] [--graph FORMAT] [--broken]\n")
        #expect(run.exitCode == 64)
    }

    @Test("prints its help", arguments: ["--help", "-h"])
    func help(_ option: String) async throws {
        let run = try await tour("folder", option)
        #expect(
            run.lines(0...2) == [
                "usage: Tour [FOLDER] [--output FOLDER] [--graph FORMAT] [--broken]", "",
                "Indexes the Markdown files (.md, .markdown) in FOLDER and the folders below it.",
            ])
        #expect(run.errors == "")
        #expect(run.exitCode == 0)
    }
}
