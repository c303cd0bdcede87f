// Part of ServiceBox, released under the MIT License.
// What is said of a look-up that failed.

extension Message {
    /// No service has the name, or none fits the type.
    ///
    /// - Parameters:
    ///   - type: The type that was asked for.
    ///   - name: The name that was asked for, if one was.
    ///   - registered: What is registered; nil if the box is gone.
    ///   - hint: What may have been meant.
    ///   - isOld: Whether the box has changed since.
    /// - Returns: The message.
    static func notRegistered(
        _ type: Any.Type, name: String?, registered: ServiceListing?, hint: Hint?, isOld: Bool
    ) -> Explanation {
        let wanted = TypeName.withArticle(of: unwrapped(type))
        let was = isOld ? "was" : "is"
        return Explanation(
            headline: name.map {
                "Can't find \(wanted) named '\($0)': no service \(was) registered under that name."
            } ?? "Can't find \(wanted): no registered service \(isOld ? "fitted" : "fits").",
            facts: registered.map { [("Registered", $0.phrase)] } ?? [], hint: hint?.clause,
            fix: hint?.waysToAsk ?? [
                name?.isEmpty == true
                    ? "ask for the name that the service is registered under"
                    : "register \(wanted)\(name.map { " as '\($0)'" } ?? "") before looking it up"
            ])
    }

    /// What fits a type is made from parameters.
    static func madeFromParameters(_ type: Any.Type, found: [ServiceDescription]) -> Explanation {
        let parameters = Set(found.map { TypeName.of($0.parameters ?? Void.self) })
        let origin = parameters.count == 1 ? TypeName.withArticle(parameters.first ?? "") : "parameters"
        return Explanation(
            headline: "Can't find \(TypeName.withArticle(of: unwrapped(type))) by its type alone: "
                + "it is made from \(origin).",
            facts: [("Found", ServiceListing(found).phrase)],
            fix: [
                "ask for it by its name with \(origin): resolve(\"\(found.first?.name ?? "name")\", with: …)"
            ])
    }

    /// The box isn't what it was when the look-up failed.
    static func laterBox(isGone: Bool) -> Explanation.Fact {
        ("Box", isGone ? "gone since the look-up" : "changed since the look-up, shown as it is now")
    }

    /// The service under a name is of another type.
    static func registeredOtherwise(_ type: Any.Type, found: ServiceDescription, hint: Hint?) -> Explanation {
        let (wanted, present) = TypeName.distinct(unwrapped(type), found.type)
        return Explanation(
            headline: "Can't find \(TypeName.withArticle(wanted)) named '\(found.name)': "
                + "the service under that name is \(TypeName.withArticle(present)).",
            facts: [("Found", found.phrase)], hint: hint?.clause,
            fix: hint?.waysToAsk ?? [
                hint?.isHidden == true
                    ? "register the \(present) under another name"
                    : "register \(TypeName.withArticle(wanted)) under that name",
                "ask for \(TypeName.withArticle(present))",
            ])
    }

    /// The service under a name is made from other parameters.
    ///
    /// - Parameters:
    ///   - type: The type that was asked for.
    ///   - found: The service under the name.
    ///   - given: The type of the parameters that were given, if any.
    /// - Returns: The message.
    static func otherParameters(
        _ type: Any.Type, found: ServiceDescription, given: Any.Type?
    ) -> Explanation {
        let name = found.name
        let taken = found.parameters
        let (givenName, takenName) = TypeName.distinct(given ?? Void.self, taken ?? Void.self)
        return Explanation(
            headline: "Can't make \(TypeName.withArticle(of: unwrapped(type))) named '\(name)'"
                + (given == nil ? "" : " from \(TypeName.withArticle(givenName))") + ": it is made "
                + (taken == nil ? "without parameters." : "from \(TypeName.withArticle(takenName))."),
            facts: [("Found", found.phrase)],
            fix: [
                taken == nil
                    ? "ask for it without parameters"
                    : "ask for it with \(TypeName.withArticle(takenName)): resolve(\"\(name)\", with: …)"
            ])
    }

    /// The service under a name is registered as another type than the one that a provider was asked for.
    static func otherProvider(_ type: Any.Type, found: ServiceDescription, hint: Hint?) -> Explanation {
        let (wanted, present) = TypeName.distinct(unwrapped(type), found.type)
        return Explanation(
            headline: "Can't find a provider of \(wanted) named '\(found.name)': "
                + "its service is registered as \(TypeName.withArticle(present)).",
            facts: [("Found", found.phrase)], hint: hint?.clause,
            fix: hint?.waysToAsk ?? [
                "register it as \(key(found.name, wanted, of: type))", "ask for a provider of \(present)",
            ])
    }

    /// Several services fit a type.
    ///
    /// - Parameters:
    ///   - type: The type that was asked for.
    ///   - count: How many services fitted.
    ///   - candidates: Those that fit now; nil if the box is gone.
    /// - Returns: The message.
    static func ambiguous(_ type: Any.Type, count: Int, candidates: ServiceListing?) -> Explanation {
        let wanted = TypeName.of(unwrapped(type))
        let name = candidates?.first.first?.name
        return Explanation(
            headline: "Can't choose \(TypeName.withArticle(wanted)): \(count) registered services fit.",
            facts: candidates.map { [("Candidates", $0.phrase)] } ?? [],
            fix: [
                "ask for one of them by its name"
                    + (name.map { ": resolve(\(key($0, wanted, of: type)))" } ?? "")
            ])
    }

    /// A box was asked for holders that it doesn't track.
    ///
    /// - Parameter action: What was asked of the box.
    /// - Returns: The message.
    static func notTracking(_ action: String) -> Explanation {
        Explanation(
            "Can't \(action)", because: "the box does not track who holds its services",
            fix: ["call trackHolders() before filling"])
    }

    /// A key as code.
    private static func key(_ name: String, _ typeName: String, of type: Any.Type) -> String {
        "ServiceKey<\(TypeName.isProtocol(type) ? "any " : "")\(typeName)>(\"\(name)\")"
    }
}
