// Part of ServiceBox, released under the MIT License.
// Which Markdown files lie in a folder.

import Foundation

/// A folder with Markdown files in it and in the folders below.
struct MarkdownFolder {
    /// Paths below the folder.
    struct Listing {
        var files: [String] = []
        var unreadable: [String] = []
    }

    let path: String

    /// Lists the Markdown files, sorted by path.
    ///
    /// Hidden names are passed over, and so are symbolic links: no loop of links can hold it up, and no file
    /// counts twice.
    ///
    /// - Returns: The files, and the folders below that cannot be read.
    /// - Throws: `TourError` if the folder itself cannot be read.
    func list() throws(TourError) -> Listing {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .noFolder(path)
        }
        guard isFolder.boolValue else { throw .notAFolder(path) }

        var listing = Listing()
        var unread = [""]
        while let folder = unread.popLast() {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)") else {
                if folder.isEmpty { throw .cannotRead(path) }
                listing.unreadable.append(folder)
                continue
            }
            for name in names where !name.hasPrefix(".") {
                let inside = folder.isEmpty ? name : "\(folder)/\(name)"
                switch kind(of: inside) {
                case .typeDirectory: unread.append(inside)
                case .typeRegular where isMarkdown(name): listing.files.append(inside)
                default: break
                }
            }
        }
        listing.files.sort()
        return listing
    }

    /// What lies at a path below the folder; a link counts as a link, whatever it leads to.
    private func kind(of inside: String) -> FileAttributeType? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(inside)")
        return attributes?[.type] as? FileAttributeType
    }

    private func isMarkdown(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".md") || name.hasSuffix(".markdown")
    }
}
