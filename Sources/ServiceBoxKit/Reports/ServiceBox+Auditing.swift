// Part of ServiceBox, released under the MIT License.
// Looking for everything that is wrong with the wiring of a box.

extension ServiceBox {
    /// Looks for everything that is wrong with the wiring: among the registered services, in the types that the box
    /// has filled, and in what it is given as well.
    ///
    /// It finds required properties that would get nothing and says why, optional ones that look like a slip, tables
    /// that no longer fit their type, what only its own actor could fill, services that keep each other alive, types by
    /// which code looks services up and which several fit, preferences for services that aren't there or don't fit,
    /// decorations of such, services that nothing asks for, the latest 256 of those that were removed before anything
    /// had, and names that were given to another service.
    ///
    /// ```swift
    /// try box.audit(including: [SettingsScreen.self]).requireClean()
    /// ```
    ///
    /// Nothing is filled and, unless you want it, nothing is made. A service that this box has never made is examined
    /// only if the box knows an object of its type; it is listed as ``ServiceAudit/unexamined``, since what its
    /// factory asks for is unknown.
    ///
    /// A service with the scope ``ServiceScope/box`` is meant for the children, and examined there alone. Say what each
    /// child brings, and such services are made in one and examined too:
    ///
    /// ```swift
    /// let audit = box.audit { child in
    ///     child.register(User(), as: "user")          // as each request does
    /// }
    ///
    /// struct User: Sendable {}
    /// ```
    ///
    /// Call it in the isolation of the objects in `others`; without those it may be called from any.
    ///
    /// - Parameters:
    ///   - others: Types and objects to examine as well; in the child, if there is one to assume.
    ///   - makingServices: Whether to make the services that aren't made yet, so that all are examined. Those that
    ///     are kept stay made; a transient one is made and dropped.
    ///   - assume: Registers stand-ins in a child of the box, which is examined too and dropped afterwards.
    /// - Returns: What was found.
    /// - Complexity: O(*n* · *m*) for *n* properties that would get nothing and *m* services, beside
    ///   O(*n* log *n*) for all properties and services.
    public func audit(
        including others: [Any] = [], makingServices: Bool = false,
        assuming assume: ((_ child: ServiceBox) -> Void)? = nil
    ) -> ServiceAudit {
        let child = assume.map { _ in makeChild(name: "assumed") }
        if let assume, let child { assume(child) }
        let asker = (child ?? self).registry
        var (audit, map) = examine(
            including: child == nil ? others : [], makingServices: makingServices, seenFrom: asker)
        var maps = [map]
        if let child {
            let (assumed, map) = child.examine(
                including: others, makingServices: makingServices, makingOwn: true, seenFrom: asker)
            let known = Set(audit.findings.map(\.subject))
            audit.findings += assumed.findings.filter { !known.contains($0.subject) }
            audit.unexamined += assumed.unexamined
            audit.typeCount += assumed.typeCount
            maps.append(map)
        } else {
            audit.leftToChildren = leftToChildren
            audit.unexamined += audit.leftToChildren
        }
        audit.unexamined = Set(audit.unexamined).sorted()
        if audit.unexamined.isEmpty { audit.findings += unused(in: maps) }
        return audit
    }

    /// Examines one box.
    ///
    /// - Parameters:
    ///   - others: Types and objects to examine as well.
    ///   - makingServices: Whether to make the services that aren't made yet.
    ///   - makingOwn: Whether to make those alone that the box doesn't share with its parent.
    ///   - asker: The box that asks for services, which may have what its parent's lack.
    /// - Returns: What was found, but for the services that nothing asks for, and where it was looked for.
    private func examine(
        including others: [Any], makingServices: Bool, makingOwn: Bool = false, seenFrom asker: Registry
    ) -> (ServiceAudit, WiringMap) {
        let failures =
            makingServices || makingOwn ? makeServices { makingServices || $0.isFilled(by: registry) } : []
        let map = WiringMap(of: self, isPlanned: true, including: others)
        let examined = examined(in: map)
        let search = HintSearch(in: registry)
        var searches = [ObjectIdentifier(registry): search]
        var findings = examined.flatMap {
            holes(of: $0.subject, takenBy: $0.takers, seenFrom: asker, &searches)
        }
        findings += map.strongCycles.map {
            AuditFinding(PropertyReport($0.note, search: search, claimed: []))
        }
        findings +=
            news(in: failures, beside: findings, seenFrom: asker) + ambiguousTypes + unfitPreferences
            + replacements + removals + duplicates + idleDecorations
        let unexamined = examined.compactMap(\.subject.service).filter(\.isUnexamined)
        let audit = ServiceAudit(
            findings: findings, unexamined: unexamined.map(\.name), wasMakingServices: makingServices,
            serviceCount: map.services.count - 1, typeCount: map.subjects.count { $0.service == nil })
        return (audit, map)
    }

    /// What there is to examine, and the names of the services through which one takes another that is meant for children.
    private func examined(in map: WiringMap) -> [(subject: WiringMap.Subject, takers: [String])] {
        var left: [ObjectIdentifier: WiringMap.Subject] = [:]
        var examined: [(subject: WiringMap.Subject, takers: [String])] = []
        for subject in map.subjects {
            if let service = subject.service, !isExamined(service) {
                left[ObjectIdentifier(service)] = subject
            } else {
                examined.append((subject, []))
            }
        }
        var index = 0
        while index < examined.count, !left.isEmpty {
            let (subject, takers) = examined[index]
            index += 1
            guard let service = subject.service else { continue }
            for target in subject.asked + subject.properties.flatMap(subject.targets) {
                guard let taken = left.removeValue(forKey: ObjectIdentifier(target)) else { continue }
                examined.append((taken, takers + [service.name]))
            }
        }
        return examined
    }

    /// Whether the box examines a service in any case, and doesn't leave it to its children.
    private func isExamined(_ service: Registration) -> Bool {
        !(service.isPerBox && registry.own(service.name) === service)
    }

    /// The names of the services that only children create.
    private var leftToChildren: Set<String> {
        Set(registry.ownServices.filter { !isExamined($0) && $0.isUnexamined }.map(\.name))
    }

    /// What is wrong with the properties of a service or of a type of other objects.
    ///
    /// - Parameters:
    ///   - subject: The service or the type.
    ///   - takers: The names of the services through which one takes it.
    ///   - asker: The box that asks for services.
    ///   - searches: The searches for hints in each registry, prepared once for all subjects.
    /// - Returns: What was found.
    private func holes(
        of subject: WiringMap.Subject, takenBy takers: [String], seenFrom asker: Registry,
        _ searches: inout [ObjectIdentifier: HintSearch]
    ) -> [AuditFinding] {
        let registry = subject.filler.registry
        // Most properties are as they should be, and need no words.
        let holes = subject.properties.compactMap { property in
            let property = registry.misfit(of: property) ?? property
            let isOwnValue = property.finding.isOpen && subject.ownValues.contains(property.path)
            return property.finding.kind == .hole && !isOwnValue ? property : nil
        }
        if holes.isEmpty { return [] }
        let search = searches[ObjectIdentifier(registry)] ?? HintSearch(in: registry)
        searches[ObjectIdentifier(registry)] = search
        let claimed = subject.properties.claimedNames(of: subject.service?.name)
        return holes.compactMap { hole in
            let captivity = subject.service.flatMap {
                asker.captivity(of: takers + [$0.name], lacking: hole)
            }
            let property = PropertyReport(hole, search: search, claimed: claimed, captivity)
            return property.isRequired || property.isWarning ? AuditFinding(property) : nil
        }
    }

    /// Makes services that were never made.
    ///
    /// - Returns: What couldn't be made.
    private func makeServices(where isWanted: (Registration) -> Bool) -> [FailedService] {
        crossFiller.fillServices(isRetry: true)
        let unmade = registry.sorted.filter { $0.isUnmade && isExamined($0) && isWanted($0) }
        return ConstructionStack.rememberingFailures {
            unmade.compactMap { registration in
                guard case .failure(let error) = Result(catching: registration.supplier.create) else {
                    return nil
                }
                return FailedService(service: ServiceDescription(registration), error: error)
            }
        }
    }

    /// What failures say beside what is known: one that lacks something fails for what was found at its property.
    private func news(
        in failures: [FailedService], beside findings: [AuditFinding], seenFrom asker: Registry
    ) -> [AuditFinding] {
        var known = Set(findings.map(\.subject))
        return failures.flatMap { failed -> [AuditFinding] in
            guard failed.error.code == .incomplete else {
                return [
                    AuditFinding(kind: .failed, subject: failed.service.name, isAboutService: true) {
                        var explanation = failed.error.explained
                        explanation.facts.insert(("Service", failed.service.phrase), at: 0)
                        return explanation
                    }
                ]
            }
            return (asker.seen(failed.error.root).lacks ?? []).compactMap { lack in
                // Another service that couldn't be made is found for itself.
                if case .failed = lack.record.finding { return nil }
                let (record, path) = (lack.record, lack.record.path)
                guard known.insert(path).inserted else { return nil }
                return AuditFinding(kind: record.finding.outcome, subject: path) { lack.explained }
            }
        }
    }

    private var replacements: [AuditFinding] {
        let replacements = ledger.state.withLock { $0.replacements }.filter(\.value.isDoubtful)
        return replacements.sortedByName(\.key).compactMap { name, replacement in
            let stale = ledger.holdings { $0.names.contains(name) }?.filter(ledger.isStale)
            let holders = stale.map { Set($0.map(\.property.path)).sorted() }
            // Nobody has the old one any more.
            if !replacement.isOfAnotherType, holders?.isEmpty == true { return nil }
            return AuditFinding(kind: .replaced, subject: name, isAboutService: true) {
                Message.replacedService(replacement, holders: holders)
            }
        }
    }

    private var removals: [AuditFinding] {
        let removals = ledger.state.withLock { $0.removals }.sortedByName(\.name)
        return removals.filter { registry.own($0.name) == nil }.map { service in
            AuditFinding(kind: .removed, subject: service.name, isAboutService: true) {
                Message.removedUnused(service)
            }
        }
    }

    /// Decorations of names under which there is nothing, or nothing that they fit.
    private var idleDecorations: [AuditFinding] {
        let decorations = registry.state.withLock { $0.decorations }.sortedByName(\.key)
        return decorations.compactMap { name, all in
            let service = registry.registration(named: name)
            return all.first { service.map($0.fits) != true }.map { decoration in
                let (type, location) = (decoration.serviceType, decoration.location)
                let found = service.map(ServiceDescription.init)
                return AuditFinding(kind: .unused, subject: name, isAboutService: true) {
                    Message.idleDecoration(name, as: type, found: found, at: "\(location)")
                }
            }
        }
    }

    /// Objects that are registered twice as the same type.
    private var duplicates: [AuditFinding] {
        var first: [[ObjectIdentifier]: Registration] = [:]
        return registry.ownServices.compactMap { registration in
            guard let object = registration.supplier.instance else { return nil }
            let key = [ObjectIdentifier(object), ObjectIdentifier(registration.serviceType)]
            guard let other = first[key] else {
                first[key] = registration
                return nil
            }
            let (service, known) = (ServiceDescription(registration), ServiceDescription(other))
            return AuditFinding(kind: .duplicate, subject: service.name, isAboutService: true) {
                Message.duplicate(service, of: known)
            }
        }
    }

    private var ambiguousTypes: [AuditFinding] {
        let types = ledger.state.withLock { $0.typesLookedUp.values }
        return types.sortedByName(TypeName.sorting).compactMap { type in
            let found = registry.registrations(fitting: type).services
            let candidates = ServiceListing(found.map(ServiceDescription.init))
            return found.count < 2
                ? nil
                : AuditFinding(kind: .ambiguousType, subject: TypeName.of(type)) {
                    Message.ambiguous(type, count: candidates.count, candidates: candidates)
                }
        }
    }

    private var unfitPreferences: [AuditFinding] {
        let preferences = registry.preferences.values
        return preferences.sortedByName { TypeName.sorting($0.type) }.compactMap {
            guard let problem = registry.problem(with: $0) else { return nil }
            let query = ServiceQuery(request: CellRequest(type: $0.type))
            let failure = FailedLookUp(problem, of: query, named: nil, in: registry)
            return AuditFinding(
                kind: failure.code == .missing ? .missing : .typeMismatch, subject: TypeName.of($0.type)
            ) { failure.explained }
        }
    }

    private func unused(in maps: [WiringMap]) -> [AuditFinding] {
        let subjects = maps.flatMap(\.subjects)
        let plain = subjects.flatMap(\.properties).filter { $0.source == .plain }
        let paths = Dictionary(plain.map { ($0.serviceName, $0.path) }) { first, _ in first }
        let targets = subjects.flatMap { subject in subject.properties.flatMap(subject.targets) }
        let wanted = Set(targets.map(ObjectIdentifier.init))
        ledger.catchUp()
        let unused = registry.ownServices.filter {
            $0.uses.isEmpty && !wanted.contains(ObjectIdentifier($0)) && isExamined($0)
        }
        return unused.map(ServiceDescription.init).map { service in
            AuditFinding(kind: .unused, subject: service.name, isAboutService: true) {
                Message.unused(service, plain: paths[service.name])
            }
        }
    }
}

extension Registry {
    /// A property that is looked up when it is read, with what keeps the service from fitting that is there by now.
    fileprivate func misfit(of property: PropertyRecord) -> PropertyRecord? {
        guard property.finding.isOnRead, let found = registration(named: property.serviceName),
            !found.fit(property.request).isPossible
        else { return nil }
        return property.with(.typeMismatch(ServiceDescription(found)))
    }
}

extension Registration {
    /// Whether nobody knows what its factory asks for and what its properties get.
    fileprivate var isUnexamined: Bool { isUnmade && history.lastFill == nil }
}
