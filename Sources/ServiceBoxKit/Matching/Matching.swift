// Part of ServiceBox, released under the MIT License.
// Whether a service fits a property: by its registered type first, by a cast second.

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

/// How a service fits a request, as far as can be told without making it.
enum Fit {
    /// It is registered as the very type.
    case exact
    case fits
    /// It is registered as an interface, and only the service itself could tell. Tried where it is asked for
    /// by its name, and otherwise not counted.
    case unknown
    case no

    var isCertain: Bool { self == .exact || self == .fits }

    /// An answer that is open if it is nil.
    init(_ answer: Bool?) {
        self = answer.map { $0 ? .fits : .no } ?? .unknown
    }
}

extension CellRequest {
    /// How a service fits that is registered as a type, and not there yet.
    func fit(_ service: Any.Type) -> Fit {
        let wanted = unwrapped(type)
        let isInterface = TypeName.isProtocol(service)
        if isWeak, !isInterface, !(service is AnyClass) { return .no }
        if service == wanted { return .exact }
        if wanted == Any.self { return .fits }
        // A cast to it takes whatever can be hashed.
        let target = wanted == AnyHashable.self ? (any Hashable).self : wanted
        if isInterface { return Fit(ofInterface: service, for: target) }
        if TypeName.isProtocol(target) { return Fit(Conformance.of(service, to: target)) }
        return Fit(service is AnyClass && TypePlan.isType(service, orInherits: wanted))
    }
}

extension Fit {
    /// How a service fits of which only an interface is known.
    ///
    /// A struct or an enum that lacks the interface cannot be the service; a class can by way of a subclass.
    fileprivate init(ofInterface interface: Any.Type, for wanted: Any.Type) {
        if Conformance.isImplied(wanted, by: interface) {
            self = .fits
        } else if TypeName.isProtocol(wanted) || wanted is AnyClass {
            self = .unknown
        } else {
            self = Conformance.of(wanted, to: interface) == false ? .no : .unknown
        }
    }
}
