// Part of ServiceBox, released under the MIT License.
// Offers services to the properties of registered services.

extension CrossFiller {
    /// Tries the registrations and waiting properties of a batch; under no lock.
    func fill(_ batch: Batch) -> Outcome {
        var outcome = Outcome()
        for registration in batch.registrations {
            guard registration.isFilled(by: registry), let wiring = wiring(of: registration) else { continue }
            if wiring.current.plan.looksUpOnRead {
                for (position, lookUp) in filler.plannedProgram(for: wiring.current).program.lookUps {
                    wiring.slot(at: position)?.notes.note(lookUp, isReplacing: false)
                }
            }
            do throws(ServiceBoxError) { try registration.requireWhole() } catch {
                outcome.lackedNames[ObjectIdentifier(registration)] = error.lackedNames
            }
            if wiring.isFull, !isTaught(registration) { continue }
            wiring.rereadTable()
            // Before its properties are known: a thread of the main actor may read the table meanwhile.
            let plan = wiring.current.plan
            for property in openProperties(of: registration, wiring) { offer(to: property, &outcome) }
            // A table of another actor is read by an explicit fill on that actor only.
            if !plan.tableIsKnown, plan.mayHaveMainActorTable { outcome.postpone(registration) }
        }
        for property in waiting(in: batch) {
            let openCount = outcome.open.count
            offer(to: property, added: batch.added, &outcome)
            if outcome.open.count == openCount { outcome.closed.append(property) }
        }
        return outcome
    }

    /// The waiting properties of a batch, without the lists of types that nothing was added to.
    private func waiting(in batch: Batch) -> [OpenProperty] {
        guard batch.isOrdered, let added = batch.added else { return batch.waiting }
        var known = AddressTable<Bool>()
        return batch.waiting.filter { property in
            guard let element = property.request.ofElements, element.actor == nil, !property.wiring.isGone
            else { return true }
            let address = Metadata(element.type).address
            if let hasNew = known[address] { return hasNew }
            let new = ServiceCollection(for: element, among: added)
            let hasNew = !new.services.isEmpty || new.dependsOnActor
            known.updateValue(hasNew, at: address)
            return hasNew
        }
    }

    func openProperties(of registration: Registration?, _ wiring: Wiring) -> [OpenProperty] {
        let shared = wiring.current
        let lines = wiring.hasTable && wiring.object != nil ? registry.lines(of: shared.plan) : []
        let written = lines.compactMap(shared.plan.index)
        func property(
            _ name: String, _ serviceName: String, _ request: CellRequest, _ channel: OpenProperty.Channel
        ) -> OpenProperty {
            OpenProperty(
                owner: registration, wiring: wiring, id: PropertyID(type: shared.plan.type, name: name),
                serviceName: serviceName, request: request, channel: channel)
        }
        let slots = shared.plan.slotIndices.enumerated().compactMap { position, index -> OpenProperty? in
            let slot = shared.plan.properties[index]
            guard case .slot(let request, _) = slot.kind, !slot.isOnRead, !written.contains(index) else {
                return nil
            }
            let name = request.element == nil ? slot.serviceName : ""
            return property(slot.name, name, request, .slot(position))
        }
        let all = slots + lines.map { property($0.name, $0.name, $0.injection.request, .line($0)) }
        // Another one may keep what a weak one would lose.
        return shared.holdsWeakly ? all.filter { !$0.request.isWeak } + all.filter(\.request.isWeak) : all
    }

    /// Offers a property its registered service, which may be created for it.
    func offer(to property: OpenProperty, added: [Registration]? = nil, _ outcome: inout Outcome) {
        if case .slot(let position) = property.channel, property.request.element != nil {
            if property.wiring.isGone { return }
            offerAll(to: property, added: added)
            outcome.open.append(property)
            if property.wiring.collection(at: position)?.isOfMainActor != nil {
                outcome.postpone(property.owner)
            }
            // An elder may create one again.
            if elder != nil { outcome.refused.insert("") }
        } else if let gift = gift(for: property, &outcome), give(gift), let owner = property.owner {
            outcome.filled[ObjectIdentifier(owner)] = owner
        }
        // It may lose what it holds.
        if property.request.isWeak { outcome.open.append(property) }
    }

    /// The service for an empty property, which may be created for it.
    func gift(for property: OpenProperty, by asker: Asker = .code, _ outcome: inout Outcome) -> Gift? {
        let (wiring, request) = (property.wiring, property.request)
        switch property.channel {
        case .slot(let position):
            guard request.element == nil,
                wiring.slot(at: position)?.isEmpty == true || wiring.lostCell(at: position) != nil
            else { return nil }
        case .line(let line):
            // Lines of an actor other than the main one are written only by an explicit fill there.
            guard let object = wiring.object, case let plan = wiring.current.plan, plan.shape != .actor,
                plan.problem(with: line) == nil, !line.injection.isForOtherActor,
                wiring.finding(forLine: line.name) == nil
            else { return nil }
            guard line.injection.isUsable(on: object) else {
                outcome.postpone(property.owner)
                return nil
            }
            // Nothing is created for it, and it isn't read again: others may be using the object.
            if line.injection.keepsValue(of: object) {
                wiring.claim(line.name, as: .kept)
                return nil
            }
        }
        func refuse(_ failure: Finding?, from found: Registration? = nil) -> Gift? {
            // Elders say only that something became available.
            if let found, !found.isFilled(by: registry) { outcome.refused.insert(property.serviceName) }
            wiring.note(failure, for: property.key)
            outcome.open.append(property)
            if case .failed(_, let error) = failure {
                if let missing = error.missing { outcome.starved[property.serviceName] = missing }
                for provider in error.encircled() {
                    outcome.encircled[provider, default: []].insert(property.serviceName)
                }
            }
            return nil
        }
        guard let found = registry.registration(named: property.serviceName) else { return refuse(nil) }
        let fit = found.fit(request)
        if !fit.isPossible {
            if fit == .isolated, request.actor == nil { outcome.postpone(property.owner) }
            return refuse(.typeMismatch(ServiceDescription(found)))
        }
        // Nobody would keep a new one.
        if request.isWeak, found.lifetime == .weak, found.present == nil {
            return refuse(.notKept(ServiceDescription(found)), from: found)
        }
        let supply = CellSource(found, for: request).supply(for: asker)
        guard let cell = supply.cell else { return refuse(supply.finding, from: found) }
        wiring.note(nil, for: property.key)
        return Gift(property: property, cell: cell, registration: found)
    }

    /// Assigns a service to a property, unless another thread was quicker.
    ///
    /// - Returns: Whether the property got it.
    @discardableResult
    func give(_ gift: Gift) -> Bool {
        let (property, wiring) = (gift.property, gift.property.wiring)
        switch property.channel {
        case .slot(let position):
            guard let slot = wiring.slot(at: position),
                unsafe slot.replace(wiring.lostCell(at: position), with: gift.cell)
            else { return false }
            wiring.noteFilled(with: gift.cell, from: gift.service, at: position)
            ledger.track(
                [
                    Holding(
                        gift.cell, in: slot, of: property.id, names: [property.serviceName],
                        property.request, object: wiring.object.map(ObjectIdentifier.init))
                ], given: [(gift.registration, property.id)])
        case .line(let line):
            guard let object = wiring.object else { return false }
            guard wiring.claim(line.name, as: .filled(gift.service)) else { return false }
            unsafe line.injection.write(to: object, gift.cell)
            ledger.track(
                [Holding(lineOf: object, property.id, names: [property.serviceName], property.request)],
                given: [(gift.registration, property.id)])
        }
        ledger.noteUse(of: property.serviceName, by: property.id)
        return true
    }

    /// Fills or updates a slot that takes all services of a type.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - added: The latest services in order, enough if nothing else has changed; nil if services
    ///     registered since the slot was filled may be missing.
    ///   - asker: Who asks for the services.
    /// - Returns: The slot's list; nil if the slot was left alone, or doesn't take all services of a type.
    @discardableResult
    func offerAll(
        to property: OpenProperty, added: [Registration]? = nil, by asker: Asker = .code
    ) -> AnyCell? {
        let (wiring, request) = (property.wiring, property.request)
        guard let element = request.ofElements, case .slot(let position) = property.channel
        else { return nil }
        while true {
            let known = wiring.collection(at: position)
            guard wiring.awaitsCollection(at: position, after: known) else { return nil }
            let reorderings = reorderings
            let (services, lastNumber): (ServiceCollection, Int)
            var isAddition = false
            if let known, known.reorderings == reorderings {
                // A decorated service is handed out only by its decorator.
                let new = (added?.filter { registry.own($0.name) === $0 } ?? registry.ownServices)
                    .filter { $0.number > known.lastNumber }
                // One of them may have replaced another just now.
                if self.reorderings != reorderings { continue }
                guard let last = new.map(\.number).max() else { return known.cell }
                (services, lastNumber) = (ServiceCollection(for: element, among: new.inOrder), last)
                isAddition = true
                // Those of the main actor are collected there, with all others.
                if services.dependsOnActor {
                    wiring.distrustCollection(at: position)
                    continue
                }
            } else {
                (services, lastNumber) =
                    registry.consistently {
                        (registry.services(fitting: element), registry.state.withLock(\.lastNumber))
                    }.0
            }
            if services.areBeingCreated {
                // The next use collects again; until then, a list keeps what it has.
                offerAgain([""])
                if let cell = known?.cell { return cell }
            }
            let dependsOnActor = services.dependsOnActor && request.actor == nil
            let isMainActor = dependsOnActor ? Isolation.isMainActor : nil
            // Elsewhere, a list that was collected on the main actor would lose some.
            if isMainActor == false, known?.isOfMainActor == true, let cell = known?.cell { return cell }
            let supply = services.supply(for: asker)
            // Only where one has failed: adding to the list would copy what is read here.
            let before = isAddition && !supply.failures.isEmpty ? wiring.collected(at: position) : []
            let put = wiring.put(
                supply.list, of: supply.supplied, at: position,
                Wiring.Collection(
                    lastNumber: lastNumber, reorderings: dependsOnActor ? nil : reorderings,
                    isOfMainActor: isMainActor), after: known,
                finding: supply.finding(after: before)
                    ?? (dependsOnActor ? .gathered(supply.supplied) : nil))
            guard let cell = put else { continue }
            // Failed services are asked again the next time.
            if !supply.failures.isEmpty { noteIncompleteCollection(of: wiring, at: position) }
            for service in services.services { ledger.noteUse(of: service.name, by: property.id) }
            guard let slot = wiring.slot(at: position) else { return nil }
            ledger.track(
                [
                    Holding(
                        cell, in: slot, of: property.id,
                        names: wiring.collected(at: position).map(\.name), request,
                        object: wiring.object.map(ObjectIdentifier.init))
                ], given: services.services.map { ($0, property.id) })
            return cell
        }
    }

    /// Fills the empty slots of a kept service that take all services of a type, which cross-fills keep up to
    /// date.
    func fillCollections(of wiring: Wiring, by asker: Asker) {
        guard wiring.current.takesAllServices else { return }
        fillServices()
        let stack = ConstructionStack.here
        // A list can do without a service.
        let depth = stack.value.beginOptional()
        defer { stack.value.optionalDepth = depth }
        for property in openProperties(of: nil, wiring) { offerAll(to: property, by: asker) }
    }

    /// Counts reorderings here and in the original, except services appended at the end.
    var reorderings: Int { registry.reorderings + (elder?.reorderings ?? 0) }
}

extension ServiceBoxError {
    /// What has to be registered before the service can be created, if that is known.
    fileprivate var missing: CrossFiller.Missing? {
        if let names = root.lackedNames { return .names(names) }
        guard let lookUp = refusal as? FailedLookUp else { return nil }
        return switch (lookUp.code, lookUp.name) {
        case (.missing, let name?): .names([name])
        case (.missing, nil), (.typeMismatch, _?): .lookUp(lookUp.query, name: lookUp.name)
        default: nil
        }
    }
}

// MARK: - Open properties

/// A property of a registered service that a cross-fill may still fill.
struct OpenProperty: Sendable {
    enum Channel: Sendable {
        /// A slot, by its position among the plan's.
        case slot(Int)
        case line(TableLine)
    }

    /// Nil if nothing waits for later registrations.
    let owner: Registration?
    let wiring: Wiring
    let id: PropertyID
    /// The name that its service is registered under; empty if it takes all that fit.
    let serviceName: String
    let request: CellRequest
    let channel: Channel

    var key: Wiring.Key {
        switch channel {
        case .slot(let position): .slot(position)
        case .line(let line): .line(line.name)
        }
    }

    /// The property of its service, which may be registered twice.
    struct Identity: Hashable {
        let owner: ObjectIdentifier?
        let wiring: ObjectIdentifier
        let key: Wiring.Key
    }

    var identity: Identity {
        Identity(owner: owner.map { ObjectIdentifier($0) }, wiring: ObjectIdentifier(wiring), key: key)
    }
}

/// The open properties that wait for services, by the service's name and by their owner.
///
/// Whoever changes them holds a lock, and releases the returned properties afterwards.
struct WaitingProperties {
    // Each further type of key in a `Set` costs a program a search through all its conformances (measured).
    private typealias Properties = SmallDictionary<OpenProperty.Identity, OpenProperty>

    private var byName = [String: Properties]()
    private var byOwner = [ObjectIdentifier: Properties]()

    var isEmpty: Bool { byName.isEmpty }
    var names: [String] { Array(byName.keys) }

    /// Those that wait for a name.
    subscript(name: String) -> [OpenProperty] { byName[name]?.values ?? [] }

    func awaits(_ name: String) -> Bool { byName[name] != nil }

    /// Adds a property of a registered service, and returns what was known of it.
    mutating func insert(_ property: OpenProperty) -> OpenProperty? {
        guard let owner = property.owner else { return nil }
        let identity = property.identity
        byOwner[ObjectIdentifier(owner), default: Properties()].updateValue(property, forKey: identity)
        return byName[property.serviceName, default: Properties()].updateValue(property, forKey: identity)
    }

    /// Removes a property, and returns what was known of it.
    mutating func remove(_ property: OpenProperty) -> OpenProperty? {
        if let owner = property.owner { Self.remove(property, from: &byOwner[ObjectIdentifier(owner)]) }
        return Self.remove(property, from: &byName[property.serviceName])
    }

    /// Removes and returns the properties of a registered service, whatever they wait for.
    mutating func removeAll(of owner: ObjectIdentifier) -> [OpenProperty] {
        let properties = byOwner.removeValue(forKey: owner)?.values ?? []
        for property in properties { Self.remove(property, from: &byName[property.serviceName]) }
        return properties
    }

    @discardableResult
    private static func remove(
        _ property: OpenProperty, from properties: inout Properties?
    ) -> OpenProperty? {
        defer { if properties?.isEmpty == true { properties = nil } }
        return properties?.updateValue(nil, forKey: property.identity)
    }
}

/// A service for a property.
struct Gift: Sendable {
    let property: OpenProperty
    let cell: AnyCell
    let registration: Registration

    var service: ServiceDescription { ServiceDescription(registration) }

    /// When a slot is written; nil for a table.
    var pass: SlotPass? {
        guard case .slot = property.channel else { return nil }
        return property.request.isOptional ? .optional : .requiredOfReadyMade
    }

    /// Whether it may be written here.
    var isUsable: Bool {
        guard case .line(let line) = property.channel, let object = property.wiring.object else {
            return true
        }
        return line.injection.isUsable(on: object)
    }
}
