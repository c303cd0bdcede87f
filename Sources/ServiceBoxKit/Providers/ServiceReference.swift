// Part of ServiceBox, released under the MIT License.
// How a service is held.

/// A service, held strongly or weakly, without its type.
///
/// `Sendable` is unchecked because the class is not final. It holds: it has two subclasses, one with a constant
/// of a `Sendable` type, and one that says for itself why it may be sent.
@usableFromInline
class ServiceReference: @unchecked Sendable {
    fileprivate init() {}

    var isGone: Bool { false }

    /// The service if it is a class instance and there.
    var instance: AnyObject? { nil }

    /// The service, or nil if it has ended.
    ///
    /// - Parameter type: The type that it was stored as.
    /// - Returns: The service.
    final func service<Service>(_ type: Service.Type) -> Service? {
        if let strong = self as? StrongReference<Service> { return strong.service }
        guard let object = (self as? Weak<AnyObject>)?.object else { return nil }
        return object as? Service
    }
}

/// A service that is held strongly; of a `Sendable` type, which a reader need not know.
@usableFromInline
final class StrongReference<Service>: ServiceReference, @unchecked Sendable {
    @usableFromInline let service: Service

    init(_ service: Service) where Service: Sendable {
        self.service = service
        super.init()
    }

    override var instance: AnyObject? { classInstance(in: service) }
}

/// A class instance that is held weakly; a class, since a copy of a struct with a weak constant traps in
/// Swift 6.3.1.
///
/// `Sendable` is unchecked because of the object, which is `Sendable`, or a service, whose type is; the reference
/// never changes but to nil, which the runtime does safely.
final class Weak<Object: AnyObject>: ServiceReference, @unchecked Sendable {
    weak let object: Object?

    init(_ object: Object) {
        self.object = object
        super.init()
    }

    override var isGone: Bool { object == nil }
    override var instance: AnyObject? { object }
}
