// Part of ServiceBox, released under the MIT License.
// The files that browsers import and export.

import Foundation

/// The file of bookmarks that browsers read and write, which Netscape's was the first to.
enum BookmarkFile {
    static let mediaType = "text/html"

    /// The bookmarks in a file; folders are passed over.
    ///
    /// - Throws: `RequestFailure` if it is no such file.
    static func read(_ data: Data) throws(RequestFailure) -> [Bookmark.Content] {
        guard let text = String(data: data, encoding: .utf8) else { throw .wrongBody("it isn't UTF-8.") }
        guard
            text.range(of: "<!DOCTYPE NETSCAPE-Bookmark-file-1>", options: [.caseInsensitive, .anchored])
                != nil
        else {
            throw .wrongBody("it doesn't begin with <!DOCTYPE NETSCAPE-Bookmark-file-1>.")
        }
        var contents: [Bookmark.Content] = []
        var rest = text[...]
        while let start = rest.range(of: "<A ", options: .caseInsensitive) {
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: ">"),
                let close = rest.range(of: "</A>", options: .caseInsensitive, range: end..<rest.endIndex)
            else { throw .wrongBody("a bookmark isn't closed.") }
            let attributes = attributes(in: rest[..<end])
            let title = decoded(rest[rest.index(after: end)..<close.lowerBound])
            rest = rest[close.upperBound...]
            guard let url = attributes["href"], url.lowercased().hasPrefix("http") else { continue }
            let tags = attributes["tags"]?.split(separator: ",").map(String.init) ?? []
            let content = Bookmark.Content(url: url, title: title, note: note(at: rest), tags: tags)
            contents.append(try content.checked())
        }
        return contents
    }

    /// A file with bookmarks.
    static func write(_ bookmarks: [Bookmark]) -> Data {
        var text = """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
            <TITLE>Bookmarks</TITLE>
            <H1>Bookmarks</H1>
            <DL><p>

            """
        for bookmark in bookmarks {
            let content = bookmark.content
            let tags = content.tags.isEmpty ? "" : " TAGS=\"\(encoded(content.tags.joined(separator: ",")))\""
            let added = Int(bookmark.added.timeIntervalSince1970)
            text += "<DT><A HREF=\"\(encoded(content.url))\" ADD_DATE=\"\(added)\"\(tags)>"
            text += "\(encoded(content.title))</A>\n"
            if !content.note.isEmpty { text += "<DD>\(encoded(content.note))\n" }
        }
        return Data((text + "</DL><p>\n").utf8)
    }

    /// The text behind a bookmark, if it has one.
    private static func note(at rest: Substring) -> String {
        let rest = rest.drop(while: \.isWhitespace)
        guard rest.prefix(4).lowercased() == "<dd>" else { return "" }
        return decoded(rest.dropFirst(4).prefix { $0 != "<" })
    }

    /// What stands in a tag, as `NAME="value"`, by the names in lower case.
    private static func attributes(in tag: Substring) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = tag
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
            rest = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
            let value: Substring
            if let quote = rest.first, quote == "\"" || quote == "'" {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest.dropFirst(value.count + 2)
            } else {
                value = rest.prefix { !$0.isWhitespace }
                rest = rest.dropFirst(value.count)
            }
            attributes[name] = decoded(value)
        }
        return attributes
    }

    private static let entities = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
    ]

    private static func encoded(_ text: String) -> String {
        entities.reduce(text) { $0.replacingOccurrences(of: $1.1, with: $1.0) }
    }

    private static func decoded(_ text: Substring) -> String {
        // The ampersand last: what it begins once it is decoded is no entity.
        entities.reversed().reduce(String(text)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
