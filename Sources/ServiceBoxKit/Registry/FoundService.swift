// Part of ServiceBox, released under the MIT License.
// What a look-up has found, with a direct way to the service.

/// What a look-up has found, for later ones of the same thread.
///
/// All threads would contend for the reference count of a registration, and of whatever they read in it: two
/// threads created fewer transient services than one (measured). Each table of look-ups has objects of its own
/// instead, and what they refer to is borrowed.
///
/// ## Why `Unmanaged` is safe
///
/// The registration keeps its supplier, that its source, and that its closure and its delegate; all of them are
/// constants. Whoever uses a borrowed reference holds this object, which holds the registration.
@usableFromInline
final class FoundService: Sendable {
    let registration: Registration
    let serviceType: Any.Type
    /// The source that stores the service once it is created, if it is shared.
    @usableFromInline let shared: Unmanaged<SharedSource>?
    /// The source that creates one on every resolve, with its delegate and its closure, if there is one.
    let transient: Unmanaged<TransientSource>?
    let delegate: Unmanaged<any AnyObject & Sendable>?
    @usableFromInline let closure: Unmanaged<any AnyObject & Sendable>?

    init(_ registration: Registration) {
        self.registration = registration
        serviceType = registration.serviceType
        let source = registration.supplier.creator
        shared = (source?.shared).map(Unmanaged.passUnretained)
        let transient = source as? TransientSource
        self.transient = transient.map(Unmanaged.passUnretained)
        delegate = (transient?.maker.delegate).map { Unmanaged.passUnretained($0) }
        closure = (transient?.closure).map(Unmanaged.passUnretained)
    }

    /// The service, if it has been created.
    ///
    /// - Parameter type: The type that the service is registered as.
    /// - Returns: The service, or nil.
    @inlinable @inline(__always)
    func madeService<Service>(_ type: Service.Type) -> Service? {
        withExtendedLifetime(self) { shared?._withUnsafeGuaranteedRef { $0.load(type) } }
    }
}
