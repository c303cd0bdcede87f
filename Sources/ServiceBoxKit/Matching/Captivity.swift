// Part of ServiceBox, released under the MIT License.
// What an ancestor's service lacks and the box that asks for it has.

extension Registry {
    /// What an ask for a service came to, as this registry's box sees it, which may have what an ancestor's service lacks.
    func seen(_ error: ServiceBoxError) -> ServiceBoxError {
        parent == nil ? error : error.mapLacks(seen)
    }

    private func seen(_ lack: Lack) -> Lack {
        guard lack.captivity == nil else { return lack }
        var lack = lack
        lack.captivity = captivity(of: lack.services, lacking: lack.record)
        return lack
    }

    /// Why services lack what this registry has, if it is because they are an ancestor's.
    ///
    /// - Parameters:
    ///   - services: The names of services, each of which needs the next.
    ///   - property: The empty property of the last one.
    /// - Returns: What to say of it; nil if this registry doesn't have it either, or the service is its own.
    func captivity(of services: [String], lacking property: PropertyRecord) -> Captivity? {
        guard parent != nil, property.finding.isOpen,
            registration(named: property.serviceName)?.fit(property.request).isPossible == true
        else { return nil }
        let captives = services.compactMap(registration(named:)).filter { !$0.isFilled(by: self) }
        guard let owner = captives.last, owner.name == services.last else { return nil }
        return Captivity(
            services: captives.map(\.name), box: name, isParents: parent.map(owner.isFilled) ?? false,
            isMade: captives.allSatisfy { $0.lifetime != nil })
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
