// Part of ServiceBox, released under the MIT License.
// What a handler says of one request.

import Synchronization

/// What one request is called in the log and in its answer.
struct RequestID: Hashable, Sendable, CustomStringConvertible {
    private static let last = Atomic(UInt64.random(in: 0...UInt64(UInt32.max)) << 24)

    let description: String

    /// Another one each time.
    static func next() -> Self {
        let (_, number) = last.add(1, ordering: .relaxed)
        return Self(description: String(number, radix: 16))
    }
}

/// Takes what a handler has to say of its request; the request's line has it.
///
/// Thread-safe.
final class RequestLog: Sendable {
    let id: RequestID
    private let notes = Mutex<[String]>([])

    init(_ id: RequestID) { self.id = id }

    func note(_ text: String) { notes.withLock { $0.append(text) } }

    /// Everything that was noted; nil if nothing was.
    var text: String? { notes.withLock { $0.isEmpty ? nil : $0.joined(separator: "; ") } }
}
