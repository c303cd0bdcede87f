// Part of ServiceBox, released under the MIT License.
// Taking services out of a service again, which have failed since it was filled with them.

extension FillReport {
    /// Takes a service out of the slots that hold it.
    ///
    /// - Parameters:
    ///   - construction: The construction of the service, which has failed.
    ///   - slots: The slots of what was filled, in the order of its plan's; nobody else has it yet.
    ///   - registry: What it was filled from.
    /// - Throws: The error of the construction if none of the slots has got the service.
    mutating func withdraw(
        _ construction: Construction, from slots: [Slot], _ registry: Registry
    ) throws(ServiceBoxError) {
        guard let error = construction.error else { return }
        func isFailed(_ service: ServiceDescription) -> Bool {
            registry.registration(named: service.name)?.supplier.step?.provider == construction.step.provider
        }
        let instance = construction.service?.instance
        var isFound = false
        for (index, property) in findings.enumerated() {
            guard case .slot(let position) = property.source else { continue }
            if property.request.element != nil {
                let list = slots[position].cell.map { unsafeDowncast($0, to: AnyListCell.self) }
                guard let instance, list?.remove(instance) == true else { continue }
                // A kept service's was gathered before the fill, which has left it alone.
                let services = record.properties[index].finding.services
                deviate(
                    index,
                    .gatheredPartly(
                        services.filter { !isFailed($0) },
                        services.filter(isFailed).map { FailedService(service: $0, error: error) }))
            } else if case .filled(let service) = property.finding, isFailed(service) {
                slots[position].empty()
                deviate(index, .failed(service, error))
            } else {
                continue
            }
            isFound = true
        }
        if !isFound { throw error }
    }

    private mutating func deviate(_ index: Int, _ finding: Finding) {
        deviations.append(Deviation(index: index, finding: finding))
    }
}
