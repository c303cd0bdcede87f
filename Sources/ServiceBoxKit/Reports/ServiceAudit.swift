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
    public internal(set) var findings: [AuditFinding]
    /// The names of the services that have never been made, sorted: what their factories ask for is unknown, and
    /// so are their properties if the box knows no object of their type.
    ///
    /// Services that only children make are among them, unless a child was assumed. As long as there are any, no service
    /// counts as unused. See ``ServiceBox/audit(including:makingServices:assuming:)``.
    public internal(set) var unexamined: [String]
    /// Those of them that only children make.
    var leftToChildren: Set<String> = []
    /// Whether all others were to be made.
    let wasMakingServices: Bool
    let serviceCount: Int
    var typeCount: Int

    /// Throws if something was found, or allowed that wasn't.
    ///
    /// ```swift
    /// try box.audit().requireClean(allowing: ["ProfileScreen.analytics"])
    /// ```
    ///
    /// - Parameter allowed: What may be wrong: the ``AuditFinding/subject`` of each finding that doesn't matter.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/unclean``, whose text has every other
    ///   finding, and every allowance that nothing needs any more.
    public func requireClean(allowing allowed: [String] = []) throws(ServiceBoxError) {
        let subjects = Set(self.findings.map(\.subject))
        let needless = allowed.filter { !subjects.contains($0) }
        let findings = self.findings.filter { !allowed.contains($0.subject) }
        if findings.isEmpty, needless.isEmpty { return }
        throw ServiceBoxError(.unclean, about: findings.map(\.subject) + needless) {
            Message.list(
                "Can't pass the audit", "findings",
                findings.map { $0.explain() } + needless.map(Message.needlessAllowance))
        }
    }
}

extension ServiceAudit: CustomStringConvertible {
    /// A summary, then a line for each finding, and what was not examined.
    public var description: String {
        var lines = [Message.auditSummary(services: serviceCount, types: typeCount, findings: findings.count)]
        lines += findings.map { "  \($0)" }
        let unmade = unexamined.filter { !leftToChildren.contains($0) }
        for (names, way) in [
            (unmade, wasMakingServices ? nil : "makingServices: true"),
            (leftToChildren.sorted(), "assuming: { child in … }"),
        ] where !names.isEmpty {
            lines.append("  \(Message.unexamined(names, way: way))")
        }
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
    public internal(set) var property: PropertyReport?
    /// Whether the subject is the name of a service.
    var isAboutService = false
    let explain: @Sendable () -> Explanation

    /// Whether it is only likely to be a mistake: an optional property is empty and looks like a slip.
    public var isWarning: Bool { property?.isWarning ?? false }

    /// The whole story: what is wrong, what was wanted and found, and what to do.
    public var explanation: String { explain().text }
}

extension AuditFinding {
    /// What is wrong with a property.
    init(_ property: PropertyReport) {
        self.init(kind: property.outcome, subject: property.subject, property: property) {
            property.explained
        }
    }
}

extension AuditFinding: CustomStringConvertible {
    /// What it is about and what is wrong, on one line.
    public var description: String {
        let subject = isAboutService ? "'\(subject)'" : subject
        return "\(isWarning ? Message.warning : "")\(subject): \(explain().line)"
    }
}
