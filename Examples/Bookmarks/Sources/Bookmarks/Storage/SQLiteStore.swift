// Part of ServiceBox, released under the MIT License.
// Bookmarks in a database.

import CSQLite
import Foundation

/// Keeps bookmarks in a database of SQLite.
struct SQLiteStore: BookmarkStore {
    let pool: ConnectionPool
    /// The time, to the second.
    var now: @Sendable () -> Date = {
        Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    }

    private static let columns = "id, url, title, note, tags, added, changed"

    func page(_ query: BookmarkQuery, of user: User) async throws -> BookmarkPage {
        var conditions = ["owner = ?"]
        var values = [SQLiteValue.text(user.name)]
        if let before = query.before {
            conditions.append("id < ?")
            values.append(.integer(before))
        }
        if !query.text.isEmpty {
            conditions.append(
                #"(url LIKE ? ESCAPE '\' OR title LIKE ? ESCAPE '\' OR note LIKE ? ESCAPE '\')"#)
            values += Array(repeating: .text("%\(Self.escaped(query.text))%"), count: 3)
        }
        if let tag = query.tag {
            conditions.append(#"tags LIKE ? ESCAPE '\'"#)
            values.append(.text("%,\(Self.escaped(tag)),%"))
        }
        // One more than wanted tells whether there are more.
        values.append(.integer(Int64(query.limit + 1)))
        let sql = """
            SELECT \(Self.columns) FROM bookmark WHERE \(conditions.joined(separator: " AND "))
            ORDER BY id DESC LIMIT ?
            """
        var bookmarks = try await asking { [values] in
            try await pool.read { try $0.run(sql, values, Self.bookmark) }
        }
        let isMore = bookmarks.count > query.limit
        if isMore { bookmarks.removeLast() }
        return BookmarkPage(bookmarks: bookmarks, next: isMore ? bookmarks.last?.id : nil)
    }

    func bookmark(_ id: Int64, of user: User) async throws -> Bookmark {
        try await asking { try await pool.read { try Self.bookmark(id, of: user, on: $0) } }
    }

    func add(_ content: Bookmark.Content, for user: User) async throws -> Bookmark {
        try await asking(about: content.url) {
            try await pool.write { [now] connection in
                try Self.insert(content, for: user, at: now(), "INSERT", on: connection)
                return try Self.bookmark(connection.lastID, of: user, on: connection)
            }
        }
    }

    func change(_ id: Int64, to content: Bookmark.Content, of user: User) async throws -> Bookmark {
        try await asking(about: content.url) {
            try await pool.write { [now] connection in
                try connection.run(
                    """
                    UPDATE bookmark SET url = ?, title = ?, note = ?, tags = ?, changed = ?
                    WHERE id = ? AND owner = ?
                    """,
                    Self.values(of: content) + [
                        Self.value(of: now()), .integer(id), .text(user.name),
                    ])
                return try Self.bookmark(id, of: user, on: connection)
            }
        }
    }

    func delete(_ id: Int64, of user: User) async throws {
        try await asking {
            try await pool.write { connection in
                try connection.run(
                    "DELETE FROM bookmark WHERE id = ? AND owner = ?", [.integer(id), .text(user.name)])
                if connection.changeCount == 0 { throw StoreError.notFound(id) }
            }
        }
    }

    func add(contentsOf contents: [Bookmark.Content], for user: User) async throws -> Int {
        try await asking {
            try await pool.write { [now] connection in
                let time = now()
                return try contents.reduce(0) { count, content in
                    try Self.insert(content, for: user, at: time, "INSERT OR IGNORE", on: connection)
                    return count + connection.changeCount
                }
            }
        }
    }

    func count() async throws -> Int {
        try await asking {
            try await pool.read {
                try $0.run("SELECT count(*) FROM bookmark") { Int($0.integer(0)) }.first ?? 0
            }
        }
    }
}

// MARK: - Rows

extension SQLiteStore {
    private static func bookmark(_ row: borrowing SQLiteRow) -> Bookmark {
        Bookmark(
            id: row.integer(0),
            Bookmark.Content(
                url: row.text(1), title: row.text(2), note: row.text(3),
                tags: Bookmark.Content.tags(in: row.text(4))),
            added: Date(timeIntervalSince1970: Double(row.integer(5))),
            changed: Date(timeIntervalSince1970: Double(row.integer(6))))
    }

    private static func bookmark(_ id: Int64, of user: User, on connection: SQLiteConnection) throws
        -> Bookmark
    {
        let rows = try connection.run(
            "SELECT \(columns) FROM bookmark WHERE id = ? AND owner = ?", [.integer(id), .text(user.name)],
            bookmark)
        guard let row = rows.first else { throw StoreError.notFound(id) }
        return row
    }

    private static func insert(
        _ content: Bookmark.Content, for user: User, at time: Date, _ verb: String,
        on connection: SQLiteConnection
    ) throws {
        try connection.run(
            """
            \(verb) INTO bookmark (url, title, note, tags, owner, added, changed) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            values(of: content) + [.text(user.name), value(of: time), value(of: time)])
    }

    private static func values(of content: Bookmark.Content) -> [SQLiteValue] {
        [
            .text(content.url), .text(content.title), .text(content.note),
            .text(",\(content.tags.map { $0 + "," }.joined())"),
        ]
    }

    private static func value(of time: Date) -> SQLiteValue { .integer(Int64(time.timeIntervalSince1970)) }

    /// A text in which no character stands for others.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if #"\%_"#.unicodeScalars.contains(scalar) { result.append(#"\"#) }
            result.unicodeScalars.append(scalar)
        }
    }

    /// Has errors of SQLite say what they mean to a store.
    private func asking<Result>(
        about url: String = "", _ body: () async throws -> Result
    ) async throws -> Result {
        do { return try await body() } catch let error as SQLiteError {
            switch error.code {
            case SQLITE_CONSTRAINT: throw StoreError.duplicate(url: url)
            case SQLITE_BUSY, SQLITE_LOCKED: throw StoreError.busy
            case SQLITE_READONLY: throw StoreError.readOnly
            case SQLITE_FULL: throw StoreError.full
            default: throw StoreError.failed(error.description)
            }
        }
    }
}
