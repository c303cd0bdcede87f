// Part of ServiceBox, released under the MIT License.
// What the library says when a service is looked up, or a box may not be changed or marked.

extension Message {
    /// No service has the name, or none fits the type.
    ///
    /// - Parameters:
    ///   - type: The type that was asked for.
    ///   - name: The name that was asked for, if one was.
    ///   - registered: What there is; nil if that is not known any more.
    ///   - hint: What may have been meant, if anything.
    ///   - isOld: Whether the box has changed since.
    /// - Returns: The message.
    static func notRegistered(
        _ type: Any.Type, name: String?, registered: Listing?, hint: Hint?, isOld: Bool
    ) -> Explanation {
        let wanted = TypeName.withArticle(TypeName.of(unwrapped(type)))
        let headline =
            name.map {
                "Can't find \(wanted) named '\($0)': no service \(isOld ? "was" : "is") registered under that name."
            } ?? "Can't find \(wanted): no registered service \(isOld ? "fitted" : "fits")."
        return Explanation(
            reason: headline, headline: headline,
            facts: registered.map { [("Registered", $0.phrase)] } ?? [], hint: hint.map(words),
            instruction: toFix(
                asking(for: hint) ?? [
                    name?.isEmpty == true
                        ? "ask for the name that the service is registered under"
                        : "register \(wanted)\(name.map { " as '\($0)'" } ?? "") before looking it up"
                ]))
    }

    /// What fits a type is made from parameters.
    static func madeFromParameters(_ type: Any.Type, found: [Service]) -> Explanation {
        let wanted = TypeName.withArticle(TypeName.of(unwrapped(type)))
        let parameters = Set(found.map { TypeName.of($0.parameters ?? Void.self) })
        let origin = parameters.count == 1 ? TypeName.withArticle(parameters.first ?? "") : "parameters"
        let name = found.first?.name ?? "name"
        let headline = "Can't find \(wanted) by its type alone: it is made from \(origin)."
        return Explanation(
            reason: headline, headline: headline, facts: [("Found", Listing(found).phrase)],
            instruction:
                "To fix, ask for it by its name with \(origin): resolve(\"\(name)\", with: …).")
    }

    /// What is to be said of the box where a look-up is worded later.
    static func laterBox(isGone: Bool) -> (label: String, value: String) {
        let change =
            isGone
            ? "gone since the look-up, and what it had is not known"
            : "changed since the look-up, and told of as it is now"
        return ("Box", change)
    }

    /// The service under a name is of another type.
    static func registeredOtherwise(_ type: Any.Type, found: Service, hint: Hint?) -> Explanation {
        let (wanted, present) = TypeName.distinct(unwrapped(type), found.type)
        let headline =
            "Can't find \(TypeName.withArticle(wanted)) named '\(found.name)': the service under that name is "
            + "\(TypeName.withArticle(present))."
        return Explanation(
            reason: headline, headline: headline, facts: [("Found", found.phrase)], hint: hint.map(words),
            instruction: toFix(
                asking(for: hint) ?? [
                    hint?.isHidden == true
                        ? "register the \(present) under another name"
                        : "register \(TypeName.withArticle(wanted)) under that name",
                    "ask for \(TypeName.withArticle(present))",
                ]))
    }

    /// The service under a name is made from other parameters.
    ///
    /// - Parameters:
    ///   - type: The type that was asked for.
    ///   - found: The service under the name.
    ///   - given: The type of the parameters that were given, if some were.
    ///   - taken: The type of the parameters that it is made from, if it is.
    /// - Returns: The message.
    static func otherParameters(
        _ type: Any.Type, found: Service, given: Any.Type?, taken: Any.Type?
    ) -> Explanation {
        let wanted = TypeName.of(unwrapped(type))
        let (givenName, takenName) = TypeName.distinct(given ?? Void.self, taken ?? Void.self)
        let headline =
            "Can't make \(TypeName.withArticle(wanted)) named '\(found.name)'"
            + (given == nil ? "" : " from \(TypeName.withArticle(givenName))") + ": it is made "
            + (taken == nil ? "without parameters." : "from \(TypeName.withArticle(takenName)).")
        return Explanation(
            reason: headline, headline: headline, facts: [("Found", found.phrase)],
            instruction: taken == nil
                ? "To fix, ask for it without parameters."
                : "To fix, ask for it with \(TypeName.withArticle(takenName)): resolve(\"\(found.name)\", with: …)."
        )
    }

    /// The service under a name is registered as another type than the one that a provider was asked for.
    static func otherProvider(_ type: Any.Type, found: Service, hint: Hint?) -> Explanation {
        let (wanted, present) = TypeName.distinct(unwrapped(type), found.type)
        let headline =
            "Can't find a provider of \(wanted) named '\(found.name)': its service is registered as "
            + "\(TypeName.withArticle(present))."
        return Explanation(
            reason: headline, headline: headline, facts: [("Found", found.phrase)], hint: hint.map(words),
            instruction: toFix(
                asking(for: hint) ?? [
                    "register it as \(key(found.name, wanted, of: type))", "ask for a provider of \(present)",
                ]))
    }

    /// Several services fit a type.
    ///
    /// - Parameters:
    ///   - type: The type that was asked for.
    ///   - count: How many services fit.
    ///   - candidates: Those that fit by now; nil if they are not known.
    /// - Returns: The message.
    static func ambiguous(_ type: Any.Type, count: Int, candidates: Listing?) -> Explanation {
        let wanted = TypeName.of(unwrapped(type))
        let headline = "Can't choose \(TypeName.withArticle(wanted)): \(count) registered services fit."
        let name = candidates?.first.first?.name
        return Explanation(
            reason: headline, headline: headline,
            facts: candidates.map { [("Candidates", $0.phrase)] } ?? [],
            instruction:
                "To fix, ask for one of them by its name"
                + (name.map { ": resolve(\(key($0, wanted, of: type)))." } ?? "."))
    }

    /// A sealed box was to be changed.
    ///
    /// - Parameters:
    ///   - action: What was to be done, up to the words "a sealed box".
    ///   - seal: Where the box was sealed.
    ///   - location: Where it was to be changed.
    /// - Returns: The message.
    static func sealed(_ action: String, seal: String, at location: String) -> String {
        stop(
            "Can't \(action) a sealed box.", facts: [("Sealed", seal), ("Changed", location)],
            "To fix, change the box before it is sealed, or make a child or a copy and change that.")
    }

    /// A service is to be marked as live that is not there.
    ///
    /// - Parameters:
    ///   - name: The name that was to be marked.
    ///   - registered: What there is.
    ///   - nearest: Names that may have been meant.
    ///   - location: Where it was to be marked.
    /// - Returns: The message.
    static func unknownLive(
        _ name: String, registered: Listing, nearest: [String], at location: String
    ) -> String {
        let reason = "no service is registered under that name"
        return Explanation(
            reason: reason, headline: "Can't mark '\(name)' as live: \(reason).",
            facts: [("Registered", registered.phrase), ("Marked", location)], hint: question(nearest),
            instruction: nearest.isEmpty
                ? "To fix, register the service before marking it." : toFix(["mark \(choice(nearest))"])
        ).text
    }

    /// The service for a property could not be made, or some of all that it takes.
    static func failed(
        _ property: Property, failures: [(service: Service, error: ServiceBoxError)]
    ) -> Explanation {
        let isOne = failures.count == 1
        let lookUp = isOne ? failures.first?.error.explainedLookUp : nil
        return hole(
            property,
            isOne ? "its service could not be made" : "\(failures.count) of its services could not be made",
            facts: failures.flatMap { [("Found", $0.service.phrase), ("Error", $0.error.headline)] },
            hint: lookUp?.hint,
            lookUp?.instruction
                ?? "To fix, mend what the \(isOne ? "error names; it" : "errors name; the first") is kept in the report whole."
        )
    }

    /// A weak property is all that would hold its service.
    static func notKept(_ property: Property, service: Service) -> Explanation {
        hole(
            property, "it holds its service weakly, and nobody else keeps it",
            facts: [("Found", service.phrase)],
            toFix([
                "declare the property with @Injected",
                "register the service with a lifetime that keeps it, such as .lazy",
            ]))
    }

    /// A property takes all services of a type.
    static func gathered(_ property: Property, services: [Service]) -> Explanation {
        let reason =
            services.isEmpty
            ? "filled with no service, none fits"
            : "filled with \(services.map(\.phrase).joined(separator: ", "))"
        return Explanation(
            reason: reason, headline: "'\(property.name)' of \(TypeName.of(property.owner)) is \(reason).",
            facts: [("Property", property.phrase)])
    }

    /// The way to the service that a hint names; nil if it names none.
    private static func asking(for hint: Hint?) -> [String]? {
        switch hint {
        case .present: ["look it up again", "register it before looking it up"]
        case .near(let names): ["ask for \(choice(names))"]
        case .elsewhere(let services):
            ["ask for \(services.count == 1 ? "" : "one of them, as ")'\(services.first?.name ?? "name")'"]
        default: nil
        }
    }

    /// A key as code.
    private static func key(_ name: String, _ typeName: String, of type: Any.Type) -> String {
        "ServiceKey<\(TypeName.isProtocol(type) ? "any " : "")\(typeName)>(\"\(name)\")"
    }
}
