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
        let required = properties.count(where: \.isRequiredHole)
        let partly = properties.count { $0.finding.kind == .hole && $0.finding.hasGiven }
        let valued = properties.count {
            $0.finding.kind == .hole && !$0.finding.hasGiven && $0.isDefaulted
        }
        let optional = holes - required - partly - valued
        if required > 0 { parts.append(counted(required, "hole")) }
        if partly > 0 { parts.append("\(partly) filled in part") }
        if valued > 0 { parts.append("\(valued) left with \(valued == 1 ? "its" : "their") own value") }
        if optional > 0 { parts.append("\(optional) optional left empty") }
        return "\(subject): \(parts.joined(separator: ", "))."
    }

    /// The last line of a report that doesn't show all properties.
    package static func more(_ count: Int) -> String { "… and \(count) more" }

    /// The explanation of an error that lists several problems, or the only problem itself.
    static func list(_ problem: String, _ noun: String, _ parts: [Explanation]) -> Explanation {
        parts.count == 1 ? parts[0] : Explanation(problem, because: "\(parts.count) \(noun)", parts: parts)
    }

    /// The number of times that a service was taken, and what else its box did with it.
    static func use(
        of type: Any.Type, name: String, properties: Int, factories: Int, wasResolved: Bool, wasStarted: Bool
    ) -> String {
        let parts =
            (properties > 0 ? [counted(properties, "property", "properties")] : [])
            + (wasResolved ? ["looked up"] : [])
            + (factories > 0 ? ["asked for by \(counted(factories, "factory", "factories"))"] : [])
            + (wasStarted ? ["started"] : [])
        return "\(subject(of: type, name: name)): \(parts.isEmpty ? "unused" : parts.joined(separator: ", "))"
    }

    /// An event's note about a replaced service, if that may be a mistake.
    static func replaced(_ replacement: ServiceReplacement) -> String {
        guard replacement.isDoubtful else { return "" }
        if let decoration = replacement.decoration {
            return ", was handed out before it was decorated at \(decoration)"
        }
        return ", was \(former(replacement))\(replacement.wasHandedOut ? " and was handed out" : "")"
    }

    /// The service that was replaced: `a Bar registered at App/A.swift:1`.
    static func former(_ replacement: ServiceReplacement) -> String {
        let (old, _) = TypeName.distinct(replacement.old.type, replacement.new.type)
        return "\(TypeName.withArticle(old)) registered at \(replacement.old.location)"
    }

    /// An event in a child, as its ancestors' observers read it.
    static func event(_ event: String, inChild name: String) -> String { "in '\(name)': \(event)" }
}

// MARK: - Audits

extension Message {
    /// The first line of an audit.
    static func auditSummary(services: Int, types: Int, findings: Int) -> String {
        let subject = "\(counted(services, "service")) and \(counted(types, "type"))"
        return "Audit of \(subject): \(findings == 0 ? "clean" : counted(findings, "finding"))."
    }

    /// The services that an audit couldn't examine, with a way to examine them, unless it was tried.
    static func unexamined(
        _ names: [String], by way: WayToExamine, wasMakingServices: Bool
    ) -> String {
        let words: String? =
            switch way {
            case .creating: wasMakingServices ? nil : "makingServices: true"
            case .starting: "start() of the box before the audit"
            case .passingParameters: "resolve(…, with: …) before the audit"
            case .assumingChild: "assuming: { child in … }"
            case .startingChild: "an audit of a child after its start()"
            case .none: nil
            }
        return "Never made, so not examined: \(names.quoted(", "))"
            + (words.map { "; examine \(names.count == 1 ? "it" : "them") with \($0)" } ?? "")
    }

    /// The prefix of a finding that is only probably a mistake.
    static let warning = "warning: "

    /// An allowance matches no finding.
    static func needlessAllowance(_ subject: String) -> Explanation {
        Explanation(
            "Can't see what '\(subject)' is allowed for", because: "the audit finds nothing there",
            fix: ["remove it from the allowances"])
    }

    /// A decoration wraps no service.
    static func idleDecoration(
        _ name: String, as type: Any.Type, found: ServiceDescription?, at location: String
    ) -> Explanation {
        guard let found else {
            return Explanation(
                "Can't decorate '\(name)'", because: "it is decorated, but not registered",
                facts: [("Decorated", location)],
                fix: ["register a service as '\(name)'", "remove the decoration"])
        }
        return Explanation(
            "Can't decorate '\(name)' as \(TypeName.withArticle(of: type))",
            because: found.parameters.map {
                "it is made from \(TypeName.withArticle(of: $0)) on each call"
            } ?? "it is registered as \(TypeName.withArticle(of: found.type))",
            facts: [("Registered", "\(found.location)"), ("Decorated", location)],
            fix: [
                found.parameters == nil ? "register and decorate it with one key" : "wrap it in its factory"
            ])
    }

    /// A service that all boxes share takes one that each child creates for itself.
    static func captive(_ service: ServiceDescription, holding names: [String]) -> Explanation {
        let taken = names.quoted(" and ")
        return Explanation(
            "Can't share '\(service.name)' with the children",
            because: "it takes this box's \(taken), and each child creates its own",
            facts: [("Service", service.phrase), ("Registered", "\(service.location)")],
            fix: [
                service.parameters == nil
                    ? "register '\(service.name)' with a factory and per: .box"
                    : "register a function that makes it, with per: .box",
                "register \(taken) without per: .box",
                "pass \(taken) as \(names.count == 1 ? "an argument" : "arguments")",
            ])
    }

    /// A service was registered and removed unused.
    static func removedUnused(_ service: ServiceDescription) -> Explanation {
        Explanation(
            "Can't see what '\(service.name)' was registered for",
            because: "it was removed, and nothing had asked for it",
            facts: [("Service", service.phrase), ("Registered", "\(service.location)")],
            fix: ["remove the registration and the removal"])
    }

    /// One object is registered under two names.
    static func duplicate(_ service: ServiceDescription, of other: ServiceDescription) -> Explanation {
        Explanation(
            "Can't tell '\(service.name)' from '\(other.name)'",
            because:
                "they are the same object, registered twice as \(TypeName.withArticle(of: service.type))",
            facts: [("'\(other.name)'", "\(other.location)"), ("'\(service.name)'", "\(service.location)")],
            fix: ["register it once", "register it as the interface that each of its users asks for"])
    }

    /// A service isn't used; a plain property probably should use it, or one that doesn't take it.
    static func unused(
        _ service: ServiceDescription, plain property: String?, refusal: Refusal?
    ) -> Explanation {
        let (hint, fix): (String?, [String]) =
            switch (refusal, property) {
            case (.kept(let record)?, _):
                (
                    "\(record.path) asks for it, but keeps a value of its own",
                    ["let nothing but the box set that property"]
                )
            case (.misfit(let record)?, _):
                (
                    "\(record.path), \(TypeName.withArticle(of: record.request.type)), asks for it",
                    ["correct the type of that property", "the type that the service is registered as"]
                )
            case (.foreign(let record)?, _):
                (
                    "\(record.path) asks for it, but another box fills that property",
                    ["let this box create what has that property, such as with per: .box"]
                )
            case (nil, let property?):
                (
                    "\(property) has its name, but is a plain property",
                    ["declare that property with @Injected", "list it in an injection table"]
                )
            case (nil, nil):
                (
                    nil,
                    [
                        "remove the registration", "include the types that take it in the audit",
                        "allow it, if only the program itself asks for it: requireClean(allowing: [\"\(service.name)\"])",
                    ]
                )
            }
        return Explanation(
            "Can't find a use for '\(service.name)'",
            because: refusal == nil ? "nothing asks for it" : "nothing takes it",
            facts: [("Service", service.phrase), ("Registered", "\(service.location)")], hint: hint, fix: fix)
    }

    /// A service replaced one of another type, or one that had been handed out; the properties that hold that
    /// may be unknown, and so may services whose factories have asked for it.
    static func replacedService(
        _ replacement: ServiceReplacement, holders: [String]?, askers: [String]
    ) -> Explanation {
        let (new, old) = TypeName.distinct(replacement.new.type, replacement.old.type)
        let isOfAnotherType = replacement.isOfAnotherType
        let known = holders.map { $0 + askers.map { "perhaps '\($0)', whose factory asked for it" } }
        let held =
            known.map { $0.isEmpty ? "nothing that is known" : $0.joined(separator: ", ") }
            ?? "unknown, since not all fills were tracked"
        let whom = replacement.decoration == nil ? "the holders of the first one" : "its holders"
        let waysToReplace =
            (holders == [] && !askers.isEmpty
                ? []
                : [
                    holders == nil
                        ? "call trackHolders() on each box that fills, before it does, and refill \(whom)"
                        : "refill \(whom)"
                ])
            + (askers.isEmpty
                ? []
                : ["reset() the \(askers.count == 1 ? "provider" : "providers") of \(askers.quoted(" and "))"])
        if let decoration = replacement.decoration {
            return Explanation(
                "Can't tell what '\(replacement.new.name)' stands for",
                because: "it was decorated after it was handed out",
                facts: [
                    ("Registered", "\(old), \(replacement.old.location)"), ("Decorated", "\(decoration)"),
                    ("Held by", held),
                ],
                fix: ["decorate it before anything takes it"] + waysToReplace)
        }
        return Explanation(
            "Can't tell what '\(replacement.new.name)' stands for",
            because: "\(TypeName.withArticle(new)) replaced "
                + (isOfAnotherType ? TypeName.withArticle(old) : "another one")
                + (replacement.wasHandedOut ? " that was handed out before" : ""),
            facts: [
                ("Replaced", "\(old), \(replacement.old.location)"),
                ("Registered", "\(new), \(replacement.new.location)"),
            ] + (replacement.wasHandedOut ? [("Held by", held)] : []),
            fix: isOfAnotherType
                ? ["register one of them under another name"]
                : ["register it before anything takes the first one"] + waysToReplace)
    }

    /// A property that holds a service.
    static func holder(_ property: String, isStale: Bool) -> String {
        isStale ? "\(property), whose service was replaced or removed since" : property
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

    /// The mark of a service that was never created.
    static let graphUnmade = "not made"

    /// The place in the order of fills: `filled 1st`, `filled 2nd`, `filled 11th`.
    static func graphOrder(_ number: Int) -> String {
        let isTeen = (11...13).contains(number % 100)
        let suffix = isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return "filled \(number)\(suffix)"
    }

    /// The module that registered a service.
    static func graphModule(_ name: String) -> String { "from \(name)" }

    /// The label, in place of a property, for a service that wraps another one.
    static let decorates = "decorates"

    /// The label, in place of a property, for a service that a factory looked up.
    static let askedFor = "asked for"

    /// A property in a graph, with the service that it has or wants.
    static func graphProperty(
        _ property: String, outcome: String, service: String, wanted: String, isWeak: Bool
    ) -> String {
        switch outcome {
        case "filled": "\(property) \(isWeak ? "⇢" : "→") '\(service)'"
        case "kept": "\(property) kept what it held"
        case "onRead": "\(property) ⇢ '\(service)', \(onRead)"
        default: "\(property) ✗ \(outcome)\(service.isEmpty ? "" : ", wants '\(service)' (\(wanted))")"
        }
    }

    /// The mark of a property that is looked up on read.
    static let onRead = "at the first read"

    /// The text that a drawing shows in place of a missing service.
    static func graphLack(of name: String, outcome: String) -> String {
        switch outcome {
        case "missing": "no '\(name)'"
        case "typeMismatch": "'\(name)' is of another type"
        case "failed": "'\(name)' could not be made"
        default: outcome
        }
    }

    /// A line of the wiring: a property and its service, or one of its services if it takes all of a type.
    static func wiring(_ property: String, of element: Any.Type?, service facts: [String]) -> String {
        let collection = element.map { "[\(TypeName.of($0))] with " } ?? ""
        return "\(property): \(collection)\(facts.joined(separator: ", "))"
    }

    /// A property, in the wiring, of one of several services of a type that are wired otherwise.
    static func wiring(_ property: String, of service: String) -> String { "\(property) of '\(service)'" }

    /// A line of the wiring: a service whose factory has looked another one up.
    static func wiring(asking name: String, service facts: [String]) -> String {
        "'\(name)' asked for: \(facts.joined(separator: ", "))"
    }

    /// A line of the wiring: a property that takes all services of a type, of which there are none.
    static func wiringOfNothing(_ property: String, of element: Any.Type) -> String {
        "\(property): [\(TypeName.of(element))] with no services, none fits"
    }

    /// A line of the wiring: a service whose properties are unknown.
    static func wiringOfUnknown(_ facts: [String]) -> String {
        "\(facts.joined(separator: ", ")): properties unknown, never made"
    }

    /// A line of the wiring: a property that gets nothing.
    static func wiring(_ property: String, lacking name: String, outcome: String) -> String {
        "\(property): nothing\(name.isEmpty ? "" : " for '\(name)'") (\(outcome))"
    }

    /// A fact about a service in the wiring: one of its decorations.
    static func wiringDecorated(in file: String) -> String { "decorated in \(file)" }

    /// The kind of a service, in the wiring and in a box's description.
    static func kind(_ lifetime: String?, hasParameters: Bool, isPerBox: Bool) -> String {
        let kind = lifetime ?? (hasParameters ? "with parameters" : "ready-made")
        return isPerBox ? "\(kind), per box" : kind
    }
}

/// What it takes to examine a service that has never been created.
enum WayToExamine: CaseIterable {
    case creating
    /// It must be awaited.
    case starting
    case passingParameters
    /// Only children create it.
    case assumingChild
    /// Only children create it, and it must be awaited.
    case startingChild
    /// It must be awaited, and no start keeps it.
    case none
}
