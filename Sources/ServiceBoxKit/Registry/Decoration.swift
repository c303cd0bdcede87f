// Part of ServiceBox, released under the MIT License.
// Decorations, which wrap services.

/// A decoration of the services under a name, whichever are registered there.
final class Decoration: Sendable {
    /// Creates the supplier of a wrapped service in a registry; runs under its lock.
    typealias MakeSupplier =
        @Sendable (_ base: Registration, _ home: WeakSupplier, ServiceHistory) -> any ServiceSupplier

    let location: SourceLocation
    /// The type that a service has to be registered as.
    let serviceType: Any.Type
    /// The name of the module that declared it.
    let module: String?
    let makeSupplier: MakeSupplier

    init(
        _ serviceType: Any.Type, at location: SourceLocation, from module: String?,
        makeSupplier: @escaping MakeSupplier
    ) {
        self.serviceType = serviceType
        self.location = location
        self.module = module
        self.makeSupplier = makeSupplier
    }

    /// Whether a service is registered as the type that this decorates.
    func fits(_ base: Registration) -> Bool {
        base.serviceType == serviceType && base.parametersType == nil
    }

    /// Traps if a service can't be wrapped.
    func check(_ base: Registration) {
        if fits(base) { return }
        location.trap(
            Message.idleDecoration(
                base.name, as: serviceType, found: ServiceDescription(base), at: "\(location)"))
    }

    /// A registration of the wrapped service, which may be the registry's own version of an ancestor's; traps if the
    /// service can't be wrapped.
    func wrap(
        _ base: Registration, number: Int, in registry: Registry, isOwn: Bool = false
    ) -> Registration {
        check(base)
        let (history, home) = (ServiceHistory(), registry.weakBox)
        return Registration(
            base.name, .supplier(makeSupplier(base, home, history)), at: location, history,
            Registration.Details(base: base, decoration: self, module: module, fills: base.fills),
            number: number, home: home, isInherited: isOwn || base.isInherited)
    }
}

extension Registry {
    /// How many decorations may wrap a service: each is created inside the next.
    static let decorationLimit = 64

    /// How many decorations wrap what is registered under a name, or will be.
    func decorationCount(of name: String) -> Int {
        let (isOwn, count) = state.withLock {
            ($0.registrations[name] != nil, $0.decorations[name]?.count ?? 0)
        }
        return isOwn ? count : count + (parent?.decorationCount(of: name) ?? 0)
    }
}
