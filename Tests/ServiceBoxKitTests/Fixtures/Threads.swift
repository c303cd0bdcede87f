// Part of ServiceBox, released under the MIT License.
// Threads in tests, and what they share.

import Foundation

/// Counts, from any thread.
final class Counter: Sendable {
    private let count = Locked(0)

    var value: Int { count.withLock { $0 } }

    /// Adds one.
    ///
    /// - Returns: The new count.
    @discardableResult
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Remembers what happened, in order.
final class Journal: Sendable {
    private let lines = Locked<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// Takes out what was written since the last time.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

/// A place where threads wait for each other.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func send() { semaphore.signal() }

    func wait() { semaphore.wait() }
}

/// Runs bodies on threads of their own, and returns when all have ended.
func onThreads(_ bodies: [@Sendable () -> Void]) {
    let group = DispatchGroup()
    for body in bodies {
        group.enter()
        Thread {
            body()
            group.leave()
        }.start()
    }
    group.wait()
}

/// Runs one body on many threads at a time.
func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    onThreads(Array(repeating: body, count: count))
}

/// Runs a body off the main thread.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    let result = Locked<Result?>(nil)
    onThreads([{ result.withLock { $0 = body() } }])
    return result.withLock { $0 }
}

/// Runs a body on a thread with a stack of 512 KB, as secondary threads of some systems have.
func onSmallThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    let result = Later<Swift.Result<Result, any Error>>()
    let done = Signal()
    let thread = Thread {
        result.set(Swift.Result { try body() })
        done.send()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    return try result.get().get()
}

/// A variable that is set after the closure that reads it was made.
final class Later<Value: Sendable>: Sendable {
    private let stored = Locked<Value?>(nil)

    func set(_ value: Value) { stored.withLock { $0 = value } }

    /// The value.
    ///
    /// - Throws: If it is not set.
    func get() throws -> Value {
        guard let value = stored.withLock({ $0 }) else { throw Unset() }
        return value
    }

    private struct Unset: Error {}
}
