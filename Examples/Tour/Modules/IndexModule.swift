// Part of ServiceBox, released under the MIT License.
// The module of what is read and shown: the index of a folder and a screen.

import ServiceBoxKit

/// Registers the index and a screen that shows it.
struct IndexModule: ServiceModule {
    /// The folder to read.
    let folder: String
    /// Whether to let a factory fail, to show what is said then.
    let isBroken: Bool

    /// The index counts what it reads, and a screen looks into the preferences.
    var requires: [any ServiceModule.Type] { [StorageModule.self] }

    func register(in box: ServiceBox) {
        // Made when first asked for, and filled before anyone sees them.
        box.register(as: "markdownFolder") { [folder, isBroken] _ in
            guard !isBroken else { throw TourError.broken(folder) }
            return MarkdownFolder(path: folder)
        }
        box.register(as: "markdownIndex") { box in MarkdownIndex(folder: try box.resolve("markdownFolder")) }

        // Created on every resolve, on the main actor.
        box.register(as: "longestFilesScreen", lifetime: .transient) { @MainActor box in
            LongestFilesScreen(index: try box.resolve("markdownIndex"))
        }
    }
}
