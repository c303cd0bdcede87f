// Part of ServiceBox, released under the MIT License.
// The text of findings about a property or an object as a whole.

extension PropertyRecord {
    /// What is known when a finding is read.
    struct Context: Sendable {
        /// The registered services; nil if the box is gone.
        var registered: ServiceListing?
        var hint: Hint?
        /// Whether a service that doesn't fit has the right type: it can't be held weakly, needs parameters,
        /// or conforms on an actor.
        var isRightType = false
        /// Whether it conforms on an actor.
        var isIsolated = false
        /// The type of the services of the provider that is wanted, if one is.
        var providedType: Any.Type?
        /// Whether the service that isn't registered as that type may be one.
        var fitsProvider = false
        /// Whether that provider takes parameters.
        var takesParameters = false

        /// Whether its owner is a service, which is filled when somebody asks for it.
        var isOfService = false
        /// Whether another service has the name by now, or none.
        var isPast = false
        /// Where the service comes from that has the property; nil for an object that isn't a service.
        var origin: Origin?
        /// The type of the global actor that the table belongs to.
        var tableActor: Any.Type?

        enum Origin { case factory, readyMade, provider }

        fileprivate var verb: String { isPast ? "was" : "is" }
    }

    /// The finding in words.
    func explained(_ context: Context) -> Explanation {
        switch finding {
        case .filled(let service): explain("filled with \(service.phrase)")
        case .gathered(let services) where services.isEmpty:
            explain("filled with no services, none fits")
        case .gathered(let services):
            explain("filled with \(services.map(\.phrase).joined(separator: ", "))")
        case .kept:
            explain(
                "kept what it held", hint: context.hint?.clause, to: "replace it",
                fix: waysToReplaceValue(context))
        case .failed(let service, let error):
            failed(
                FailedService(service: service, error: error), error.lacks == nil ? "its service" : nil,
                context)
        case .gatheredPartly(let services, let failures):
            failed(failures, of: services.count + failures.count, context)
        case .notKept(let service):
            explain(
                "it holds its service weakly, and nothing else keeps it", [("Found", service.phrase)],
                fix: [
                    "declare the property with @Injected",
                    "register the service with a lifetime that keeps it, such as .lazy",
                ])
        case .missing: missing(context)
        case .typeMismatch(let service): mismatch(service, context)
        case .empty(let service):
            explain(
                "nothing has filled it since it became empty", [("Found", service.phrase)],
                fix: [
                    "use the box after registering the service; if the service has emptied the property itself, "
                        + "let it set the property again", "fill it in its own isolation",
                ])
        case .noSuchProperty(let names):
            noSuchProperty(Hint(near: name, among: names))
        case .wrongRoot(let root):
            explain(
                "the line was made for \(TypeName.of(root))",
                fix: ["make it for \(TypeName.of(owner)) or a superclass"])
        case .wrongIsolation:
            explain(
                context.origin == .provider
                    ? "others may be using what a provider creates, so its table isn't written"
                    : "its table belongs to an actor on which this fill did not run",
                fix: [wayToActor(context)])
        case .notInout:
            explain("a constant can't be written through a table", fix: [wayToWrite(context)])
        case .strippedBuild:
            explain(
                Message.stripped,
                fix: [
                    Message.wayToReflection,
                    "if only names are missing, give the property an explicit one: @Injected(\"name\")",
                ])
        case .emptyName:
            explain(
                "its declaration gives an empty name",
                fix: [
                    "give the name that the service is registered under", "none if it is the property's own",
                ])
        case .outOfReach:
            explain(
                "it is optional or lazy, with injected properties inside, where a fill does not look",
                fix: ["declare it neither optional nor lazy", "fill its value itself"])
        case .onRead: explain("it is looked up when it is first read")
        case .replaced:
            explain(
                "its wrapper was replaced after the box had seen the service",
                fix: [
                    "set the property, not its wrapper or the struct around it",
                    "fill the service itself, which the box can't see",
                ])
        case .needsInstance:
            explain(
                "its properties are known from an object only, and no box has seen one",
                fix: ["pass an object", "fill one first"])
        case .remote:
            explain(
                "it is a remote distributed actor, whose properties are elsewhere",
                fix: ["fill it where it lives"])
        case .unfillable(let word):
            explain(
                Message.unfillable(word),
                fix: ["pass the object itself; fill the objects of a sequence one by one"])
        case .hiddenByMirror:
            explain(
                "its custom mirror shows no property to fill",
                fix: [
                    "list the properties in an injection table, those declared with @Injected as setters",
                    "let the custom mirror show their storage, as (\"_cache\", _cache)",
                ])
        case .noChannel(let service, let property):
            explain(
                "'\(service.name)' is registered, but a \(property == .constant ? "constant" : "plain property") can't be filled",
                [("Registered", service.phrase)], fix: waysToOpen(property))
        case .stale(let replacement, let isKnown):
            explain(
                isKnown
                    ? "it holds a service that was replaced since"
                    : "it may hold a service that was replaced; the fill was not tracked",
                [
                    ("Replaced", "\(replacement.old.phrase), \(replacement.old.location)"),
                    ("Registered", "\(replacement.new.phrase), \(replacement.new.location)"),
                ],
                fix: [wayToReplace]
                    + [
                        isKnown
                            ? "call refill(\"\(replacement.new.name)\")"
                            : "call trackHolders() on the box that fills it, before it does, to know"
                    ])
        case .outdated(let service):
            explain(
                "it holds a service that was replaced, removed or hidden since",
                [("Registered", "\(service.phrase), \(service.location)")],
                fix: [wayToReplace, "call refill(\"\(service.name)\")"])
        case .strongCycle(let path):
            explain(
                "it closes a strong cycle, which keeps the services alive: \(path.joined(separator: " → "))",
                fix: [
                    request.element == nil
                        ? "declare a property on the way with @WeakInjected"
                        : "list another protocol, to which the services that lead back don't conform"
                ])
        }
    }

    /// A fill keeps what was looked up when the property was read.
    private var wayToReplace: String { isOnRead ? "set the property" : "fill the object again" }

    private func waysToReplaceValue(_ context: Context) -> [String] {
        if let ways = context.hint?.waysToTake(by: self) {
            // A box that fills its services keeps what their slots have.
            guard case .near? = context.hint, context.isOfService, source != .line else { return ways }
            return ways.map { "\($0), without a value" }
        }
        if isOnRead { return [wayToReplace] }
        return [
            "set the property",
            "once its service is registered, fill the object in its own isolation without keepingExisting",
        ]
    }

    private func wayToActor(_ context: Context) -> String {
        let actor = "an actor itself with 'await box.fill(actor)'"
        switch (context.origin, context.tableActor) {
        case (nil, _): return "fill the object on its actor; \(actor)"
        case (.readyMade?, _): return "fill the object on its actor once it is registered; \(actor)"
        case (.factory?, let type?):
            return "create it there: let its factory begin with { @\(TypeName.inSource(type)) _ in"
        case (.factory?, nil): return Self.wayToFillInFactory
        case (.provider?, _):
            return "declare the property with @Injected, or let a factory of the box create the service"
        }
    }

    private func wayToWrite(_ context: Context) -> String {
        switch context.origin {
        case nil: "pass a variable of the struct's own type: fill(&value)"
        case .readyMade?:
            "fill a variable of the struct's own type, fill(&value), and register that with fills: false"
        case .factory?, .provider?: Self.wayToFillInFactory
        }
    }

    private static let wayToFillInFactory = "register it with fills: false and fill it in its factory"

    private func waysToOpen(_ property: PlainProperty) -> [String] {
        let wrapper = request.isWeak ? "@WeakInjected, without weak" : "@Injected"
        switch property {
        case .constant:
            return ["declare it as a variable, with \(wrapper)", "list that in an injection table"]
        case .variable, .observed:
            let type = TypeName.inSource(owner)
            return [
                "declare it with \(property == .observed ? "@ObservationIgnored " : "")\(wrapper)",
                "list it in an injection table",
            ]
                // No key path writes to an actor.
                + (owner is any Actor.Type
                    ? [] : ["teach the box: teach(\(type).self, [\"\(name)\": .keyPath(\\\(type).\(name))])"])
        }
    }

    /// Combines the reason with its subject, `'cache' of Screen` or `a Screen`.
    private func explain(
        _ reason: String, _ facts: [Explanation.Fact] = [], hint: String? = nil, to goal: String = "fix",
        fix ways: [String] = []
    ) -> Explanation {
        let isWhole = source == .subject
        let subject = isWhole ? TypeName.withArticle(of: owner) : "'\(name)' of \(TypeName.of(owner))"
        let headline =
            switch finding.kind {
            case .filled: "\(subject) is \(reason)."
            case .kept: "\(subject) \(reason)."
            case .hole: "Can't fill \(subject): \(reason)."
            case .note: "Note on \(subject): \(reason)."
            }
        var about = isWhole ? [] : [(Self.property, "\(path), \(TypeName.withArticle(of: request.type))")]
        if !isWhole, finding.kind == .hole, let requirement { about.append(("Required", requirement)) }
        return Explanation(
            reason: reason, headline: headline, facts: about + facts, hint: hint,
            instruction: Message.instruction(to: goal, ways))
    }

    private static let property = "Property"

    /// Says whether the property needs a service, if its type alone doesn't tell.
    private var requirement: String? {
        if isDefaulted { return "no, it has a value of its own" }
        return need == .requiredUnlessDefaulted
            ? "unless its declaration, unknown without an object, gives a value or another name" : nil
    }

    private func missing(_ context: Context) -> Explanation {
        let hint = context.hint
        let place = isNamedAsService ? "under that name" : "as '\(serviceName)'"
        let wanted = TypeName.withArticle(of: context.providedType ?? request.wanted)
        let origin = context.takesParameters ? ", made from parameters," : ""
        return explain(
            "no service \(context.verb) registered \(place)",
            context.registered?.facts ?? [("Registered", "unknown, the box is gone")], hint: hint?.clause,
            fix: hint?.waysToTake(by: self) ?? wayToName ?? [
                "register \(wanted)\(origin) as '\(serviceName)' before \(isOnRead ? "reading" : "filling")"
            ])
    }

    /// The way to name the service of a slot inside another property wrapper, all of which have the same name.
    private var wayToName: [String]? {
        let parts = path.split(separator: ".")
        guard isNamedAsService, parts.count > 1, parts.last == "wrappedValue" else { return nil }
        return [
            "give it the name of its service, as @\(request.isWeak ? "Weak" : "")Injected(\"\(parts[parts.count - 2].drop { $0 == "_" })\")"
        ]
    }

    private func mismatch(_ found: ServiceDescription, _ context: Context) -> Explanation {
        let hint = context.hint
        let (wanted, present) = TypeName.distinct(request.wanted, found.type)
        let isValue = !TypeName.isProtocol(found.implementation) && !(found.implementation is AnyClass)
        let isProtocol = TypeName.isProtocol(request.type)
        let subject = "the service under that name \(context.verb)"
        var reason = "\(subject) \(TypeName.withArticle(present)), not \(TypeName.withArticle(wanted))"
        var facts = [("Found", "'\(found.name)' (\(present))")]
        let ways: [String]
        switch (context.isRightType, found.parameters) {
        case (true, let parameters?):
            let origin = TypeName.of(parameters)
            reason =
                "\(subject) \(TypeName.withArticle(present)) that is made from \(TypeName.withArticle(origin))"
            let types = "\(Message.spelled(found.type)), \(Message.spelled(parameters))"
            ways = ["declare the property as a ServiceParametersProvider<\(types)>"]
        // A service behind the property's own interface fails a weak property only if it is a value.
        case (true, nil) where request.isWeak && (isValue || found.type == request.wanted):
            reason = "it holds class instances weakly, and \(subject)n't a class instance"
            ways = ["declare the property with @Injected"]
        case (true, nil) where context.isIsolated:
            facts.append(Message.isolation(ofConformanceTo: wanted))
            ways = [Message.wayToRegisterOnActor(as: wanted)]
        default:
            let provided =
                found.parameters == nil && !context.takesParameters ? context.providedType : nil
            let other =
                if provided != nil {
                    ["take a ServiceProvider<\(Message.spelled(found.type))>"]
                } else if isProtocol {
                    TypeName.mayConform(found.type)
                        // It may conform with other associated types.
                        && Metadata(request.wanted).kind != .extendedExistential
                        && !(isValue && Interface(request.wanted)?.isForClasses ?? false)
                        ? ["let \(present) conform to \(wanted)"] : []
                } else {
                    ["give the property the type of the service"]
                }
            let way =
                if let provided, context.fitsProvider {
                    Message.wayToRegister(as: provided, named: found.name)
                } else {
                    Message.wayToRegister(
                        provided.map(TypeName.of) ?? wanted, inPlaceOf: present, hint)
                }
            ways = [way] + other
        }
        return explain(reason, facts, hint: hint?.clause, fix: hint?.waysToTake(by: self) ?? ways)
    }

    private func noSuchProperty(_ hint: Hint?) -> Explanation {
        explain(
            "the table names a property that the type does not store", hint: hint?.clause,
            fix: (hint?.ways(to: "name the line")
                ?? ["name the line after the stored property that the key path writes"])
                + ["use a setter, whose line may have any name"])
    }

    /// Some services of a collection, out of `count`, couldn't be created.
    private func failed(
        _ failures: [FailedService], of count: Int, _ context: Context
    ) -> Explanation {
        let names = failures.map(\.service.name).quoted(" and ")
        if failures.count == 1 {
            return failed(
                failures[0], "\(names), \(count == 1 ? "its only service" : "one of its \(count) services"),",
                context)
        }
        let facts = failures.flatMap { failure in
            let error = failure.error.explained
            let cause = error.facts.first { $0.label == Explanation.error }?.value ?? error.headline
            return [("Found", failure.service.phrase), (Explanation.error, cause)]
        }
        return explain(
            "\(names), \(failures.count) of its \(count) services, could not be made", facts,
            fix: ["correct what the errors name; the report keeps the first one whole"])
    }

    /// A service couldn't be created; if there is no subject, it was created and is incomplete.
    private func failed(_ failure: FailedService, _ subject: String?, _ context: Context) -> Explanation {
        var error = failure.error.explained
        error.instruction = error.instruction.map(Message.toTake)
        if !context.isOfService {
            error.instruction = error.instruction.map { Message.toFill($0, isOnRead: isOnRead) }
        }
        // What to do is about the property that the service lacks.
        if let path = failure.error.lacks?.first?.record.path {
            error.instruction = error.instruction?.replacing("To fix,", with: "To fix \(path),")
        }
        let problem = subject.map { "\($0) could not be made" } ?? "its service is incomplete"
        // The incomplete service lacks a property too, labelled apart; its name is already in "Found".
        let facts = error.facts.map { $0.label == Self.property ? ("Missing", $0.value) : $0 }
            .filter { $0 != Message.registered(as: failure.service.name) }
        return explain(
            "\(problem), since \(error.reason)", [("Found", failure.service.phrase)] + facts
        ).ending(as: error)
    }
}
