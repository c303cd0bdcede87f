// Part of ServiceBox, released under the MIT License.
// Services that are registered later than wanted: handlers and slots that wait for them.

extension ServiceBox {
    /// Calls a closure once a service is registered under a key's name: now, if it is already, or from the
    /// call that registers it.
    ///
    /// The service has to fit the key's type, and may be an ancestor's. One under the name that doesn't fit
    /// is ignored. Nothing is created to find out.
    ///
    /// ```swift
    /// let observation = box.whenRegistered("cache" as ServiceKey<Cache>) { print("The cache is there.") }
    /// ```
    ///
    /// The closure is called once, under no lock, on the thread that registers the service, before the
    /// registering call returns, or the call that adds the module, if a module registers it. If several threads
    /// register at once, one of them may call it for all. It may use the box in any way: register, fill, wait
    /// for another service, cancel the observation. Where handlers register one another's services until the
    /// thread's stack is nearly full, the rest are called when the first of them returns.
    ///
    /// - Parameters:
    ///   - key: The name of the service, and the type that it has to fit.
    ///   - handler: Called once the service is registered.
    /// - Returns: An observation, which ends the wait when it is released or cancelled: keep it. It keeps the
    ///   closure, not the box.
    /// - Complexity: A registration takes O(*n*) for *n* waits, and so does creating a service that was reset, is weak or
    ///   had to be awaited; it takes one load if there are none.
    public func whenRegistered<Service>(
        _ key: ServiceKey<Service>, _ handler: @escaping @Sendable () -> Void
    ) -> ServiceObservation {
        let (name, request) = (key.name, CellRequest(type: Service.self))
        let arrival = Arrival(of: name, while: { [weak registry] in registry != nil }) { [weak registry] in
            guard let registry else { return .over() }
            let isThere = registry.registration(named: name)?.fit(request).isPossible == true
            return isThere ? .over(then: handler) : .missing
        }
        wait(arrival)
        return ServiceObservation { arrival.cancel() }
    }
}

// MARK: - Slots

extension ServiceBox {
    /// Fills the slots that a fill has left empty, once their services are registered.
    ///
    /// The wait refers to the slot and the box weakly.
    @inline(never)
    func waitForMissing(_ report: FillReport, in subject: Any, _ access: Access) {
        let missing = report.findings.enumerated().filter { $1.mayArrive }
        if missing.isEmpty { return }
        let (shared, slots) = PlanStore.learn(subject, access)
        let object = classInstance(in: subject).map(ObjectIdentifier.init)
        for (index, property) in missing {
            // A custom mirror may show other slots than it did for the fill.
            guard case .slot(let position) = property.source, slots.indices.contains(position),
                shared.plan.properties[shared.plan.slotIndices[position]].request == property.request
            else { continue }
            // The object may be anywhere by then.
            let (record, request) = (report.record, property.request.here)
            // A weak slot that has lost its service waits like an empty one; only the owner may ask.
            let lost = access == .owned && request.isWeak ? slots[position].lostCell : nil
            wait(
                Arrival(
                    of: property.serviceName,
                    for: [ObjectIdentifier(slots[position]), ObjectIdentifier(registry)],
                    while: { [weak slot = slots[position]] in slot != nil && record.registry != nil }
                ) { [weak slot = slots[position]] in
                    guard let slot, slot.isEmpty || lost.map(slot.holds) == true,
                        let finding = record.fillLate(
                            slot, at: index, in: object, as: request, replacing: lost)
                    else { return .over() }
                    return switch finding {
                    case .filled, .kept: .over()
                    case .failed: .failed
                    default: .missing
                    }
                })
        }
    }

    /// Tries an arrival now and after each registration visible here; the original creates a copy's shared
    /// services.
    ///
    /// It is added first and tried then. Look-ups and registrations take the same lock: either the look-up
    /// comes later and finds the registration, or the registering thread takes the lock later and finds the
    /// arrival.
    private func wait(_ arrival: Arrival) {
        for box in family { box.registry.arrivals.add(arrival) }
        arrival.attempt(for: nil)
    }
}

extension PropertyRecord {
    /// Whether a later registration may fill the property.
    fileprivate var mayArrive: Bool {
        switch finding {
        case .missing, .typeMismatch, .failed, .notKept: true
        default: false
        }
    }
}

extension ServiceBox: RegistryOwner {
    func complete(_ name: String, _ history: ServiceHistory) throws(ServiceBoxError) -> (any Filling)? {
        let service = registry.registration(named: name, with: history)
        guard let wiring = service?.wiring ?? history.wiring else {
            // Its end has dropped the wiring, so nobody knows what it lacks.
            guard history.isStopped else { return nil }
            throw ServiceBoxError(.stopped(name: name, box: self.name))
        }
        return try crossFiller.complete(name, history, wiring)
    }

    func fillLate(
        _ slot: Slot, _ property: PropertyRecord, _ request: CellRequest, of type: Any.Type,
        in object: ObjectIdentifier?, replacing lost: AnyCell?
    ) -> Finding {
        let name = property.serviceName
        // A missing service is no reason to fill the others.
        guard registry.registration(named: name) != nil,
            let found = upToDate({ registry.registration(named: name) }).0
        else { return .missing }
        let service = ServiceDescription(found)
        guard found.fit(request).isPossible else { return .typeMismatch(service) }
        let (cell, failure) = CellSource(found, for: request).supply()
        guard let cell else { return failure ?? .typeMismatch(service) }
        let old = lost.flatMap { slot.holds($0) ? $0 : nil }
        guard unsafe slot.replace(old, with: cell) else { return .kept }
        let id = PropertyID(type: type, name: property.name)
        ledger.noteUse(of: name, by: id)
        ledger.track(
            [Holding(cell, in: slot, of: id, names: [name], request, object: object)], given: [(found, id)])
        ledger.tell([ServiceEvent(kind: .filled, type: type)])
        return .filled(service)
    }
}
