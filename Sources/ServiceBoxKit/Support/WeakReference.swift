// Part of ServiceBox, released under the MIT License.
// Weak references that leave their objects as they are.

/// A weak reference to an object.
///
/// A Swift `weak` reference gives its object a side table, which makes every other reference to it several
/// times slower. This one leaves the object unchanged, unless the program is linked statically or the object's
/// class inherits from one of Objective-C: whatever is there refers to it weakly then.
///
/// ## Why this is safe
///
/// An unowned reference keeps the memory of an object that Swift counts allocated even after it is deinitialised. So
/// its address always belongs to that object, and the runtime tells whether it can still be retained. Without the runtime's
/// function nothing here retains the object, whose deinit may be ending on another thread: a Swift `weak`
/// reference does, which was created while the object was alive.
@safe struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    private unowned let memory: Object
    private let address: Unmanaged<Object>
    private let weakly: WeakCell?

    init(_ object: Object, by attempt: RetainAttempt = .current) {
        memory = object
        unsafe address = Unmanaged.passUnretained(object)
        let isCertain = attempt.isCertain && Metadata(type(of: object as AnyObject)).isCountedBySwift
        weakly = isCertain ? nil : WeakCell(object)
    }

    /// Whether it is a reference to an object.
    func refers(to object: Object) -> Bool {
        unsafe address.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
    }

    /// The object, unless it is being or has been deinitialised.
    var object: Object? {
        guard let weakly else { return unsafe RetainAttempt.current.strong(address) }
        return weakly.object.map { unsafe unsafeDowncast($0, to: Object.self) }
    }
}

extension WeakReference: CustomReflectable {
    // A dump would otherwise read the unowned reference, which traps once the object has been deinitialised.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Retains an object unless it is being or has been deinitialised, as loading a weak reference does.
///
/// The object's memory must exist: an unowned reference keeps it, if the attempt is certain, or the object's
/// deinit can't finish.
@safe struct RetainAttempt: Sendable {
    /// Uses the runtime's function behind weak references, which takes a Swift object and returns it, or nil.
    static let current = RetainAttempt(by: "swift_tryRetain")

    private let tryRetain: (@Sendable @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?)?

    /// - Parameter function: The name of the runtime's function; if it isn't found, a weak reference is used.
    init(by function: String) {
        unsafe tryRetain = RuntimeSymbol.named(
            function, as: (@Sendable @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?).self)
    }

    /// Whether the runtime retains the object or leaves it alone; otherwise, it is retained for a moment even
    /// if it is being deinitialised, which must not finish meanwhile.
    var isCertain: Bool { unsafe tryRetain != nil }

    @inline(__always)
    func strong<Object: AnyObject>(_ object: Unmanaged<Object>) -> Object? {
        guard let tryRetain = unsafe tryRetain else { return unsafe weakly(object) }
        return unsafe tryRetain(object.toOpaque()) == nil ? nil : object.takeRetainedValue()
    }

    /// The fallback without the runtime's function, as in statically linked programs.
    private func weakly<Object: AnyObject>(_ object: Unmanaged<Object>) -> Object? {
        let retained = unsafe object.retain()
        weak let seen = unsafe retained._withUnsafeGuaranteedRef { $0 }
        let object = seen
        // Never the last reference: either the object is being deinitialised already, or another one was just
        // taken.
        unsafe retained.release()
        return object
    }
}
