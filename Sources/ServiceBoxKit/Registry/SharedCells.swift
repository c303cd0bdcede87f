// Part of ServiceBox, released under the MIT License.
// The cells that suppliers hand out, and providers.

extension CellRequest {
    private static let providers = [
        Metadata(ServiceProvider<Int>.self), Metadata(ServiceParametersProvider<Int, Int>.self),
    ]
    .map(\.declaration)

    /// Whether any provider is wanted; decided by one word of metadata, since the provider type of each
    /// service would take memory.
    var mayWantProvider: Bool {
        Self.providers.contains(Metadata(wanted).declaration)
    }
}

extension AnyCell {
    /// A new provider of services of a type that a source supplies.
    static func provider(of service: any Sendable.Type, from source: any ServiceSource) -> AnyCell {
        func make<Service: Sendable>(_: Service.Type) -> AnyCell {
            AnyCell.holding(ServiceProvider<Service>(source))
        }
        return make(service)
    }
}

/// The cells that properties share: the one in which a service is kept, where their type allows it, or others, which only
/// the properties keep alive, and with them their service.
///
/// Thread-safe.
final class SharedCells: Sendable {
    /// The cell that was handed out last, and the service in it; a class, since each fill copies one.
    private final class Entry: Sendable {
        let cell: WeakReference<AnyCell>
        /// Identifies the object, which the cell holds, or the cell in which a value is kept.
        let service: ObjectIdentifier
        /// The cell of a value, whose memory this keeps, so that no other comes to be at its address.
        let value: WeakReference<AnyCell>?
        let type: ObjectIdentifier

        init(_ cell: AnyCell, of service: ObjectIdentifier, _ type: ObjectIdentifier, value: AnyCell?) {
            self.cell = WeakReference(cell)
            self.service = service
            self.type = type
            self.value = value.map { WeakReference($0) }
        }
    }

    private typealias Entries = SmallDictionary<CellRequest, Entry>

    private let entries = Guarded(Entries())
    /// The last cell handed out in which a service is kept.
    private let latestKept = Guarded<WeakReference<AnyCell>?>(nil)

    /// The last cell handed out, on whichever actor, if it still exists.
    func present(_ request: CellRequest) -> AnyCell? {
        if let kept = latestKept.withLock({ $0 })?.object, request.allows(kept) { return kept }
        return entries.withLock { $0[request.anywhere]?.cell.object ?? $0[request.onItsActor]?.cell.object }
    }

    /// Whether a cell in which a service is kept was the last of these to be handed out.
    func hasHandedOut(_ kept: AnyCell) -> Bool { latestKept.withLock { $0?.refers(to: kept) == true } }

    /// The cell that all properties of a type share for one service; nil if the service doesn't fit.
    ///
    /// - Parameters:
    ///   - service: The service in a cell.
    ///   - request: What a property requests.
    ///   - isKept: Whether the service is kept in this very cell.
    /// - Returns: The cell.
    func cell(of service: AnyCell, for request: CellRequest, isKept: Bool = false) -> AnyCell? {
        if isKept, request.allows(service) {
            if !hasHandedOut(service) { latestKept.letGo { exchange(&$0, with: WeakReference(service)) } }
            return service
        }
        let object = service.instance
        guard let type = object.map({ Swift.type(of: $0) }) ?? service.dynamicType else { return nil }
        let identity = ObjectIdentifier(object ?? service)
        var key = request.anywhere
        func known(_ entries: Entries) -> AnyCell? {
            guard let entry = entries[key], entry.service == identity, let cell = entry.cell.object
            else { return nil }
            // The object of a weak cell may be gone, and the service at its address. The caller holds the
            // service, so nothing is released under the lock.
            return request.hasLost(cell) ? nil : cell
        }
        let (cell, isShared) = entries.withLock { entries in
            let cell = known(entries)
            return (cell, cell != nil || entries[key]?.type == ObjectIdentifier(type))
        }
        if let cell { return cell }
        guard let new = request.makeCell(from: service) else { return nil }
        // What fits off every actor fits everywhere, and so does another service of a type whose cell is shared.
        // A cell that is bound to an actor is found only by those whom the service fits, too.
        if !isShared, !Isolation.isNone, request.isBoundToActor(by: type) { key = request.onItsActor }
        return entries.withLock { entries in
            if let cell = known(entries) { return cell }
            entries[key] = Entry(
                new, of: identity, ObjectIdentifier(type), value: object == nil ? service : nil)
            return new
        }
    }
}
