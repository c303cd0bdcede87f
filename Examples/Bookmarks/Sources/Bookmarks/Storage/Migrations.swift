// Part of ServiceBox, released under the MIT License.
// The tables, and how they have come about.

/// The steps from an empty database to today's tables.
///
/// A step is never changed once a database has taken it; what has to change is a step more.
enum Migrations {
    static let steps = [
        """
        CREATE TABLE bookmark (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            owner TEXT NOT NULL,
            url TEXT NOT NULL,
            title TEXT NOT NULL,
            note TEXT NOT NULL,
            added INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            UNIQUE (owner, url)
        )
        """,
        // The tags in one text, each between two commas.
        "ALTER TABLE bookmark ADD COLUMN tags TEXT NOT NULL DEFAULT ','",
        "CREATE INDEX bookmark_by_owner ON bookmark (owner, id)",
    ]

    /// Takes the steps that a database hasn't taken yet, each as a whole.
    ///
    /// - Throws: `SQLiteError`; `StartUpError` if a newer program has made the database.
    static func run(on connection: SQLiteConnection) throws {
        for (index, step) in steps.enumerated() {
            try connection.transaction {
                // Another program may have taken it just now.
                let version = try connection.run("PRAGMA user_version") { Int($0.integer(0)) }.first ?? 0
                if version > steps.count {
                    throw StartUpError.newerDatabase(version: version, known: steps.count)
                }
                if version > index { return }
                try connection.run(step)
                try connection.run("PRAGMA user_version = \(index + 1)")
            }
        }
    }
}
