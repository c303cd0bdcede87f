// Part of ServiceBox, released under the MIT License.
// A state under a lock, which the thread sanitizer can see.

public import Synchronization

/// A state under a lock.
///
/// On Linux a `Mutex` that threads compete for is handed over by the kernel, which the thread sanitizer does
/// not see: it reports races in correct programs (measured with an array in a `Mutex` and four threads). Each
/// use therefore also stores to an atomic value at its end and loads it at its beginning, which says the same
/// in a way that the sanitizer understands, and costs two plain moves on most processors.
@usableFromInline
package struct Guarded<State: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<State>
    @usableFromInline let handedOver = Atomic(false)

    package init(_ state: consuming sending State) {
        mutex = Mutex(state)
    }

    /// Runs a body that has the state for itself.
    @inlinable @inline(__always)
    package func withLock<Result: ~Copyable, Failure>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { state throws(Failure) in
            _ = handedOver.load(ordering: .acquiring)
            defer { handedOver.store(true, ordering: .releasing) }
            return try body(&state)
        }
    }
}

extension Guarded {
    /// Runs a body that takes a value out; it is released after unlocking, since its deinit may run any code.
    @inline(__always)
    func letGo<Old>(_ body: (inout sending State) -> sending Old) { withExtendedLifetime(withLock(body)) {} }

    /// The value of a key, created outside the lock if there is none; if two threads create one, the first is
    /// kept; a nil leaves the key without one.
    func value<Key: Hashable & Sendable, Value: Sendable>(for key: Key, orInsert make: () -> Value?) -> Value?
    where State == [Key: Value] {
        if let known = withLock({ $0[key] }) { return known }
        guard let new = make() else { return nil }
        return withLock { $0.value(for: key, orInsert: new) }
    }
}

extension Dictionary {
    /// The value of a key, which is stored first if there is none.
    package mutating func value(for key: Key, orInsert new: @autoclosure () -> Value) -> Value {
        let value = self[key] ?? new()
        self[key] = value
        return value
    }
}
