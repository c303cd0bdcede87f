// Part of ServiceBox, released under the MIT License.
// Reaching the properties that hold a service.

extension ServiceBox {
    /// Tracks from now on which properties this box fills, so that ``holders(of:)`` knows them
    /// and ``refill(_:)`` reaches them.
    ///
    /// Properties are tracked weakly, and by their slots: no object and no service is kept alive and no
    /// object is read. Fills become slower; a box that does not track pays nothing. A child tracks for
    /// itself. Cannot be ended. May be called from anywhere.
    ///
    /// - Important: Asking for holders holds each object that a table has filled for a moment. If its owner lets
    ///   go of it just then, it ends on the thread that asks, as with any weak reference: mind that where such
    ///   objects have deinitialisers that belong to one thread.
    public func trackHolders() {
        state.withLock { $0.isTracking = true }
    }

    /// Fills the properties again that hold a service, with what is registered under its name now.
    ///
    /// It reaches every property that has an injected slot, that this box has filled since
    /// ``trackHolders()``, and that still holds what it was given; one that its owner has set is left alone.
    /// A slot may be filled from anywhere, so this may be called from anywhere: a reader sees the old service
    /// or the new one. Properties that a table writes are not reached, since only their owner's isolation may
    /// write them.
    ///
    /// A service that has to be made is made by the caller's thread.
    ///
    /// - Parameter name: The name of the service.
    /// - Returns: The properties that have the service that is registered now, and those that were left with what
    ///   they had: a table writes them, the service doesn't fit, couldn't be made or is no longer registered, or
    ///   their owners set them meanwhile.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/notTracked`` if the box does not
    ///   track who holds its services.
    /// - Complexity: O(*n*) for *n* tracked properties.
    @discardableResult
    public func refill(_ name: String) throws(ServiceBoxError) -> (
        refilled: [ServiceHolder], left: [ServiceHolder]
    ) {
        try checkTracking(of: name, to: "refill the holders of '\(name)'")
        settle()
        let wirings = self.wirings
        var result: (refilled: [ServiceHolder], left: [ServiceHolder]) = ([], [])
        var refilled: [Holding] = []
        var sources: [ObjectIdentifier?: Source] = [:]
        for holding in holdings(where: { $0.names.contains(name) || $0.request.element != nil }) {
            let element = holding.request.element
            let source =
                sources[element.map(ObjectIdentifier.init)] ?? source(of: element, named: name)
            sources[element.map(ObjectIdentifier.init)] = source
            // A collection that neither had nor would get the service is none of its holders.
            if !holding.names.contains(name), !source.names.contains(name) { continue }
            guard let new = give(source.registration, to: holding, names: source.names, wirings) else {
                result.left.append(ServiceHolder(holding))
                continue
            }
            result.refilled.append(ServiceHolder(holding))
            // The properties of one type come one after the other.
            if refilled.last?.property != holding.property {
                for name in source.names { noteUse(of: name, by: holding.property) }
            }
            refilled.append(new)
        }
        track(refilled)
        tell(refilled.map { ServiceEvent(.filled, type: $0.property.type) })
        state.withLock { state in
            // What is of another type may not have fitted.
            if state.replacements[name]?.isOfAnotherType == false { state.replacements[name] = nil }
        }
        return result
    }

    /// The living properties that hold a service from this box, sorted by the names of their types and their own.
    ///
    /// It knows the properties that this box has filled since ``trackHolders()``, those of registered services too. A
    /// slot that its owner has set to something else doesn't count; of a property that a table writes that is unknown,
    /// and it counts as long as its object lives. Reads no object.
    ///
    /// - Parameter name: The name that the service is, or was, registered under.
    /// - Returns: The properties, one for each object.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/notTracked`` if the box does not
    ///   track who holds its services.
    /// - Complexity: O(*n*) for *n* tracked properties.
    public func holders(of name: String) throws(ServiceBoxError) -> [ServiceHolder] {
        try checkTracking(of: name, to: "list the holders of '\(name)'")
        return holdings { $0.names.contains(name) }.map(ServiceHolder.init)
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

    /// What properties that held a service are to get now.
    private typealias Source = (registration: Registration?, names: [String])

    /// What a property is to get now, by the type of its elements if it takes all services that fit.
    private func source(of element: Any.Type?, named name: String) -> Source {
        guard let element else { return (registration(named: name), [name]) }
        let gathered = GatheredServices(of: element, among: orderedRegistrations, name: "")
        return (gathered, gathered.sources.map(\.name))
    }

    /// Puts a service into a slot that still holds what it was given.
    ///
    /// - Returns: What the slot holds now; nil if it was left alone.
    private func give(
        _ source: Registration?, to holding: Holding, names: [String],
        _ wirings: [ObjectIdentifier: Wiring.Place]
    ) -> Holding? {
        guard let source, let slot = holding.slot, let old = holding.cell,
            let cell = source.supply(holding.request).cell
        else { return nil }
        let place = wirings[ObjectIdentifier(slot)]
        if let place, let element = holding.request.element {
            // The cross-fill has to know its own list again.
            return offerAll(
                of: element, toSlotAt: place.position, request: holding.request, of: holding.property,
                wiring: place.wiring
            ).flatMap { holding.with($0, names: names) }
        }
        guard slot.holds(cell) || slot.replace(old, with: cell) else { return nil }
        if let place { place.wiring.noteFilled(at: place.position, from: source) }
        return holding.with(cell, names: names)
    }

    /// The places of the registered services' slots.
    private var wirings: [ObjectIdentifier: Wiring.Place] {
        orderedRegistrations.compactMap(\.wiring).reduce(into: [:]) { places, wiring in
            for (slot, place) in wiring.places { places[slot] = place }
        }
    }

    /// The properties that hold what they were given, sorted by the names of their types and their own.
    func holdings(where isWanted: (Holding) -> Bool) -> [Holding] {
        let held = state.withLock { $0.holders.all }.filter { isWanted($0) && $0.isHeld }
        let byProperty = Dictionary(grouping: held, by: \.property)
        let sorted = byProperty.keys.map { (type: TypeName.of($0.type), property: $0) }.sorted {
            ($0.type, $0.property.name) < ($1.type, $1.property.name)
        }
        return sorted.flatMap { byProperty[$0.property] ?? [] }
    }

    /// Notes what properties hold, if the box tracks them.
    func track(_ holdings: @autoclosure () -> [Holding]) {
        guard state.withLock({ $0.isTracking }) else { return }
        let new = holdings()
        let (old, all) = state.withLock { state in
            (state.holders.note(new), state.holders.isFull ? state.holders.all : [])
        }
        let gone = all.filter { !$0.isHeld }
        if !all.isEmpty { state.withLock { $0.holders.forget(gone) } }
        withExtendedLifetime((old, gone)) {}
    }

    /// Throws if the box does not track holders.
    func checkTracking(of name: String, to action: String) throws(ServiceBoxError) {
        guard !state.withLock({ $0.isTracking }) else { return }
        throw ServiceBoxError(.notTracked, about: [name]) { Message.notTracking(action) }
    }
}

extension FillProgram {
    /// The properties that a fill has given a service.
    ///
    /// - Parameters:
    ///   - report: The fill.
    ///   - slots: The slots, in the order of the plan's `slotIndices`.
    ///   - object: The object, or nil for a struct.
    ///   - mode: How it was filled.
    /// - Returns: What each holds now.
    func holdings(
        after report: FillReport, slots: [Slot], object: AnyObject?, mode: Mode
    ) -> [Holding] {
        let writes = Dictionary(uniqueKeysWithValues: slotWrites.map { ($0.position, $0) })
        return report.findings.compactMap { record in
            guard record.finding.hasGiven else { return nil }
            let property = UseTally.Property(type: plan.type, name: record.name)
            let names = record.finding.serviceNames
            switch record.source {
            case .slot(let position):
                let slot = slots[position]
                guard let write = writes[position] else { return nil }
                // The owner may replace the cell meanwhile, so of what others may have only a cell that is held
                // otherwise is looked at.
                let isShared = mode == .outside || mode == .fresh
                let cell = isShared ? write.fixedCell ?? write.source.present(write.request) : slot.cell
                guard let cell, slot.holds(cell) else { return nil }
                return Holding(
                    slot, cell, of: property, names: names, request: record.request,
                    object: object.map(ObjectIdentifier.init))
            case .line:
                return object.map { Holding(lineOf: $0, property, names: names, request: record.request) }
            case .plain, .subject: return nil
            }
        }
    }
}
