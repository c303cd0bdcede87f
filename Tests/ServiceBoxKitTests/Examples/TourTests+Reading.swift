// Part of ServiceBox, released under the MIT License.
// What the Tour reads, passes over and counts.

import Foundation
import Testing

extension TourTests {
    @Test("counts words and headings", arguments: MarkdownSample.all)
    func counting(_ sample: MarkdownSample) async throws {
        try write(sample.text, to: "a.md")
        let run = try await tour(docs.plainPath)
        #expect(run.lines(3...3) == [MarkdownSample.total(words: sample.words, headings: sample.headings)])
        #expect(run.exitCode == 0)
    }

    @Test("skips hidden names, other files and symbolic links, even one that leads back up")
    func passedOver() async throws {
        try write("one", to: "seen.md")
        try write("two", to: ".hidden.md")
        try write("three", to: ".build/made.md")
        try write("four", to: "notes.txt")
        try write("five", to: "guide.md/inside.txt")
        try link("again", to: docs)
        try link("again.md", to: docs.appending(path: "seen.md"))
        try link("nowhere.md", to: docs.appending(path: "nowhere"))
        let run = try await tour(docs.plainPath)
        #expect(run.lines(2...3) == ["        1         0  seen.md", "1 file, 1 word, 0 headings"])
        #expect(run.errors == "")
    }

    @Test("names a file that isn't UTF-8 and continues")
    func notUTF8() async throws {
        try write("good", to: "good.md")
        try Data([0x23, 0x20, 0xFF]).write(to: docs.appending(path: "bad.md"))
        let run = try await tour(docs.plainPath)
        #expect(run.errors == "Tour: skipped 'bad.md': the file is not UTF-8.\n")
        #expect(run.lines(2...3) == ["        1         0  good.md", "1 file, 1 word, 0 headings"])
        #expect(run.exitCode == 0)
        #expect(try events().contains(Event(event: "skipped", count: 1)))
    }

    @Test("names unreadable files and folders and continues", .enabled(if: getuid() != 0))
    func unreadable() async throws {
        try write("good", to: "good.md")
        try write("closed", to: "closed.md")
        try write("inside", to: "attic/inside.md")
        let closed = ["closed.md", "attic"].map { docs.appending(path: $0).plainPath }
        for path in closed { try setPermissions(0, of: path) }
        let run = try await tour(docs.plainPath)
        for path in closed { try setPermissions(0o700, of: path) }
        #expect(
            run.errors == """
                Tour: skipped 'attic': the folder cannot be read.
                Tour: skipped 'closed.md': the file cannot be read.

                """)
        #expect(run.lines(2...3) == ["        1         0  good.md", "1 file, 1 word, 0 headings"])
        #expect(run.exitCode == 0)
    }

    @Test("prints an empty index for an empty folder")
    func emptyFolder() async throws {
        let run = try await tour(docs.plainPath)
        #expect(
            run.lines(1...5) == [
                "    words  headings  file", "0 files, 0 words, 0 headings", "", "The longest files",
                "  none",
            ])
        #expect(run.errors == "")
        #expect(run.exitCode == 0)
    }

    @Test("reads the current folder by default")
    func currentFolder() async throws {
        try write("here I am", to: "here.md")
        let run = try await tour()
        #expect(
            run.lines(0...3) == [
                "Index of .", "    words  headings  file", "        3         0  here.md",
                "1 file, 3 words, 0 headings",
            ])
    }
}

/// A text with what is to be counted in it.
struct MarkdownSample: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let words: Int
    let headings: Int

    init(_ description: String, _ text: String, words: Int, headings: Int) {
        testDescription = description
        self.text = text
        self.words = words
        self.headings = headings
    }

    /// The line of totals for one file.
    static func total(words: Int, headings: Int) -> String {
        "1 file, \(words) word\(words == 1 ? "" : "s"), \(headings) heading\(headings == 1 ? "" : "s")"
    }

    static let all = [
        MarkdownSample("nothing", "", words: 0, headings: 0),
        MarkdownSample("six levels and a seventh", "# a\n###### b\n####### c\n", words: 3, headings: 2),
        MarkdownSample("a heading needs a space", "#tag\n#\n# \n", words: 1, headings: 2),
        MarkdownSample("three spaces, four, a tab", "   # a\n    # b\n\t# c\n", words: 3, headings: 1),
        MarkdownSample("underlined text", "One\n===\n\nTwo\nthree\n---\n", words: 3, headings: 2),
        MarkdownSample("a rule under a heading", "# One\n---\n\ntwo\n===\n---\n", words: 2, headings: 2),
        MarkdownSample("a rule", "One\n\n---\n\n- two\n---\n> three\n---\n", words: 3, headings: 0),
        MarkdownSample("marks are no words", "- one * two -- 3 !\n", words: 3, headings: 0),
        MarkdownSample("letters of any script", "# Größe 大\n", words: 2, headings: 1),
        MarkdownSample("Windows line ends", "# One\r\n\r\ntwo\r\n===\r\n", words: 2, headings: 2),
        MarkdownSample("a byte order mark", "\u{FEFF}# One\n", words: 1, headings: 1),
        MarkdownSample("fenced code", "```\n# a\n```\n# B\n~~~ sh\n# c\n~~~\n", words: 1, headings: 1),
        MarkdownSample("a longer fence", "````\n```\n# a b\n````\n# C\n", words: 1, headings: 1),
        MarkdownSample("an empty line in a fence", "```\n\n# a b\n```\n# C\n", words: 1, headings: 1),
        MarkdownSample("tildes within backticks", "```\n~~~\n```\n# B\n", words: 1, headings: 1),
        MarkdownSample("a fence that stays open", "# A\n```\n# b\n", words: 1, headings: 1),
        MarkdownSample("code in a list", "- one\n\n    ```\n# a\n    ```\n- two\n", words: 2, headings: 0),
        MarkdownSample("backticks in a line", "```a``` b\n# C\n", words: 3, headings: 1),
        MarkdownSample("front matter", "---\n# a: b\n---\n# One two\n", words: 2, headings: 1),
        MarkdownSample("front matter that ends in dots", "---\na: b\n...\nOne\n", words: 1, headings: 0),
        MarkdownSample("front matter that stays open", "---\n# One\n", words: 1, headings: 1),
    ]
}
