// Part of ServiceBox, released under the MIT License.
// The lines of reports, events, audits, graphs and the wiring.

// MARK: - Reports and events

extension Message {
    /// A service or an object: `'cache' (Cache)`, or `Screen`.
    static func subject(of type: Any.Type, name: String?) -> String {
        name.map { "'\($0)' (\(TypeName.of(type)))" } ?? TypeName.of(type)
    }

    /// The first line of a report.
    static func summary(of type: Any.Type, name: String?, _ properties: [PropertyRecord]) -> String {
        func count(_ kind: Finding.Kind) -> Int { properties.count { $0.finding.kind == kind } }
        let (filled, kept, holes) = (count(.filled), count(.kept), count(.hole))
        let total = filled + kept + holes
        let subject = subject(of: type, name: name)
        if total == 0 { return "\(subject): nothing to fill." }
        var parts = ["\(filled) of \(total) filled"]
        if kept > 0 { parts.append("\(kept) kept") }
        let optional = holes - properties.count(where: \.isRequiredHole)
        if holes > optional { parts.append(counted(holes - optional, "hole")) }
        if optional > 0 { parts.append("\(optional) optional left empty") }
        return "\(subject): \(parts.joined(separator: ", "))."
    }

    /// The last line of a report that doesn't show all properties.
    static func more(_ count: Int) -> String { "… and \(count) more" }

    /// The explanation of an error that lists several problems, or the only problem itself.
    static func list(_ problem: String, _ noun: String, _ parts: [Explanation]) -> Explanation {
        if parts.count == 1 { return parts[0] }
        var explanation = Explanation(problem, because: "\(parts.count) \(noun)")
        explanation.parts = parts
        return explanation
    }

    /// How often a service was taken.
    static func use(of type: Any.Type, name: String, properties: Int, wasResolved: Bool) -> String {
        let parts =
            (properties > 0 ? [counted(properties, "property", "properties")] : [])
            + (wasResolved ? ["looked up"] : [])
        return "\(subject(of: type, name: name)): \(parts.isEmpty ? "unused" : parts.joined(separator: ", "))"
    }

    /// What an event adds about a service that was replaced, where that may be a mistake.
    static func replaced(_ replacement: ServiceReplacement) -> String {
        guard replacement.isDoubtful else { return "" }
        return ", was \(former(replacement))\(replacement.wasHandedOut ? " and was handed out" : "")"
    }

    /// The service that was replaced: `a Bar registered at App/A.swift:1`.
    static func former(_ replacement: ServiceReplacement) -> String {
        let (old, _) = TypeName.distinct(replacement.old.type, replacement.new.type)
        return "\(TypeName.withArticle(old)) registered at \(replacement.old.location)"
    }

    /// What happened in a child, as its ancestors' observers read it.
    static func event(_ event: String, inChild name: String) -> String { "in '\(name)': \(event)" }
}

// MARK: - Audits

extension Message {
    /// The first line of an audit.
    static func auditSummary(services: Int, types: Int, findings: Int) -> String {
        let subject = "\(counted(services, "service")) and \(counted(types, "type"))"
        return "Audit of \(subject): \(findings == 0 ? "clean" : counted(findings, "finding"))."
    }

    /// The line on services that an audit knows nothing about.
    static func unexamined(_ names: [String]) -> String {
        "Never made, so not examined: \(names.map { "'\($0)'" }.joined(separator: ", "))"
    }

    /// Nothing asks for a service.
    static func unused(_ service: ServiceDescription) -> Explanation {
        Explanation(
            "Can't find a use for '\(service.name)'", because: "nothing asks for it",
            facts: [("Service", service.phrase), ("Registered", "\(service.location)")],
            fix: ["remove the registration", "include the types that take it in the audit"])
    }

    /// A service took the name of one of another type, or of one that was handed out.
    static func replacedService(_ replacement: ServiceReplacement) -> Explanation {
        let (new, old) = TypeName.distinct(replacement.new.type, replacement.old.type)
        let isOfAnotherType = replacement.isOfAnotherType
        return Explanation(
            "Can't tell what '\(replacement.new.name)' stands for",
            because: "\(TypeName.withArticle(new)) replaced "
                + (isOfAnotherType ? TypeName.withArticle(old) : "another one")
                + (replacement.wasHandedOut ? " that was handed out before" : ""),
            facts: [
                ("Replaced", "\(old), \(replacement.old.location)"),
                ("Registered", "\(new), \(replacement.new.location)"),
            ],
            fix: isOfAnotherType
                ? ["register one of them under another name"]
                : ["register it before anything takes the first one", "refill the holders of the first one"])
    }
}

// MARK: - Graphs and the wiring

extension Message {
    /// The first line of a graph.
    static func graphSummary(services: Int, types: Int, properties: Int, holes: Int) -> String {
        let parts = [
            counted(services, "service"), counted(types, "type"),
            counted(properties, "property", "properties"),
            counted(holes, "hole"),
        ]
        return "Graph of a box: \(parts.joined(separator: ", "))."
    }

    /// A service that was never made.
    static let graphUnmade = "not made"

    /// The place among all that was filled: `filled 1st`, `filled 2nd`, `filled 11th`.
    static func graphOrder(_ number: Int) -> String {
        let isTeen = (11...13).contains(number % 100)
        let suffix = isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return "filled \(number)\(suffix)"
    }

    /// A property of a graph, with the service that it has or wants.
    static func graphProperty(
        _ property: String, outcome: String, service: String, wanted: String, isWeak: Bool
    ) -> String {
        switch outcome {
        case "filled": "\(property) \(isWeak ? "⇢" : "→") '\(service)'"
        case "kept": "\(property) kept what it held"
        default: "\(property) ✗ \(outcome)\(service.isEmpty ? "" : ", wants '\(service)' (\(wanted))")"
        }
    }

    /// What a drawing shows in the place of a service that isn't there.
    static func graphLack(of name: String, outcome: String) -> String {
        switch outcome {
        case "missing": "no '\(name)'"
        case "typeMismatch": "'\(name)' is of another type"
        case "failed": "'\(name)' could not be made"
        default: outcome
        }
    }

    /// A line of the wiring: a property and its service, or a service whose properties are unknown.
    static func wiring(_ property: String?, service facts: [String]) -> String {
        let service = facts.joined(separator: ", ")
        return property.map { "\($0): \(service)" } ?? "\(service): properties unknown, never made"
    }

    /// A line of the wiring: a property that takes all services of a type, of which there are none.
    static func wiringOfNothing(_ property: String) -> String { "\(property): no services, none fits" }

    /// A line of the wiring: a property that gets nothing.
    static func wiring(_ property: String, lacking name: String, outcome: String) -> String {
        "\(property): nothing\(name.isEmpty ? "" : " for '\(name)'") (\(outcome))"
    }

    /// What the wiring and a box say of a service without a lifetime.
    static func wiringKind(hasParameters: Bool) -> String { hasParameters ? "with parameters" : "ready-made" }
}
