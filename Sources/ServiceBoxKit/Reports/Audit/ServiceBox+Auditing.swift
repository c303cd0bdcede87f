// Part of ServiceBox, released under the MIT License.
// Looking for everything that is wrong with the wiring of a box.

extension ServiceBox {
    /// Looks for everything that is wrong with the wiring: among the registered services, in the types that
    /// the box has filled, and in what it is given besides.
    ///
    /// It finds properties that would get nothing and says why, tables that no longer fit their type, what
    /// only its own actor could fill, services that keep each other alive, types by which code looks services
    /// up and which several fit, services that nothing asks for, and names that were given to another service.
    ///
    /// ```swift
    /// try box.audit(including: [SettingsScreen()]).requireClean()
    /// ```
    ///
    /// Nothing is filled and, unless you want it, nothing is made. A service that this box has never made is
    /// looked into only if an object of the type that it is registered as was filled or is given; it is
    /// listed as ``ServiceAudit/unexamined``, since what its factory asks for is not known.
    ///
    /// Call it in the isolation of the objects in `others`; without those it may be called from anywhere.
    ///
    /// - Parameters:
    ///   - others: Types that any box has seen an object of, and objects.
    ///   - makingServices: Whether to make the services that are not made yet, so that nothing is left
    ///     unexamined. Those that are kept stay made; a transient one is made and dropped.
    /// - Returns: What was found.
    /// - Complexity: O(*n* · *m*) for *n* properties that would get nothing and *m* services, beside
    ///   O(*n* log *n*) for all properties and services; as much again for each property in a strong cycle.
    public func audit(including others: [Any] = [], makingServices: Bool = false) -> ServiceAudit {
        let failures = makingServices ? makeServices() : []
        let map = WiringMap(of: self, isPlanned: true, including: others)
        let search = HintSearch(in: registry)
        var findings = map.subjects.flatMap { subject in
            subject.properties.findings(
                search.claiming(subject.properties.claimedNames(of: subject.service?.name)))
        }
        findings += map.cycleClosers.findings(search)
        findings += failures + ambiguousTypes + replacements
        let unexamined = map.subjects.compactMap(\.service).filter(\.isUnmade).map(\.name)
        if unexamined.isEmpty { findings += unused(in: map) }
        return ServiceAudit(
            findings: findings, unexamined: unexamined, serviceCount: map.services.count - 1,
            typeCount: map.subjects.count { $0.service == nil })
    }

    /// Makes the services that were never made.
    ///
    /// - Returns: What could not be made.
    private func makeServices() -> [AuditFinding] {
        crossFiller.fillServices(isRetry: true)
        return registry.sorted.filter(\.isUnmade).compactMap { service in
            do throws(ServiceBoxError) {
                try service.supplier.create()
                return nil
            } catch {
                return AuditFinding(.hole, .unmakeable(service.inMessages, error))
            }
        }
    }

    private var replacements: [AuditFinding] {
        let replacements = ledger.state.withLock { $0.replacements }
        return replacements.sorted { $0.key < $1.key }.map { AuditFinding(.replaced, .replaced($0.value)) }
    }

    private var ambiguousTypes: [AuditFinding] {
        let types = ledger.state.withLock { $0.typesLookedUp.values }
        return types.sorted { TypeName.sorting($0) < TypeName.sorting($1) }.compactMap { type in
            let candidates = registry.registrations(fitting: CellRequest(type: type))
            guard candidates.count > 1 else { return nil }
            let first = candidates.prefix(Message.listLimit).map(\.inMessages)
            let listing = Message.Listing(first, of: candidates.count)
            return AuditFinding(
                .ambiguousType, .ambiguous(type, count: candidates.count, candidates: listing))
        }
    }

    private func unused(in map: WiringMap) -> [AuditFinding] {
        let wanted = Set(
            map.subjects.flatMap { $0.properties.flatMap($0.targets) }.map(ObjectIdentifier.init))
        let unused = ownRegistrations.filter { $0.uses.isEmpty && !wanted.contains(ObjectIdentifier($0)) }
        return unused.map { AuditFinding(.unused, .unused($0.inMessages, $0.location)) }
    }
}

extension [PropertyRecord] {
    /// What is wrong with properties.
    fileprivate func findings(_ search: HintSearch) -> [AuditFinding] {
        compactMap { record in
            // Most are as they should be, and need no words.
            AuditFinding.Kind(of: record.finding).map {
                AuditFinding($0, .property(PropertyReport(record, search: search)))
            }
        }
    }
}

extension AuditFinding.Kind {
    /// What an audit calls a finding about a property; nil if nothing is wrong with it.
    fileprivate init?(of finding: Finding) {
        switch finding {
        case .typeMismatch: self = .typeMismatch
        case .noSuchProperty, .wrongRoot: self = .tableDrift
        case .wrongIsolation, .tableOutOfReach: self = .isolation
        case .strongCycle: self = .strongCycle
        default:
            guard finding.kind == .hole else { return nil }
            self = .hole
        }
    }
}
