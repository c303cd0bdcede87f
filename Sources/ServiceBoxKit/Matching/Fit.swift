// Part of ServiceBox, released under the MIT License.
// Whether a service fits a property: by the type it is registered as first, by a cast second.

/// How a service fits a request, as far as can be told without creating it.
enum Fit {
    /// It is registered as the very type.
    case exact
    case fits
    /// It fits on the actor that its conformance belongs to, and this is not the place.
    case isolated
    /// It is registered as an interface, and only the service itself could tell: it counts where it is asked for
    /// by its name.
    case unknown
    case no

    var isCertain: Bool { self == .exact || self == .fits }

    /// Whether it is worth asking the service.
    var isPossible: Bool { isCertain || self == .unknown }
}

extension CellRequest {
    /// How a service fits that is registered as a type, or that is of a type.
    func fit(_ service: Any.Type) -> Fit {
        let wanted = unwrapped(type)
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
            case true?: .fits
            case false?: isDeclared == true ? .isolated : .no
            case nil: .unknown
            }
    }
}

extension CellRequest {
    /// Makes a cell of the requested type around a service, or answers nil if it does not fit.
    func makeCell<Service: Sendable>(of service: Service) -> AnyCell? {
        func open<Wanted>(_: Wanted.Type) -> AnyCell? {
            guard let value: Wanted = converted(service) else { return nil }
            guard isWeak else { return Cell(value) }
            return classInstance(in: value).map(WeakCell.init)
        }
        return _openExistential(type, do: open)
    }
}

/// Converts a service to a property's type.
///
/// A service registered as `any P` fits a property of `any P` without a cast: the cast asks for the
/// conformance of the instance and fails off the actor that the conformance is isolated to. Neither does a
/// struct fit `AnyObject`, into which a cast would box it.
func converted<Service, Wanted>(_ service: Service) -> Wanted? {
    if Service.self == Wanted.self || Optional<Service>.self == Wanted.self {
        return sameType(service)
    }
    if isAnyObject(Wanted.self) {
        // Unwrapped first: nil itself would fit an optional.
        guard let object = classInstance(in: service) else { return nil }
        return object as? Wanted
    }
    return service as? Wanted
}

/// Whether a type is `AnyObject` or an optional of it.
private func isAnyObject(_ type: Any.Type) -> Bool {
    guard let optional = type as? any OptionalValue.Type else { return type == AnyObject.self }
    return isAnyObject(optional.wrappedType)
}

/// Converts between types known to be the same, or one the optional of the other, without a cast of the
/// value.
private func sameType<Service, Wanted>(_ service: Service) -> Wanted? {
    if Service.self == Wanted.self { return unsafeBitCast(service, to: Wanted.self) }
    return unsafeBitCast(Optional(service), to: Wanted.self)
}
