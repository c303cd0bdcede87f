// Part of ServiceBox, released under the MIT License.
// What an ancestor's service lacks and the box that asks for it has.

extension Registry {
    /// The error as this registry's box sees it, which may have what an ancestor's service lacks.
    ///
    /// - Parameter error: What an ask for a service came to.
    func seen(_ error: ServiceBoxError) -> ServiceBoxError {
        parent == nil ? error : error.mapLacks(seen)
    }

    private func seen(_ lack: Lack) -> Lack {
        let property = lack.record
        guard lack.captivity == nil, property.finding.isOpen,
            registration(named: property.serviceName)?.fit(property.request).isPossible == true
        else { return lack }
        let captives = lack.services.compactMap { name in registration(named: name).map { (name, $0) } }
            .filter { !$0.1.isFilled(by: self) }
        guard let owner = captives.last, owner.0 == lack.services.last else { return lack }
        var lack = lack
        lack.captivity = Lack.Captivity(
            services: captives.map(\.0), box: name,
            isParents: parent.map(owner.1.isFilled) ?? false,
            isMade: captives.allSatisfy { $0.1.lifetime != nil })
        return lack
    }
}

extension PropertyRecord {
    /// The record as a box sees it, which may have what an ancestor's service lacks.
    func seen(by registry: Registry?) -> PropertyRecord {
        guard let registry else { return self }
        return switch finding {
        case .failed(let service, let error): with(.failed(service, registry.seen(error)))
        case .gatheredPartly(let services, let failures):
            with(
                .gatheredPartly(
                    services,
                    failures.map { FailedService(service: $0.service, error: registry.seen($0.error)) }))
        default: self
        }
    }
}
