// Part of ServiceBox, released under the MIT License.
// Messages of traps.

extension SourceLocation {
    /// Traps with a message, attributed to this place.
    func trap(_ explanation: Explanation) -> Never {
        fatalError(explanation.text, file: file, line: line)
    }
}

extension Message {
    /// A required property was read while empty; the last fill left it so, or no fill has seen it.
    static func unfilledRead(
        of type: Any.Type, declaration: String, _ empty: EmptySlotReason?, isStripped: Bool
    ) -> Explanation {
        let declared = (label: "Declared", value: declaration)
        guard let empty else {
            return Explanation(
                "Can't read an injected \(TypeName.of(type))",
                because: isStripped ? stripped : "nothing has filled it yet", facts: [declared],
                fix: isStripped
                    ? [wayToReflection]
                    : ["fill the object before reading the property", "declare the property optional"])
        }
        let reason = empty.explain()
        return Explanation(
            "Can't read '\(empty.property.name)' of \(TypeName.of(empty.property.owner))",
            because: reason.reason, facts: [declared] + reason.facts
        ).ending(as: reason)
    }

    /// A property that is looked up on read was read after its box had gone.
    static func boxIsGone(lookingUp property: PropertyRecord) -> Explanation {
        Explanation(
            "Can't look up '\(property.serviceName)'", because: "the box that filled the object is gone",
            facts: [("Property", "\(property.path), \(TypeName.withArticle(of: property.request.type))")],
            fix: ["keep the box as long as such properties may be read"])
    }

    static func duplicateTableName(_ name: String, of type: Any.Type) -> Explanation {
        Explanation(
            "Can't make an injection table that names '\(name)' twice",
            facts: [("Table", "of \(TypeName.of(type))")],
            fix: ["remove one of the two lines"])
    }

    static func underivableName(of type: Any.Type, at location: String) -> Explanation {
        let way =
            switch Metadata(type).kind {
            case .function: "create services with it: register { _ in … }, or "
            case .metatype: "create a service of that type: register { _ in … }, or "
            default: ""
            }
        return Explanation(
            "Can't derive a name for a service of type \(TypeName.of(type))",
            because: "the type has no name of its own", facts: [("Registered", location)],
            fix: ["\(way)give it one: as: \"name\""])
    }

    static func emptyName(for type: Any.Type, at location: String) -> Explanation {
        Explanation(
            "Can't register \(TypeName.withArticle(of: type)) under an empty name",
            facts: [("Registered", location)],
            fix: ["register it under the name of the properties that it is for"])
    }

    static func reservedName(for type: Any.Type, at location: String) -> Explanation {
        Explanation(
            "Can't register \(TypeName.withArticle(of: type)) as 'serviceBox'",
            because: "the name is reserved for the box itself", facts: [("Registered", location)],
            fix: ["register it under another name"])
    }

    static func optionalService(_ type: Any.Type, as name: String, at location: String) -> Explanation {
        Explanation(
            "Can't register an optional as '\(name)'",
            facts: [("Type", TypeName.of(type)), ("Registered", location)],
            fix: [
                "unwrap it, and register it if it isn't nil",
                "let its factory throw instead of returning nil",
            ])
    }

    static func foreignActorTable(_ name: String, of type: Any.Type, at location: String) -> Explanation {
        Explanation(
            "Can't teach a box to write '\(name)' of \(TypeName.of(type))",
            because: "the table was made on an actor other than the main actor, and a box can't return to it",
            facts: [("Taught", location)],
            fix: ["list the property in an isolated conformance of \(TypeName.of(type)) to Injectable"])
    }

    /// A table was taught for a type whose properties no fill inspects.
    static func unteachable(_ type: Any.Type, _ word: String, at location: String) -> Explanation {
        Explanation(
            "Can't teach a box to fill \(TypeName.of(type))",
            because: unfillable(word), facts: [("Taught", location)],
            fix: ["teach it each type that has the properties"])
    }

    /// A transient service was to be ended with its box.
    static func transientStop(_ type: Any.Type, as name: String, at location: String) -> Explanation {
        Explanation(
            "Can't stop '\(name)' with its box",
            because: "it is transient, so each \(TypeName.of(type)) belongs to whoever resolves it",
            facts: [("Registered", location)],
            fix: ["let whoever resolves it end it", "register it with another lifetime"])
    }

    static func reservedDecoration(at location: String) -> Explanation {
        Explanation(
            "Can't decorate 'serviceBox'", because: "the name is reserved for the box itself",
            facts: [("Decorated", location)], fix: ["decorate a service"])
    }

    /// A name was decorated again and again.
    static func tooManyDecorations(_ name: String, limit: Int, at location: String) -> Explanation {
        Explanation(
            "Can't decorate '\(name)' again", because: "it has \(limit) decorations already",
            facts: [("Decorated", location)],
            fix: ["decorate it once, where it is registered"])
    }

    /// Boxes were made from one another again and again.
    static func tooManyLevels(limit: Int) -> Explanation {
        Explanation(
            "Can't make a box from another one", because: "\(limit) boxes build on one another already",
            fix: ["make each child or copy from the same box, rather than from the latest one"])
    }

    /// A sealed box was to be changed; the action goes up to the words "a sealed box".
    static func sealed(
        _ action: String, isRemoval: Bool, seal: String, at location: String
    ) -> Explanation {
        // A child still has what its parent has.
        let other = isRemoval ? "a copy" : "a child or a copy"
        return Explanation(
            "Can't \(action) a sealed box", facts: [("Sealed", seal), ("Changed", location)],
            fix: ["change the box before it is sealed", "change \(other) of it"])
    }

    /// A service that isn't registered was to be marked as live.
    static func unknownLive(
        _ name: String, registered: ServiceListing, hint: Hint?, at location: String
    ) -> Explanation {
        Explanation(
            "Can't mark '\(name)' as live", because: "no service is registered under that name",
            facts: registered.facts + [("Marked", location)],
            hint: hint?.clause, fix: hint?.ways(to: "mark") ?? ["register the service before marking it"])
    }

    /// A session factory has a lifetime that sessions can't have.
    static func transientSession(_ type: Any.Type) -> Explanation {
        Explanation(
            "Can't make a transient \(TypeName.of(type)) for sessions",
            because: "a session keeps one service for each key", facts: [("Lifetime", "transient")],
            fix: ["give the session factory an eager, lazy or weak lifetime"])
    }
}
