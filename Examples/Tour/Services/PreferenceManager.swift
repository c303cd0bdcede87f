// Part of ServiceBox, released under the MIT License.
// The service `preferenceManager`: preferences in a JSON file.

import Foundation
import ServiceBoxKit
import Synchronization

/// What the application remembers from run to run.
struct Preferences: Codable {
    /// How often the tour was taken.
    var runs = 0
    /// How many of the longest files to list; edit the file to change it.
    var longestFiles = 3
}

/// Keeps preferences in memory and in a file of the storage.
///
/// Nothing hands it the storage: it says what it needs, and the box fills it in. It reads its file when the box starts.
final class PreferenceManager: ServiceLifecycle {
    private struct Needs {
        @Injected var storageManager: StorageManager
    }

    static let fileName = "preferences.json"

    private let needs = Needs()
    private let preferences = Mutex(Preferences())

    var current: Preferences { preferences.withLock { $0 } }

    /// Reads the file; where there is none, the preferences stay as they are.
    func start() throws(TourError) {
        guard let content = try needs.storageManager.read(Self.fileName) else { return }
        guard let loaded = try? JSONDecoder().decode(Preferences.self, from: content) else {
            throw .damaged(needs.storageManager.path(of: Self.fileName))
        }
        preferences.withLock { $0 = loaded }
    }

    /// Changes preferences and writes the file.
    func change(_ edit: (inout Preferences) -> Void) throws {
        let changed = preferences.withLock { preferences in
            edit(&preferences)
            return preferences
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try needs.storageManager.write(encoder.encode(changed) + Data("\n".utf8), to: Self.fileName)
    }
}
