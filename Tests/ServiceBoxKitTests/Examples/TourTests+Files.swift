// Part of ServiceBox, released under the MIT License.
// The files that the tests of the Tour make, and those that they find.

import Foundation
import Testing

extension TourTests {
    /// A line of the events file.
    struct Event: Codable, Equatable {
        let event: String
        let count: Int
    }

    /// The whole preference file.
    struct Preferences: Codable, Equatable {
        let runs: Int
        let longestFiles: Int
    }
}

// MARK: - Before a run

extension TourTests {
    /// Writes four files in two folders: 18 words and 4 headings.
    func writeHarbour() throws {
        try write(
            """
            # Harbour

            The harbour opens at six.

            ## Boats

            - Gull
            - Heron

            """, to: "README.md")
        try write(
            """
            ---
            title: Start here
            ---
            Start
            =====

            Run the tour:

            ```sh
            # no heading
            ```

            """, to: "guide/start.markdown")
        try write("High tide at noon\n", to: "tides.md")
        try write("# Zebra\n", to: "zebra.md")
    }

    /// Four files are indexed, two screens shown; the preferences are written before the events are.
    static let harbourEvents = [
        Event(event: "file indexed", count: 4), Event(event: "file written", count: 1),
        Event(event: "screen shown", count: 2),
    ]

    func write(_ text: String, to path: String) throws {
        let file = docs.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func link(_ name: String, to target: URL) throws {
        try FileManager.default.createSymbolicLink(
            at: docs.appending(path: name), withDestinationURL: target)
    }

    func setPermissions(_ permissions: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }
}

// MARK: - The run and after

extension TourTests {
    /// Runs the Tour in the documents folder, with the output folder of this test.
    func tour(_ arguments: String..., after command: String = ":") async throws -> CommandResult {
        try await ExampleProgram(name: "Tour").run(
            arguments + ["--output", output.plainPath], in: docs, after: command)
    }

    var preferenceFile: URL { output.appending(path: "preferences.json") }

    func preferences() throws -> Preferences {
        try JSONDecoder().decode(Preferences.self, from: Data(contentsOf: preferenceFile))
    }

    /// The events file, each line parsed by itself.
    func events() throws -> [Event] {
        let text = try String(contentsOf: output.appending(path: "events.jsonl"), encoding: .utf8)
        #expect(text.hasSuffix("}\n"))
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(Event.self, from: Data($0.utf8))
        }
    }

    func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.plainPath).sorted()
    }
}
