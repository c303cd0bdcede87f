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

    /// Whether nothing was found.
    public var isClean: Bool { findings.isEmpty }

    /// Throws if something was found.
    ///
    /// - Parameter allowed: Kinds of findings that do not matter here.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/unclean``, whose text has every
    ///   finding of another kind.
    public func requireClean(allowing allowed: Set<AuditFinding.Kind> = []) throws(ServiceBoxError) {
        let findings = findings.filter { !allowed.contains($0.kind) }
        if findings.isEmpty { return }
        throw ServiceBoxError(.unclean, about: findings.map(\.subject)) {
            Message.list("Can't pass the audit", "findings", findings.map(\.explained))
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
    /// What kind of thing it is; later versions may add kinds.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        /// A property would get nothing: no service has its name, the service can't be made, or the object can't be
        /// looked into.
        public static let hole = Kind(description: "hole")
        /// The service under a property's name is of another type.
        public static let typeMismatch = Kind(description: "typeMismatch")
        /// A table names a property that the type does not store, or was made for another type.
        public static let tableDrift = Kind(description: "tableDrift")
        /// A property, a table or an actor that only its own actor can fill.
        public static let isolation = Kind(description: "isolation")
        /// A type by which code has looked a service up, and which several services fit by now.
        public static let ambiguousType = Kind(description: "ambiguousType")
        /// A property that closes a cycle of services that keep each other alive.
        public static let strongCycle = Kind(description: "strongCycle")
        /// A service that took the name of one of another type, or of one that was already handed out.
        public static let replaced = Kind(description: "replaced")
        /// A service that nothing has asked for, and no property that is known would ask for.
        public static let unused = Kind(description: "unused")
    }

    /// What kind of thing it is.
    public let kind: Kind
    /// The property, if it is about one.
    public let property: PropertyReport?
    private let name: String
    private let explain: @Sendable () -> Explanation

    init(_ kind: Kind, _ property: PropertyReport) {
        self.kind = kind
        self.property = property
        name = ""
        explain = { property.explained }
    }

    init(_ kind: Kind, about name: String, explain: @escaping @Sendable () -> Explanation) {
        self.kind = kind
        property = nil
        self.name = name
        self.explain = explain
    }

    /// What it is about: a property as `Screen.cache`, a service's name or a type.
    public var subject: String { property?.subject ?? name }

    /// The whole story: what is wrong, what was wanted and found, and what to do.
    public var explanation: String { explained.text }

    var explained: Explanation { explain() }
}

extension AuditFinding: CustomStringConvertible {
    /// What it is about and what is wrong, on one line.
    public var description: String { property?.description ?? "\(subject): \(explained.line)" }
}
