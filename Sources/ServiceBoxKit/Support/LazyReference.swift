// Part of ServiceBox, released under the MIT License.
// A reference that is set once, and read without a lock.

import Synchronization

/// A reference to an object that is created when it is first needed and kept from then on.
///
/// Like the standard library's `AtomicLazyReference`, whose generic code isn't specialised for its callers: a
/// look-up took twice as long with it (measured).
///
/// ## Why `Unmanaged` is safe
///
/// The object is retained once, when it is stored, and released in `deinit`, when nobody can ask any more.
@safe struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let reference: Atomic<Unmanaged<Object>?>

    init(_ object: Object? = nil) { unsafe reference = Atomic(object.map(Unmanaged.passRetained)) }

    deinit { unsafe reference.load(ordering: .acquiring)?.release() }

    var isEmpty: Bool { unsafe reference.load(ordering: .acquiring) == nil }

    /// The object, if there is one.
    @inline(__always)
    var object: Object? { unsafe reference.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Runs a body with the object, if there is one, without retaining it.
    @inline(__always)
    func withObject<Result>(_ body: (Object) -> Result?) -> Result? {
        unsafe reference.load(ordering: .acquiring)?._withUnsafeGuaranteedRef(body)
    }

    /// The object, created if there is none; if two threads create one, the first is kept.
    @inline(__always)
    func object(orCreate make: @autoclosure () -> Object) -> Object {
        if let object { return object }
        let new = unsafe Unmanaged.passRetained(make())
        let (isNew, known) = unsafe reference.compareExchange(
            expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard !isNew, let known = unsafe known else { return unsafe new.takeUnretainedValue() }
        unsafe new.release()
        return unsafe known.takeUnretainedValue()
    }
}

/// An object that holds a constant, for a ``LazyReference``.
final class ConstantObject<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension Unmanaged {
    /// Runs a body with an object that somebody else keeps meanwhile, without counting references.
    ///
    /// Unlike the standard library's, it passes typed errors on.
    @inline(__always)
    func borrow<Result, Failure>(
        _ body: (Instance) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe _withUnsafeGuaranteedRef { instance in
            Swift.Result { () throws(Failure) in try body(instance) }
        }.get()
    }
}
