// Part of ServiceBox, released under the MIT License.
// How a service is held.

/// A service, held strongly or weakly, without its type.
///
/// `Sendable` is unchecked because the class is not final. It holds: it has two subclasses, one with a constant
/// of a `Sendable` type, and one that says for itself why it may be sent.
@usableFromInline
class ServiceReference: @unchecked Sendable {
    fileprivate init() {}

    /// Whether the service has ended.
    var isGone: Bool { false }

    /// The service, or nil if it has ended.
    ///
    /// - Parameter type: The type that it was stored as.
    /// - Returns: The service.
    final func service<Service>(_ type: Service.Type) -> Service? {
        if let strong = self as? StrongReference<Service> { return strong.service }
        guard let object = (self as? WeakReference)?.object else { return nil }
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
}

/// A class instance that is held weakly.
///
/// `Sendable` is unchecked because the reference is typed as any object. It holds: the object is a service,
/// whose type is `Sendable`, and the reference never changes but to nil, which the runtime does safely.
final class WeakReference: ServiceReference, @unchecked Sendable {
    weak let object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
        super.init()
    }

    /// Holds a service that a factory has created.
    ///
    /// - Throws: ``ServiceBoxError/Code/weakValue`` if it isn't a class instance.
    convenience init<Service: Sendable>(
        to service: Service, _ step: ServicePath.Step
    ) throws(ServiceBoxError) {
        guard let object = classInstance(in: service) else {
            throw ServiceBoxError(.weakValue(made: type(of: service as Any)), path: ServicePath([step]))
        }
        self.init(object)
    }

    override var isGone: Bool { object == nil }
}
