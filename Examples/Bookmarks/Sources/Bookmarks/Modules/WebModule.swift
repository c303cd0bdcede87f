// Part of ServiceBox, released under the MIT License.
// The module of what answers requests.

import ServiceBoxKit

/// Registers the server, and how it answers.
struct WebModule: ServiceModule {
    let options: HTTPServer.Options
    let users: Users

    var requires: [any ServiceModule.Type] { [StorageModule.self, WatchingModule.self] }

    func register(in box: ServiceBox) {
        box.register(users)
        box.register(as: .handlerWiring) { _ in BoxWiring() }
        box.register { box in
            RequestResponder(
                users: try box.resolve(), metrics: try box.resolve(), log: try box[.log],
                wiring: try box[.handlerWiring])
        }
        box.register { [options] box in
            // Handlers are created when requests come. What they ask for has to start before the server, and to stop
            // after it, so the server asks for it too.
            _ = try await (box.prepare(.store), box.prepare(StatusBoard.self))
            return HTTPServer(options, try box.resolve(RequestResponder.self))
        }
    }
}

extension ServiceKey where Service == any HandlerWiring {
    static var handlerWiring: Self { "handlerWiring" }
}
