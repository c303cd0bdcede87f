// Part of ServiceBox, released under the MIT License.
// How a service is held.

/// A service, held strongly or weakly, without its type.
///
/// `Sendable` is unchecked because the class is not final. It holds: it has three subclasses, two with a constant
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

    /// The service's own type; nil if it is gone.
    var dynamicType: Any.Type? { value.map { type(of: $0) } }

    /// The type that the service is stored as; nil if it is held weakly, as any object.
    var serviceType: Any.Type? { nil }

    /// The service, or nil if it has ended or is stored as another type.
    ///
    /// - Parameter type: The type that it was stored as.
    /// - Returns: The service.
    final func service<Service>(_ type: Service.Type) -> Service? {
        guard let stored = serviceType else { return instance as? Service }
        return stored == type ? strong(type) : nil
    }
}

// MARK: - Strong references

extension ServiceReference {
    /// Holds a service strongly.
    ///
    /// Objects share one class: a class for each of their types costs the runtime more, in time and memory, than all else
    /// that it takes to register one (measured).
    @inlinable
    static func strong<Service: Sendable>(_ service: Service) -> ServiceReference {
        Service.self is AnyClass
            ? ObjectReference(unsafeBitCast(service, to: AnyObject.self), of: Service.self)
            : StrongReference(service)
    }

    /// The service of a reference that ``strong(_:)`` has made.
    ///
    /// - Parameter type: The type that it was made of.
    /// - Returns: The service.
    @inlinable @inline(__always)
    final func strong<Service>(_ type: Service.Type) -> Service {
        Service.self is AnyClass
            ? unsafeBitCast(unsafeDowncast(self, to: ObjectReference.self).object, to: Service.self)
            : unsafeDowncast(self, to: StrongReference<Service>.self).service
    }
}

/// A service of a class that is held strongly; of a `Sendable` type, which a reader need not know.
@usableFromInline
final class ObjectReference: ServiceReference, @unchecked Sendable {
    @usableFromInline let object: AnyObject
    private let type: Any.Type

    /// Holds an object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - type: The class that it is stored as: its own or a superclass, so that it may be taken for one.
    @usableFromInline
    init(_ object: AnyObject, of type: Any.Type) {
        self.object = object
        self.type = type
        super.init()
    }

    override var instance: AnyObject? { object }
    override var dynamicType: Any.Type? { Swift.type(of: object) }
    override var serviceType: Any.Type? { type }
}

/// A service of any other type that is held strongly; of a `Sendable` type, which a reader need not know.
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
}

/// A class instance that is held weakly; a class, since a copy of a struct with a weak constant traps in
/// Swift 6.3.1.
///
/// `Sendable` is unchecked because of the object, a service whose type is `Sendable`; the reference
/// never changes but to nil, which the runtime does safely.
final class Weak: ServiceReference, @unchecked Sendable {
    weak let object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
        super.init()
    }

    override var isGone: Bool { object == nil }
    override var instance: AnyObject? { object }
}
