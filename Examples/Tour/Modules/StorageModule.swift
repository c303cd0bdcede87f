// Part of ServiceBox, released under the MIT License.
// The module of what is written: files, preferences and analytics.

import ServiceBoxKit

/// Registers the services that write to the output folder.
struct StorageModule: ServiceModule {
    /// The folder to write to.
    let folder: String

    /// The order does not matter: the services are filled with each other when the box is first used.
    func register(in box: ServiceBox) {
        box.register(PreferenceManager())  // named after its type: 'preferenceManager'
        box.register(StorageManager(folder: folder))
        box.register(FileAnalytics(), as: ServiceKey<any Analytics>("analytics"))
    }
}
