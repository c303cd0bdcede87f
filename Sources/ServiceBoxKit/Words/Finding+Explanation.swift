// Part of ServiceBox, released under the MIT License.
// What is said of a property, or of an object as a whole, that a fill has dealt with.

extension Finding {
    /// What is known at the time of reading.
    struct Context {
        /// What is registered; nil if the box is gone.
        var registered: ServiceListing?
        var hint: Hint?
        /// Whether the service that doesn't fit is of the right type: it can't be held weakly, needs parameters, or
        /// conforms on an actor.
        var isRightType = false
    }

    /// The finding in words.
    func explanation(of property: PropertyDescription, _ context: Context) -> Explanation {
        func explain(_ reason: String, facts: [Explanation.Fact] = [], fix: [String]) -> Explanation {
            explained(reason, property, facts: facts, fix: fix)
        }
        switch self {
        case .filled(let service): return explain("filled with \(service.phrase)", fix: [])
        case .gathered(let services):
            let all = services.map(\.phrase).joined(separator: ", ")
            return explain("filled with \(services.isEmpty ? "no services, none fits" : all)", fix: [])
        case .kept:
            var explanation = explain("kept what it held", fix: [])
            explanation.instruction = Message.instruction(
                to: "replace it", ["fill the object in its own isolation without keepingExisting"])
            return explanation
        case .failed(let service, let error):
            return failed([FailedService(service: service, error: error)], property)
        case .gatheredPartly(_, let failures): return failed(failures, property)
        case .notKept(let service):
            return explain(
                "it holds its service weakly, and nothing else keeps it", facts: [("Found", service.phrase)],
                fix: [
                    "declare the property with @Injected",
                    "register the service with a lifetime that keeps it, such as .lazy",
                ])
        case .missing: return missing(property, context)
        case .typeMismatch(let service): return mismatch(service, property, context)
        case .empty(let service):
            return explain(
                "nothing has filled it since it became empty", facts: [("Found", service.phrase)],
                fix: [
                    "use the box after registering the service; if the service has emptied the property itself, "
                        + "let it set the property again", "fill it in its own isolation",
                ])
        case .noSuchProperty(let names):
            let nearest = NearestNames.to(property.name, among: names)
            var explanation = explain(
                "the table names a property that the type does not store",
                fix: nearest.isEmpty
                    ? ["name the line after the stored property that the key path writes", "use a setter"]
                    : ["name the line \(Hint.choice(nearest))"])
            explanation.hint = nearest.isEmpty ? nil : Hint.near(nearest).clause
            return explanation
        case .wrongRoot(let root):
            return explain(
                "the line was made for \(TypeName.of(root))",
                fix: ["make it for \(TypeName.of(property.owner)) or a superclass"])
        case .wrongIsolation:
            return explain(
                "its table belongs to an actor on which this fill did not run",
                fix: ["fill the object on its actor; an actor itself with 'await box.fill(actor)'"])
        case .notInout:
            return explain(
                "a constant can't be written through a table",
                fix: ["pass a variable of the struct's own type: fill(&value)"])
        case .strippedBuild:
            return explain(
                "its module was built without reflection metadata",
                fix: [
                    "build the module without -disable-reflection-metadata, -disable-reflection-names and "
                        + "-reflection-metadata-for-debugger-only",
                    "if only names are missing, give the property an explicit one: @Injected(\"name\")",
                ])
        case .emptyName:
            return explain(
                "its declaration gives an empty name",
                fix: [
                    "give the name that the service is registered under", "none if it is the property's own",
                ])
        case .outOfReach:
            return explain(
                "it is an optional with injected properties inside, where a fill does not look",
                fix: ["declare it without the optional", "fill its value itself"])
        case .replaced:
            return explain(
                "its wrapper was replaced after the box had seen the service",
                fix: [
                    "set the property, not its wrapper or the struct around it", "fill the service itself",
                ])
        case .needsInstance:
            return explain(
                "its properties are known from an object only, and no box has seen one",
                fix: ["pass an object", "fill one first"])
        case .remote:
            return explain(
                "it is a remote distributed actor, whose properties are elsewhere",
                fix: ["fill it where it lives"])
        case .unfillable(let word):
            return explain(
                "it is \(word), and only class instances, actors and structs have properties to fill",
                fix: ["pass the object itself; fill the objects of a sequence one by one"])
        case .hiddenByMirror:
            return explain(
                "its custom mirror shows no property to fill",
                fix: ["list the properties in an injection table", "let the custom mirror show them"])
        case .noChannel(let service):
            return explain(
                "'\(service.name)' is registered, but a plain property can't be filled",
                facts: [("Registered", service.phrase)],
                fix: ["declare it with @Injected", "list it in an injection table"])
        case .strongCycle(let path):
            return explain(
                "it closes a strong cycle, which keeps the services alive: \(path.joined(separator: " → "))",
                fix: ["declare a property on the way with @WeakInjected"])
        }
    }

    /// Puts the reason behind what it is about.
    private func explained(
        _ reason: String, _ property: PropertyDescription, facts: [Explanation.Fact] = [],
        hint: String? = nil,
        fix: [String]
    ) -> Explanation {
        let subject = property.subject
        let ownFacts = property.channel == .whole ? [] : [("Property", property.phrase)]
        let headline =
            switch kind {
            case .filled: "\(subject) is \(reason)."
            case .kept: "\(subject) \(reason)."
            case .hole: "Can't fill \(subject): \(reason)."
            case .note: "Note on \(subject): \(reason)."
            }
        return Explanation(headline: headline, reason: reason, facts: ownFacts + facts, hint: hint, fix: fix)
    }

    private func missing(_ property: PropertyDescription, _ context: Context) -> Explanation {
        let (hint, name) = (context.hint, property.serviceName)
        let wanted = TypeName.withArticle(of: unwrapped(property.wanted))
        return explained(
            "no service \(hint?.isPresent == true ? "was" : "is") registered "
                + (property.isNamedAsService ? "under that name" : "as '\(name)'"), property,
            facts: [("Registered", context.registered?.phrase ?? "unknown, the box is gone")],
            hint: hint?.clause,
            fix: hint?.waysToTake(by: property) ?? ["register \(wanted) as '\(name)' before filling"])
    }

    private func mismatch(
        _ found: ServiceDescription, _ property: PropertyDescription, _ context: Context
    ) -> Explanation {
        let hint = context.hint
        let subject = "the service under that name \(hint?.isPresent == true ? "was" : "is")"
        let (wanted, present) = TypeName.distinct(unwrapped(property.wanted), found.type)
        let isValue = !TypeName.isProtocol(found.type) && !(found.type is AnyClass)
        let isProtocol = TypeName.isProtocol(property.wanted)
        var reason = "\(subject) \(TypeName.withArticle(present)), not \(TypeName.withArticle(wanted))"
        var facts = [("Found", "'\(found.name)' (\(present))")]
        var ways: [String]
        switch (context.isRightType, found.parameters) {
        case (true, _) where property.channel == .weakSlot && isValue:
            reason = "it holds class instances weakly, and \(subject)n't a class instance"
            ways = ["declare the property with @Injected"]
        case (true, let parameters?):
            reason =
                "\(subject) \(TypeName.withArticle(present)) that is made from \(TypeName.withArticle(of: parameters))"
            ways = [
                "declare the property as a ServiceParametersProvider<\(present), \(TypeName.of(parameters))>"
            ]
        case (true, nil) where isProtocol:
            facts.append(
                ("Isolation", "the conformance to \(wanted) belongs to an actor and is used on it only"))
            ways = ["register it on that actor as any \(wanted) & Sendable"]
        default:
            ways = [
                hint?.isHidden == true
                    ? "register the \(present) under another name"
                    : "register \(TypeName.withArticle(wanted)) under that name",
                isProtocol
                    ? "let \(present) conform to \(wanted)" : "give the property the type of the service",
            ]
        }
        return explained(
            reason, property, facts: facts, hint: hint?.clause, fix: hint?.waysToTake(by: property) ?? ways)
    }

    private func failed(_ failures: [FailedService], _ property: PropertyDescription) -> Explanation {
        let only = failures.count == 1 ? failures.first?.error.explainedLookUp : nil
        let many = failures.count > 1
        var explanation = explained(
            many ? "\(failures.count) of its services could not be made" : "its service could not be made",
            property,
            facts: failures.flatMap { [("Found", $0.service.phrase), ("Error", $0.error.headline)] },
            hint: only?.hint,
            fix: [
                many
                    ? "correct what the errors name; the report keeps the first one whole"
                    : "correct what the error names; the report keeps it whole"
            ])
        if let instruction = only?.instruction { explanation.instruction = instruction }
        return explanation
    }
}
