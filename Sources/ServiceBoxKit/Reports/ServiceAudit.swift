// Part of ServiceBox, released under the MIT License.
// What is wrong with the wiring of a box, all at once.

/// What an audit of a box found.
///
/// ```swift
/// try box.audit(including: [SettingsScreen()]).requireClean()
/// ```
///
/// Thread-safe. It keeps neither the box nor services alive.
public struct ServiceAudit: Sendable {
    /// What is wrong: first what concerns properties, service by service and type by type, then what concerns
    /// services.
    public let findings: [AuditFinding]
    /// The names of the services that have never been made, sorted: what their factories ask for is unknown, and
    /// so are their properties if the box knows no object of their type.
    ///
    /// As long as there are any, no service counts as unused. See `makingServices` of
    /// ``ServiceBox/audit(including:makingServices:)``.
    public let unexamined: [String]
    let serviceCount: Int
    let typeCount: Int

    /// Throws if something was found.
    ///
    /// - Parameter allowed: Kinds of findings that do not matter here.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/unclean``, whose text has every
    ///   finding of another kind.
    public func requireClean(allowing allowed: Set<PropertyReport.Outcome> = []) throws(ServiceBoxError) {
        let findings = findings.filter { !allowed.contains($0.kind) }
        if findings.isEmpty { return }
        throw ServiceBoxError(.unclean, about: findings.map(\.subject)) {
            Message.list("Can't pass the audit", "findings", findings.map { $0.explain() })
        }
    }
}

extension ServiceAudit: CustomStringConvertible {
    /// A summary, then a line for each finding, and what was not examined.
    public var description: String {
        var lines = [Message.auditSummary(services: serviceCount, types: typeCount, findings: findings.count)]
        lines += findings.map { "  \($0)" }
        if !unexamined.isEmpty { lines.append("  \(Message.unexamined(unexamined))") }
        return lines.joined(separator: "\n")
    }
}

/// One thing that is wrong with the wiring of a box.
///
/// Thread-safe.
public struct AuditFinding: Sendable {
    /// What kind of thing it is.
    public let kind: PropertyReport.Outcome
    /// What it is about: a property as `Screen.cache`, a service's name or a type.
    public let subject: String
    /// The property, if it is about one.
    public let property: PropertyReport?
    fileprivate let explain: @Sendable () -> Explanation

    init(
        _ kind: PropertyReport.Outcome, about subject: String, _ property: PropertyReport? = nil,
        explain: @escaping @Sendable () -> Explanation
    ) {
        self.kind = kind
        self.subject = subject
        self.property = property
        self.explain = explain
    }

    /// The whole story: what is wrong, what was wanted and found, and what to do.
    public var explanation: String { explain().text }
}

extension AuditFinding: CustomStringConvertible {
    /// What it is about and what is wrong, on one line.
    public var description: String { "\(subject): \(explain().line)" }
}

// MARK: - Auditing

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
        func finding(_ record: PropertyRecord, claimed: Set<String>) -> AuditFinding {
            let property = PropertyReport(record, search: search, claimed: claimed)
            return AuditFinding(property.outcome, about: property.subject, property) { property.explained }
        }
        var findings = map.subjects.flatMap { subject in
            // Most properties are as they should be, and need no words.
            let holes = subject.properties.filter { $0.finding.kind == .hole }
            let claimed = holes.isEmpty ? [] : subject.properties.claimedNames(of: subject.service?.name)
            return holes.map { finding($0, claimed: claimed) }
        }
        findings += map.strongCycles.map { finding($0.note, claimed: []) }
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
            guard case .failure(let error) = Result(catching: registration.supplier.create) else {
                return nil
            }
            return AuditFinding(.failed, about: "'\(service.name)'") {
                var explanation = error.explained
                explanation.facts.insert(("Service", service.phrase), at: 0)
                return explanation
            }
        }
    }

    private var replacements: [AuditFinding] {
        let replacements = ledger.state.withLock { $0.replacements }.filter(\.value.isDoubtful)
        return replacements.sorted { $0.key < $1.key }.map { name, replacement in
            AuditFinding(.replaced, about: "'\(name)'") { Message.replacedService(replacement) }
        }
    }

    private var ambiguousTypes: [AuditFinding] {
        let types = ledger.state.withLock { $0.typesLookedUp.values }
        return types.sorted { TypeName.sorting($0) < TypeName.sorting($1) }.compactMap { type in
            let found = registry.registrations(fitting: CellRequest(type: type))
            let candidates = ServiceListing(found.map(ServiceDescription.init))
            return found.count < 2
                ? nil
                : AuditFinding(.ambiguousType, about: TypeName.of(type)) {
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
