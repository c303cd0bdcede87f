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

extension ServiceBox {
    /// Creates a transient service by its closure.
    ///
    /// - Returns: A new service, complete.
    /// - Throws: The error of creating it, or for what it lacks.
    @inlinable @inline(__always)
    func create<Service>(
        _ type: Service.Type, by closure: Unmanaged<any AnyObject & Sendable>, of found: FoundService
    ) throws(ServiceBoxError) -> Service? {
        let closure = unsafe Unmanaged<TransientClosure<Service>>.fromOpaque(closure.toOpaque())
        var service: Service?
        try create(
            found,
            { box in
                let new = try unsafe closure._withUnsafeGuaranteedRef { try $0.make(box) }
                service = new
                // For an object this takes one load.
                return unsafe Service.self is AnyClass
                    ? Swift.type(of: unsafeBitCast(new, to: AnyObject.self)) : Swift.type(of: new as Any)
            },
            hold: { service.map { service in unsafe closure._withUnsafeGuaranteedRef { $0.hold(service) } } })
        return service
    }

    /// Creates a transient service whose type the caller knows.
    ///
    /// - Parameters:
    ///   - found: The service that was found.
    ///   - create: Creates it, and returns its dynamic type.
    ///   - hold: Puts it into a cell, if there is something to fill.
    /// - Throws: The error of creating it, or for what it lacks.
    @usableFromInline
    func create(
        _ found: FoundService, _ create: (ServiceBox) throws -> Any.Type, hold: () -> AnyCell?
    ) throws(ServiceBoxError) {
        guard let source = unsafe found.transient, let delegate = unsafe found.delegate else { return }
        // A source with a closure has no other kind of delegate.
        let creation = unsafe Unmanaged<Creation>.fromOpaque(delegate.toOpaque())
        do throws(ServiceBoxError) {
            try unsafe creation.borrow { creation throws(ServiceBoxError) in
                try unsafe source.borrow { source throws(ServiceBoxError) in
                    try creation.make(by: source, for: self, create, hold: hold)
                }
            }
        } catch {
            found.registration.supplier.noteFailure()
            throw registry.seen(error)
        }
    }
}

extension Creation {
    @inline(__always)
    fileprivate func make(
        by source: TransientSource, for asker: ServiceBox, _ create: (ServiceBox) throws -> Any.Type,
        hold: () -> AnyCell?
    ) throws(ServiceBoxError) {
        let making = try source.begin()
        // Usually the box that is asked creates it.
        if asker.registry.isReferred(by: home) {
            return try make(in: asker, making, source.maker, create, hold: hold)
        }
        guard let box else { try source.maker.fail(making, with: boxIsGone) }
        try make(in: box, making, source.maker, create, hold: hold)
    }

    @inline(__always)
    private func make(
        in box: ServiceBox, _ making: Making, _ maker: Maker, _ create: (ServiceBox) throws -> Any.Type,
        hold: () -> AnyCell?
    ) throws(ServiceBoxError) {
        let type: Any.Type
        do { type = try RunningFactories.run(self) { try create(box) } } catch {
            try maker.fail(making, with: error)
        }
        history.noteCreated(type)
        try maker.finish(isBare(type, in: box) ? nil : hold(), making)
    }
}
