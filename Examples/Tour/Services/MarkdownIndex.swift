// Part of ServiceBox, released under the MIT License.
// The service `markdownIndex`: what is in a folder of Markdown files.

import Foundation
import ServiceBoxKit

/// Reads the Markdown files of a folder and counts their words and headings.
///
/// An actor: its injected properties need no struct around them. The box makes it, and fills it before anyone
/// sees it. It reads the folder when the box starts.
actor MarkdownIndex: ServiceLifecycle {
    /// A file that was read.
    struct File {
        /// The path below the folder.
        let path: String
        let text: MarkdownText
    }

    /// A file or a folder that could not be read.
    struct Skipped {
        let path: String
        let reason: String
    }

    @Injected private var analytics: (any Analytics)?

    nonisolated let folder: MarkdownFolder
    /// The files, sorted by path.
    private(set) var files: [File] = []
    /// What was passed over, sorted by path.
    private(set) var skipped: [Skipped] = []

    /// Makes an empty index.
    ///
    /// - Parameter folder: The folder to read.
    init(folder: MarkdownFolder) {
        self.folder = folder
    }

    /// Reads the folder; a file that cannot be read is noted, and the others are read.
    func start() throws(TourError) {
        let listing = try folder.list()
        files = []
        skipped = []
        for path in listing.unreadable { skip(path, "the folder cannot be read") }
        for path in listing.files {
            guard let content = FileManager.default.contents(atPath: "\(folder.path)/\(path)") else {
                skip(path, "the file cannot be read")
                continue
            }
            guard let source = String(validating: content, as: UTF8.self) else {
                skip(path, "the file is not UTF-8")
                continue
            }
            files.append(File(path: path, text: MarkdownText(source)))
            analytics?.count("file indexed")
        }
        skipped.sort { $0.path < $1.path }
    }

    private func skip(_ path: String, _ reason: String) {
        skipped.append(Skipped(path: path, reason: reason))
        analytics?.count("skipped")
    }
}
