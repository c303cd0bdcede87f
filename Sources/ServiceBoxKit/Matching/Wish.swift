// Part of ServiceBox, released under the MIT License.
// What was asked of a box, as far as hints have to know.

/// What a service has to be to be worth a hint.
struct Wish: Hashable {
    let request: CellRequest
    /// Whether the provider of a service was asked for.
    var isForProvider = false
    /// The type of the parameters that the service was to be made from, if it was.
    var parameters: Any.Type?

    /// Whether a service fits for certain; makes nothing.
    func isMet(by registration: Registration) -> Bool {
        if let parameters {
            return registration.parametersType == parameters
                && request.fit(registration.serviceType).isCertain
        }
        if isForProvider {
            return registration.parametersType == nil && registration.serviceType == request.type
        }
        return registration.fit(request).isCertain
    }

    static func == (left: Self, right: Self) -> Bool {
        left.request == right.request && left.isForProvider == right.isForProvider
            && left.parameters == right.parameters
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(request)
        hasher.combine(isForProvider)
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
