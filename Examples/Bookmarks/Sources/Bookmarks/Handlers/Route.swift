// Part of ServiceBox, released under the MIT License.
// Which request goes where.

import Foundation

/// What can be asked for.
enum Route: String, CaseIterable, Sendable {
    case list, add, read, change, delete
    case importFile = "import"
    case exportFile = "export"
    case health, metrics

    /// Whether nobody has to say who is asking.
    var isOpen: Bool { self == .health || self == .metrics }

    /// Finds the route of a request.
    ///
    /// - Returns: The route, and the request with what its path names.
    /// - Throws: `RequestFailure` if there is none.
    static func find(_ request: HTTPRequest) throws(RequestFailure) -> (Route, RoutedRequest) {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: true)
        var routed = RoutedRequest(request: request)
        let routes: [(method: String, route: Route)]
        switch (parts.first, parts.dropFirst().first, parts.count) {
        case ("bookmarks"?, nil, 1): routes = [("GET", .list), ("POST", .add)]
        case ("bookmarks"?, "import"?, 2): routes = [("POST", .importFile)]
        case ("bookmarks"?, "export"?, 2): routes = [("GET", .exportFile)]
        case ("bookmarks"?, let id?, 2):
            guard let number = Int64(id), number > 0 else { throw .unknownPath(request.path) }
            routed.bookmarkID = number
            routes = [("GET", .read), ("PUT", .change), ("DELETE", .delete)]
        case ("health"?, nil, 1): routes = [("GET", .health)]
        case ("metrics"?, nil, 1): routes = [("GET", .metrics)]
        default: throw .unknownPath(request.path)
        }
        // The library drops the body of an answer to HEAD.
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let found = routes.first(where: { $0.method == method }) else {
            throw .wrongMethod(request.method, allowed: routes.map(\.method))
        }
        return (found.route, routed)
    }

    /// Creates what answers, with nothing in it yet.
    func makeHandler() -> any Handler {
        switch self {
        case .list: ListBookmarks()
        case .add: AddBookmark()
        case .read: ReadBookmark()
        case .change: ChangeBookmark()
        case .delete: DeleteBookmark()
        case .importFile: ImportBookmarks()
        case .exportFile: ExportBookmarks()
        case .health: ShowHealth()
        case .metrics: ShowMetrics()
        }
    }
}
