// Part of ServiceBox, released under the MIT License.
// A store that remembers what was asked of another one.

import Synchronization

/// Remembers the pages that users have asked for, until they change something.
///
/// It learns of changes that go through it alone, so one program at a time may have the database.
final class CachingStore: BookmarkStore {
    private struct Memory {
        var pages: [BookmarkQuery: BookmarkPage] = [:]
        /// Counts what the user has changed.
        var version = 0
    }

    private let store: any BookmarkStore
    private let metrics: Metrics
    /// How many pages of a user are remembered.
    private let limit: Int
    private let memories = Mutex<[User: Memory]>([:])

    init(over store: any BookmarkStore, _ metrics: Metrics, limit: Int = 64) {
        self.store = store
        self.metrics = metrics
        self.limit = limit
    }

    func page(_ query: BookmarkQuery, of user: User) async throws -> BookmarkPage {
        // An export isn't asked for again soon.
        if query.limit > BookmarkQuery.largestLimit { return try await store.page(query, of: user) }
        let (known, version) = memories.withLock { memories in
            (memories[user]?.pages[query], memories[user, default: Memory()].version)
        }
        metrics.countLookUp(isHit: known != nil)
        if let known { return known }
        let page = try await store.page(query, of: user)
        memories.withLock { memories in
            // What was read before a change that came meanwhile is not what comes after it.
            guard memories[user, default: Memory()].version == version else { return }
            if memories[user, default: Memory()].pages.count >= limit { memories[user]?.pages = [:] }
            memories[user, default: Memory()].pages[query] = page
        }
        return page
    }

    func bookmark(_ id: Int64, of user: User) async throws -> Bookmark {
        try await store.bookmark(id, of: user)
    }

    func add(_ content: Bookmark.Content, for user: User) async throws -> Bookmark {
        defer { forget(user) }
        return try await store.add(content, for: user)
    }

    func change(_ id: Int64, to content: Bookmark.Content, of user: User) async throws -> Bookmark {
        defer { forget(user) }
        return try await store.change(id, to: content, of: user)
    }

    func delete(_ id: Int64, of user: User) async throws {
        defer { forget(user) }
        try await store.delete(id, of: user)
    }

    func add(contentsOf contents: [Bookmark.Content], for user: User) async throws -> Int {
        defer { forget(user) }
        return try await store.add(contentsOf: contents, for: user)
    }

    func count() async throws -> Int { try await store.count() }

    private func forget(_ user: User) {
        memories.withLock { $0[user] = Memory(version: ($0[user]?.version ?? 0) + 1) }
    }
}
