// Part of ServiceBox, released under the MIT License.
// Transient services whose type the caller's code knows.

/// The closure that creates a transient service, called by those who know its type: with no reference around each
/// service (measured: a third of what one costs more than its initialiser).
@usableFromInline
final class TransientClosure<Service>: Sendable {
    @usableFromInline let make: @Sendable (ServiceBox) throws -> Service
    @usableFromInline let hold: @Sendable (Service) -> AnyCell

    @usableFromInline
    init(
        _ make: @escaping @Sendable (ServiceBox) throws -> Service,
        holdingBy hold: @escaping @Sendable (Service) -> AnyCell
    ) {
        self.make = make
        self.hold = hold
    }
}

extension TransientSource {
    /// Creates a service by the source's closure.
    ///
    /// - Parameters:
    ///   - type: The type of the services that the source creates.
    ///   - asker: The box that is asked.
    /// - Returns: A new service, complete; nil if there is no closure.
    /// - Throws: What creating it threw, or what it lacks.
    @inlinable @inline(__always)
    func service<Service>(
        _ type: Service.Type, for asker: ServiceBox
    ) throws(ServiceBoxError) -> Service? {
        guard let closure = closure.map({ unsafeDowncast($0, to: TransientClosure<Service>.self) })
        else { return nil }
        var service: Service?
        try make(
            for: asker,
            {
                let new = try closure.make($0)
                service = new
                // Of an object it takes a load.
                return Service.self is AnyClass
                    ? Swift.type(of: unsafeBitCast(new, to: AnyObject.self)) : Swift.type(of: new as Any)
            }, hold: { service.map(closure.hold) })
        return service
    }

    /// Makes a service of a box, of which the caller knows the type.
    ///
    /// - Parameters:
    ///   - asker: The box that is asked, mostly the one that makes it.
    ///   - create: Creates it, and tells its own type.
    ///   - hold: Holds it, if there is something to fill.
    /// - Throws: What creating it threw, or what it lacks.
    @usableFromInline
    func make(
        for asker: ServiceBox, _ create: (ServiceBox) throws -> Any.Type, hold: () -> AnyCell?
    ) throws(ServiceBoxError) {
        // Who has a closure has no other delegate.
        guard let creation = maker.delegate.map({ unsafeDowncast($0, to: Creation.self) }) else { return }
        let making = try begin()
        if creation.home == ObjectIdentifier(asker.registry) {
            return try make(in: asker, creation, making, create, hold: hold)
        }
        guard let box = creation.box else { throw maker.failure(creation.boxIsGone, of: making) }
        try make(in: box, creation, making, create, hold: hold)
    }

    @inline(__always)
    private func make(
        in box: ServiceBox, _ creation: Creation, _ making: Making,
        _ create: (ServiceBox) throws -> Any.Type, hold: () -> AnyCell?
    ) throws(ServiceBoxError) {
        let registry = box.registry
        let outer = registry.factories.begin(creation)
        let type: Any.Type
        do { type = try create(box) } catch {
            registry.factories.end(backTo: outer)
            throw maker.failure(error, of: making)
        }
        registry.factories.end(backTo: outer)
        try maker.finish(creation.isBare(type, in: box) ? nil : hold(), making)
    }
}
