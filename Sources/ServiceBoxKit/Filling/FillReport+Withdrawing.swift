// Part of ServiceBox, released under the MIT License.
// Withdraws failed services from a service that was filled with them.

extension FillReport {
    /// Removes a failed service from the properties that hold it; none may, if it was only met on the way.
    ///
    /// - Parameters:
    ///   - construction: The construction of the failed service.
    ///   - slots: The slots of the filled service, in the order of its plan; nobody else has it yet.
    ///   - ownList: Returns the list that was put into a slot before the fill, by position.
    /// - Throws: The construction's error if the failed service is a value, which a list can't tell from
    ///   others.
    mutating func withdraw(
        _ construction: Construction, from slots: [Slot], _ ownList: (Int) -> AnyListCell?
    ) throws(ServiceBoxError) {
        guard let error = construction.error else { return }
        func isFailed(_ service: ServiceDescription) -> Bool {
            service.provider == construction.step.provider
        }
        for (index, property) in findings.enumerated() {
            switch (property.source, property.finding) {
            case (.slot(let position), _) where property.request.element != nil:
                // Others may have been withdrawn before.
                let (services, withdrawn) =
                    if case .gatheredPartly(let rest, let failed) = property.finding {
                        (rest, failed)
                    } else {
                        (record.properties[index].finding.services, [])
                    }
                let failed = construction.service
                guard let instance = failed?.instance else {
                    // A service that is gone is in no list: another thread has removed it.
                    if failed?.isGone != true, services.contains(where: isFailed) { throw error }
                    continue
                }
                guard list(in: slots, at: position, property, ownList)?.remove(instance) == true else {
                    continue
                }
                let rest = services.filter { !isFailed($0) }
                let lost = services.filter(isFailed).map { FailedService(service: $0, error: error) }
                deviations.append(Deviation(index: index, finding: .gatheredPartly(rest, withdrawn + lost)))
            case (let source, .filled(let service)) where isFailed(service):
                // A factory may have passed it in already.
                if case .slot(let position) = source { slots[position].empty() }
                deviations.append(Deviation(index: index, finding: .failed(service, error)))
            default: continue
            }
        }
    }

    /// Empties the lists of a service that isn't handed out: their services may have it in theirs.
    ///
    /// Ready-made services don't matter here, and a list of only those may be shared.
    ///
    /// - Parameters:
    ///   - service: The filled service; nobody else has it yet.
    ///   - ownList: Returns the list that was put into a slot before the fill, by position.
    func clearLists(of service: Any, _ ownList: (Int) -> AnyListCell?) {
        let lists = findings.filter { $0.request.element != nil }
        if lists.isEmpty { return }
        let slots = PlanStore.learn(service, .shared).slots
        for property in lists {
            guard case .slot(let position) = property.source else { continue }
            guard let list = list(in: slots, at: position, property, ownList) else { continue }
            list.removeAll()
            // The next attempt may get the same object, and collects its services then.
            slots[position].empty()
        }
    }

    /// The list that this slot alone got from the fill; nil if it is an earlier or a shared one.
    private func list(
        in slots: [Slot], at position: Int, _ property: PropertyRecord, _ ownList: (Int) -> AnyListCell?
    ) -> AnyListCell? {
        if let list = ownList(position) { return slots[position].holds(list) ? list : nil }
        let isOwn = property.finding.services.contains { $0.provider != nil }
        return isOwn ? slots[position].cell.map { unsafe unsafeDowncast($0, to: AnyListCell.self) } : nil
    }
}
