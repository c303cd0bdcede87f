// Part of ServiceBox, released under the MIT License.
// Filling registered services with each other.

import Synchronization

extension ServiceBox {
    /// Fills what is not yet filled among the box's own services.
    ///
    /// - Parameters:
    ///   - ancestors: The version of the ancestors, whose services are filled.
    ///   - isRetry: Whether to try properties again whose service could not be made before.
    func settleServices(for ancestors: Int, isRetry: Bool) {
        let thread = CurrentThread.id
        let batch = state.withLock { state -> CrossFill.Batch? in
            // A service that is made for this very purpose uses the box itself.
            if state.settlingThreads.contains(thread) { return nil }
            let isNewToAncestors = settledAncestors.load(ordering: .relaxed) < ancestors
            if isNewToAncestors, parent?.hasTaught == true {
                // What an ancestor was taught may be news for services that found nothing in their tables.
                let wired = state.filledServices.filter { $0.wiring != nil }
                changeCrossFill(in: &state) { crossFill in
                    for registration in wired.sorted(by: { $0.number < $1.number }) {
                        crossFill.add(registration)
                    }
                }
            }
            guard
                let batch = state.crossFill.batch(
                    lastNumber: state.lastNumber, isForAll: isRetry || isNewToAncestors)
            else {
                noteSettled(for: ancestors)
                return nil
            }
            state.settlingThreads.insert(thread)
            return batch
        }
        guard let batch else { return }
        ConstructionStack.crossFilling { settle(batch, for: ancestors, on: thread) }
    }

    /// Notes for which version of the ancestors the services are filled; called under the lock.
    private func noteSettled(for ancestors: Int) {
        guard settledAncestors.load(ordering: .relaxed) < ancestors else { return }
        settledAncestors.store(ancestors, ordering: .releasing)
    }

    private func settle(_ batch: CrossFill.Batch, for ancestors: Int, on thread: UInt) {
        var outcome = CrossFill.Outcome()
        for registration in batch.registrations {
            guard let wiring = registration.wiring else { continue }
            wiring.rereadTable()
            let open = openProperties(of: registration, wiring: wiring)
            for property in open { offer(to: property, outcome: &outcome) }
            // A table that cannot be read on the main actor either belongs to another one.
            if !wiring.plan.tableIsKnown, !Isolation.isMainActor {
                outcome.postpone(registration)
            }
        }
        for property in batch.waiting { offer(to: property, added: batch.added, outcome: &outcome) }
        let committed = outcome
        let isWatched = state.withLock { state in
            let (registrations, lastNumber) = (state.registrations, state.lastNumber)
            let inherited = state.inherited
            changeCrossFill(in: &state) {
                $0.commit(committed, of: batch, registrations, lastNumber: lastNumber) { registration in
                    registrations[registration.name] === registration
                        || inherited[registration.name]?.own === registration
                }
            }
            for registration in batch.registrations where registration.wiring != nil {
                noteOrder(of: registration)
            }
            state.settlingThreads.remove(thread)
            // Not before: what waited for the ancestors is not pending, and others would take it for filled.
            noteSettled(for: ancestors)
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

    private func offer(
        to property: OpenProperty, added: [Registration]? = nil, outcome: inout CrossFill.Outcome
    ) {
        if property.wiring.isGone {
            outcome.closed.insert(property)
            return
        }
        switch property.channel {
        case .slot(let position, let request):
            if let element = request.element {
                offerAll(
                    of: element, toSlotAt: position, request: request, of: property.taker,
                    wiring: property.wiring, added: added)
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
            // What belongs to an actor other than the main one is written by an explicit fill there alone.
            guard let object = property.wiring.object, property.wiring.plan.shape != .actor,
                property.wiring.plan.problem(with: line) == nil, !line.injection.isForOtherActor
            else { return }
            guard line.isUsable(on: object) else {
                outcome.postpone(property.owner)
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
        return supply?.cell
    }

    /// Fills a slot that takes all services of a type, or brings it up to date.
    ///
    /// - Parameters:
    ///   - element: The type.
    ///   - position: The slot.
    ///   - request: What it asks for.
    ///   - taker: Its property.
    ///   - wiring: What it belongs to.
    ///   - added: The services that came last, in their order, asked if nothing else has changed; nil if some of
    ///     those that came since the slot was filled may not be among them.
    ///   - isEarly: Whether it belongs to a service that is itself being filled.
    /// - Returns: What the slot holds; nil if it was left alone or something failed.
    @discardableResult
    func offerAll(
        of element: Any.Type, toSlotAt position: Int, request: CellRequest, of taker: UseTally.Property,
        wiring: Wiring, added: [Registration]? = nil, isEarly: Bool = false
    ) -> AnyCell? {
        while true {
            let known = wiring.gathering(at: position)
            guard wiring.awaitsAll(at: position, after: known) else { return nil }
            let reorderings = familyReorderings
            let isAddition = known?.reorderings == reorderings
            var (asked, lastNumber): ([Registration], Int)
            if let known, isAddition {
                asked = (added ?? Array(state.withLock { $0.registrations }.values))
                    .filter { $0.number > known.lastNumber }.sorted { $0.number < $1.number }
                lastNumber = asked.last?.number ?? known.lastNumber
                if asked.isEmpty { return known.list }
            } else {
                (asked, lastNumber) = orderedServices
            }
            let services = GatheredServices(of: element, among: asked, name: "")
            let supply = services.supply(request, isEarly: isEarly)
            wiring.note(supply, from: services, for: .slot(position))
            guard let cell = supply.cell else {
                wiring.distrustGathering(at: position)
                return nil
            }
            let names = services.sources.map(\.name)
            let put = wiring.put(
                unsafeDowncast(cell, to: AnyListCell.self), of: names, at: position,
                Gathering(lastNumber: lastNumber, reorderings: reorderings), after: known,
                isAddition: isAddition)
            switch put {
            case .outdated: continue
            case .left: return nil
            case .done(let cell):
                // What failed among them is asked again the next time.
                if case .partly = supply { wiring.distrustGathering(at: position) }
                for name in names { noteUse(of: name, by: taker) }
                guard let slot = wiring.slot(at: position) else { return nil }
                track([
                    Holding(
                        slot, cell, of: taker, names: wiring.gatheredNames(at: position), request: request,
                        object: wiring.object.map(ObjectIdentifier.init))
                ])
                return cell
            }
        }
    }
}
