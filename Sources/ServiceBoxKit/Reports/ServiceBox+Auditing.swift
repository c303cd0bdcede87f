// Part of ServiceBox, released under the MIT License.
// Looking for everything that is wrong with the wiring of a box.

extension ServiceBox {
    /// Looks for everything that is wrong with the wiring: among the registered services, in the types that the box
    /// has filled, and in what it is given as well.
    ///
    /// It finds properties that would get nothing and says why, tables that no longer fit their type, what only its
    /// own actor could fill, services that keep each other alive, types by which code looks services up and which
    /// several fit, services that nothing asks for, and names that were given to another service.
    ///
    /// ```swift
    /// try box.audit(including: [SettingsScreen.self]).requireClean()
    /// ```
    ///
    /// Nothing is filled and, unless you want it, nothing is made. A service that this box has never made is examined
    /// only if the box knows an object of its type; it is listed as ``ServiceAudit/unexamined``, since what its
    /// factory asks for is unknown.
    ///
    /// Call it in the isolation of the objects in `others`; without those it may be called from any.
    ///
    /// - Parameters:
    ///   - others: Types and objects to examine as well.
    ///   - makingServices: Whether to make the services that aren't made yet, so that all are examined. Those that
    ///     are kept stay made; a transient one is made and dropped.
    /// - Returns: What was found.
    /// - Complexity: O(*n* · *m*) for *n* properties that would get nothing and *m* services, beside
    ///   O(*n* log *n*) for all properties and services.
    public func audit(including others: [Any] = [], makingServices: Bool = false) -> ServiceAudit {
        let failures = makingServices ? makeServices() : []
        let map = WiringMap(of: self, isPlanned: true, including: others)
        let search = HintSearch(in: registry)
        var findings = map.subjects.flatMap { subject in
            let claimed = subject.properties.claimedNames(of: subject.service?.name)
            return subject.properties.compactMap { AuditFinding($0, search, claimed: claimed) }
        }
        findings += map.strongCycles.compactMap { AuditFinding($0.note, search) }
        findings += failures + ambiguousTypes + replacements
        let unexamined = map.subjects.compactMap(\.service).filter(\.isUnmade).map(\.name)
        if unexamined.isEmpty { findings += unused(in: map) }
        return ServiceAudit(
            findings: findings, unexamined: unexamined, serviceCount: map.services.count - 1,
            typeCount: map.subjects.count { $0.service == nil })
    }

    /// Makes the services that were never made.
    ///
    /// - Returns: What couldn't be made.
    private func makeServices() -> [AuditFinding] {
        crossFiller.fillServices(isRetry: true)
        return registry.sorted.filter(\.isUnmade).compactMap { registration in
            let service = ServiceDescription(registration)
            guard case .failure(let error) = Result(catching: registration.supplier.create) else { return nil }
            return AuditFinding(.hole, about: "'\(service.name)'") {
                var explanation = error.explained
                explanation.facts.insert(("Service", service.phrase), at: 0)
                return explanation
            }
        }
    }

    private var replacements: [AuditFinding] {
        let replacements = ledger.state.withLock { $0.replacements }.sorted { $0.key < $1.key }
        return replacements.map { name, replacement in
            AuditFinding(.replaced, about: "'\(name)'") { Message.replacedService(replacement) }
        }
    }

    private var ambiguousTypes: [AuditFinding] {
        let types = ledger.state.withLock { $0.typesLookedUp.values }
        return types.sorted { TypeName.sorting($0) < TypeName.sorting($1) }.compactMap { type in
            let found = registry.registrations(fitting: CellRequest(type: type))
            guard found.count > 1 else { return nil }
            let candidates = ServiceListing(
                found.prefix(ServiceListing.limit).map(ServiceDescription.init), of: found.count)
            return AuditFinding(.ambiguousType, about: TypeName.of(type)) {
                Message.ambiguous(type, count: candidates.count, candidates: candidates)
            }
        }
    }

    private func unused(in map: WiringMap) -> [AuditFinding] {
        let wanted = Set(
            map.subjects.flatMap { $0.properties.flatMap($0.targets) }.map(ObjectIdentifier.init))
        let unused = registry.ownServices.filter { $0.uses.isEmpty && !wanted.contains(ObjectIdentifier($0)) }
        return unused.map(ServiceDescription.init).map { service in
            AuditFinding(.unused, about: "'\(service.name)'") { Message.unused(service) }
        }
    }
}

extension AuditFinding {
    // Most properties are as they should be, and need no words.
    fileprivate init?(_ record: PropertyRecord, _ search: HintSearch, claimed: Set<String> = []) {
        guard let kind = Kind(of: record.finding) else { return nil }
        self.init(kind, PropertyReport(record, search: search, claimed: claimed))
    }
}

extension AuditFinding.Kind {
    /// What an audit calls a finding about a property; nil if nothing is wrong with it.
    fileprivate init?(of finding: Finding) {
        switch finding {
        case .typeMismatch: self = .typeMismatch
        case .noSuchProperty, .wrongRoot: self = .tableDrift
        case .wrongIsolation: self = .isolation
        case .strongCycle: self = .strongCycle
        default:
            guard finding.kind == .hole else { return nil }
            self = .hole
        }
    }
}
