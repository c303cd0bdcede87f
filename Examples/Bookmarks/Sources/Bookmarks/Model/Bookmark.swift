// Part of ServiceBox, released under the MIT License.
// Bookmarks, and what is asked of them.

import Foundation

/// A page that somebody wants to find again.
struct Bookmark: Codable, Equatable, Sendable {
    let id: Int64
    var content: Content
    let added: Date
    var changed: Date

    /// What a user says of a page.
    struct Content: Codable, Equatable, Sendable {
        var url: String
        var title: String
        var note = ""
        var tags: [String] = []
    }

    // In JSON the content lies flat beside the rest.
    private enum CodingKeys: CodingKey {
        case id, added, changed
    }

    init(id: Int64, _ content: Content, added: Date, changed: Date) {
        self.id = id
        self.content = content
        self.added = added
        self.changed = changed
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        added = try container.decode(Date.self, forKey: .added)
        changed = try container.decode(Date.self, forKey: .changed)
        content = try Content(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(added, forKey: .added)
        try container.encode(changed, forKey: .changed)
        try content.encode(to: encoder)
    }
}

extension Bookmark.Content {
    /// The tags in a text with commas between them; one may begin with a mark, which makes a character of both.
    static func tags(in text: String) -> [String] {
        text.unicodeScalars.split(separator: ",").map { String($0) }
    }

    private enum CodingKeys: CodingKey {
        case url, title, note, tags
    }

    /// Reads what a client has sent: the title, the note and the tags may be missing.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        title = try container.decodeIfPresent(String.self, forKey: .title) ?? ""
        note = try container.decodeIfPresent(String.self, forKey: .note) ?? ""
        tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? []
    }

    /// The content as it is kept: trimmed, the address as title where there is none, tags in lower case and once each.
    ///
    /// - Throws: `RequestFailure` that names the field which can't be kept.
    func checked() throws(RequestFailure) -> Self {
        func trimmed(_ text: String, _ name: String, limit: Int) throws(RequestFailure) -> String {
            let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if text.utf8.count > limit { throw .wrongField(name, "may have \(limit) bytes at most") }
            if text.unicodeScalars.contains("\0") { throw .wrongField(name, "may have no null character") }
            return text
        }
        var checked = self
        checked.url = try trimmed(url, "url", limit: 2_000)
        let scheme = URL(string: checked.url).flatMap { $0.host() == nil ? nil : $0.scheme?.lowercased() }
        guard scheme == "http" || scheme == "https" else {
            throw .wrongField("url", "has to be an address that begins with http:// or https://")
        }
        checked.title = try trimmed(title, "title", limit: 1_000)
        if checked.title.isEmpty { checked.title = checked.url }
        checked.note = try trimmed(note, "note", limit: 10_000)
        if tags.count > 32 { throw .wrongField("tags", "may be 32 at most") }
        checked.tags = []
        for tag in tags {
            let tag = try trimmed(tag.lowercased(), "tags", limit: 100)
            if tag.unicodeScalars.contains(",") { throw .wrongField("tags", "may have no comma") }
            if !tag.isEmpty, !checked.tags.contains(tag) { checked.tags.append(tag) }
        }
        return checked
    }
}

/// Whose bookmarks they are.
struct User: Hashable, Sendable {
    let name: String
}

/// Which bookmarks somebody wants to see.
struct BookmarkQuery: Hashable, Sendable {
    /// What the address, the title or the note contains.
    var text = ""
    var tag: String?
    /// Only those that were added before this one.
    var before: Int64?
    var limit = 20

    static let largestLimit = 100
}

/// Some bookmarks, the latest first.
struct BookmarkPage: Codable, Equatable, Sendable {
    var bookmarks: [Bookmark]
    /// What to ask for as `before` to see more; nil if there are no more.
    var next: Int64?
}
