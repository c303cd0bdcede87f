// Part of ServiceBox, released under the MIT License.
// Taking services out of a service again, which have failed since it was filled with them.

extension FillReport {
    /// Takes a service out of what holds it, if anything does: it may have been met on the way to something else.
    ///
    /// - Parameters:
    ///   - construction: The construction of the service, which has failed.
    ///   - slots: The slots of what was filled, in the order of its plan's; nobody else has it yet.
    ///   - ownList: The list that was put into a slot before the fill, by its position.
    /// - Throws: The error of the construction if a list can't tell the service, a value, from others.
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
                let services = record.properties[index].finding.services
                let failed = construction.service
                guard let instance = failed?.instance else {
                    // What is gone is in no list: another thread has taken it out.
                    if failed?.isGone != true, services.contains(where: isFailed) { throw error }
                    continue
                }
                guard list(in: slots, at: position, property, ownList)?.remove(instance) == true else {
                    continue
                }
                deviate(
                    index,
                    .gatheredPartly(
                        services.filter { !isFailed($0) },
                        services.filter(isFailed).map { FailedService(service: $0, error: error) }))
            case (.slot(let position), .filled(let service)) where isFailed(service):
                // A factory may have got it so.
                slots[position].empty()
                deviate(index, .failed(service, error))
            case (.line, .filled(let service)) where isFailed(service):
                deviate(index, .failed(service, error))
            default: continue
            }
        }
    }

    /// Takes all services out of the lists of a service that isn't handed out: they may have it in theirs.
    ///
    /// What is ready-made is in nobody's way, and a list of that alone may be shared.
    ///
    /// - Parameters:
    ///   - service: The service that was filled; nobody else has it yet.
    ///   - ownList: The list that was put into a slot before the fill, by its position.
    func clearLists(of service: Any, _ ownList: (Int) -> AnyListCell?) {
        let lists = findings.filter { $0.request.element != nil }
        if lists.isEmpty { return }
        let slots = PlanStore.learn(service, .shared).slots
        for property in lists {
            guard case .slot(let position) = property.source else { continue }
            list(in: slots, at: position, property, ownList)?.removeAll()
        }
    }

    /// The list that a slot has got, and no other slot; not one that it held before.
    private func list(
        in slots: [Slot], at position: Int, _ property: PropertyRecord, _ ownList: (Int) -> AnyListCell?
    ) -> AnyListCell? {
        if let list = ownList(position) { return slots[position].holds(list) ? list : nil }
        let isOwn = property.finding.services.contains { $0.provider != nil }
        return isOwn ? slots[position].cell.map { unsafeDowncast($0, to: AnyListCell.self) } : nil
    }

    private mutating func deviate(_ index: Int, _ finding: Finding) {
        deviations.append(Deviation(index: index, finding: finding))
    }
}
