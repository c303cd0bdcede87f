// Part of ServiceBox, released under the MIT License.
// A screen that fills itself: the whole index.

import ServiceBoxKit

/// Shows all files with their words and headings.
///
/// It fills itself in its initialiser, from the default box: whoever makes it needs to know nothing of boxes.
/// The conformance belongs to the main actor, as the screen does.
@MainActor
final class IndexScreen: @MainActor Injectable {
    @Injected var markdownIndex: MarkdownIndex
    @Injected var analytics: (any Analytics)?

    /// What the fill did.
    private(set) var report: FillReport?

    init() {
        report = fillWithDependencies()
    }

    /// The text of the screen.
    func show() async -> String {
        analytics?.count("screen shown")
        let files = await markdownIndex.files
        let words = files.reduce(0) { $0 + $1.text.words }
        let headings = files.reduce(0) { $0 + $1.text.headings }
        let rows = files.map { row("\($0.text.words)", "\($0.text.headings)", $0.path) }
        return """
            Index of \(markdownIndex.folder.path)
            \(([row("words", "headings", "file")] + rows).joined(separator: "\n"))
            \(counted(files.count, "file")), \(counted(words, "word")), \(counted(headings, "heading"))
            """
    }

    private func row(_ words: String, _ headings: String, _ file: String) -> String {
        "\(column(words, width: 9))\(column(headings, width: 10))  \(file)"
    }

    private func column(_ text: String, width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
