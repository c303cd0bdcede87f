// Part of ServiceBox, released under the MIT License.
// What services are wrapped in.

/// What the services under a name are wrapped in, whichever are registered there.
final class Decoration: Sendable {
    let location: SourceLocation
    /// The type that a service has to be registered as.
    let serviceType: Any.Type
    /// The name of the module that has given it.
    let module: String?
    /// Creates what supplies a wrapped service in a registry.
    let makeSupplier: @Sendable (_ base: Registration, Registry, ServiceHistory) -> any ServiceSupplier

    /// - Parameters:
    ///   - serviceType: The type that a service has to be registered as.
    ///   - location: Where it was given.
    ///   - module: The name of the module that has given it.
    ///   - makeSupplier: Creates what supplies a wrapped service in a registry; runs under its lock.
    init(
        _ serviceType: Any.Type, at location: SourceLocation, from module: String?,
        makeSupplier:
            @escaping @Sendable (_ base: Registration, Registry, ServiceHistory)
            -> any ServiceSupplier
    ) {
        self.serviceType = serviceType
        self.location = location
        self.module = module
        self.makeSupplier = makeSupplier
    }

    /// Whether a service is registered as what this decorates.
    func fits(_ base: Registration) -> Bool {
        base.serviceType == serviceType && base.parametersType == nil
    }

    /// Traps if a service can't be wrapped.
    func check(_ base: Registration) {
        if fits(base) { return }
        location.trap(
            Message.idleDecoration(
                base.name, as: serviceType, found: ServiceDescription(base), at: "\(location)"
            ).text)
    }

    /// A registration of the wrapped service; traps if it can't be wrapped.
    func wrap(_ base: Registration, number: Int, in registry: Registry) -> Registration {
        check(base)
        let history = ServiceHistory()
        return Registration(
            base.name, makeSupplier(base, registry, history), at: location, history,
            base.inheritance,
            Registration.Details(base: base, decoration: self, module: module, fills: base.fills),
            number: number, home: ObjectIdentifier(registry), isInherited: base.isInherited)
    }
}
