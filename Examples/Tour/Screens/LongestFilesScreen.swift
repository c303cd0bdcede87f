// Part of ServiceBox, released under the MIT License.
// A screen that the box fills when it makes it: the longest files.

import ServiceBoxKit

/// Shows the files with the most words.
///
/// It knows nothing of the box. What it cannot do without its initialiser takes; the rest the box fills in,
/// before anyone sees the screen.
@MainActor
final class LongestFilesScreen {
    private let index: MarkdownIndex

    /// Called differently here than in the box.
    @Injected("analytics") var counter: (any Analytics)?

    /// A plain property; the table below lets the box write it.
    var preferenceManager: PreferenceManager?

    init(index: MarkdownIndex) {
        self.index = index
    }

    /// The text of the screen.
    func show() async -> String {
        counter?.count("screen shown")
        let limit = preferenceManager?.current.longestFiles ?? 0
        // The longest first; files of the same length by path.
        let files = await index.files.sorted { ($1.text.words, $0.path) < ($0.text.words, $1.path) }
        let lines = files.prefix(max(0, limit)).map { "  \($0.path), \(counted($0.text.words, "word"))" }
        return (["The longest files"] + (lines.isEmpty ? ["  none"] : lines)).joined(separator: "\n")
    }
}

extension LongestFilesScreen: @MainActor Injectable {
    static var injections: InjectionTable {
        ["preferenceManager": .keyPath(\LongestFilesScreen.preferenceManager)]
    }
}
