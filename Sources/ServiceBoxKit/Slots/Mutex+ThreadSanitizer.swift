// Part of ServiceBox, released under the MIT License.
// A mutex that the thread sanitizer can see; compiled with -DTHREAD_SANITIZER alone.

#if THREAD_SANITIZER
import Synchronization

/// Stands in for `Synchronization.Mutex`, whose contended path lies in a library that is not instrumented, so that
/// the sanitizer takes everything under it for a race (Swift 6.3.1 on Linux).
///
/// `Sendable` is unchecked because of `Value`, which `inner` guards.
struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    private let inner: Synchronization.Mutex<Value>
    /// Tells the sanitizer what the lock does: who comes next has seen all that was done before.
    private let handover = Atomic(false)

    init(_ value: consuming sending Value) {
        inner = Synchronization.Mutex(value)
    }

    func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try inner.withLock { (value: inout sending Value) throws(Failure) -> sending Result in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(true, ordering: .releasing) }
            return try body(&value)
        }
    }
}
#endif
