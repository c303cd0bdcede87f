// Part of ServiceBox, released under the MIT License.
// What is done again and again while the program runs.

import ServiceBoxKit

/// Checks the database from time to time, and has the status board show what it finds.
actor Housekeeper: ServiceLifecycle {
    @Injected private var store: any BookmarkStore
    @Injected private var statusBoard: StatusBoard
    @Injected private var log: any Log
    private let interval: Duration
    private var work: Task<Void, Never>?

    init(every interval: Duration) { self.interval = interval }

    /// Creates one without a box.
    init(
        every interval: Duration, store: any BookmarkStore, statusBoard: StatusBoard, log: any Log
    ) async {
        self.interval = interval
        self.store = store
        self.statusBoard = statusBoard
        self.log = log
    }

    func start() async {
        await check()
        work = Task {
            while (try? await Task.sleep(for: interval)) != nil { await check() }
        }
    }

    func stop() async {
        work?.cancel()
        await work?.value
    }

    /// Checks once.
    func check() async {
        do { await statusBoard.show(bookmarks: try await store.count()) } catch is CancellationError {
            // The program ends, or couldn't start; that says nothing of the database.
        } catch {
            var line = LogLine("check")
            line.error = "\(error)"
            log.write(line)
            await statusBoard.show(problem: "The database can't be read.")
        }
    }
}
