// Part of ServiceBox, released under the MIT License.
// Whether a service fits a property: by its registered type first, by a cast second.

extension CellRequest {
    /// Makes a cell of the requested type around a service, or answers nil if it does not fit.
    func makeCell<Service: Sendable>(of service: Service) -> AnyCell? {
        func open<Wanted>(_: Wanted.Type) -> AnyCell? {
            guard let value: Wanted = fit(service) else { return nil }
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
func fit<Service, Wanted>(_ service: Service) -> Wanted? {
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

extension CellRequest {
    /// Whether a service can fit as far as its type tells; used for services that are not made yet.
    ///
    /// The type that a service is registered as counts. Of an interface only the made service can tell.
    func mayFit(_ service: Any.Type) -> Bool {
        if service == type { return true }
        let wanted = unwrapped(type)
        let isInterface = TypeName.isProtocol(service)
        if isWeak, !isInterface, !(service is AnyClass) { return false }
        if service == wanted || wanted == Any.self { return true }
        if isInterface { return wanted is AnyClass || !isUnlikely(for: service) }
        if TypeName.isProtocol(wanted) { return Conformance.of(service, to: wanted) ?? true }
        return service is AnyClass && TypePlan.isType(service, orInherits: wanted)
    }

    /// Whether a service fits for certain as far as its type tells.
    ///
    /// An interface fits nothing but itself: what has it is not known before it is made.
    func surelyFits(_ service: Any.Type) -> Bool {
        if service == type { return true }
        let wanted = unwrapped(type)
        if isWeak, !(service is AnyClass), !TypeName.isProtocol(service) { return false }
        if service == wanted { return true }
        if wanted is AnyClass { return service is AnyClass && TypePlan.isType(service, orInherits: wanted) }
        return TypeName.isProtocol(wanted) && Conformance.of(service, to: wanted) == true
    }

    /// Whether a service of an interface would have to be of a type that lacks the interface.
    ///
    /// A struct or an enum that lacks it cannot be the service, a class that lacks it only by way of a
    /// subclass.
    func isUnlikely(for service: Any.Type) -> Bool {
        let wanted = unwrapped(type)
        guard TypeName.isProtocol(service), !TypeName.isProtocol(wanted), wanted != Any.self else {
            return false
        }
        return Conformance.of(wanted, to: service) == false
    }
}
