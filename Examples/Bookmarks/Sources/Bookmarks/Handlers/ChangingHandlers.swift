// Part of ServiceBox, released under the MIT License.
// What answers requests that change something.

import Foundation
import ServiceBoxKit

/// Adds a bookmark.
final class AddBookmark: Handler {
    @Injected var store: any BookmarkStore
    @Injected var user: User
    @Injected var requestLog: RequestLog

    func respond(to request: RoutedRequest) async throws -> HTTPResponse {
        let bookmark = try await store.add(request.content(), for: user)
        requestLog.note("added \(bookmark.id)")
        var response = try HTTPResponse.json(bookmark, .created)
        response.headers.append(("Location", "/bookmarks/\(bookmark.id)"))
        return response
    }
}

/// Changes a bookmark.
final class ChangeBookmark: Handler {
    @Injected var store: any BookmarkStore
    @Injected var user: User
    @Injected var requestLog: RequestLog

    func respond(to request: RoutedRequest) async throws -> HTTPResponse {
        let id = try request.requiredID()
        let bookmark = try await store.change(id, to: request.content(), of: user)
        requestLog.note("changed \(id)")
        return try .json(bookmark)
    }
}

/// Deletes a bookmark.
final class DeleteBookmark: Handler {
    @Injected var store: any BookmarkStore
    @Injected var user: User
    @Injected var requestLog: RequestLog

    func respond(to request: RoutedRequest) async throws -> HTTPResponse {
        let id = try request.requiredID()
        try await store.delete(id, of: user)
        requestLog.note("deleted \(id)")
        return HTTPResponse(status: .noContent)
    }
}

/// Adds the bookmarks of a browser's file.
final class ImportBookmarks: Handler {
    /// What became of a file.
    struct Outcome: Codable, Equatable {
        var added: Int
        /// Those whose addresses were there.
        var known: Int
    }

    @Injected var store: any BookmarkStore
    @Injected var user: User
    @Injected var requestLog: RequestLog

    func respond(to request: RoutedRequest) async throws -> HTTPResponse {
        try request.require(BookmarkFile.mediaType)
        let contents = try BookmarkFile.read(request.request.body)
        let added = try await store.add(contentsOf: contents, for: user)
        requestLog.note("imported \(added) of \(contents.count)")
        return try .json(Outcome(added: added, known: contents.count - added))
    }
}
