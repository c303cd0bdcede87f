// Part of ServiceBox, released under the MIT License.
// Messages of failed look-ups.

extension Message {
    /// No service has the name, or none fits the type; if the box is gone, what is registered is unknown.
    static func notRegistered(
        _ type: Any.Type, name: String?, registered: ServiceListing?, hint: Hint?, isOld: Bool
    ) -> Explanation {
        let wanted = TypeName.withArticle(
            TypeName.distinct(unwrapped(type), from: registered?.first.map(\.type) ?? []))
        let problem =
            name.map { " named '\($0)': no service \(isOld ? "was" : "is") registered under that name" }
            ?? ": no registered service \(isOld ? "fitted" : "fits")"
        let way =
            name?.isEmpty == true
            ? "ask for the name that the service is registered under"
            : "register \(wanted)\(name.map { " as '\($0)'" } ?? "") before looking it up"
        return Explanation(
            "Can't find \(wanted)\(problem)", facts: registered?.facts ?? [],
            hint: hint?.clause, fix: hint?.ways(to: "ask for") ?? [way])
    }

    /// The services that fit a type are created from parameters.
    static func madeFromParameters(_ type: Any.Type, found: [ServiceDescription]) -> Explanation {
        let parameters = Set(found.map { TypeName.of($0.parameters ?? Void.self) })
        let origin = parameters.count == 1 ? TypeName.withArticle(parameters.first ?? "") : "parameters"
        return Explanation(
            "Can't find \(TypeName.withArticle(of: unwrapped(type))) by its type alone: it is made from \(origin)",
            facts: [("Found", ServiceListing(found).phrase)],
            fix: [
                "ask for it by its name with \(origin): resolve(\"\(found.first?.name ?? "name")\", with: …)"
            ])
    }

    /// The box has changed since the look-up failed, or is gone; it is shown as it is, or last was.
    static func laterBox(isGone: Bool, wasSeen: Bool) -> Explanation.Fact {
        let state = isGone ? "was last" : "is now"
        return ("Box", wasSeen ? "changed since the look-up, shown as it \(state)" : "gone since the look-up")
    }

    /// The service under a name is of another type, or registered as another than the one that a provider was asked
    /// for.
    static func registeredOtherwise(
        _ type: Any.Type, found: ServiceDescription, hint: Hint?, isProvider: Bool
    ) -> Explanation {
        let (wanted, present) = TypeName.distinct(unwrapped(type), found.type)
        let (aWanted, aPresent) = (TypeName.withArticle(wanted), TypeName.withArticle(present))
        let problem =
            isProvider
            ? "a provider of \(wanted) named '\(found.name)': its service is registered as \(aPresent)"
            : "\(aWanted) named '\(found.name)': the service under that name is \(aPresent)"
        let ways =
            isProvider
            ? [wayToRegister(as: type, named: found.name), "ask for a provider of \(present)"]
            : [wayToRegister(wanted, inPlaceOf: present, hint), "ask for \(aPresent)"]
        return Explanation(
            "Can't find \(problem)", facts: [("Found", found.phrase)], hint: hint?.clause,
            fix: hint?.ways(to: "ask for") ?? ways)
    }

    /// A service conforms to a protocol on an actor only, and was asked for elsewhere.
    static func conformsElsewhere(_ type: Any.Type, found: ServiceDescription) -> Explanation {
        let wanted = TypeName.of(unwrapped(type))
        return Explanation(
            "Can't find \(TypeName.withArticle(wanted)) here: '\(found.name)' is one on an actor only",
            facts: [("Found", found.phrase), isolation(ofConformanceTo: wanted)],
            fix: [wayToRegisterOnActor(as: wanted), "ask on that actor"])
    }

    static func isolation(ofConformanceTo wanted: String) -> Explanation.Fact {
        ("Isolation", "the conformance to \(wanted) belongs to an actor and is used on it only")
    }

    static func wayToRegisterOnActor(as wanted: String) -> String {
        "register it on that actor as any \(wanted) & Sendable"
    }

    /// The way to free a name for the right service.
    static func wayToRegister(_ wanted: String, inPlaceOf present: String, _ hint: Hint?) -> String {
        if case .hidden = hint { return "register the \(present) under another name" }
        return "register \(TypeName.withArticle(wanted)) under that name"
    }

    /// The way to make a service one that a provider has.
    static func wayToRegister(as type: Any.Type, named name: String) -> String {
        "register it as \(key(name, TypeName.of(unwrapped(type)), of: type))"
    }

    /// The service under a name is created from other parameters than those given, if any.
    static func otherParameters(_ type: Any.Type, found: ServiceDescription, given: Any.Type?) -> Explanation
    {
        let names = TypeName.distinct(given ?? Void.self, found.parameters ?? Void.self)
        let givenFrom = given.map { _ in " from \(TypeName.withArticle(names.0))" } ?? ""
        let taken = found.parameters.map { _ in TypeName.withArticle(names.1) }
        let call = found.parameters.map { type in
            let (wanted, isTuple) = (spelled(type), Metadata(type).kind == .tuple)
            let isInherited = given.map { $0 != type && Conformance.isType($0, orInherits: type) } ?? false
            // A literal, or an array of what conforms, has another type by itself.
            let isOther = TypeName.isProtocol(type) || isInherited || wanted.contains("<")
            let cast =
                type != unwrapped(type) ? " as (\(wanted))?" : isOther && !isTuple ? " as \(wanted)" : ""
            return "resolve(\"\(found.name)\", with: …\(cast))"
                + (isTuple ? ", each value as exactly that type" : "")
        }
        return Explanation(
            "Can't make \(TypeName.withArticle(of: unwrapped(type))) named '\(found.name)'\(givenFrom): "
                + "it is made \(taken.map { "from \($0)" } ?? "without parameters")",
            facts: [("Found", found.phrase)],
            fix: [
                call.map { "ask for it with \(taken ?? ""): \($0)" } ?? "ask for it without parameters"
            ])
    }

    /// Several services fit a type.
    ///
    /// - Parameters:
    ///   - type: The requested type.
    ///   - count: How many services fitted.
    ///   - candidates: The services that fit now; nil if the box is gone.
    ///   - claimed: The names of services under construction, which can't be the ones that were meant.
    /// - Returns: The message.
    static func ambiguous(
        _ type: Any.Type, count: Int, candidates: ServiceListing?, except claimed: Set<String> = []
    ) -> Explanation {
        let wanted = TypeName.of(unwrapped(type))
        let first = candidates?.first.first { !claimed.contains($0.name) }
        let look = first.map { ": resolve(\(key($0.name, wanted, of: type)))" } ?? ""
        let preference = first.map { ": prefer(\"\($0.name)\", for: \(metatype(wanted, of: type)))" } ?? ""
        return Explanation(
            "Can't choose \(TypeName.withArticle(wanted)): \(count) registered services fit",
            facts: candidates.map { [("Candidates", $0.phrase)] } ?? [],
            fix: ["ask for one of them by its name\(look)", "prefer one of them\(preference)"])
    }

    /// The service that is preferred for a type, or is just being preferred, isn't registered or doesn't fit.
    static func preferred(
        _ name: String, for type: Any.Type, at location: String, found: ServiceDescription?,
        registered: ServiceListing?, hint: Hint?, isOld: Bool = false, isNew: Bool = false
    ) -> Explanation {
        let (wanted, present) = TypeName.distinct(unwrapped(type), found?.type ?? Void.self)
        let aWanted = TypeName.withArticle(wanted)
        let origin = found?.parameters.map { "made from \(TypeName.withArticle(of: $0))" }
        let lack =
            found == nil
            ? "no service \(isOld ? "was" : "is") registered under that name"
            : "the service under that name is \(origin ?? TypeName.withArticle(present))"
        let ways =
            found == nil
            ? ["register \(aWanted) as '\(name)' before looking it up"]
            : [wayToRegister(wanted, inPlaceOf: present, hint)]
        return Explanation(
            isNew ? "Can't prefer '\(name)' for \(aWanted)" : "Can't find \(aWanted)",
            because: isNew ? lack : "'\(name)' is preferred, and \(lack)",
            facts: (found.map { [("Found", $0.phrase)] } ?? registered?.facts ?? []) + [
                ("Preferred", location)
            ],
            hint: hint?.clause, fix: hint?.ways(to: "prefer") ?? ways + ["prefer another service"])
    }

    /// An action needs the holders of services, which the box doesn't track.
    static func notTracking(_ action: String) -> Explanation {
        Explanation(
            "Can't \(action)", because: "the box does not track who holds its services",
            fix: ["call trackHolders() before filling"])
    }

    /// A key as code.
    private static func key(_ name: String, _ typeName: String, of type: Any.Type) -> String {
        "ServiceKey<\(spelled(typeName, of: type))>(\"\(name)\")"
    }

    /// A type, without a question mark, as code.
    static func spelled(_ type: Any.Type) -> String { spelled(TypeName.of(unwrapped(type)), of: type) }

    /// A metatype as code.
    private static func metatype(_ typeName: String, of type: Any.Type) -> String {
        let name = spelled(typeName, of: type)
        return name.hasPrefix("any ") || name.contains(" -> ") ? "(\(name)).self" : "\(name).self"
    }

    /// A type as code.
    private static func spelled(_ typeName: String, of type: Any.Type) -> String {
        let type = unwrapped(type)
        let kind = Metadata(type).kind
        let isNominal = kind == .class || kind == .structure || kind == .enumeration
        let path = TypeName.inSource(type)
        let name = isNominal || path.hasSuffix(".\(typeName)") ? path : typeName
        return TypeName.isProtocol(type) && type != Any.self ? "any \(name)" : name
    }
}
