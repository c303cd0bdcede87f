// Part of ServiceBox, released under the MIT License.
// How a service is held.

/// A service, held strongly or weakly, without its type.
///
/// `Sendable` is unchecked because the class is not final. It holds: it has two subclasses, one with a constant
/// of a `Sendable` type, and one that says for itself why it may be sent.
@usableFromInline
class ServiceReference: @unchecked Sendable {
    @usableFromInline
    init() {}

    var isGone: Bool { false }

    /// The service if it is a class instance and there.
    var instance: AnyObject? { nil }

    /// The service, of whatever type it is stored as; nil if it is gone.
    var value: Any? { instance }

    /// The type that the service is stored as; nil if it is held weakly, as any object.
    var serviceType: Any.Type? { nil }

    /// Hands the service to somebody, if it is stored as a type and not as any object.
    func visit<Visitor: ServiceVisitor>(_ visitor: Visitor) -> Visitor.Result? { nil }

    /// The service, or nil if it has ended or is stored as another type.
    ///
    /// - Parameter type: The type that it was stored as.
    /// - Returns: The service.
    final func service<Service>(_ type: Service.Type) -> Service? {
        guard let stored = serviceType else { return instance as? Service }
        return stored == type ? unsafeDowncast(self, to: StrongReference<Service>.self).service : nil
    }
}

/// Somebody who knows what to do with a service of any type.
protocol ServiceVisitor {
    associatedtype Result

    func visit<Service>(_ service: Service) -> Result
}

/// A service that is held strongly; of a `Sendable` type, which a reader need not know.
@usableFromInline
final class StrongReference<Service>: ServiceReference, @unchecked Sendable {
    @usableFromInline let service: Service

    @usableFromInline
    init(_ service: Service) where Service: Sendable {
        self.service = service
        super.init()
    }

    override var instance: AnyObject? { classInstance(in: service) }
    override var value: Any? { service }
    override var serviceType: Any.Type? { Service.self }

    override func visit<Visitor: ServiceVisitor>(_ visitor: Visitor) -> Visitor.Result? {
        visitor.visit(service)
    }
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
