// Part of ServiceBox, released under the MIT License.
// The same program without a box.

/// The program, wired by hand: what is created when, who gets what, and in which order all of it starts and stops.
@MainActor
enum HandWiredApplication {
    static func run(_ configuration: Configuration, until end: () async -> Void) async throws {
        let log = StandardErrorLog()
        let metrics = Metrics()
        let statusBoard = StatusBoard()
        let pool: ConnectionPool
        do { pool = try await ConnectionPool(configuration.database, migrate: Migrations.run) } catch let
            error as SQLiteError
        {
            throw StartUpError.cannotOpen(configuration.database.path, error)
        }
        let store = CachingStore(over: SQLiteStore(pool: pool), metrics)
        let wiring = HandWiring(store: store, statusBoard: statusBoard, metrics: metrics)
        let responder = RequestResponder(
            users: configuration.users, metrics: metrics, log: log, wiring: wiring)
        let server = HTTPServer(configuration.server, responder)
        let housekeeper = await Housekeeper(
            every: configuration.checkInterval, store: store, statusBoard: statusBoard, log: log)
        do { try server.start() } catch {
            await pool.close()
            throw error
        }
        statusBoard.start()
        await housekeeper.start()
        log.writeReady(server)
        await end()
        await server.stop(within: HTTPServer.drainTime)
        await housekeeper.stop()
        statusBoard.stop()
        await pool.close()
    }
}
