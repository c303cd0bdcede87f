// Part of ServiceBox, released under the MIT License.
// Which cells a property may point to, and creating them.

extension CellRequest {
    /// What a list requests from each of its services; nil if the property isn't one.
    var ofElements: CellRequest? { element.map { CellRequest(type: $0).with(actor: actor) } }

    /// The same request on behalf of an actor.
    func with(actor: Any.Type?) -> CellRequest { changing(self) { $0.actor = actor } }

    /// What a cast to the wanted type asks for: `AnyHashable` accepts any hashable value.
    var target: Any.Type { wanted == AnyHashable.self ? (any Hashable).self : wanted }

    /// The actor that cells created for the request are bound to, since a conformance of the service's own
    /// type, or of its parts, belongs to it; nil if they may be used anywhere, `Any.self` if that can't be told.
    private func actor(bindingCellsOf service: Any.Type) -> Any.Type? {
        let (own, wanted) = (Metadata(service), Metadata(target))
        // To be of a class takes no conformance.
        if service == target || target == Any.self || wanted.kind == .class { return nil }
        if own.declaration != wanted.declaration { return Conformance.actor(of: service, to: target) }
        // Collections and metatypes are cast part by part. So are tuples, whose parts aren't read.
        guard let parts = own.parts, let wanted = wanted.parts else { return Any.self }
        let actors = zip(wanted, parts).compactMap { CellRequest(type: $0).actor(bindingPartsOf: $1) }
        return actors.first.map { first in actors.allSatisfy { $0 == first } ? first : Any.self }
    }

    private func actor(bindingPartsOf type: Any.Type) -> Any.Type? {
        // Only what is in there tells what an interface or a class that doesn't conform itself comes to.
        let isUnknown = type != target && Conformance.isDeclared(by: type, to: target) != true
        return isUnknown && TypeName.isProtocol(target) ? Any.self : actor(bindingCellsOf: type)
    }

    /// Whether a cell created for the request must not be used on other actors.
    func isBoundToActor(by service: Any.Type) -> Bool { actor(bindingCellsOf: service) != nil }

    /// Whether the owner of the property may use such a cell if it is created here; what fits off every actor
    /// fits everywhere.
    func mayBeBoundToActor(by service: Any.Type) -> Bool {
        actor == nil || actor(bindingCellsOf: service) == actor || Isolation.isNone
    }

    /// The request regardless of actors, under which cells are kept that are bound to none.
    var anywhere: CellRequest { with(actor: nil) }

    /// The request under which cells are kept that are bound to an actor.
    var onItsActor: CellRequest { with(actor: Any.self) }

    /// The request of a property whose owner may be anywhere later: if this is the main actor, conformances of
    /// that fit, and otherwise only those of none.
    var here: CellRequest {
        with(actor: actor ?? (Isolation.isMainActor ? MainActor.self : Never.self))
    }

    /// Whether a cell created for the request held its service weakly and has lost it.
    func hasLost(_ cell: AnyCell) -> Bool { isWeak && cell.isGone }

    /// The property's class, or the class that it wraps if it is optional.
    private var wantedClass: Any.Type? {
        optionals < 2 && Metadata(wanted).kind == .class ? wanted : nil
    }

    /// Whether the property may point to a cell in which a service is kept.
    func allows(_ cell: AnyCell) -> Bool {
        if isWeak { return false }
        if optionals == 0, cell.heldType == wanted { return true }
        guard let wantedClass, let cell = cell as? ObjectCell else { return false }
        return Conformance.isType(Swift.type(of: cell.value), orInherits: wantedClass)
    }

    /// Creates a cell of the requested type from another cell's value; nil if that doesn't fit or is gone.
    func makeCell(from cell: AnyCell) -> AnyCell? {
        if let cell = cell as? ObjectCell { return makeCell(of: cell.value) }
        func make<Service>(_ type: Service.Type) -> AnyCell? {
            cell.content(as: type).flatMap(makeCell)
        }
        return cell.heldType.flatMap { _openExistential($0, do: make) }
    }

    /// Creates a cell of the requested type for a service; nil if it doesn't fit.
    private func makeCell<Service>(of service: Service) -> AnyCell? {
        if let wantedClass {
            guard let object = classInstance(in: service),
                Conformance.isType(Swift.type(of: object), orInherits: wantedClass)
            else { return nil }
            return isWeak ? WeakCell(object) : Cell<AnyObject>(object)
        }
        // The common case; without an optional, whose type the runtime would have to look up.
        if !isWeak, optionals == 0, wanted == Service.self { return Cell(service) }
        func open<Wanted>(_: Wanted.Type) -> AnyCell? {
            guard let value: Wanted = converted(service) else { return nil }
            return isWeak ? WeakCell(holding: value) : Cell(value)
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
    if Service.self == Wanted.self { return unsafe unsafeBitCast(service, to: Wanted.self) }
    if Service?.self == Wanted.self { return unsafe unsafeBitCast(Optional(service), to: Wanted.self) }
    if unwrapped(Wanted.self) == AnyObject.self {
        // Unwrapped first: nil itself would fit an optional.
        return classInstance(in: service).flatMap { $0 as? Wanted }
    }
    if unwrapped(Wanted.self) == AnyHashable.self {
        // The cast alone accepts a conformance of another actor.
        return (service as? any Hashable).flatMap { AnyHashable($0) as? Wanted }
    }
    // The runtime accepts every class instance as one of Core Foundation's.
    return Metadata(unwrapped(Wanted.self)).kind == .foreignClass ? nil : service as? Wanted
}
