// Part of ServiceBox, released under the MIT License.
// What SQLite reports.

import CSQLite

/// An error of SQLite.
struct SQLiteError: Error, CustomStringConvertible {
    /// The primary code, such as `SQLITE_BUSY`.
    let code: Int32
    let message: String

    var description: String { "SQLite: \(message) (\(code))" }

    init(_ database: OpaquePointer?, _ code: Int32) {
        self.code = code & 0xFF
        message =
            database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    }

    /// Another program has locked the database.
    var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
}
