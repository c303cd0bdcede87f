// Part of ServiceBox, released under the MIT License.
// Taking services out of a service again, which have failed since it was filled with them.

extension FillReport {
    /// Takes a service out of what holds it, if anything does: it may have been met on the way to something else.
    ///
    /// - Parameters:
    ///   - construction: The construction of the service, which has failed.
    ///   - slots: The slots of what was filled, in the order of its plan's; nobody else has it yet.
    /// - Throws: The error of the construction if a list can't tell the service, a value, from others.
    mutating func withdraw(_ construction: Construction, from slots: [Slot]) throws(ServiceBoxError) {
        guard let error = construction.error else { return }
        func isFailed(_ service: ServiceDescription) -> Bool {
            service.provider == construction.step.provider
        }
        for (index, property) in findings.enumerated() {
            switch (property.source, property.finding) {
            case (.slot(let position), _) where property.request.element != nil:
                // A kept service's was gathered before the fill, which has left it alone.
                let services = record.properties[index].finding.services
                guard let instance = construction.service?.instance else {
                    if services.contains(where: isFailed) { throw error }
                    continue
                }
                guard slots[position].list?.remove(instance) == true else { continue }
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
    /// - Parameter service: The service that was filled; nobody else has it yet.
    func clearLists(of service: Any) {
        let positions = record.properties.compactMap { property -> Int? in
            guard case .slot(let position) = property.source, property.request.element != nil else {
                return nil
            }
            return property.finding.services.contains { $0.provider != nil } ? position : nil
        }
        if positions.isEmpty { return }
        let slots = PlanStore.learn(service, .shared).slots
        for position in positions { slots[position].list?.removeAll() }
    }

    private mutating func deviate(_ index: Int, _ finding: Finding) {
        deviations.append(Deviation(index: index, finding: finding))
    }
}

extension Slot {
    /// What a slot holds that takes all services of a type.
    fileprivate var list: AnyListCell? { cell.map { unsafeDowncast($0, to: AnyListCell.self) } }
}
