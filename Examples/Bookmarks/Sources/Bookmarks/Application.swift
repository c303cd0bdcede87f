// Part of ServiceBox, released under the MIT License.
// The program, wired by a box.

import Foundation
import ServiceBoxKit

/// The program with all its modules.
enum Application {
    /// A box with everything; nothing is created yet.
    ///
    /// - Throws: `ServiceBoxError` if the modules don't belong together.
    static func makeBox(_ configuration: Configuration) throws -> ServiceBox {
        let box = ServiceBox(name: "bookmarks")
        try box.add(
            WebModule(options: configuration.server, users: configuration.users), CachingModule(),
            StorageModule(options: configuration.database),
            WatchingModule(checkInterval: configuration.checkInterval))
        box.seal()
        return box
    }

    /// Starts the program, runs until it is told to end, answers what has come, and stops.
    static func run(_ configuration: Configuration, until end: () async -> Void) async throws {
        let box = try makeBox(configuration)
        try await withRunning(box, within: .seconds(10)) {
            let (server, log) = (try box.resolve(HTTPServer.self), try box[.log])
            log.writeReady(server)
            await end()
            // First, while the box still hands out what the requests need.
            await server.stop(within: HTTPServer.drainTime)
        }
    }

    /// What the wiring looks like, on a database that is gone afterwards.
    ///
    /// - Returns: The text, and whether it is what it should be.
    static func show(_ view: Command.View) async throws -> (text: String, isFine: Bool) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "Bookmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Configuration(users: Users([:]))
        configuration.database.path = folder.appending(path: "example.sqlite").path(percentEncoded: false)
        let box = try makeBox(configuration)
        try await createAll(in: box)
        let request = exampleRequest(in: box)
        var isFine = true
        let text: String
        switch view {
        case .graph: text = request.graph(including: exampleHandlers).mermaid
        case .wiring: text = request.wiring(including: exampleHandlers)
        case .audit:
            let audit = request.audit(including: exampleHandlers)
            (text, isFine) = ("\(audit)", audit.findings.isEmpty)
        }
        await box.stop()
        return (text, isFine)
    }

    /// Creates every service and starts none, so that no port is taken.
    static func createAll(in box: ServiceBox) async throws {
        _ = try await (box.prepare(HTTPServer.self), box.prepare(Housekeeper.self))
    }

    /// A handler of each route, unfilled.
    static var exampleHandlers: [any Handler] { Route.allCases.map { $0.makeHandler() } }

    /// A box as each request has one.
    static func exampleRequest(in box: ServiceBox) -> ServiceBox {
        let child = box.makeChild(name: "request")
        child.register(User(name: "example"))
        child.register(RequestLog(.next()))
        return child
    }
}

extension Log {
    /// Says where the server listens.
    func writeReady(_ server: HTTPServer) {
        var line = LogLine("ready")
        line.note = server.port.map { "http://\(server.options.host):\($0)" }
        write(line)
    }
}
