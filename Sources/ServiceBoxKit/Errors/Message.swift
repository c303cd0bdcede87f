// Part of ServiceBox, released under the MIT License.
// Every sentence that the library says.

/// The texts of all messages, made from facts.
enum Message {
    /// A property that a message is about.
    struct Property {
        let owner: Any.Type
        let name: String
        /// The name that a service for it is registered under.
        let serviceName: String
        let wanted: Any.Type

        var phrase: String {
            "\(TypeName.of(owner)).\(name), \(TypeName.withArticle(TypeName.of(wanted)))"
        }
    }

    /// A registered service that a message is about.
    struct Service {
        let name: String
        let type: Any.Type
        /// The type of the service itself.
        let implementation: Any.Type
        /// The type of the parameters that it is made from, if it is.
        let parameters: Any.Type?

        var phrase: String { "'\(name)' (\(types))" }

        /// The type that it is registered as, behind its own if that is another.
        var types: String {
            let type = TypeName.of(type)
            let implementation = TypeName.of(implementation)
            return implementation == type ? type : "\(implementation) as \(type)"
        }
    }
}

// MARK: - Misuse that stops the program

extension Message {
    static func unfilledRead(of type: Any.Type, declaration: String) -> String {
        stop(
            "Can't read an injected \(TypeName.of(type)): nothing has filled it yet.",
            facts: [("Declared", declaration)],
            "To fix, fill the object before reading the property; if it was filled, print the report, which says why "
                + "this property got nothing; or declare the property optional.")
    }

    static func duplicateTableName(_ name: String, of type: Any.Type) -> String {
        stop(
            "Can't make an injection table that names '\(name)' twice.",
            facts: [("Table", "of \(TypeName.of(type))")],
            "To fix, remove one of the two lines.")
    }

    static func underivableName(of type: Any.Type, at location: String) -> String {
        stop(
            "Can't derive a name for a service of type \(TypeName.of(type)): the type has no name of its own.",
            facts: [("Registered", location)],
            "To fix, register it with a name: register(service, as: \"name\").")
    }

    static func emptyName(for type: Any.Type, at location: String) -> String {
        stop(
            "Can't register \(TypeName.withArticle(TypeName.of(type))) under an empty name.",
            facts: [("Registered", location)],
            "To fix, register it under the name of the properties that it is for.")
    }

    static func reservedName(for type: Any.Type, at location: String) -> String {
        stop(
            "Can't register \(TypeName.withArticle(TypeName.of(type))) as 'serviceBox': the name stands for the "
                + "box itself.",
            facts: [("Registered", location)],
            "To fix, register it under another name.")
    }

    static func optionalService(_ type: Any.Type, as name: String, at location: String) -> String {
        stop(
            "Can't register an optional as '\(name)': a service is there or it is not.",
            facts: [("Type", TypeName.of(type)), ("Registered", location)],
            "To fix, unwrap it, and register it if it is not nil.")
    }

    static func foreignActorTable(_ name: String, of type: Any.Type, at location: String) -> String {
        stop(
            "Can't teach a box to write '\(name)' of \(TypeName.of(type)): the table was made on an actor other than "
                + "the main actor, and a box cannot get back there.",
            facts: [("Taught", location)],
            "To fix, list the property in an isolated conformance of \(TypeName.of(type)) to Injectable.")
    }

    static func stop(
        _ headline: String, facts: [(label: String, value: String)], _ instruction: String
    ) -> String {
        Explanation(reason: headline, headline: headline, facts: facts, instruction: instruction).text
    }
}

// MARK: - Findings about a property

extension Message {
    /// The most registrations that one message lists.
    private static let listLimit = 8

    /// Registrations in a row, the last ones counted.
    static func list(_ services: [Service]) -> String {
        let names = services.prefix(listLimit).map(\.phrase).joined(separator: ", ")
        if services.isEmpty { return "nothing" }
        return services.count > listLimit ? "\(names) and \(services.count - listLimit) more" : names
    }

    static func missing(_ property: Property, registered: [Service]?, nearest: [String]) -> Explanation {
        let isOwnName =
            property.name == property.serviceName || property.name.hasSuffix(".\(property.serviceName)")
        return hole(
            property,
            "no service is registered \(isOwnName ? "under that name" : "as '\(property.serviceName)'")",
            facts: [("Registered", registered.map(list) ?? "unknown, the box is gone")],
            suggestions: nearest,
            "To fix, register \(TypeName.withArticle(TypeName.of(bare(property.wanted)))) as '\(property.serviceName)' before filling."
        )
    }

    static func typeMismatch(_ property: Property, found: Service, isWeak: Bool) -> Explanation {
        let (wanted, present) = TypeName.distinct(bare(property.wanted), found.type)
        if isWeak, !TypeName.isProtocol(found.type), !(found.type is AnyClass) {
            return hole(
                property,
                "it holds class instances weakly, and the service under that name is no class instance",
                facts: [("Found", found.phrase)],
                "To fix, declare the property with @Injected.")
        }
        if let parameters = found.parameters {
            let service = TypeName.of(found.type)
            let provider = "ServiceParametersProvider<\(service), \(TypeName.of(parameters))>"
            return hole(
                property,
                "the service under that name is \(TypeName.withArticle(service)) that is made from "
                    + TypeName.withArticle(TypeName.of(parameters)),
                facts: [("Found", found.phrase)],
                "To fix, declare the property as a \(provider).")
        }
        var facts = [("Found", "'\(found.name)' (\(present))")]
        var instruction =
            "To fix, register \(TypeName.withArticle(wanted)) under that name, or give the property the type of the "
            + "service."
        if TypeName.isProtocol(property.wanted) {
            facts.append(
                ("Isolation", "a conformance that belongs to an actor is seen on that actor only"))
            instruction =
                "To fix, let \(present) conform to \(wanted); if it does so on an actor, register it with "
                + "of: (any \(wanted)).self."
        }
        return hole(
            property,
            "the service under that name is \(TypeName.withArticle(present)), not "
                + TypeName.withArticle(wanted),
            facts: facts, instruction)
    }

    static func noSuchProperty(_ property: Property, nearest: [String]) -> Explanation {
        hole(
            property, "the table names a property that the type does not store",
            suggestions: nearest,
            "To fix, name the line after the stored property that the key path writes, or use a setter, which may have "
                + "any name.")
    }

    static func wrongRoot(_ property: Property, root: Any.Type) -> Explanation {
        hole(
            property, "the line was made for \(TypeName.of(root))",
            "To fix, make it for \(TypeName.of(property.owner)) or a superclass.")
    }

    static func wrongIsolation(_ property: Property) -> Explanation {
        hole(
            property, "its table belongs to an actor that this fill did not run on",
            "To fix, fill the object on its actor; an actor itself with 'await box.fill(on:)'.")
    }

    static func notInout(_ property: Property) -> Explanation {
        hole(
            property, "a constant cannot be written through a table",
            "To fix, pass a variable of the struct's own type: fill(&value).")
    }

    static func nameless(_ property: Property) -> Explanation {
        hole(
            property, "this build carries no property names",
            "To fix, build without -disable-reflection-names, or give the property an explicit name: "
                + "@Injected(\"name\").")
    }

    /// A property's type, or what it wraps if it is optional.
    static func bare(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalValue.Type)?.wrappedType ?? type
    }

    static func outOfReach(_ property: Property) -> Explanation {
        hole(
            property, "it is an optional with injected properties inside, where a fill does not look",
            "To fix, declare it without the optional, or fill its value itself.")
    }

    static func hole(
        _ property: Property, _ reason: String, facts: [(label: String, value: String)] = [],
        suggestions: [String] = [], _ instruction: String
    ) -> Explanation {
        Explanation(
            reason: reason,
            headline: "Can't fill '\(property.name)' of \(TypeName.of(property.owner)): \(reason).",
            facts: [("Property", property.phrase)] + facts, suggestions: suggestions, instruction: instruction
        )
    }
}

// MARK: - Findings about a whole object, notes and outcomes

extension Message {
    static func tableOutOfReach(_ type: Any.Type) -> Explanation {
        whole(
            type, "its table belongs to an actor that this fill did not run on",
            "To fix, fill it on its actor; an actor itself with 'await box.fill(on:)'.")
    }

    static func notWalked(_ type: Any.Type) -> Explanation {
        whole(
            type,
            "it is an actor of a type that no box has seen yet, and only the actor itself may read its properties",
            "To fix, fill it with 'await box.fill(on: actor)' once; after that its slots can be filled from anywhere."
        )
    }

    static func notSeen(_ type: Any.Type) -> Explanation {
        whole(
            type, "no box has seen an object of it yet",
            "To fix, pass an object, or fill one first.")
    }

    static func unfillable(_ type: Any.Type, as word: String) -> Explanation {
        whole(
            type, "it is \(word), and only class instances, actors and structs have properties to fill",
            "To fix, pass the object itself; for a sequence of objects use 'fill(contentsOf:)'."
        )
    }

    static func hiddenByMirror(_ type: Any.Type) -> Explanation {
        whole(
            type, "its custom mirror shows no property to fill",
            "To fix, list the properties in an injection table, or let the custom mirror show them.")
    }

    static func noProperties(_ type: Any.Type) -> Explanation {
        whole(
            type, "it has properties and shows none",
            "To fix, build without -disable-reflection-metadata.")
    }

    static func namesStripped(_ type: Any.Type) -> Explanation {
        whole(
            type, "this build carries no property names",
            "To fix, build without -disable-reflection-names.")
    }

    private static func whole(_ type: Any.Type, _ reason: String, _ instruction: String) -> Explanation {
        Explanation(
            reason: reason, headline: "Can't fill \(TypeName.withArticle(TypeName.of(type))): \(reason).",
            instruction: instruction)
    }

    static func noChannel(_ property: Property, found: Service) -> Explanation {
        let reason = "'\(found.name)' is registered, but a plain property cannot be filled"
        return Explanation(
            reason: reason,
            headline: "Left '\(property.name)' of \(TypeName.of(property.owner)) alone: \(reason).",
            facts: [("Property", property.phrase), ("Registered", found.phrase)],
            instruction: "To fill it, declare it with @Injected, or list it in an injection table.")
    }

    static func strongCycle(_ property: Property, path: [String]) -> Explanation {
        let reason =
            "it closes a strong cycle, which keeps the services alive: " + path.joined(separator: " → ")
        return Explanation(
            reason: reason,
            headline: "Filled '\(property.name)' of \(TypeName.of(property.owner)), but \(reason).",
            facts: [("Property", property.phrase)],
            instruction: "To break it, declare the property with @WeakInjected.")
    }

    static func filled(_ property: Property, with service: Service) -> Explanation {
        let reason = "filled with \(service.phrase)"
        return Explanation(
            reason: reason, headline: "'\(property.name)' of \(TypeName.of(property.owner)) is \(reason).",
            facts: [("Property", property.phrase)])
    }

    static func kept(_ property: Property) -> Explanation {
        let reason = "kept what it held"
        return Explanation(
            reason: reason, headline: "'\(property.name)' of \(TypeName.of(property.owner)) \(reason).",
            facts: [("Property", property.phrase)],
            instruction: "To replace it, fill the object in its own isolation without keepingExisting.")
    }
}

// MARK: - Reports and errors

extension Message {
    /// The first line of a report.
    ///
    /// - Parameters:
    ///   - type: The type that was filled.
    ///   - name: The name of the service that was filled, if it was one.
    ///   - filled: How many properties got a service.
    ///   - kept: How many kept what they held.
    ///   - holes: How many should have got one and did not.
    /// - Returns: One line.
    static func summary(of type: Any.Type, name: String?, filled: Int, kept: Int, holes: Int) -> String {
        let total = filled + kept + holes
        let subject = name.map { "'\($0)' (\(TypeName.of(type)))" } ?? TypeName.of(type)
        if total == 0 { return "\(subject): nothing to fill." }
        var parts = ["\(filled) of \(total) filled"]
        if kept > 0 { parts.append("\(kept) kept") }
        if holes > 0 { parts.append(holes == 1 ? "1 hole" : "\(holes) holes") }
        return "\(subject): \(parts.joined(separator: ", "))."
    }

    /// The first line of a box's description.
    static func boxSummary(name: String?, count: Int, isSealed: Bool) -> String {
        let services = count == 1 ? "1 service" : count == 0 ? "no services" : "\(count) services"
        return "ServiceBox\(name.map { " '\($0)'" } ?? ""), \(services)\(isSealed ? ", sealed" : "")"
    }

    /// The last line of a report that does not show all it has.
    static func more(_ count: Int) -> String { "… and \(count) more" }

    /// The whole text of an error that lists holes.
    static func incomplete(_ type: Any.Type, explanations: [Explanation]) -> String {
        if explanations.count == 1 { return explanations[0].text }
        let headline =
            "Can't complete \(TypeName.withArticle(TypeName.of(type))): \(explanations.count) holes are left."
        return ([headline] + explanations.map(\.text)).joined(separator: "\n\n")
    }
}
