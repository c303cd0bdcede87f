// Part of ServiceBox, released under the MIT License.
// Transient services whose type is known to the caller's code.

/// The closure that creates a transient service for callers that know its type, without a cell around each
/// service (measured: a third of what one costs beyond its initialiser).
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
    ///   - asker: The box that is asked for it.
    /// - Returns: A new service, complete; nil if there is no closure.
    /// - Throws: The error of creating it, or for what it lacks.
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
                // For an object this takes one load.
                return Service.self is AnyClass
                    ? Swift.type(of: unsafeBitCast(new, to: AnyObject.self)) : Swift.type(of: new as Any)
            }, hold: { service.map(closure.hold) })
        return service
    }

    /// Creates a service of a box, whose type the caller knows.
    ///
    /// - Parameters:
    ///   - asker: The box that is asked for it, usually the one that creates it.
    ///   - create: Creates it, and returns its dynamic type.
    ///   - hold: Puts it into a cell, if there is something to fill.
    /// - Throws: The error of creating it, or for what it lacks.
    @usableFromInline
    func make(
        for asker: ServiceBox, _ create: (ServiceBox) throws -> Any.Type, hold: () -> AnyCell?
    ) throws(ServiceBoxError) {
        // A source with a closure has no other kind of delegate.
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
