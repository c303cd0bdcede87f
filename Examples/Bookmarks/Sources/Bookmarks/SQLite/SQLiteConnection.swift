// Part of ServiceBox, released under the MIT License.
// A connection to a database of SQLite.

import CSQLite
import Foundation

/// A value of a column or a parameter.
enum SQLiteValue: Sendable {
    case integer(Int64)
    case text(String)
}

/// A connection to a database, with the statements that it has prepared.
///
/// Safe to send, and used by one task at a time: a `ConnectionPool` lends it to one after the other, and hands it on
/// under its lock.
final class SQLiteConnection: @unchecked Sendable {
    private let database: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: Its file.
    ///   - isReader: Whether to open it for reading alone.
    /// - Throws: `SQLiteError`.
    init(_ path: String, isReader: Bool) throws(SQLiteError) {
        var database: OpaquePointer?
        let flags = (isReader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        let code = sqlite3_open_v2(path, &database, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let database else {
            defer { sqlite3_close_v2(database) }
            throw SQLiteError(database, database.map(sqlite3_extended_errcode) ?? code)
        }
        self.database = database
        sqlite3_extended_result_codes(database, 1)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(database)
    }

    /// Runs a statement, and reads each of its rows.
    ///
    /// - Parameters:
    ///   - sql: The statement, which is prepared once.
    ///   - values: The values of its parameters.
    ///   - read: Reads a row.
    /// - Returns: What was read.
    /// - Throws: `SQLiteError`.
    @discardableResult
    func run<Result>(
        _ sql: String, _ values: [SQLiteValue] = [], _ read: (borrowing SQLiteRow) -> Result
    ) throws(SQLiteError) -> [Result] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { try bind(value, to: Int32(index + 1), of: statement) }
        var results: [Result] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: results.append(read(SQLiteRow(statement)))
            case SQLITE_DONE: return results
            case let code: throw SQLiteError(database, code)
            }
        }
    }

    /// Runs a statement that has no rows.
    func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) {
        try run(sql, values) { _ in }
    }

    /// Runs something as a whole or not at all.
    ///
    /// - Throws: `SQLiteError`, or what the body throws.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // A full disk has rolled it back already.
            if sqlite3_get_autocommit(database) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// How many rows the last statement has changed.
    var changeCount: Int { Int(sqlite3_changes(database)) }

    /// The key of the row that was inserted last.
    var lastID: Int64 { sqlite3_last_insert_rowid(database) }

    private func prepared(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw SQLiteError(database, code) }
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: SQLiteValue, to index: Int32, of statement: OpaquePointer) throws(SQLiteError)
    {
        let code =
            switch value {
            case .integer(let number): sqlite3_bind_int64(statement, index, number)
            case .text(var text):
                text.withUTF8 { bytes in
                    // Copied by SQLite, as `SQLITE_TRANSIENT` asks for, which Swift doesn't import.
                    sqlite3_bind_text(
                        statement, index,
                        UnsafeRawPointer(bytes.baseAddress ?? Self.nothing)
                            .assumingMemoryBound(to: CChar.self), Int32(bytes.count),
                        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
                }
            }
        if code != SQLITE_OK { throw SQLiteError(database, code) }
    }

    /// Where a text begins that has no bytes: a null pointer would be another value.
    private static var nothing: UnsafePointer<UInt8> { ("" as StaticString).utf8Start }
}

/// The row that a statement has come to.
struct SQLiteRow: ~Copyable {
    private let statement: OpaquePointer

    fileprivate init(_ statement: OpaquePointer) { self.statement = statement }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func text(_ column: Int32) -> String {
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }
}
