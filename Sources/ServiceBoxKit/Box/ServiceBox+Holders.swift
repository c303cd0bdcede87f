// Part of ServiceBox, released under the MIT License.
// Reaching the properties that hold a service.

extension ServiceBox {
    /// Tracks from now on which properties this box fills, so that ``holders(of:)-(String)`` lists them and
    /// ``refill(_:)-(String)`` reaches them.
    ///
    /// Properties are tracked weakly, by their slots, and those that a table writes by their object: no
    /// object and no service is kept alive and no object is read. Fills become slower; a box that doesn't
    /// track pays nothing. A child tracks for itself. Tracking can't be ended. In an audit, what was handed out
    /// before, or by a child that doesn't track, is held by properties that are unknown.
    ///
    /// - Important: Listing holders briefly retains each object that a table has filled. If its owner
    ///   releases it just then, it is deinitialised on the calling thread, as with any weak reference: mind
    ///   that if such objects have deinitialisers that belong to one thread.
    public func trackHolders() {
        ledger.catchUp()
        let untracked = Set(registry.ownServices.filter(\.wasHandedOut).map(\.number))
        let new = HolderTable(after: registry.state.withLock(\.lastNumber), untracked: untracked)
        ledger.changeListeners { $0.holders = $0.holders ?? new }
    }

    /// Refills the properties that hold a service, with the one that is now registered under its name.
    ///
    /// It reaches every property with an injected slot that this box has filled since ``trackHolders()`` and
    /// that still holds its service; one that its owner has set is left alone. A reader sees the old service
    /// or the new one. Properties that a table writes aren't reached, since only their owner's isolation may
    /// write them.
    ///
    /// A service that has to be created is created on the caller's thread.
    ///
    /// - Parameter name: The name of the service.
    /// - Returns: The properties that have the new service, and those that kept what they had: a table writes
    ///   them, the service doesn't fit, couldn't be created or is no longer registered, or their owners set
    ///   them meanwhile.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/notTracked`` if the box doesn't
    ///   track who holds its services.
    /// - Complexity: O(*n* + *s*) for *n* tracked properties and *s* services of the box.
    @discardableResult
    public func refill(_ name: String) throws(ServiceBoxError) -> (
        refilled: [ServiceHolder], left: [ServiceHolder]
    ) {
        let tracked = ledger.holdings { $0.names.contains(name) || $0.request.element != nil }
        guard let tracked else { throw untracked("refill the holders of '\(name)'", name) }
        crossFiller.fillServices()
        let places = crossFiller.slotPlaces
        var result: (refilled: [ServiceHolder], left: [ServiceHolder]) = ([], [])
        var refilled: [Holding] = []
        var given: [(service: Registration, property: PropertyID)] = []
        // Properties of one type are consecutive.
        var (request, successor): (CellRequest?, Successor) = (nil, Successor(nil, names: []))
        for holding in tracked {
            if request != holding.request {
                request = holding.request
                successor = self.successor(for: holding.request, named: name)
            }
            // A collection that neither had nor would get the service doesn't hold it.
            if !holding.names.contains(name), !successor.names.contains(name) { continue }
            guard let new = give(successor, to: holding, places) else {
                result.left.append(ServiceHolder(holding, isStale: ledger.isStale(holding)))
                continue
            }
            result.refilled.append(ServiceHolder(holding, isStale: false))
            if refilled.last?.property != holding.property {
                for name in successor.names { ledger.noteUse(of: name, by: holding.property) }
                given += (successor.source?.services ?? []).map { ($0, holding.property) }
            }
            refilled.append(new)
        }
        ledger.track(refilled, given: given)
        ledger.tell(refilled.map { ServiceEvent(kind: .filled, type: $0.property.type) })
        return result
    }

    /// The living properties that hold a service from this box, sorted by the names of their types and their own.
    ///
    /// It lists the properties that this box has filled since ``trackHolders()``, including those of
    /// registered services. A slot that its owner has set to something else doesn't count; a property that a
    /// table writes counts as long as its object lives, since that can't be seen. Reads no object.
    ///
    /// - Parameter name: The name that the service is, or was, registered under.
    /// - Returns: The properties, one for each object.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/notTracked`` if the box doesn't
    ///   track who holds its services.
    /// - Complexity: O(*n*) for *n* tracked properties.
    public func holders(of name: String) throws(ServiceBoxError) -> [ServiceHolder] {
        guard let holdings = ledger.holdings(where: { $0.names.contains(name) }) else {
            throw untracked("list the holders of '\(name)'", name)
        }
        return holdings.map { ServiceHolder($0, isStale: ledger.isStale($0)) }
    }

    /// The living properties that hold the service under a key's name.
    ///
    /// - Parameter key: The key that the service is, or was, registered under.
    /// - Returns: The properties, one for each object.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/notTracked`` if the box doesn't track
    ///   who holds its services.
    public func holders<Service>(of key: ServiceKey<Service>) throws(ServiceBoxError) -> [ServiceHolder] {
        try holders(of: key.name)
    }

    /// Refills the properties that hold the service under a key's name.
    ///
    /// - Parameter key: The key of the service.
    /// - Returns: Which properties got the service that is registered now, and which were left alone.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/notTracked`` if the box doesn't track
    ///   who holds its services.
    @discardableResult
    public func refill<Service>(
        _ key: ServiceKey<Service>
    ) throws(ServiceBoxError) -> (refilled: [ServiceHolder], left: [ServiceHolder]) {
        try refill(key.name)
    }

    private func untracked(_ action: String, _ name: String) -> ServiceBoxError {
        ServiceBoxError(.notTracked, about: [name]) { Message.notTracking(action) }
    }

    /// The new service for properties that held one of a name.
    private func successor(for request: CellRequest, named name: String) -> Successor {
        if let request = request.ofElements {
            let all = registry.services(fitting: request)
            return Successor(CellSource(all), names: all.names)
        }
        let found = registry.registration(named: name).flatMap { $0.fit(request).isPossible ? $0 : nil }
        return Successor(found.map { CellSource($0, for: request) }, names: [name])
    }

    /// Replaces the service in a slot that still holds the old one.
    ///
    /// - Returns: The slot's new holding; nil if it was left alone.
    private func give(
        _ successor: Successor, to holding: Holding,
        _ places: [ObjectIdentifier: (wiring: Wiring, position: Int)]
    ) -> Holding? {
        let request = holding.request
        guard let slot = holding.slot, let old = holding.cell else { return nil }
        let place = places[ObjectIdentifier(slot)]
        let given: AnyCell?
        var names = successor.names
        if let place, request.element != nil {
            // A provider may create another service only when it is asked.
            place.wiring.distrustCollection(at: place.position)
            // The cross-fill must recognise its own list again.
            given = crossFiller.offerAll(
                to: OpenProperty(
                    owner: nil, wiring: place.wiring, id: holding.property, serviceName: "",
                    request: request, channel: .slot(place.position)))
            names = place.wiring.collected(at: place.position).map(\.name)
        } else {
            let supply = successor.source?.supply()
            given = supply?.cell.flatMap { unsafe slot.holds($0) || slot.replace(old, with: $0) ? $0 : nil }
            // Some services of a list may have failed.
            if let finding = supply?.finding { names = finding.serviceNames }
            if let given, let place {
                place.wiring.noteFilled(with: given, from: successor.source?.service, at: place.position)
            }
        }
        return given.map {
            Holding(
                $0, in: slot, of: holding.property, names: names, request, object: holding.object)
        }
    }
}

/// What the holders of a service get instead; a class, since a source takes long to copy.
private final class Successor {
    /// Nil if no service fits.
    let source: CellSource?
    let names: [String]

    init(_ source: CellSource?, names: [String]) {
        (self.source, self.names) = (source, names)
    }
}
