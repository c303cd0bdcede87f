// Part of ServiceBox, released under the MIT License.
// What a look-up or a property asks for.

/// What a look-up or a property asks for.
struct ServiceQuery {
    /// What the asker gets of a service.
    enum Form {
        case service
        case provider
        /// A service that is made from parameters of a type.
        case parameters(Any.Type)
    }

    let request: CellRequest
    var form = Form.service

    /// Whether a service certainly fits; makes nothing.
    func fits(_ registration: Registration) -> Bool {
        switch form {
        case .service: registration.fit(request).isCertain
        case .provider:
            registration.parametersType == nil && registration.serviceType == request.type
        case .parameters(let parameters):
            registration.parametersType == parameters && request.fit(registration.serviceType).isCertain
        }
    }

    /// Whether a service that doesn't fit is of the right type: it can't be held weakly, needs parameters, or conforms
    /// on an actor.
    func isRightType(_ service: ServiceDescription) -> Bool {
        let request = CellRequest(type: request.type)
        return unwrapped(request.type) == AnyObject.self
            || [service.type, service.implementation].map(request.fit).contains {
                $0.isCertain || $0 == .isolated
            }
    }

    /// Whether a service that fits is probably the one that was meant, whatever its name.
    ///
    /// A class or a protocol says what a service is for; `Int`, `[String]` and `Any` don't.
    var isTelling: Bool {
        let wanted = unwrapped(request.type)
        if wanted is AnyClass { return true }
        return TypeName.isProtocol(wanted) && !Conformance.isImplied(wanted, by: AnyObject.self)
    }
}
