// Part of ServiceBox, released under the MIT License.
// A value under a lock that the thread sanitizer knows.

import Foundation

/// A value under a lock.
///
/// On Linux the thread sanitizer does not see how a `Mutex` that threads compete for is handed over, and
/// reports races that are none; it knows `NSLock`. `Sendable` is unchecked because the value is a variable.
/// It holds: the value is used under the lock alone.
final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result, Failure>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result
    {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
