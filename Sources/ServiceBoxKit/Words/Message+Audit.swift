// Part of ServiceBox, released under the MIT License.
// What an audit says beside what reports say, and the lines of a wiring.

extension Message {
    /// The first line of an audit.
    static func auditSummary(services: Int, types: Int, findings: Int) -> String {
        let subject = "\(counted(services, "service", "services")) and \(counted(types, "type", "types"))"
        return "Audit of \(subject): \(findings == 0 ? "clean" : counted(findings, "finding", "findings"))."
    }

    /// The line on what was not looked into.
    static func unexamined(_ names: [String]) -> String {
        "Never made, so not looked into: \(names.map { "'\($0)'" }.joined(separator: ", "))"
    }

    /// The explanation of the error that an audit ends in.
    static func unclean(explanations: [Explanation]) -> Explanation {
        if explanations.count == 1 { return explanations[0] }
        let reason = "\(explanations.count) findings"
        return Explanation(
            reason: reason, headline: "Can't call the wiring clean: \(reason).", parts: explanations)
    }

    /// Nothing asks for a service.
    static func unused(_ service: Service, place: String) -> Explanation {
        let reason = "nothing asks for it"
        return Explanation(
            reason: reason, headline: "Can't find a use for '\(service.name)': \(reason).",
            facts: [("Service", service.phrase), ("Registered", place)],
            instruction: "To fix, remove the registration, or include the types that take it in the audit.")
    }

    /// A service took the name of one of another type, or of one that was handed out.
    static func replaced(_ replacement: Replacement) -> Explanation {
        let name = replacement.service.name
        let (new, old) = TypeName.distinct(replacement.service.type, replacement.replacedType)
        let taken = replacement.wasHandedOut ? " that was handed out before" : ""
        let reason =
            replacement.isOfAnotherType
            ? "\(TypeName.withArticle(new)) replaced \(TypeName.withArticle(old))\(taken)"
            : "\(TypeName.withArticle(new)) replaced another one\(taken)"
        return Explanation(
            reason: reason, headline: "Can't tell what '\(name)' stands for: \(reason).",
            facts: [
                ("Replaced", "\(old), \(replacement.replacedPlace)"),
                ("Registered", "\(new), \(replacement.place)"),
            ],
            instruction: toFix(
                replacement.isOfAnotherType
                    ? ["register one of them under another name"]
                    : ["register it before anything takes the first one", "refill what holds that"]))
    }

    /// A service could not be made for an audit.
    static func unmakeable(_ service: Service, because error: ServiceBoxError) -> Explanation {
        var explanation = error.explained
        explanation.facts.insert(("Service", service.phrase), at: 0)
        return explanation
    }

    /// A line of the wiring: a property and its service.
    static func wiring(_ property: String, service: [String], name: String) -> String {
        "\(property): \((["'\(name)'"] + service).joined(separator: ", "))"
    }

    /// A line of the wiring: a property that takes all services of a type, of which there are none.
    static func wiringOfNothing(_ property: String) -> String {
        "\(property): every service that fits, none does"
    }

    /// A line of the wiring: a property that gets nothing.
    static func wiring(_ property: String, lacking name: String, outcome: String) -> String {
        "\(property): nothing\(name.isEmpty ? "" : " for '\(name)'") (\(outcome))"
    }

    /// How the wiring calls a service without a lifetime.
    static func wiringKind(hasParameters: Bool) -> String { hasParameters ? "with parameters" : "ready-made" }

    /// A line of the wiring: a service whose properties are not known.
    static func wiringUnknown(_ service: [String], name: String) -> String {
        "\((["'\(name)'"] + service).joined(separator: ", ")): its properties are not known, nothing has made it"
    }
}
