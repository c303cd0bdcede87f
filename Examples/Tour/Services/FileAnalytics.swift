// Part of ServiceBox, released under the MIT License.
// Analytics in a JSON Lines file.

import Foundation
import ServiceBoxKit
import Synchronization

/// Counts events in memory and appends them to a JSON Lines file.
///
/// A class with a lock: any thread may count. It writes its file when the box stops.
final class FileAnalytics: Analytics, ServiceLifecycle {
    /// A line of the file.
    private struct Line: Encodable {
        let event: String
        let count: Int
    }

    /// What the box gives; a `let` of injected properties leaves the class `Sendable`.
    private struct Needs {
        @Injected var storageManager: StorageManager
    }

    static let fileName = "events.jsonl"

    private let needs = Needs()
    private let counts = Mutex<[String: Int]>([:])

    func count(_ event: String) {
        counts.withLock { $0[event, default: 0] += 1 }
    }

    /// Appends a line for each event that was counted.
    ///
    /// The storage counts this write too. So the counts are taken out under the lock and written outside it,
    /// and that one event is lost.
    func stop() throws {
        let saved = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        if saved.isEmpty { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var lines = Data()
        for (event, count) in saved.sorted(by: { $0.key < $1.key }) {
            lines += try encoder.encode(Line(event: event, count: count))
            lines += Data("\n".utf8)
        }
        try needs.storageManager.append(lines, to: Self.fileName)
    }
}
