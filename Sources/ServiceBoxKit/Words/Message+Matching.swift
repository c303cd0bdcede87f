// Part of ServiceBox, released under the MIT License.
// What the library says of a property whose service is missing, or of another type.

extension Message {
    /// No service has the name.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - registered: What there is; nil if the box is gone.
    ///   - hint: What may have been meant, if anything.
    /// - Returns: The message.
    static func missing(_ property: Property, registered: Listing?, hint: Hint?) -> Explanation {
        let isPresent = hint?.isPresent ?? false
        let wanted = TypeName.withArticle(TypeName.of(unwrapped(property.wanted)))
        let ways =
            taking(hint, for: property) ?? ["register \(wanted) as '\(property.serviceName)' before filling"]
        return hole(
            property,
            "no service \(isPresent ? "was" : "is") registered "
                + (property.isNamedAsService ? "under that name" : "as '\(property.serviceName)'"),
            facts: [("Registered", registered?.phrase ?? "unknown, the box is gone")],
            hint: hint.map(words), isPresent ? fillAgain : toFix(ways))
    }

    /// The service under the name does not fit.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - found: The service.
    ///   - isMeant: Whether it would fit if it were not a value, or not made from parameters.
    ///   - hint: What may have been meant instead, if anything.
    /// - Returns: The message.
    static func typeMismatch(
        _ property: Property, found: Service, isMeant: Bool, hint: Hint?
    ) -> Explanation {
        let isPresent = hint?.isPresent ?? false
        let subject = "the service under that name \(isPresent ? "was" : "is")"
        var facts = [(label: "Found", value: found.phrase)]
        let reason: String
        var instruction: String
        if isMeant, property.channel == .weakSlot, !TypeName.isProtocol(found.type), !(found.type is AnyClass)
        {
            reason = "it holds class instances weakly, and \(subject) no class instance"
            instruction = toFix(["declare the property with @Injected"])
        } else if isMeant, let parameters = found.parameters {
            let service = TypeName.of(found.type)
            let provider = "ServiceParametersProvider<\(service), \(TypeName.of(parameters))>"
            reason =
                "\(subject) \(TypeName.withArticle(service)) that is made from "
                + TypeName.withArticle(TypeName.of(parameters))
            instruction = toFix(["declare the property as a \(provider)"])
        } else {
            let (wanted, present) = TypeName.distinct(unwrapped(property.wanted), found.type)
            reason = "\(subject) \(TypeName.withArticle(present)), not \(TypeName.withArticle(wanted))"
            facts = [("Found", "'\(found.name)' (\(present))")]
            instruction = toFix(ways(from: present, to: wanted, of: property, hint: hint))
            if hint == nil, TypeName.isProtocol(property.wanted) {
                facts.append(
                    ("Isolation", "a conformance that belongs to an actor is seen on that actor only"))
                instruction =
                    "To fix, let \(present) conform to \(wanted); if it does so on an actor, register it there "
                    + "as any \(wanted) & Sendable."
            }
        }
        return hole(
            property, reason, facts: facts, hint: hint.map(words), isPresent ? fillAgain : instruction)
    }

    /// The ways to give a property a service that fits.
    private static func ways(
        from present: String, to wanted: String, of property: Property, hint: Hint?
    ) -> [String] {
        if let ways = taking(hint, for: property) { return ways }
        let change =
            TypeName.isProtocol(property.wanted)
            ? "let \(present) conform to \(wanted)" : "give the property the type of the service"
        return [
            hint?.isHidden == true
                ? "register the \(present) under another name"
                : "register \(TypeName.withArticle(wanted)) under that name", change,
        ]
    }
}
