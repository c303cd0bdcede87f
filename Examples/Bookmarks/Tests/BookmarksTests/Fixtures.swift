// Part of ServiceBox, released under the MIT License.
// What the tests have in common.

import Foundation
import LoopbackClient
import ServiceBoxKit
import Synchronization
import Testing

// The parts of a program are internal to it.
@testable import Bookmarks

/// Keeps bookmarks in memory.
actor MemoryStore: BookmarkStore {
    private var bookmarks: [User: [Bookmark]] = [:]
    private var lastID: Int64 = 0
    /// What every question throws, if anything.
    private var failure: StoreError?

    func fail(with failure: StoreError?) { self.failure = failure }

    func page(_ query: BookmarkQuery, of user: User) throws -> BookmarkPage {
        let all = try own(user).reversed().filter { bookmark in
            let content = bookmark.content
            let texts = [content.url, content.title, content.note]
            return bookmark.id < query.before ?? .max && (query.tag.map(content.tags.contains) ?? true)
                && (query.text.isEmpty || texts.contains { $0.localizedCaseInsensitiveContains(query.text) })
        }
        let page = Array(all.prefix(query.limit))
        return BookmarkPage(bookmarks: page, next: all.count > query.limit ? page.last?.id : nil)
    }

    func bookmark(_ id: Int64, of user: User) throws -> Bookmark {
        guard let found = try own(user).first(where: { $0.id == id }) else { throw StoreError.notFound(id) }
        return found
    }

    func add(_ content: Bookmark.Content, for user: User) throws -> Bookmark {
        if try own(user).contains(where: { $0.content.url == content.url }) {
            throw StoreError.duplicate(url: content.url)
        }
        lastID += 1
        let bookmark = Bookmark(id: lastID, content, added: .example, changed: .example)
        bookmarks[user, default: []].append(bookmark)
        return bookmark
    }

    func change(_ id: Int64, to content: Bookmark.Content, of user: User) throws -> Bookmark {
        guard let index = try own(user).firstIndex(where: { $0.id == id }) else {
            throw StoreError.notFound(id)
        }
        bookmarks[user]?[index].content = content
        return try bookmark(id, of: user)
    }

    func delete(_ id: Int64, of user: User) throws {
        _ = try bookmark(id, of: user)
        bookmarks[user]?.removeAll { $0.id == id }
    }

    func add(contentsOf contents: [Bookmark.Content], for user: User) throws -> Int {
        if let failure { throw failure }
        return contents.count { content in (try? add(content, for: user)) != nil }
    }

    func count() throws -> Int { bookmarks.values.map(\.count).reduce(0, +) }

    private func own(_ user: User) throws -> [Bookmark] {
        if let failure { throw failure }
        return bookmarks[user] ?? []
    }
}

extension Date {
    static let example = Date(timeIntervalSince1970: 1_700_000_000)
}

extension Users {
    static let adasToken = "ada-ada-ada-ada-ada"
    static let bobsToken = "bob-bob-bob-bob-bob"
    static let example = Users([adasToken: .ada, bobsToken: .bob])
}

extension User {
    static let ada = User(name: "ada")
    static let bob = User(name: "bob")
}

extension Bookmark.Content {
    static func example(_ number: Int, tags: [String] = []) -> Self {
        Self(url: "http://example.org/\(number)", title: "Page \(number)", note: "note \(number)", tags: tags)
    }
}

/// A folder that goes when the test does.
final class TemporaryFolder: Sendable {
    private let url = FileManager.default.temporaryDirectory.appending(path: "Bookmarks-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }
}

/// Keeps the lines of the log.
final class MemoryLog: Log {
    private let all = Mutex<[LogLine]>([])

    func write(_ line: LogLine) { all.withLock { $0.append(line) } }

    var lines: [LogLine] { all.withLock { $0 } }
}

/// Runs what blocks on a thread of its own: tasks have few, which the server needs.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

/// The server's program, which is built beside the tests: a program on Linux, on Apple platforms a bundle that a helper
/// from elsewhere has loaded and was given as an argument.
let program: URL = {
    let starts = CommandLine.arguments.map { URL(filePath: $0) } + Bundle.allBundles.map(\.bundleURL)
    let folders = starts.flatMap { start in
        sequence(first: start.resolvingSymlinksInPath()) { $0.deletingLastPathComponent() }.prefix(5)
    }
    let places = folders.map { $0.appending(path: "Bookmarks") }
    let program = places.first { place in
        (try? place.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    }
    return program ?? places[0]
}()

extension Trait where Self == TimeLimitTrait {
    /// Cancels a test that waits for ever, which fails then.
    static var neverHanging: Self { .timeLimit(.minutes(10)) }
}
