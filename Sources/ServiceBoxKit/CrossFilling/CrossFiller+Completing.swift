// Part of ServiceBox, released under the MIT License.
// Giving services that exist already what they require, or saying what they lack.

extension CrossFiller {
    /// Finds what a service requires and hasn't, and what it can do without, but for all services of a type.
    ///
    /// Others may have the service: it is given nothing before that is complete.
    ///
    /// - Parameters:
    ///   - name: The name that it is registered under.
    ///   - history: What happened to it.
    ///   - wiring: Its slots and its table.
    /// - Returns: What gives it to the service.
    /// - Throws: What the service lacks.
    func complete(
        _ name: String, _ history: ServiceHistory, _ wiring: Wiring
    ) throws(ServiceBoxError) -> Filling {
        let teachings = registry.teachings
        wiring.rereadTable()
        var outcome = Outcome()
        let found = openProperties(of: nil, wiring)
            .compactMap { gift(for: $0, isEarly: true, &outcome) }
        try requireWhole(name, wiring, except: found)
        let gifts = Guarded(found)
        @Sendable func giveAll(forSlots: Bool) {
            for gift in gifts.withLock({ $0 }) where gift.isForSlot == forSlots { give(gift) }
        }
        return Filling(
            announcement: Announcement { [self] in
                if let registration = registry.registration(named: name, with: history) {
                    noteWhole(registration, for: teachings)
                }
            },
            withdraw: { [self] failed throws(ServiceBoxError) in
                for construction in failed {
                    guard let error = construction.error else { continue }
                    // Another thread may take others back.
                    let before = gifts.withLock { gifts in
                        defer { gifts.removeAll { $0.service.provider == construction.step.provider } }
                        return gifts
                    }
                    for gift in before where gift.service.provider == construction.step.provider {
                        wiring.note(.failed(gift.service, error), for: gift.property.key)
                    }
                }
                try requireWhole(name, wiring, except: gifts.withLock { $0 })
            },
            fillSlots: { isEarly in if !isEarly { giveAll(forSlots: true) } },
            completion: { giveAll(forSlots: false) },
            isCompletable: { gifts.withLock { $0 }.allSatisfy(\.isUsable) })
    }

    /// Throws what a service lacks.
    private func requireWhole(_ name: String, _ wiring: Wiring, except gifts: [Gift]) throws(ServiceBoxError)
    {
        let lacks = lacks(of: name, wiring, except: Set(gifts.map(\.property.key)))
        if !lacks.isEmpty { throw ServiceBoxError(lacks) }
    }

    /// What a service lacks; its empty slots are told why they are.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - wiring: Its slots and its table.
    ///   - given: What it is about to be given.
    /// - Returns: Each property that is empty and required.
    private func lacks(of name: String, _ wiring: Wiring, except given: Set<Wiring.Key>) -> [Lack] {
        guard let report = report(on: name, wiring) else { return [] }
        let excluded = report.findings.indices.filter { index in
            switch report.findings[index].source {
            case .slot(let position): given.contains(.slot(position))
            case .line: !wiring.hasTable || given.contains(.line(report.findings[index].name))
            case .plain, .subject: !wiring.hasTable
            }
        }
        wiring.note(report, except: Set(excluded))
        return report.lacks(of: name, except: Set(excluded))
    }
}
