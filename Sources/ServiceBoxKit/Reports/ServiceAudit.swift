// Part of ServiceBox, released under the MIT License.
// The result of an audit: everything that is wrong with the wiring of a box.

/// The findings of an audit of a box.
///
/// ```swift
/// try box.audit(including: [SettingsScreen()]).requireClean()
/// ```
///
/// Thread-safe. It keeps neither the box nor services alive.
public struct ServiceAudit: Sendable {
    /// Everything that is wrong: first findings about properties, by service and by type, then those about
    /// services.
    public internal(set) var findings: [AuditFinding]
    /// The names of the services that have never been created, sorted: what their factories would resolve is
    /// unknown, and so are their properties if the box knows no object of their type.
    ///
    /// They include services that only children create, unless a child was assumed, and those that only code
    /// creates, from parameters. While there are any, no other service is reported as unused. See
    /// ``ServiceBox/audit(including:makingServices:assuming:)``.
    public var unexamined: [String] { waysToExamine.keys.sorted() }
    var waysToExamine: [String: WayToExamine]
    /// Whether the services were to be created.
    let wasMakingServices: Bool
    let serviceCount: Int
    var typeCount: Int

    /// Throws if there are findings, or allowances without a finding.
    ///
    /// ```swift
    /// try box.audit().requireClean(allowing: ["ProfileScreen.analytics"])
    /// ```
    ///
    /// - Parameter allowed: The ``AuditFinding/subject`` of each finding that doesn't matter.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/unclean``, whose text has every
    ///   other finding, and every allowance that is no longer needed.
    public func requireClean(allowing allowed: [String] = []) throws(ServiceBoxError) {
        let subjects = Set(self.findings.map(\.subject))
        let needless = allowed.filter { !subjects.contains($0) }
        let findings = self.findings.filter { !allowed.contains($0.subject) }
        if findings.isEmpty, needless.isEmpty { return }
        throw ServiceBoxError(.unclean, about: findings.map(\.subject) + needless) {
            Message.list(
                "Can't pass the audit", needless.isEmpty ? "findings" : "findings and needless allowances",
                findings.map { $0.explain() } + needless.map(Message.needlessAllowance))
        }
    }
}

extension ServiceAudit: CustomStringConvertible {
    /// A summary, then a line for each finding, and what was not examined.
    public var description: String {
        var lines = [Message.auditSummary(services: serviceCount, types: typeCount, findings: findings.count)]
        lines += findings.map { "  \($0)" }
        let byWay = Dictionary(grouping: unexamined) { waysToExamine[$0] }
        for way in WayToExamine.allCases {
            guard let names = byWay[way] else { continue }
            lines.append("  \(Message.unexamined(names, by: way, wasMakingServices: wasMakingServices))")
        }
        return lines.joined(separator: "\n")
    }
}

/// A single problem in the wiring of a box.
///
/// Thread-safe.
public struct AuditFinding: Sendable {
    /// The kind of problem.
    public let kind: PropertyReport.Outcome
    /// The subject: a property such as `Screen.cache`, a service's name, or a type.
    public let subject: String
    /// The property, if it is about one.
    public internal(set) var property: PropertyReport?
    /// Whether the subject is the name of a service.
    var isAboutService = false
    let explain: @Sendable () -> Explanation

    /// Whether it is only probably a mistake: an optional property is empty and looks like a slip.
    public var isWarning: Bool { property?.isWarning ?? false }

    /// The full explanation: what is wrong, what was wanted and found, and what to do.
    public var explanation: String { explain().text }
}

extension AuditFinding {
    /// A finding about a property.
    init(_ property: PropertyReport) {
        self.init(kind: property.outcome, subject: property.subject, property: property) {
            property.explained
        }
    }
}

extension AuditFinding: CustomStringConvertible {
    /// The subject and the problem, on one line.
    public var description: String {
        let subject = isAboutService ? "'\(subject)'" : subject
        return "\(isWarning ? Message.warning : "")\(subject): \(explain().line)"
    }
}

extension Registration {
    fileprivate func wayToExamine(isLeftToChildren: Bool) -> WayToExamine {
        if parametersType != nil { return .passingParameters }
        if isAwaited {
            let isKept = lifetime == .lazy || lifetime == .eager
            return !isKept ? .none : isPerBox ? .startingChild : .starting
        }
        return isLeftToChildren ? .assumingChild : .creating
    }
}

extension [Registration] {
    /// What it takes to examine them, by name.
    func waysToExamine(areLeftToChildren: Bool = false) -> [String: WayToExamine] {
        reduce(into: [:]) { $0[$1.name] = $1.wayToExamine(isLeftToChildren: areLeftToChildren) }
    }
}
