// Part of ServiceBox, released under the MIT License.
// The connections to a database, lent to tasks.

import CSQLite
import Foundation
import Synchronization

/// The connections to a database: one that writes, and several that read meanwhile.
///
/// Who asks when none is free suspends. Thread-safe.
final class ConnectionPool: Sendable {
    struct Options: Sendable {
        var path = "bookmarks.sqlite"
        var readerCount = 2
        /// How long a request may wait while another program has locked the database.
        var patience: Duration = .seconds(2)
        /// The largest size of the database in pages of 4 096 bytes; nil for none.
        var pageLimit: Int?
    }

    private let patience: Duration
    private let writers: Lender<SQLiteConnection>
    private let readers: Lender<SQLiteConnection>

    /// Opens a database, and brings its tables up to date.
    ///
    /// - Throws: `SQLiteError`, or what migrating it throws.
    init(_ options: Options, migrate: @escaping @Sendable (SQLiteConnection) throws -> Void) async throws {
        patience = options.patience
        let writer = try SQLiteConnection(options.path, isReader: false)
        let limit = options.pageLimit
        try await Self.patiently(until: .now + patience) {
            // Readers see what was there before a write; an answered write is on the disk.
            try writer.run("PRAGMA journal_mode = WAL") { _ in }
            try writer.run("PRAGMA synchronous = FULL")
            if let limit { try writer.run("PRAGMA max_page_count = \(limit)") { _ in } }
            try migrate(writer)
        }
        writers = Lender([writer])
        readers = Lender(
            try (0..<options.readerCount).map { _ in try SQLiteConnection(options.path, isReader: true) })
    }

    /// Reads; each statement sees what was there when it began.
    func read<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws -> Result
    ) async throws -> Result {
        try await using(readers, body)
    }

    /// Writes as a whole or not at all; on the disk when it returns.
    func write<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws -> Result
    ) async throws -> Result {
        try await using(writers) { connection in try connection.transaction { try body(connection) } }
    }

    private func using<Result>(
        _ lender: Lender<SQLiteConnection>, _ body: (SQLiteConnection) throws -> Result
    ) async throws -> Result {
        let deadline = ContinuousClock.now + patience
        return try await lender.lend { connection in
            try await Self.patiently(until: deadline) { try body(connection) }
        }
    }

    /// Closes the connections when those have done that use them.
    func close() async {
        await readers.close()
        await writers.close()
    }

    /// Tries again while another program has locked the database, and waits without blocking a thread.
    private static func patiently<Result>(
        until deadline: ContinuousClock.Instant, _ body: () throws -> Result
    ) async throws -> Result {
        // Who has waited for a connection may have been told to end meanwhile.
        try Task.checkCancellation()
        while true {
            do { return try body() } catch let error as SQLiteError where error.isBusy {
                if ContinuousClock.now >= deadline { throw error }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }
}

/// Lends what there are few of, to one task each.
///
/// Thread-safe.
private final class Lender<Item: Sendable>: Sendable {
    private struct State {
        var free: [Item]
        var lentCount = 0
        var isClosed = false
        /// Those who wait, the first first.
        var waiting: [CheckedContinuation<Item?, Never>] = []
        var closer: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ items: [Item]) { state = Mutex(State(free: items)) }

    /// Lends an item while an operation runs.
    ///
    /// - Throws: `SQLiteError` with the code `SQLITE_MISUSE` if it is closed; what the operation throws.
    func lend<Result>(_ operation: (Item) async throws -> Result) async throws -> Result {
        guard let item = await borrow() else { throw SQLiteError(nil, SQLITE_MISUSE) }
        defer { giveBack(item) }
        return try await operation(item)
    }

    /// An item; nil if there are none any more.
    private func borrow() async -> Item? {
        await withCheckedContinuation { continuation in
            let (item, isWaiting) = state.withLock { state -> (Item?, isWaiting: Bool) in
                if state.isClosed { return (nil, false) }
                guard let item = state.free.popLast() else {
                    state.waiting.append(continuation)
                    return (nil, true)
                }
                state.lentCount += 1
                return (item, false)
            }
            if !isWaiting { continuation.resume(returning: item) }
        }
    }

    /// Gives an item to the next who waits.
    private func giveBack(_ item: Item) {
        var closer: CheckedContinuation<Void, Never>?
        let next = state.withLock { state -> CheckedContinuation<Item?, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.lentCount -= 1
            if !state.isClosed { state.free.append(item) }
            if state.lentCount == 0 { closer = state.closer.take() }
            return nil
        }
        next?.resume(returning: item)
        closer?.resume()
    }

    /// Lets everything go when those have done who have it or wait for it.
    func close() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                state.isClosed = true
                state.free = []
                if state.lentCount == 0 { return true }
                state.closer = continuation
                return false
            }
            if isDone { continuation.resume() }
        }
    }
}
