// Part of ServiceBox, released under the MIT License.
// What SQLite reports.

import CSQLite

/// An error of SQLite.
struct SQLiteError: Error, CustomStringConvertible {
    /// The primary code, such as `SQLITE_BUSY`.
    let code: Int32
    /// What SQLite adds to the primary code, such as which access to the disk has failed.
    let extendedCode: Int32
    let message: String

    var description: String { "SQLite: \(message) (\(extendedCode))" }

    init(_ database: OpaquePointer?, _ code: Int32) {
        self.code = code & 0xFF
        extendedCode = code
        message =
            database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    }

    /// Another program has locked the database.
    var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
}
