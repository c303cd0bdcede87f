// Part of ServiceBox, released under the MIT License.
// A made service as a provider holds it, strongly or weakly.

/// A made service, held strongly or weakly.
enum Held<Service: Sendable>: Sendable {
    case strongly(Made<Service>)
    case weakly(WeaklyMade)

    /// The service, or nil once it is gone.
    var service: Service? {
        switch self {
        case .strongly(let made): made.service
        case .weakly(let made): made.object as? Service
        }
    }

    /// Whether the service is there; reads no value.
    var isAlive: Bool {
        switch self {
        case .strongly: true
        case .weakly(let made): made.object != nil
        }
    }
}

extension Held {
    /// Holds a service as a lifetime asks for.
    ///
    /// - Throws: ``ServiceBoxError/Code/weakValue`` if it is to be held weakly and is no class instance.
    init(_ service: Service, _ lifetime: Lifetime, step: ServicePath.Step) throws(ServiceBoxError) {
        guard lifetime == .weak else {
            self = .strongly(Made(service))
            return
        }
        guard let object = classInstance(in: service) else {
            let made = type(of: service as Any)
            throw ServiceBoxError(.weakValue(made: made), path: ServicePath([step]))
        }
        self = .weakly(WeaklyMade(object))
    }

    /// Why no service of the type can be held as a lifetime asks for, if none can.
    static func refusal(_ lifetime: Lifetime, step: ServicePath.Step) -> ServiceBoxError? {
        let isOptional = Service.self is any OptionalValue.Type
        let mayBeClass = Service.self is AnyClass || TypeName.isProtocol(Service.self)
        guard lifetime == .weak, isOptional || !mayBeClass else { return nil }
        return ServiceBoxError(.weakType, path: ServicePath([step]))
    }
}
