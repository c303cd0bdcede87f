// Part of ServiceBox, released under the MIT License.
// The module of what keeps bookmarks.

import ServiceBoxKit

/// Registers the database and the store in it.
struct StorageModule: ServiceModule {
    let options: ConnectionPool.Options

    func register(in box: ServiceBox) {
        // Opened when the box starts, and closed when it stops.
        box.register(onStop: { await $0.close() }) { [options] _ in
            do { return try await ConnectionPool(options, migrate: Migrations.run) } catch let error
                as SQLiteError
            {
                throw StartUpError.cannotOpen(options.path, error)
            }
        }
        box.register(as: .store) { box in SQLiteStore(pool: try await box.prepare()) }
    }
}
