// Part of ServiceBox, released under the MIT License.
// What answers requests that change nothing.

import Foundation
import ServiceBoxKit

/// Lists bookmarks, in pages.
struct ListBookmarks: Handler {
    @Injected var store: any BookmarkStore
    @Injected var user: User

    func respond(to request: RoutedRequest) async throws -> HTTPResponse {
        var query = BookmarkQuery()
        query.text = try request.text("q") ?? ""
        query.tag = try request.text("tag")?.lowercased()
        query.before = try request.number("before", in: 1...Int64.max)
        query.limit = try request.number("limit", in: 1...BookmarkQuery.largestLimit) ?? query.limit
        return try .json(await store.page(query, of: user))
    }
}

/// Hands out one bookmark.
struct ReadBookmark: Handler {
    @Injected var store: any BookmarkStore
    @Injected var user: User

    func respond(to request: RoutedRequest) async throws -> HTTPResponse {
        try .json(await store.bookmark(request.requiredID(), of: user))
    }
}

/// Hands out all bookmarks as a file for browsers.
struct ExportBookmarks: Handler {
    @Injected var store: any BookmarkStore
    @Injected var user: User

    func respond(to request: RoutedRequest) async throws -> HTTPResponse {
        var bookmarks: [Bookmark] = []
        var query = BookmarkQuery(limit: 500)
        repeat {
            let page = try await store.page(query, of: user)
            bookmarks += page.bookmarks
            query.before = page.next
        } while query.before != nil
        return HTTPResponse(
            status: .ok,
            headers: [
                ("Content-Type", BookmarkFile.mediaType),
                ("Content-Disposition", "attachment; filename=\"bookmarks.html\""),
            ],
            body: BookmarkFile.write(bookmarks))
    }
}

/// Tells whether the program was well when it was last checked.
struct ShowHealth: Handler {
    @Injected var statusBoard: StatusBoard

    func respond(to request: RoutedRequest) async throws -> HTTPResponse {
        let status = await statusBoard.status
        return try .json(status, status.isHealthy ? .ok : .serviceUnavailable)
    }
}

/// Hands out what was counted.
struct ShowMetrics: Handler {
    @Injected var metrics: Metrics

    func respond(to request: RoutedRequest) async throws -> HTTPResponse {
        HTTPResponse(
            status: .ok, headers: [("Content-Type", "text/plain; version=0.0.4")],
            body: Data(metrics.text.utf8))
    }
}
