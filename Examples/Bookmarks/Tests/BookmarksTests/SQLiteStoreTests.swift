// Part of ServiceBox, released under the MIT License.
// The store in a real file.

import CSQLite
import Foundation
import Testing

@testable import Bookmarks

@Suite("A store in a file")
struct SQLiteStoreTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("bookmarks.sqlite")
    }

    private func withStore<Result>(
        pageLimit: Int? = nil, patience: Duration = .zero,
        _ body: (SQLiteStore) async throws -> Result
    ) async throws -> Result {
        var options = ConnectionPool.Options(path: path, patience: patience)
        options.pageLimit = pageLimit
        let pool = try await ConnectionPool(options, migrate: Migrations.run)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(SQLiteStore(pool: pool, now: { .example }))) } catch {
            result = .failure(error)
        }
        await pool.close()
        return try result.get()
    }

    @Test("keeps what was added when it is opened again")
    func durable() async throws {
        let content = Bookmark.Content(
            url: "http://a.example/", title: "Ä \"quoted\"", note: "", tags: ["one", "two words"])
        let added = try await withStore { try await $0.add(content, for: .ada) }
        #expect(added == Bookmark(id: 1, content, added: .example, changed: .example))
        #expect(try await withStore { try await $0.bookmark(1, of: .ada) } == added)
    }

    @Test(
        "keeps tags that begin with a mark, here and in a browser's file",
        arguments: [["a", "\u{301}b"], ["\u{FE0F}x", "y"]])
    func marks(tags: [String]) async throws {
        let content = try Bookmark.Content.example(1, tags: tags).checked()
        let added = try await withStore { try await $0.add(content, for: .ada) }
        let imported = try BookmarkFile.read(BookmarkFile.write([added]))
        for kept in [added.content] + imported {
            // As equal as scalars are: characters may be so that differ in them.
            #expect(kept.tags.map { Array($0.unicodeScalars) } == tags.map { Array($0.unicodeScalars) })
        }
        #expect(imported.count == 1)
        #expect(throws: RequestFailure.self) {
            try Bookmark.Content.example(1, tags: ["x,\u{301}y"]).checked()
        }
    }

    @Test("finds what a text contains, whatever its characters mean to the database")
    func search() async throws {
        try await withStore { store in
            for (number, title) in ["100 %", "100 x", "under_score", "back\\slash", "9%\u{301}x"].enumerated()
            {
                var content = Bookmark.Content.example(number)
                content.title = title
                _ = try await store.add(content, for: .ada)
            }
            func titles(_ text: String) async throws -> [String] {
                try await store.page(BookmarkQuery(text: text), of: .ada).bookmarks.map(\.content.title)
            }
            #expect(try await titles("0 %") == ["100 %"])
            #expect(try await titles("r_s") == ["under_score"])
            #expect(try await titles("K\\S") == ["back\\slash"])
            #expect(try await titles("example.org/1") == ["100 x"])
            #expect(try await titles("nothing") == [])
            // A sign with an accent is none for the database.
            #expect(try await titles("%\u{301}") == ["9%\u{301}x"])
        }
    }

    @Test("finds a tag, and none that begins like it")
    func tags() async throws {
        try await withStore { store in
            _ = try await store.add(.example(1, tags: ["swift", "server"]), for: .ada)
            _ = try await store.add(.example(2, tags: ["swiftui"]), for: .ada)
            let page = try await store.page(BookmarkQuery(tag: "swift"), of: .ada)
            #expect(page.bookmarks.map(\.id) == [1])
        }
    }

    @Test("refuses an address that the user has already, also by a change")
    func duplicate() async throws {
        try await withStore { store in
            _ = try await store.add(.example(1), for: .ada)
            _ = try await store.add(.example(1), for: .bob)
            _ = try await store.add(.example(2), for: .ada)
            let duplicate = StoreError.duplicate(url: "http://example.org/1")
            await #expect(throws: duplicate) { try await store.add(.example(1), for: .ada) }
            await #expect(throws: duplicate) { try await store.change(3, to: .example(1), of: .ada) }
            #expect(try await store.add(contentsOf: [.example(1), .example(4), .example(4)], for: .ada) == 1)
        }
    }

    @Test("waits while another program writes")
    func waiting() async throws {
        try await withStore(patience: .seconds(600)) { store in
            let other = try SQLiteConnection(path, isReader: false)
            try other.run("BEGIN IMMEDIATE")
            async let added = store.add(.example(1), for: .ada)
            // A waiting write has been refused at least once, by then or later.
            for _ in 1...10 { _ = try await store.count() }
            try other.run("COMMIT")
            #expect(try await added.id == 1)
        }
    }

    @Test("says so if another program writes for too long")
    func locked() async throws {
        try await withStore { store in
            let other = try SQLiteConnection(path, isReader: false)
            try other.run("BEGIN IMMEDIATE")
            await #expect(throws: StoreError.busy) { try await store.add(.example(1), for: .ada) }
            // Who reads isn't kept waiting.
            #expect(try await store.count() == 0)
            try other.run("ROLLBACK")
            _ = try await store.add(.example(1), for: .ada)
        }
    }

    @Test("writes what it can when there is no room, and nothing by halves")
    func full() async throws {
        try await withStore(pageLimit: 16) { store in
            var content = Bookmark.Content.example(0)
            content.note = String(repeating: "x", count: 4_000)
            let contents = (1...64).map { number in
                var content = content
                content.url = "http://example.org/\(number)"
                return content
            }
            await #expect(throws: StoreError.full) { try await store.add(contentsOf: contents, for: .ada) }
            #expect(try await store.count() == 0)
            // Smaller ones still have room.
            _ = try await store.add(.example(1), for: .ada)
            #expect(try await store.count() == 1)
        }
    }

    @Test("is told to end while it waits")
    func cancelled() async throws {
        try await withStore(patience: .seconds(600)) { store in
            let other = try SQLiteConnection(path, isReader: false)
            try other.run("BEGIN IMMEDIATE")
            let add = Task { try await store.add(.example(1), for: .ada) }
            add.cancel()
            await #expect(throws: CancellationError.self) { try await add.value }
        }
    }

    @Test("can be read where it can't be written")
    func readOnly() async throws {
        try await withStore { store in
            _ = try await store.add(.example(1), for: .ada)
            try await store.pool.write { try $0.run("PRAGMA query_only = ON") }
            await #expect(throws: StoreError.readOnly) { try await store.add(.example(2), for: .ada) }
            #expect(try await store.count() == 1)
        }
    }

    @Test("brings a database of an earlier version up to date")
    func migrated() async throws {
        do {
            let old = try SQLiteConnection(path, isReader: false)
            try old.run(Migrations.steps[0])
            try old.run("PRAGMA user_version = 1")
            try old.run(
                "INSERT INTO bookmark (owner, url, title, note, added, changed) VALUES ('ada', 'u', 't', '', 1, 2)"
            )
        }
        let bookmark = try await withStore { try await $0.bookmark(1, of: .ada) }
        #expect(bookmark.content == Bookmark.Content(url: "u", title: "t"))
    }

    @Test("refuses a database of a later version")
    func newer() async throws {
        do {
            let newer = try SQLiteConnection(path, isReader: false)
            try newer.run("PRAGMA user_version = 99")
        }
        await #expect(throws: StartUpError.self) { try await withStore { _ in } }
    }

    @Test("serves many tasks at the same time, and refuses when it is closed")
    func many() async throws {
        let pool = try await withStore { store in
            try await withThrowingTaskGroup { group in
                for task in 0..<8 {
                    group.addTask {
                        for number in 0..<20 {
                            _ = try await store.add(.example(task * 100 + number), for: .ada)
                            _ = try await store.page(BookmarkQuery(), of: .ada)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.count() == 160)
            return store.pool
        }
        await #expect(throws: StoreError.self) { try await SQLiteStore(pool: pool).count() }
    }
}

@Suite("A store that remembers")
struct CachingStoreTests {
    @Test("asks once for a page, until the user changes something")
    func pages() async throws {
        let (store, metrics) = (MemoryStore(), Metrics())
        let cache = CachingStore(over: store, metrics)
        #expect(try await cache.page(BookmarkQuery(), of: .ada).bookmarks == [])
        _ = try await store.add(.example(1), for: .ada)
        #expect(try await cache.page(BookmarkQuery(), of: .ada).bookmarks == [])
        _ = try await cache.add(.example(2), for: .bob)
        #expect(try await cache.page(BookmarkQuery(), of: .ada).bookmarks == [])
        _ = try await cache.add(.example(3), for: .ada)
        #expect(try await cache.page(BookmarkQuery(), of: .ada).bookmarks.map(\.id) == [3, 1])
        _ = try await cache.change(1, to: .example(4), of: .ada)
        #expect(try await cache.page(BookmarkQuery(), of: .ada).bookmarks.last?.content == .example(4))
        try await cache.delete(1, of: .ada)
        #expect(try await cache.page(BookmarkQuery(), of: .ada).bookmarks.map(\.id) == [3])
        #expect(metrics.text.contains(#"cache_lookups_total{result="hit"} 2"#))
    }

    @Test("forgets what was read before a change that came meanwhile")
    func overlapping() async throws {
        let store = SlowStore()
        let cache = CachingStore(over: store, Metrics())
        let page = Task { try await cache.page(BookmarkQuery(), of: .ada) }
        await store.reading()
        _ = try await cache.add(.example(1), for: .ada)
        store.finish()
        #expect(try await page.value.bookmarks == [])
        #expect(try await cache.page(BookmarkQuery(), of: .ada).bookmarks.map(\.id) == [1])
    }
}

/// Answers the first question for a page late, with what was there when it was asked.
private final class SlowStore: BookmarkStore {
    private let store = MemoryStore()
    private let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    private let (ends, ended) = AsyncStream.makeStream(of: Void.self)

    func reading() async { for await _ in arrivals { return } }

    func finish() { ended.finish() }

    func page(_ query: BookmarkQuery, of user: User) async throws -> BookmarkPage {
        let page = try await store.page(query, of: user)
        arrived.yield()
        for await _ in ends {}
        return page
    }

    func bookmark(_ id: Int64, of user: User) async throws -> Bookmark {
        try await store.bookmark(id, of: user)
    }
    func add(_ content: Bookmark.Content, for user: User) async throws -> Bookmark {
        try await store.add(content, for: user)
    }
    func change(_ id: Int64, to content: Bookmark.Content, of user: User) async throws -> Bookmark {
        try await store.change(id, to: content, of: user)
    }
    func delete(_ id: Int64, of user: User) async throws { try await store.delete(id, of: user) }
    func add(contentsOf contents: [Bookmark.Content], for user: User) async throws -> Int {
        try await store.add(contentsOf: contents, for: user)
    }
    func count() async throws -> Int { try await store.count() }
}
