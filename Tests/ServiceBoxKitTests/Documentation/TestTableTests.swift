// Part of ServiceBox, released under the MIT License.
// The table of Tests/README.md names tests that are there.

import Foundation
import Testing

/// A row of the table from predecessors' behaviours to tests.
struct TestTableRow: CustomTestStringConvertible, Sendable {
    let code: String
    let file: String
    let suite: String
    let title: String

    var testDescription: String { "\(code), \(title)" }

    /// The rows of `Tests/README.md` that start with a code like AP-20 or SCK3-W5.
    static let all: [TestTableRow] = {
        let readme = StandaloneLibrary.packageFolder.appendingPathComponent("Tests/README.md")
        let text = (try? String(contentsOf: readme, encoding: .utf8)) ?? ""
        return text.matches(of: /\| ([A-Z]+\d?-W?\d+) \| (\S+) \| (.+?): (.+) \|/).map { match in
            TestTableRow(
                code: String(match.1), file: String(match.2), suite: String(match.3), title: String(match.4))
        }
    }()
}

@Suite("The table of predecessors' behaviours")
struct TestTableTests {
    @Test("names tests that exist", arguments: TestTableRow.all)
    func namesTest(_ row: TestTableRow) throws {
        let folder = row.file.hasPrefix("ServiceBoxTestingTests/") ? "Tests" : "Tests/ServiceBoxKitTests"
        let file = StandaloneLibrary.packageFolder.appendingPathComponent("\(folder)/\(row.file).swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        let missing = [row.suite, row.title].filter { !text.contains("\"\($0)\"") }
        #expect(missing.isEmpty, "\(row.file) has no such title.")
    }

    @Test("has a row for every predecessor")
    func coversPredecessors() {
        let prefixes = Set(TestTableRow.all.map { String($0.code.prefix { $0 != "-" }) })
        #expect(prefixes == ["AP", "SCK1", "SCK2", "SCK3", "LOC", "INJ", "VAP", "VAP2"])
    }
}
