// Part of ServiceBox, released under the MIT License.
// Completes services that exist already, or says what they lack.

extension CrossFiller {
    /// Finds the missing services of a service, required and optional, except all services of a type.
    ///
    /// Others may have the service, so nothing is assigned before it is complete. Then the closure is called; by
    /// default, that is noted.
    ///
    /// - Returns: The filling that assigns them to the service.
    /// - Throws: An error for what the service lacks.
    func complete(
        _ name: String, _ history: ServiceHistory, _ wiring: Wiring,
        thenAnnounce announce: (@Sendable () -> Void)? = nil
    ) throws(ServiceBoxError) -> any Filling {
        let teachings = registry.teachings
        wiring.rereadTable()
        var outcome = Outcome()
        let gifts = openProperties(of: nil, wiring)
            .compactMap { gift(for: $0, by: .early, &outcome) }
        try requireWhole(name, wiring, except: gifts)
        return GivenService(self, name, wiring, gifts) { [self] in
            if let announce { return announce() }
            if let registration = registry.registration(named: name, with: history) {
                noteWhole(registration, for: teachings)
            }
        }
    }

    /// Throws the lack of each empty required property of a service, except those that are about to get theirs,
    /// and notes the reasons in its empty slots.
    fileprivate func requireWhole(
        _ name: String, _ wiring: Wiring, except gifts: [Gift]
    ) throws(ServiceBoxError) {
        let given = gifts.map(\.property.key)
        if wiring.hasAllRequired(except: given), !registry.isTaught(wiring.current.plan.type) { return }
        guard let report = report(on: name, wiring) else { return }
        let findings = report.findings
        let excluded = Set(
            findings.indices.filter { index in
                switch findings[index].source {
                case .slot(let position): given.contains(.slot(position))
                case .line: !wiring.hasTable || given.contains(.line(findings[index].name))
                case .plain, .subject: !wiring.hasTable
                }
            })
        wiring.note(report, except: excluded)
        let lacks = report.lacks(of: name, except: excluded)
        if !lacks.isEmpty { throw ServiceBoxError(Lacks(all: lacks)) }
    }
}

/// An existing service that gets what it requires once that is complete.
private final class GivenService: Filling {
    private let crossFiller: CrossFiller
    private let name: String
    private let wiring: Wiring
    private let gifts: [Gift]
    let writes: [PostponedWrite]
    private let announcement: @Sendable () -> Void
    /// The providers of the services that failed; several threads may withdraw some.
    private let failedProviders = Guarded<[ObjectIdentifier]>([])

    init(
        _ crossFiller: CrossFiller, _ name: String, _ wiring: Wiring, _ gifts: [Gift],
        _ announcement: @escaping @Sendable () -> Void
    ) {
        self.crossFiller = crossFiller
        self.name = name
        self.wiring = wiring
        self.gifts = gifts
        self.announcement = announcement
        writes = gifts.enumerated().map { index, gift in
            PostponedWrite(
                index: index, pass: gift.pass, isUsable: { gift.isUsable },
                write: { crossFiller.give(gift) })
        }
    }

    func withdraw(_ failed: [Construction]) throws(ServiceBoxError) {
        for construction in failed {
            guard let error = construction.error else { continue }
            let provider = construction.step.provider
            failedProviders.withLock { $0.append(provider) }
            for gift in gifts where gift.service.provider == provider {
                wiring.note(.failed(gift.service, error), for: gift.property.key)
            }
        }
        try crossFiller.requireWhole(name, wiring, except: gifts.filter(isLeft))
    }

    func wants(_ write: PostponedWrite) -> Bool { isLeft(gifts[write.index]) }

    private func isLeft(_ gift: Gift) -> Bool {
        let failed = failedProviders.withLock { $0 }
        return gift.service.provider.map { !failed.contains($0) } ?? true
    }

    func announce() { announcement() }
}
