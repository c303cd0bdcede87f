// Part of ServiceBox, released under the MIT License.
// Whether a service fits a property: by the type it is registered as first, by a cast second.

/// How a service fits a request, as far as can be told without creating it.
enum Fit {
    /// It is registered as the very type.
    case exact
    case fits
    /// It fits on the actor that its conformance belongs to, and this is the place.
    case fitsHere
    /// It fits on the actor that its conformance belongs to, and this is not the place.
    case isolated
    /// It is registered as an interface, and only the service itself could tell: it counts where it is asked for
    /// by its name.
    case unknown
    case no

    var isCertain: Bool { self == .exact || self == .fits || self == .fitsHere }

    /// Whether it would be different on another actor.
    var dependsOnActor: Bool { self == .fitsHere || self == .isolated }

    /// Whether it is worth asking the service.
    var isPossible: Bool { isCertain || self == .unknown }
}

extension CellRequest {
    /// How a service fits that is registered as a type, or that is of a type.
    func fit(_ service: Any.Type) -> Fit {
        let isInterface = TypeName.isProtocol(service)
        if isWeak, !isInterface, !(service is AnyClass) { return .no }
        if service == wanted { return .exact }
        if wanted == Any.self { return .fits }
        // A cast to it takes whatever can be hashed.
        let target = wanted == AnyHashable.self ? (any Hashable).self : wanted
        let isForInterface = TypeName.isProtocol(target)
        if isInterface {
            if Conformance.isImplied(target, by: service) { return .fits }
            // A struct or an enum that lacks the interface can't be the service; a class can by way of a subclass.
            let mayBe = isForInterface || target is AnyClass || Fit(of: target, to: service) != .no
            return mayBe ? .unknown : .no
        }
        if isForInterface { return Fit(of: service, to: target) }
        return service is AnyClass && Conformance.isType(service, orInherits: target) ? .fits : .no
    }
}

extension Fit {
    /// How a type fits an interface.
    ///
    /// The search that asks for no actor goes first: it is quick to say no, and most types don't fit.
    fileprivate init(of type: Any.Type, to interface: Any.Type) {
        let isDeclared = Conformance.isDeclared(by: type, to: interface)
        self =
            switch isDeclared == false ? false : Conformance.of(type, to: interface) {
            case true?: Conformance.isIsolated(type, to: interface) ? .fitsHere : .fits
            case false?: isDeclared == true ? .isolated : .no
            case nil: .unknown
            }
    }
}
