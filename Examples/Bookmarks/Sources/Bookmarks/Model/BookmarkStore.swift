// Part of ServiceBox, released under the MIT License.
// What keeps bookmarks.

import ServiceBoxKit

/// Keeps the bookmarks of all users.
///
/// A user has each address once. What a method has returned from is kept, whatever happens to the program then.
/// Every method throws `StoreError`.
protocol BookmarkStore: Sendable {
    /// Some bookmarks of a user, the latest first.
    func page(_ query: BookmarkQuery, of user: User) async throws -> BookmarkPage
    func bookmark(_ id: Int64, of user: User) async throws -> Bookmark
    func add(_ content: Bookmark.Content, for user: User) async throws -> Bookmark
    func change(_ id: Int64, to content: Bookmark.Content, of user: User) async throws -> Bookmark
    func delete(_ id: Int64, of user: User) async throws
    /// Adds those whose addresses the user doesn't have yet, all of them or none.
    ///
    /// - Returns: How many were added.
    func add(contentsOf contents: [Bookmark.Content], for user: User) async throws -> Int
    /// The bookmarks of all users.
    func count() async throws -> Int
}

/// Why a store hasn't done what it was asked for.
enum StoreError: Error, Equatable {
    case notFound(Int64)
    case duplicate(url: String)
    /// Another program has the database.
    case busy
    case readOnly
    /// The disk or the database has no room.
    case full
    case failed(String)
}

extension ServiceKey where Service == any BookmarkStore {
    static var store: Self { "store" }
}
