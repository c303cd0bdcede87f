// Part of ServiceBox, released under the MIT License.
// Offering services to the properties of registered services.

extension CrossFiller {
    /// Tries what there is to try; under no lock.
    func fill(_ batch: Batch) -> Outcome {
        var outcome = Outcome()
        for registration in batch.registrations {
            guard registration.isFilled(by: registry), let wiring = registration.history.wiring else {
                continue
            }
            wiring.rereadTable()
            for property in openProperties(of: registration, wiring) { offer(to: property, &outcome) }
            // A table that can't be read on the main actor either belongs to another one.
            if !wiring.plan.tableIsKnown, !Isolation.isMainActor {
                outcome.postponed[ObjectIdentifier(registration)] = registration
            }
        }
        for property in batch.waiting { offer(to: property, added: batch.added, &outcome) }
        return outcome
    }

    func openProperties(of registration: Registration, _ wiring: Wiring) -> [OpenProperty] {
        let plan = wiring.plan
        let lines = wiring.lines(with: registry.taughtLines(of: plan.owners))
        let names = Set(lines.map(\.name))
        func property(_ name: String, _ serviceName: String, _ channel: OpenProperty.Channel) -> OpenProperty
        {
            OpenProperty(
                owner: registration, wiring: wiring, id: PropertyID(type: plan.type, name: name),
                serviceName: serviceName, channel: channel)
        }
        let slots = plan.slotIndices.enumerated().compactMap { position, index -> OpenProperty? in
            let slot = plan.properties[index]
            guard case .slot(let request, _) = slot.kind, !names.contains(slot.name) else { return nil }
            return property(
                slot.name, request.element == nil ? slot.serviceName : "", .slot(position, request))
        }
        return slots + lines.map { property($0.name, $0.name, .line($0)) }
    }

    /// Offers a property what is registered for it, which may create a service.
    func offer(to property: OpenProperty, added: [Registration]? = nil, _ outcome: inout Outcome) {
        let wiring = property.wiring
        if wiring.isGone { return }
        switch property.channel {
        case .slot(let position, let request):
            if let element = request.element {
                offerAll(of: element, to: property.id, at: position, request, wiring, added: added)
                outcome.open.insert(property)
            } else if wiring.slot(at: position)?.isEmpty == true {
                guard let (cell, source) = supply(request, to: property) else {
                    outcome.open.insert(property)
                    return
                }
                guard let slot = wiring.slot(at: position), slot.fillIfEmpty(with: cell) else { return }
                if source.fixedCell == nil {
                    wiring.noteFilled(with: cell, at: position, from: source.service)
                }
                noteFilled(
                    property,
                    Holding(
                        cell, in: slot, of: property.id, names: [property.serviceName], request,
                        object: wiring.object.map(ObjectIdentifier.init)), &outcome)
            }
        case .line(let line):
            // What belongs to an actor other than the main one is written by an explicit fill there alone.
            guard let object = wiring.object, wiring.plan.shape != .actor,
                wiring.plan.problem(with: line) == nil, !line.injection.isForOtherActor,
                wiring.content(of: property.key) == nil
            else { return }
            guard line.injection.isUsable(on: object) else {
                outcome.postponed[ObjectIdentifier(property.owner)] = property.owner
                return
            }
            guard let (cell, source) = supply(line.injection.request, to: property) else {
                outcome.open.insert(property)
                return
            }
            let isKept = line.injection.holdsService(in: object)
            let content = isKept ? .kept : Wiring.Content.filled(source.service, nil)
            guard wiring.claim(line.name, as: content), !isKept else { return }
            line.injection.write(to: object, cell)
            noteFilled(
                property,
                Holding(lineOf: object, property.id, names: [property.serviceName], line.injection.request),
                &outcome)
        }
    }

    /// Notes that a property has got the service under its name.
    private func noteFilled(
        _ property: OpenProperty, _ holding: @autoclosure () -> Holding, _ outcome: inout Outcome
    ) {
        ledger.noteUse(of: property.serviceName, by: property.id)
        ledger.track([holding()])
        outcome.filled[ObjectIdentifier(property.owner)] = property.owner
    }

    /// Asks for the service of a property, which may create it.
    private func supply(_ request: CellRequest, to property: OpenProperty) -> (AnyCell, CellSource)? {
        let found = registry.registration(named: property.serviceName)
        let fits = found?.fit(request).isPossible == true
        let source = found.map { CellSource($0, for: request) }
        // Ready-made services may require each other: they are judged when one is asked for.
        let isTentative = !request.isOptional && found?.supplier.wholeness != nil
        let tentative = isTentative ? source?.presentCell.map { (cell: $0, finding: Finding?.none) } : nil
        let supply: (cell: AnyCell?, finding: Finding?)? = fits ? tentative ?? source?.supply() : nil
        property.wiring.note(
            fits ? supply?.finding : (source?.service).map(Finding.typeMismatch), for: property.key)
        guard let cell = supply?.cell, let source else { return nil }
        return (cell, source)
    }

    /// Fills a slot that takes all services of a type, or brings it up to date.
    ///
    /// - Parameters:
    ///   - element: The type.
    ///   - id: The property.
    ///   - position: Its slot.
    ///   - request: What it asks for.
    ///   - wiring: What it belongs to.
    ///   - added: The services that came last, in their order, asked if nothing else has changed; nil if some of
    ///     those that came since the slot was filled may not be among them.
    ///   - isEarly: Whether it belongs to a service that is itself being filled.
    /// - Returns: What the slot holds; nil if it was left alone or something failed.
    @discardableResult
    func offerAll(
        of element: Any.Type, to id: PropertyID, at position: Int, _ request: CellRequest, _ wiring: Wiring,
        added: [Registration]? = nil, isEarly: Bool = false
    ) -> AnyCell? {
        while true {
            let known = wiring.collection(at: position)
            guard wiring.awaitsCollection(at: position, after: known) else { return nil }
            let reorderings = reorderings
            let isAddition = known?.reorderings == reorderings
            var (asked, lastNumber): ([Registration], Int)
            if let known, isAddition {
                asked = (added ?? registry.ownServices).filter { $0.number > known.lastNumber }
                    .sorted { $0.number < $1.number }
                lastNumber = asked.last?.number ?? known.lastNumber
                if asked.isEmpty { return known.cell }
            } else {
                (asked, lastNumber) = registry.consistently { registry.servicesAndLastNumber }.0
            }
            let services = ServiceCollection(of: element, among: asked)
            let names = services.names
            let supply = services.supply(isEarly: isEarly)
            wiring.note(supply.finding, for: .slot(position))
            let put = wiring.put(
                supply.list, of: names, at: position,
                Wiring.Collection(lastNumber: lastNumber, reorderings: reorderings), after: known,
                isAddition: isAddition)
            switch put {
            case .outdated: continue
            case .left: return nil
            case .done(let cell):
                // What failed among them is asked again the next time.
                if supply.finding != nil { wiring.distrustCollection(at: position) }
                for name in names { ledger.noteUse(of: name, by: id) }
                guard let slot = wiring.slot(at: position) else { return nil }
                ledger.track([
                    Holding(
                        cell, in: slot, of: id, names: wiring.names(at: position), request,
                        object: wiring.object.map(ObjectIdentifier.init))
                ])
                return cell
            }
        }
    }

    /// Fills the empty slots of a service that take all services of a type, while it is being filled.
    func fillCollections(of wiring: Wiring) {
        let plan = wiring.plan
        for (position, index) in plan.slotIndices.enumerated()
        where wiring.slot(at: position)?.isEmpty == true {
            let property = plan.properties[index]
            guard case .slot(let request, _) = property.kind, let element = request.element else { continue }
            let id = PropertyID(type: plan.type, name: property.name)
            offerAll(of: element, to: id, at: position, request, wiring, isEarly: true)
        }
    }

    /// Counts changes of the order of all services but additions at its end, and of what an original creates.
    private var reorderings: Int { elders.reduce(registry.reorderings) { $0 + $1.registry.reorderings } }
}
