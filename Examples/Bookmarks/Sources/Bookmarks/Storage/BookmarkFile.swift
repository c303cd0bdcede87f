// Part of ServiceBox, released under the MIT License.
// The files that browsers import and export.

import Foundation

/// The file of bookmarks that browsers read and write, which Netscape's was the first to.
enum BookmarkFile {
    static let mediaType = "text/html"

    /// The bookmarks in a file; folders are passed over, and addresses of other kinds than pages.
    ///
    /// - Throws: `RequestFailure` if it is no such file, or if one of the bookmarks can't be kept.
    /// - Complexity: O(*n*) for *n* bytes.
    static func read(_ data: Data) throws(RequestFailure) -> [Bookmark.Content] {
        guard String(data: data, encoding: .utf8) != nil else { throw .wrongBody("it isn't UTF-8.") }
        var scanner = ByteScanner(data)
        guard scanner.skip("<!DOCTYPE NETSCAPE-Bookmark-file-1>") else {
            throw .wrongBody("it doesn't begin with <!DOCTYPE NETSCAPE-Bookmark-file-1>.")
        }
        var contents: [Bookmark.Content] = []
        while scanner.skip(past: "<A ") {
            let attributes = scanner.attributes()
            guard let title = scanner.text(until: "</A>") else {
                throw .wrongBody("a bookmark isn't closed.")
            }
            let note = scanner.note()
            guard let url = attributes["href"], url.lowercased().hasPrefix("http") else { continue }
            let tags = attributes["tags"].map(Bookmark.Content.tags) ?? []
            let content = Bookmark.Content(url: url, title: decoded(title), note: decoded(note), tags: tags)
            do { contents.append(try content.checked()) } catch {
                throw .wrongBody("bookmark \(contents.count + 1), '\(url.prefix(60))': \(error.reason)")
            }
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

    private static let entities = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
    ]

    private static func encoded(_ text: String) -> String {
        entities.reduce(text) { $0.replacingOccurrences(of: $1.1, with: $1.0) }
    }

    fileprivate static func decoded(_ text: String) -> String {
        // The ampersand last: what it begins once it is decoded is no entity.
        entities.reversed().reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}

/// Goes through a file once, byte by byte.
private struct ByteScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ data: Data) { bytes = Array(data) }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func isAt(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            bytes.count - position >= word.count
                && word.indices.allSatisfy { Self.small(word[$0]) == Self.small(bytes[position + $0]) }
        }
    }

    private static func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Steps behind a word, in capital or small letters, if it is next.
    mutating func skip(_ word: StaticString) -> Bool {
        guard isAt(word) else { return false }
        position += word.utf8CodeUnitCount
        return true
    }

    /// Steps behind the next place where a word stands; to the end if there is none.
    mutating func skip(past word: StaticString) -> Bool {
        while current != nil {
            if skip(word) { return true }
            position += 1
        }
        return false
    }

    /// The bytes from here on that are meant.
    private mutating func take(while isMeant: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = current, isMeant(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// What stands up to a word, which is stepped behind; nil if it never comes.
    mutating func text(until word: StaticString) -> String? {
        let start = position
        guard skip(past: word) else { return nil }
        return String(decoding: bytes[start..<position - word.utf8CodeUnitCount], as: UTF8.self)
    }

    /// What stands up to the end of a tag, as `NAME="value"`, by the names in lower case; decoded.
    mutating func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        while let byte = current {
            if Self.isSpace(byte) || byte == UInt8(ascii: "=") {
                position += 1
                continue
            }
            if byte == UInt8(ascii: ">") {
                position += 1
                break
            }
            let name = take { !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") }
            guard current == UInt8(ascii: "=") else { continue }
            position += 1
            var value: String
            if let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                position += 1
                value = take { $0 != quote }
                position += 1
            } else {
                value = take { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }
            }
            value = BookmarkFile.decoded(value)
            attributes[name.lowercased()] = value
        }
        return attributes
    }

    /// The text behind a bookmark; empty if it has none.
    mutating func note() -> String {
        while let byte = current, Self.isSpace(byte) { position += 1 }
        return skip("<DD>") ? take { $0 != UInt8(ascii: "<") } : ""
    }
}
