// Part of ServiceBox, released under the MIT License.
// Weak references to objects of the library's own.

/// A weak reference to an object of a class of the library's own.
///
/// With the language's own weak reference an object gets a record beside it, and each other reference to it becomes
/// several times as slow. This one leaves the object as it is.
///
/// ## Why this is safe
///
/// An unowned reference keeps the memory of an object, whatever has become of what was in it. So what stands at its
/// address is that object, and ``RetainAttempt`` tells whether it may still be referred to.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    private unowned let memory: Object
    private let address: Unmanaged<Object>

    init(_ object: Object) {
        memory = object
        address = Unmanaged.passUnretained(object)
    }

    /// The object, unless it is ending or has ended.
    var object: Object? { RetainAttempt.current.strong(address) }
}

extension WeakReference: CustomReflectable {
    // Otherwise a dump of what has it would read the unowned reference, which traps once the object has ended.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Takes a strong reference to an object unless that is ending or has ended, as loading a weak reference does.
///
/// The memory of the object must be there: because an unowned reference keeps it, or because its end can't go on.
struct RetainAttempt: Sendable {
    /// By the runtime's function behind weak references, which takes an object of Swift and gives it back, or nil.
    static let current = RetainAttempt(by: "swift_tryRetain")

    private let tryRetain: (@Sendable @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?)?

    /// - Parameter function: The name of the runtime's function; where it isn't found, a weak reference is made.
    init(by function: String) {
        tryRetain = RuntimeSymbol.named(
            function, as: (@Sendable @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?).self)
    }

    @inline(__always)
    func strong<Object: AnyObject>(_ object: Unmanaged<Object>) -> Object? {
        guard let tryRetain else { return weakly(object) }
        return tryRetain(object.toOpaque()) == nil ? nil : object.takeRetainedValue()
    }

    /// The same where the function isn't found, as in programs that contain the standard library.
    private func weakly<Object: AnyObject>(_ object: Unmanaged<Object>) -> Object? {
        let retained = object.retain()
        weak let seen = retained._withUnsafeGuaranteedRef { $0 }
        let object = seen
        // Never the last reference: either the object is ending already, or another one has just been taken.
        retained.release()
        return object
    }
}
