// Part of ServiceBox, released under the MIT License.
// What the program says of itself: a line of JSON for each thing that happens.

import Foundation
import ServiceBoxKit
import Synchronization

/// A line of the log.
struct LogLine: Encodable, Sendable {
    let time: Date
    let event: String
    var request: String?
    var user: String?
    var method: String?
    var path: String?
    var status: Int?
    var milliseconds: Double?
    var note: String?
    var error: String?

    init(_ event: String) {
        time = Date()
        self.event = event
    }
}

/// Where lines go.
protocol Log: Sendable {
    func write(_ line: LogLine)
}

extension ServiceKey where Service == any Log {
    static var log: Self { "log" }
}

/// Writes lines to standard error, each as a whole.
struct StandardErrorLog: Log {
    private static let lock = Mutex(())

    var descriptor = STDERR_FILENO

    func write(_ line: LogLine) {
        guard var data = try? JSON.encoder.encode(line) else { return }
        data.append(UInt8(ascii: "\n"))
        // One after the other: a pipe that is full takes a long line in parts.
        Self.lock.withLock { _ in
            data.withUnsafeBytes { bytes in _ = Foundation.write(descriptor, bytes.baseAddress, bytes.count) }
        }
    }
}
