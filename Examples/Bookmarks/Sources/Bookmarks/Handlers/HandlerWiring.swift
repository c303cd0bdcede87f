// Part of ServiceBox, released under the MIT License.
// How a handler gets what it needs: from a box, or by hand.

import ServiceBoxKit

/// What belongs to one request.
struct RequestContext: Sendable {
    /// Nil where nobody has to say who is asking.
    var user: User?
    let log = RequestLog(.next())
}

/// Has handlers answer, with what they need in them.
protocol HandlerWiring: Sendable {
    func answer(
        _ request: RoutedRequest, by route: Route, in context: RequestContext
    ) async throws -> HTTPResponse
}

/// Fills each handler from a child of the program's box, which has what belongs to the request.
struct BoxWiring: HandlerWiring {
    /// Weak, since the box keeps this.
    @WeakInjected private var serviceBox: ServiceBox?

    func answer(
        _ request: RoutedRequest, by route: Route, in context: RequestContext
    ) async throws -> HTTPResponse {
        guard let serviceBox else { throw RequestFailure.stopping }
        return try await serviceBox.withChild(name: "request") { child in
            if let user = context.user { child.register(user) }
            child.register(context.log)
            let handler = route.makeHandler()
            try child.fill(handler).requireComplete()
            return try await handler.respond(to: request)
        }
    }
}

/// Sets the properties of each handler, which is what a program without a box does.
struct HandWiring: HandlerWiring {
    let store: any BookmarkStore
    let statusBoard: StatusBoard
    let metrics: Metrics

    func answer(
        _ request: RoutedRequest, by route: Route, in context: RequestContext
    ) async throws -> HTTPResponse {
        try await makeHandler(for: route, in: context).respond(to: request)
    }

    private func makeHandler(for route: Route, in context: RequestContext) throws -> any Handler {
        switch route {
        case .health:
            var handler = ShowHealth()
            handler.statusBoard = statusBoard
            return handler
        case .metrics:
            var handler = ShowMetrics()
            handler.metrics = metrics
            return handler
        default: break
        }
        guard let user = context.user else { throw RequestFailure.unauthorized }
        switch route {
        case .list:
            var handler = ListBookmarks()
            (handler.store, handler.user) = (store, user)
            return handler
        case .read:
            var handler = ReadBookmark()
            (handler.store, handler.user) = (store, user)
            return handler
        case .exportFile:
            var handler = ExportBookmarks()
            (handler.store, handler.user) = (store, user)
            return handler
        case .add:
            let handler = AddBookmark()
            (handler.store, handler.user, handler.requestLog) = (store, user, context.log)
            return handler
        case .change:
            let handler = ChangeBookmark()
            (handler.store, handler.user, handler.requestLog) = (store, user, context.log)
            return handler
        case .delete:
            let handler = DeleteBookmark()
            (handler.store, handler.user, handler.requestLog) = (store, user, context.log)
            return handler
        case .importFile:
            let handler = ImportBookmarks()
            (handler.store, handler.user, handler.requestLog) = (store, user, context.log)
            return handler
        case .health, .metrics: throw RequestFailure.unexpected
        }
    }
}
