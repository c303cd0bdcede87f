// Part of ServiceBox, released under the MIT License.
// What reports say of whole objects and of what went well, and how they begin and end.

extension Message {
    static func tableOutOfReach(_ type: Any.Type) -> Explanation {
        whole(
            type, "its table belongs to an actor that this fill did not run on",
            "To fix, fill it on its actor; an actor itself with 'await box.fill(actor)'.")
    }

    static func remote(_ type: Any.Type) -> Explanation {
        whole(
            type, "it is a remote distributed actor, whose properties lie elsewhere",
            "To fix, fill it where it lives.")
    }

    static func notSeen(_ type: Any.Type) -> Explanation {
        whole(
            type, "no box has seen an object of it yet",
            "To fix, pass an object, or fill one first.")
    }

    static func tableAlone(_ type: Any.Type, isOwnTableKnown: Bool) -> Explanation {
        let unknown =
            isOwnTableKnown ? "its slots are not known" : "its slots and its own table are not known"
        let reason = "no box has seen an object of it yet, so \(unknown)"
        return Explanation(
            reason: reason,
            headline: "Planned for a part of \(TypeName.withArticle(TypeName.of(type))): \(reason).",
            instruction: "To plan for all of it, pass an object, or fill one first.")
    }

    static func unfillable(_ type: Any.Type, as word: String) -> Explanation {
        whole(
            type, "it is \(word), and only class instances, actors and structs have properties to fill",
            "To fix, pass the object itself; fill the objects of a sequence one by one."
        )
    }

    static func hiddenByMirror(_ type: Any.Type) -> Explanation {
        whole(
            type, "its custom mirror shows no property to fill",
            "To fix, list the properties in an injection table, or let the custom mirror show them.")
    }

    static func noProperties(_ type: Any.Type, of layer: Any.Type) -> Explanation {
        let subject = layer == type ? "it" : "its superclass \(TypeName.of(layer))"
        return whole(
            type, "\(subject) has properties and shows none",
            "To fix, build \(layer == type ? "" : "the module of \(TypeName.of(layer)) ")without "
                + "-disable-reflection-metadata.")
    }

    static func namesStripped(_ type: Any.Type) -> Explanation {
        whole(
            type, "this build carries no property names",
            "To fix, build without -disable-reflection-names.")
    }

    static func metadataNotInBuild(_ type: Any.Type, isHole: Bool) -> Explanation {
        ofBuild(
            type, isHole: isHole, "this build carries no reflection metadata, without which no slot is found",
            "To fix, build without -disable-reflection-metadata and -reflection-metadata-for-debugger-only.")
    }

    static func namesNotInBuild(_ type: Any.Type, isHole: Bool) -> Explanation {
        ofBuild(
            type, isHole: isHole,
            "this build carries no property names, without which only slots with explicit names are filled",
            "To fix, build without -disable-reflection-names, or give each slot an explicit name: "
                + "@Injected(\"name\").")
    }

    private static func ofBuild(
        _ type: Any.Type, isHole: Bool, _ reason: String, _ instruction: String
    ) -> Explanation {
        if isHole { return whole(type, reason, instruction) }
        return Explanation(
            reason: reason,
            headline: "Nothing of \(TypeName.withArticle(TypeName.of(type))) is missed, but \(reason).",
            instruction: instruction)
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

    static func empty(_ property: Property, found: Service) -> Explanation {
        hole(
            property, "nothing has filled it since it was last empty",
            facts: [("Found", found.phrase)],
            "To fix, use the box after registering the service; if the service has emptied the property itself, let it set it "
                + "again, or fill it in its own isolation.")
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
        let subject = subject(of: type, name: name)
        if total == 0 { return "\(subject): nothing to fill." }
        var parts = ["\(filled) of \(total) filled"]
        if kept > 0 { parts.append("\(kept) kept") }
        if holes > 0 { parts.append(counted(holes, "hole", "holes")) }
        return "\(subject): \(parts.joined(separator: ", "))."
    }

    /// The first line of a box's description.
    static func boxSummary(name: String?, count: Int, isSealed: Bool) -> String {
        let services = count == 0 ? "no services" : counted(count, "service", "services")
        return "ServiceBox\(name.map { " '\($0)'" } ?? ""), \(services)\(isSealed ? ", sealed" : "")"
    }

    /// The last line of a report that does not show all it has.
    static func more(_ count: Int) -> String { "… and \(count) more" }

    /// The explanation of an error that lists holes.
    static func incomplete(_ type: Any.Type, explanations: [Explanation]) -> Explanation {
        if explanations.count == 1 { return explanations[0] }
        let reason = "\(explanations.count) holes are left"
        return Explanation(
            reason: reason,
            headline: "Can't complete \(TypeName.withArticle(TypeName.of(type))): \(reason).",
            parts: explanations)
    }
}
