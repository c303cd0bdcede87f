// Part of ServiceBox, released under the MIT License.
// Whether a service fits a property: first by its registered type, then by a cast.

/// How a service fits a request, as far as can be told without creating the service.
enum Fit {
    case fits
    /// It fits on its conformance's actor, which is the current one.
    case fitsHere
    /// It fits on its conformance's actor, which isn't the current one, or not that of the property.
    case isolated
    /// It is registered as an interface, and only the service itself could tell; it counts if it is requested
    /// by name.
    case unknown
    case no

    var isCertain: Bool { self == .fits || self == .fitsHere }

    /// Whether the answer depends on the current actor.
    var dependsOnActor: Bool { self == .fitsHere || self == .isolated }

    /// Whether the service may fit.
    var isPossible: Bool { isCertain || self == .unknown }
}

extension CellRequest {
    /// How a service of a type, or one registered as that type, fits.
    func fit(_ service: Any.Type) -> Fit {
        let isInterface = TypeName.isProtocol(service)
        if isWeak, !isInterface, !(service is AnyClass) { return .no }
        if service == wanted || wanted == Any.self { return .fits }
        let isForInterface = TypeName.isProtocol(target)
        if isInterface {
            if Conformance.isImplied(target, by: service) { return .fits }
            // A struct or an enum without the interface can't be the service; a class can, by a subclass, unless
            // it is a provider.
            let mayHaveSubclass = target is AnyClass && !mayWantProvider
            let mayBe = isForInterface || mayHaveSubclass || Fit(of: target, to: service) != .no
            return mayBe ? .unknown : .no
        }
        if isForInterface {
            let fit = Fit(of: service, to: target)
            return fit != .fitsHere || mayBeBoundToActor(by: service) ? fit : .isolated
        }
        return service is AnyClass && Conformance.isType(service, orInherits: target) ? .fits : .no
    }
}

extension Registration {
    /// Whether the service doesn't fit, as its registered type says or that of the one that was created last.
    func isMisfit(for request: CellRequest) -> Bool {
        let fit = fit(request)
        guard fit.isPossible, !isProvider(wantedBy: request),
            let type = present?.dynamicType ?? knownHistory?.createdType
        else { return !fit.isPossible }
        let isLost = request.isWeak && !(type is AnyClass)
        if isLost || fit != .unknown { return isLost }
        let ownFit = request.fit(type)
        // Only a cast tells whether it is an `any P<Int>`.
        return ownFit == .unknown
            ? present.map { request.makeCell(from: $0) == nil } ?? false : !ownFit.isPossible
    }
}

extension Fit {
    /// How a type fits an interface.
    ///
    /// The search that ignores actors comes first: it is quick to say no, and most types don't fit.
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
