// Part of ServiceBox, released under the MIT License.
// Finds everything that is wrong with the wiring of a box.

extension ServiceBox {
    /// Finds everything that is wrong with the wiring: in the registered services, in the types that the box
    /// has filled, and in the given types and objects.
    ///
    /// It reports required properties that would get nothing, with the reason; optional ones that look like a
    /// slip; tables that no longer fit their type; properties that only their own actor could fill; services
    /// that keep each other alive; services that all boxes share and that take one which each child creates for
    /// itself; types by which code looks up services and which several fit; preferences and decorations for
    /// services that don't exist or fit; unused services, except those that the box starts; the latest 256
    /// services that were removed unused; and names that were given to another service.
    ///
    /// ```swift
    /// try box.audit(including: [SettingsScreen.self]).requireClean()
    /// ```
    ///
    /// Nothing is filled and, unless you ask for it, nothing is created but eager services that couldn't be created
    /// when they were registered, and what they need; their errors are findings. A service that this box has never
    /// created is examined only if the box knows an object of its type; it is listed as ``ServiceAudit/unexamined``,
    /// since what its factory would resolve is unknown. So is one created from parameters, until code has created it.
    ///
    /// A service with the scope ``ServiceScope/box`` is meant for the children, and examined only there.
    /// Register what each child would, and such services are created in an assumed child and examined too; what
    /// they need is created for them, and stays:
    ///
    /// ```swift
    /// let audit = box.audit { child in
    ///     child.register(User(), as: "user")          // as each request does
    /// }
    ///
    /// struct User: Sendable {}
    /// ```
    ///
    /// Call it in the isolation of the objects in `others`; without objects, from any.
    ///
    /// - Parameters:
    ///   - others: Further types and objects to examine; in the assumed child, if there is one. Prefer an
    ///     object to its type: names and values that declarations give are unknown before one was seen, see
    ///     ``plan(for:)``.
    ///   - makingServices: Whether to create the services that don't exist yet, so that all are examined.
    ///     Those that are kept stay; a transient one is created and dropped.
    ///   - assume: Registers stand-ins in a child of the box, which is examined too, and dropped afterwards
    ///     without being stopped.
    /// - Returns: The findings.
    /// - Complexity: O(*n* · *m*) for *n* properties that would get nothing and *m* services, besides O(*n*
    ///   log *n*) for all properties and services.
    public func audit(
        including others: [Any] = [], makingServices: Bool = false,
        assuming assume: ((_ child: ServiceBox) -> Void)? = nil
    ) -> ServiceAudit {
        let child = assume == nil ? nil : makeChild(name: "assumed")
        if let child { assume?(child) }
        let asker = (child ?? self).registry
        // First, since what the child's services need is created in the box.
        let failures = makingServices ? makeServices { _ in true } : makeEagerServices()
        let ownFailures = child?.makeServices { makingServices || $0.isFilled(by: asker) } ?? []
        var (audit, map) = examine(
            including: child == nil ? others : [], beside: failures, makingServices, seenFrom: asker)
        var maps = [map]
        if let child {
            let (assumed, map) = child.examine(
                including: others, beside: ownFailures, makingServices, seenFrom: asker)
            let known = Set(audit.findings.map(\.subject))
            audit.findings += assumed.findings.filter { !known.contains($0.subject) }
            audit.waysToExamine.merge(assumed.waysToExamine) { way, _ in way }
            audit.typeCount += assumed.typeCount
            maps.append(map)
        } else {
            let left = leftToChildren(in: map).waysToExamine(areLeftToChildren: true)
            audit.waysToExamine.merge(left) { _, way in way }
        }
        // What is created from parameters can't be examined at will, but may be unused itself.
        let ways = audit.waysToExamine
        if ways.values.allSatisfy({ $0 == .passingParameters }) {
            audit.findings += unused(in: maps).filter { ways.isEmpty || ways[$0.subject] != nil }
        }
        return audit
    }

    /// Examines one box.
    ///
    /// - Parameters:
    ///   - others: Further types and objects to examine.
    ///   - failures: The errors of services that couldn't be created.
    ///   - wasMakingServices: Whether all services were to be created.
    ///   - asker: The asking box's registry, which may have what its parent's services lack.
    /// - Returns: The findings, except for unused services, and the map that they were found in.
    private func examine(
        including others: [Any], beside failures: [FailedService], _ wasMakingServices: Bool,
        seenFrom asker: Registry
    ) -> (ServiceAudit, WiringMap) {
        let map = WiringMap(of: self, isPlanned: true, including: others)
        let examined = examined(in: map)
        let search = HintSearch(in: registry)
        var searches = [ObjectIdentifier(registry): search]
        var findings = examined.flatMap {
            holes(of: $0.subject, takenBy: $0.takers, seenFrom: asker, &searches)
        }
        findings += map.strongCycles.map {
            AuditFinding(PropertyReport($0.note, of: nil, search: search, claimed: []))
        }
        findings +=
            news(in: failures, beside: findings, seenFrom: asker) + ambiguousTypes
            + unfitPreferences(in: asker)
            + captives(in: map) + replacements + removals + duplicates + idleDecorations
        var ways = examined.compactMap(\.subject.service).filter(\.isUnexamined).waysToExamine()
        for failed in failures where ways[failed.service.name] != nil {
            ways[failed.service.name] = WayToExamine.none
        }
        let audit = ServiceAudit(
            findings: findings, waysToExamine: ways, wasMakingServices: wasMakingServices,
            serviceCount: map.services.count - 1,
            typeCount: map.subjects.count { $0.service == nil })
        return (audit, map)
    }

    /// What to examine, with the names on the path; all layers of a service for children, if something takes it.
    private func examined(in map: WiringMap) -> [(subject: WiringMap.Subject, takers: [String])] {
        var left: [ObjectIdentifier: [WiringMap.Subject]] = [:]
        var examined: [(subject: WiringMap.Subject, takers: [String])] = []
        for subject in map.subjects {
            if let service = subject.service, registry.isLeftToChildren(service) {
                left[ObjectIdentifier(service.innermost), default: []].append(subject)
            } else {
                examined.append((subject, []))
            }
        }
        var index = 0
        while index < examined.count, !left.isEmpty {
            let (subject, takers) = examined[index]
            index += 1
            for target in subject.taken {
                let taken = left.removeValue(forKey: ObjectIdentifier(target.innermost)) ?? []
                examined += taken.map { ($0, takers + (subject.service.map { [$0.name] } ?? [])) }
            }
        }
        return examined
    }

    /// The services that only children create.
    private func leftToChildren(in map: WiringMap) -> [Registration] {
        let examined = Set(examined(in: map).compactMap(\.subject.service).map(ObjectIdentifier.init))
        return registry.sorted.filter { service in
            registry.isLeftToChildren(service)
                && (service.isUnexamined || service.isUnmade && !examined.contains(ObjectIdentifier(service)))
        }
    }

    /// Findings about the properties of a service, or of a type of other objects.
    ///
    /// - Parameters:
    ///   - subject: The service or the type.
    ///   - takers: The names of the services through which another one takes it.
    ///   - asker: The asking box's registry.
    ///   - searches: The searches for hints in each registry, prepared once for all subjects.
    /// - Returns: The findings.
    private func holes(
        of subject: WiringMap.Subject, takenBy takers: [String], seenFrom asker: Registry,
        _ searches: inout [ObjectIdentifier: HintSearch]
    ) -> [AuditFinding] {
        let registry = subject.filler.registry
        // Most properties are fine, and need no text.
        let holes = subject.properties.compactMap { property in
            let property = property.hasValue ? property : registry.misfit(of: property) ?? property
            return [.hole, .kept].contains(property.finding.kind) ? property : nil
        }
        if holes.isEmpty { return [] }
        let search = searches.value(for: ObjectIdentifier(registry), orInsert: HintSearch(in: registry))
        let claimed = subject.properties.claimedNames(of: subject.service?.name)
        return holes.compactMap { hole in
            let captivity = subject.service.flatMap {
                asker.captivity(of: takers + [$0.name], lacking: hole)
            }
            let property = PropertyReport(
                hole, of: subject.service?.name, search: search, claimed: claimed, captivity)
            return property.isRequired || property.isWarning ? AuditFinding(property) : nil
        }
    }

    /// Creates services that don't exist, and returns the failures.
    private func makeServices(where isWanted: (Registration) -> Bool) -> [FailedService] {
        crossFiller.fillServices(isRetry: true)
        return make(
            registry.sorted.filter {
                ($0.isWhole == false || ($0.lifetime != nil || $0.creator != nil) && $0.present == nil)
                    && !registry.isLeftToChildren($0) && isWanted($0)
            })
    }

    /// Creates eager services that couldn't be created when they were registered, some of which keep their error, and
    /// returns the failures, except those that another thread may not meet.
    private func makeEagerServices() -> [FailedService] {
        // The factory may audit the box, and so may an observer that hears of its error.
        let isNested = !ConstructionStack.here.value.steps.isEmpty
        let unmade = registry.sorted.filter {
            $0.knownSupplier?.creator?.keptError != nil
                || !isNested && $0.lifetime == .eager && $0.present == nil && !$0.isAwaited
                    && !registry.isLeftToChildren($0)
        }
        return make(unmade).filter { !$0.error.dependsOnThread() }
    }

    private func make(_ services: [Registration]) -> [FailedService] {
        ConstructionStack.rememberingFailures {
            services.compactMap {
                guard case .failure(let error) = Result(catching: $0.supplier.create) else { return nil }
                return FailedService(service: ServiceDescription($0), error: error)
            }
        }
    }

    /// The new findings from failures: a service that lacks something was reported at its property.
    private func news(
        in failures: [FailedService], beside findings: [AuditFinding], seenFrom asker: Registry
    ) -> [AuditFinding] {
        // A cycle is no reason why a property would get nothing.
        var known = Set(findings.filter { $0.kind != .strongCycle }.map(\.subject))
        let reported = Set(failures.filter { $0.error.code != .incomplete }.map(\.service.id))
        return failures.flatMap { failed -> [AuditFinding] in
            guard failed.error.code == .incomplete else {
                return [
                    AuditFinding(kind: .failed, subject: failed.service.name, isAboutService: true) {
                        changing(failed.error.explained) {
                            $0.facts.insert(("Service", failed.service.phrase), at: 0)
                        }
                    }
                ]
            }
            return (asker.seen(failed.error.root).lacks ?? []).compactMap { lack in
                let (record, subject) = (lack.record, lack.record.subject)
                // Another service that couldn't be created is reported itself.
                if case .failed(let other, _) = record.finding, reported.contains(other.id) { return nil }
                guard known.insert(subject).inserted else { return nil }
                return AuditFinding(
                    kind: record.finding.outcome, subject: subject, property: PropertyReport(lack)
                ) { lack.explained }
            }
        }
    }

    /// Services that all boxes of the family share, and that take what each child creates for itself.
    private func captives(in map: WiringMap) -> [AuditFinding] {
        let shared = map.subjects.filter {
            $0.service.map { !$0.isPerBox && $0.isFilled(by: registry) } ?? false
        }
        return Dictionary(grouping: shared) { $0.service?.name ?? "" }.sortedByName(\.key).compactMap {
            name, layers in
            let taken = Set(layers.flatMap(\.taken).filter(registry.isLeftToChildren).map(\.name)).sorted()
            guard !taken.isEmpty, let service = layers[0].service?.innermost else { return nil }
            let description = ServiceDescription(service)
            return AuditFinding(kind: .captive, subject: name, isAboutService: true) {
                Message.captive(description, holding: taken)
            }
        }
    }

    private var replacements: [AuditFinding] {
        // A later one that is fine doesn't mend it.
        var replacements = ledger.state.withLock { $0.replacements }
            .compactMapValues { $0.last(where: \.isDoubtful) }
        // An ancestor's services, whose predecessors are held here.
        for name in ledger.holdings(where: ledger.isStale)?.flatMap(\.names) ?? []
        where registry.own(name) == nil {
            replacements[name] = ledger.replacement(of: name)
        }
        return replacements.sortedByName(\.key).compactMap { name, replacement in
            let stale =
                ledger.hasTracked(replacement)
                ? ledger.holdings { $0.names.contains(name) }?.filter(ledger.isStale) : nil
            let holders = stale.map { Set($0.map(\.property.path)).sorted() }
            let askers = holders == nil ? [] : askers(of: name, before: replacement.new.number)
            // Nothing holds the old one any more.
            if !replacement.isOfAnotherType, holders?.isEmpty == true, askers.isEmpty { return nil }
            return AuditFinding(kind: .replaced, subject: name, isAboutService: true) {
                Message.replacedService(replacement, holders: holders, askers: askers)
            }
        }
    }

    /// The names of the services that exist and whose factories have asked for an earlier service of a name, or that
    /// have a transient one whose factory has.
    private func askers(of name: String, before number: Int) -> [String] {
        registry.sorted.filter { service in
            var known: Set<ObjectIdentifier> = []
            return service.present != nil
                && crossFiller.hasAsked(service, for: name, before: number, besides: &known)
        }.map(\.name)
    }

    private var removals: [AuditFinding] {
        let removals = ledger.state.withLock { $0.removals }.sortedByName(\.name)
        return removals.filter { registry.own($0.name) == nil }.map { service in
            AuditFinding(kind: .removed, subject: service.name, isAboutService: true) {
                Message.removedUnused(service)
            }
        }
    }

    /// Decorations of names without a service, or with one that they don't fit.
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

    /// Objects that are registered more than once as the same type.
    private var duplicates: [AuditFinding] {
        var first: [[ObjectIdentifier]: Registration] = [:]
        return registry.ownServices.compactMap { registration in
            guard let object = registration.instance else { return nil }
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

    /// The preferences that don't hold in the asking box either, which may have what is preferred.
    private func unfitPreferences(in asker: Registry) -> [AuditFinding] {
        let preferences = registry.preferences.values
        return preferences.sortedByName { TypeName.sorting($0.type) }.compactMap {
            guard let problem = asker.problem(with: $0) else { return nil }
            let query = ServiceQuery(request: CellRequest(type: $0.type))
            let failure = FailedLookUp(problem, of: query, named: nil, in: asker)
            return AuditFinding(
                kind: failure.code == .missing ? .missing : .typeMismatch, subject: TypeName.of($0.type)
            ) { failure.explained }
        }
    }

    private func unused(in maps: [WiringMap]) -> [AuditFinding] {
        let subjects = maps.flatMap(\.subjects)
        let wanted = Set(subjects.flatMap(\.taken).map(ObjectIdentifier.init))
        let unused = registry.ownServices.filter {
            $0.uses.isEmpty && !wanted.contains(ObjectIdentifier($0)) && !registry.isLeftToChildren($0)
                && ($0.lifetime == .weak || !$0.isStartedForItself)
        }
        // Mostly there is none.
        if unused.isEmpty { return [] }
        let plain = subjects.flatMap(\.properties).filter { $0.source == .plain }
        let paths = Dictionary(plain.map { ($0.serviceName, $0.path) }) { first, _ in first }
        let refusals = subjects.flatMap { subject in
            subject.properties.compactMap { property in
                property.refusal(isOwn: subject.filler === self).map { (property.serviceName, $0) }
            }
        }
        let refusalsByName = Dictionary(refusals) { first, _ in first }
        return unused.map(ServiceDescription.init).map { service in
            AuditFinding(kind: .unused, subject: service.name, isAboutService: true) {
                Message.unused(service, plain: paths[service.name], refusal: refusalsByName[service.name])
            }
        }
    }
}

extension PropertyRecord {
    /// Why the property doesn't have the service under its name; nil if it has, or if nothing tells.
    fileprivate func refusal(isOwn: Bool) -> Refusal? {
        switch (source, finding.kind) {
        case (.plain, _), (.subject, _): nil
        case _ where !isOwn: .foreign(self)
        case (_, .filled): nil
        case (_, .kept): .kept(self)
        default: hasValue ? .kept(self) : finding.isTypeMismatch ? .misfit(self) : nil
        }
    }
}

extension Registration {
    /// Whether it is unknown what its factory resolves and what its properties get.
    fileprivate var isUnexamined: Bool { isUnmade && history.lastFill == nil }
}
