// Part of ServiceBox, released under the MIT License.
// The module of what watches the program.

import ServiceBoxKit

/// Registers the log, the metrics, the status board and the housekeeper.
struct WatchingModule: ServiceModule {
    let checkInterval: Duration

    func register(in box: ServiceBox) {
        box.register(StandardErrorLog(), as: .log)
        box.register(Metrics())
        box.register { @MainActor _ in StatusBoard() }
        // The box fills the actor before it starts.
        box.register { [checkInterval] _ in Housekeeper(every: checkInterval) }
    }
}
