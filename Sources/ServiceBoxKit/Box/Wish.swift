// Part of ServiceBox, released under the MIT License.
// What was asked of a box, as far as hints have to know.

/// What a service has to be to be worth a hint.
struct Wish {
    /// In which way a service was asked for.
    enum Kind {
        case service
        case provider
        /// A service made from parameters of a type.
        case parameters(Any.Type)
    }

    let request: CellRequest
    var kind = Kind.service

    /// Whether a service fits for certain; makes nothing.
    func isMet(by registration: Registration) -> Bool {
        switch kind {
        case .service:
            registration.fit(request).isCertain
        case .provider:
            registration.parametersType == nil && registration.serviceType == request.type
        case .parameters(let type):
            registration.parametersType == type && request.fit(registration.serviceType).isCertain
        }
    }

    /// Whether a service that does not fit is the one that was meant, in a form that does not do.
    ///
    /// It was registered ready-made where its provider is wanted, it needs parameters, it cannot be held
    /// weakly, or its conformance belongs to an actor.
    func isMet(inSubstanceBy service: ServiceDescription) -> Bool {
        let wanted = unwrapped(request.type)
        // Asked without regard to weakness.
        if wanted == AnyObject.self || CellRequest(type: request.type).fit(service.type).isCertain {
            return true
        }
        if let provider = wanted as? any ServiceProviding.Type {
            return provider.providedType == service.type
        }
        return TypeName.isProtocol(wanted)
            && Conformance.isDeclared(by: service.implementation, to: wanted) != false
    }

    /// Whether so many services may fit that one that does means nothing.
    var isGeneral: Bool {
        let wanted = unwrapped(request.type)
        return TypeName.isGeneral((wanted as? any ServiceProviding.Type)?.providedType ?? wanted)
    }
}

/// Implemented by providers alone, so that a type known only at run time can be asked what it provides.
private protocol ServiceProviding {
    static var providedType: Any.Type { get }
}

extension ServiceProvider: ServiceProviding {
    static var providedType: Any.Type { Service.self }
}

extension ServiceParametersProvider: ServiceProviding {
    static var providedType: Any.Type { Service.self }
}
