// Part of ServiceBox, released under the MIT License.
// Filling registered services with each other.

extension ServiceBox {
    /// Whether a flag of the box's own answers for it; asked first, since handing the whole state over copies
    /// it.
    @inline(__always)
    func isIdle(_ isIdle: Bool) -> Bool { isIdle && parent == nil && original == nil }

    /// Whether nothing is left to fill among the services; asked under the lock.
    func isSettled(_ state: borrowing State) -> Bool {
        guard state.crossFill.isSettled else { return false }
        if let original, !original.state.withLock({ original.isSettled($0) }) { return false }
        guard let parent else { return true }
        return state.settledAncestors == ancestorsVersion && parent.state.withLock { parent.isSettled($0) }
    }

    /// Fills what is not yet filled among the registered services.
    ///
    /// - Parameter isRetry: Whether to try properties again whose service could not be made before.
    func settle(isRetry: Bool = false) {
        parent?.settle(isRetry: isRetry)
        original?.settle(isRetry: isRetry)
        let thread = CurrentThread.id
        let ancestors = ancestorsVersion
        let batch = state.withLock { state -> CrossFill.Batch? in
            // A service that is made for this very purpose uses the box itself.
            if state.settlingThreads.contains(thread) { return nil }
            let isForAll = isRetry || state.settledAncestors != ancestors
            if state.settledAncestors != ancestors, parent?.hasTaught == true {
                // What an ancestor was taught may be news for services that found nothing in their tables.
                for registration in state.registrations.values.sorted(by: { $0.number < $1.number })
                where registration.wiring != nil {
                    state.crossFill.add(registration)
                }
            }
            state.settledAncestors = ancestors
            guard let batch = state.crossFill.batch(lastNumber: state.lastNumber, isForAll: isForAll) else {
                return nil
            }
            state.settlingThreads.insert(thread)
            return batch
        }
        guard let batch else { return }
        var outcome = CrossFill.Outcome()
        for registration in batch.registrations {
            guard let wiring = registration.wiring else { continue }
            wiring.rereadTable()
            let open = openProperties(of: registration, wiring: wiring)
            for property in open { offer(to: property, outcome: &outcome) }
            if !wiring.plan.tableIsKnown { outcome.postpone(registration, until: .someActor) }
        }
        for property in batch.waiting { offer(to: property, outcome: &outcome) }
        let committed = outcome
        let isWatched = state.withLock { state in
            state.crossFill.commit(committed, of: batch, state.registrations) { registration in
                state.registrations[registration.name] === registration
                    || state.inherited[registration.name]?.own === registration
            }
            for registration in batch.registrations where registration.wiring != nil {
                noteOrder(of: registration)
            }
            state.settlingThreads.remove(thread)
            return state.isWatched
        }
        if isWatched { tellFilled(batch.registrations, outcome.filled) }
    }

    /// Tells the observers of services that were looked into for the first time, or got something.
    private func tellFilled(_ new: [Registration], _ filled: [Registration]) {
        // Of a service that is made its maker has told.
        let seen = new.filter { $0.made == nil }
        let known = Set(seen.map(ObjectIdentifier.init))
        for registration in seen + filled.filter({ !known.contains(ObjectIdentifier($0)) }) {
            tell(wiringReport(of: registration)?.events ?? [])
        }
    }

    private func openProperties(of registration: Registration, wiring: Wiring) -> [OpenProperty] {
        let plan = wiring.plan
        let lines = wiring.object == nil ? [] : plan.lines(with: taughtLines(of: plan.owners))
        let names = Set(lines.map(\.name))
        var open: [OpenProperty] = []
        for (position, index) in plan.slotIndices.enumerated() {
            let property = plan.properties[index]
            guard case .slot(let request, _) = property.kind, !names.contains(property.name) else { continue }
            open.append(
                OpenProperty(
                    owner: registration, wiring: wiring, propertyName: property.name,
                    name: request.element == nil ? property.serviceName : "",
                    channel: .slot(position, request)))
        }
        for line in lines {
            open.append(
                OpenProperty(
                    owner: registration, wiring: wiring, propertyName: line.name, name: line.name,
                    channel: .line(line)))
        }
        return open
    }

    private func offer(to property: OpenProperty, outcome: inout CrossFill.Outcome) {
        if property.wiring.isGone {
            outcome.closed.insert(property)
            return
        }
        switch property.channel {
        case .slot(let position, let request):
            if let element = request.element {
                offerAll(
                    of: element, toSlotAt: position, request: request, of: property.taker,
                    wiring: property.wiring)
                outcome.open.insert(property)
            } else if property.wiring.slot(at: position)?.isEmpty == true {
                guard let cell = cell(for: property, request: request) else {
                    outcome.open.insert(property)
                    return
                }
                guard let slot = property.wiring.slot(at: position), slot.fillIfEmpty(with: cell) else {
                    outcome.closed.insert(property)
                    return
                }
                property.wiring.noteFilled(at: position, from: registration(named: property.name))
                noteUse(of: property.name, by: property.taker)
                track([
                    Holding(
                        slot, cell, of: property.taker, names: [property.name], request: request,
                        object: property.wiring.object.map(ObjectIdentifier.init))
                ])
                outcome.close(property, isFilled: true)
            } else {
                outcome.closed.insert(property)
            }
        case .line(let line):
            // An actor's table is written by `fill(on:)` alone: nothing here runs in the actor's isolation.
            guard let object = property.wiring.object, property.wiring.plan.shape != .actor,
                property.wiring.plan.problem(with: line) == nil
            else { return }
            guard line.isUsable(on: object) else {
                let isForMainActor = line.injection.isolation === MainActor.shared
                outcome.postpone(property.owner, until: isForMainActor ? .mainActor : .someActor)
                return
            }
            if property.wiring.state(ofLine: line.name) != nil {
                outcome.closed.insert(property)
                return
            }
            guard let cell = cell(for: property, request: line.injection.request) else {
                outcome.open.insert(property)
                return
            }
            let isKept = line.injection.holdsService(in: object)
            let isWritten = property.wiring.claim(line.name, as: isKept ? .kept : .written) && !isKept
            if isWritten {
                line.injection.write(to: object, cell)
                noteUse(of: property.name, by: property.taker)
                track([
                    Holding(
                        lineOf: object, property.taker, names: [property.name],
                        request: line.injection.request)
                ])
            }
            outcome.close(property, isFilled: isWritten)
        }
    }

    /// Asks for the service of a property, which may make it.
    private func cell(for property: OpenProperty, request: CellRequest) -> AnyCell? {
        let source = registration(named: property.name)
        let supply = source?.supply(request)
        property.wiring.note(supply, from: source, for: property.key)
        return if case .cell(let cell) = supply { cell } else { nil }
    }

    /// Fills a slot that takes all services of a type, or adds those that came since the last time.
    func offerAll(
        of element: Any.Type, toSlotAt position: Int, request: CellRequest, of taker: UseTally.Property,
        wiring: Wiring
    ) {
        let services = GatheredServices(of: element, among: orderedRegistrations, name: "")
        let supply = services.supply(request)
        wiring.note(supply, from: nil, for: .slot(position))
        guard case .cell(let cell) = supply else { return }
        guard wiring.replaceGathered(at: position, with: cell), let slot = wiring.slot(at: position) else {
            return
        }
        let names = services.sources.map(\.name)
        for name in names { noteUse(of: name, by: taker) }
        track([
            Holding(
                slot, cell, of: taker, names: names, request: request,
                object: wiring.object.map(ObjectIdentifier.init))
        ])
    }
}
