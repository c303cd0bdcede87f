// Part of ServiceBox, released under the MIT License.
// Why a service couldn't be created, and the text of the error.

/// The reason why a service couldn't be created.
enum MakingFailure: Sendable {
    /// A factory, a decoration declared at a location, a module, or a service that started or stopped with its box
    /// threw an error of its own; the name is the service's, if it has one.
    case failed(ServiceBoxError.Code, any Error, name: String? = nil, decoration: SourceLocation? = nil)
    /// The service's box has stopped; with the registered name, and the name of the box if it has one.
    case stopped(name: String, box: String?)
    /// A service is needed to create itself.
    case cycle
    /// The same, where the services on the path are created on different actors.
    case cycleOfActors
    /// A provider with parameters resolved itself again and again.
    case endlessRecursion(limit: Int)
    /// The thread's stack has no room for another factory.
    case tooDeep
    /// A factory, or a decoration declared at a location, that is isolated to an actor was called elsewhere.
    case wrongIsolation(FactoryActor, decoration: @Sendable () -> SourceLocation?)
    /// The service must be awaited and wasn't yet; with its registered name, and whether a start creates it, perhaps
    /// only that of a child.
    case notReady(name: String, isShared: Bool, isStarted: Bool, isPerBox: Bool, box: String?)
    /// The service can't be held weakly; the type of the created value, unless no value of its type can.
    case weakValue(made: Any.Type?)
    /// The box that would create the service is gone; with its registered name there.
    case boxIsGone(name: String)

    /// The actor that a factory is isolated to.
    enum FactoryActor {
        case main
        case other
        /// Another one than the main actor, in a program that can't tell whether it runs there.
        case unknown
    }

    /// Whether services need one another to be created.
    var isCircle: Bool {
        if case .endlessRecursion = self { false } else { code == .cycle }
    }

    /// The thrown error, of this library or another.
    var underlying: (any Error)? {
        if case .failed(_, let error, _, _) = self { error } else { nil }
    }

    /// Where the decoration was declared that failed, if one did.
    fileprivate var decoration: SourceLocation? {
        switch self {
        case .failed(_, _, _, let decoration): decoration
        case .wrongIsolation(_, let decoration): decoration()
        default: nil
        }
    }

    var code: ServiceBoxError.Code {
        switch self {
        case .failed(let code, _, _, _): code
        case .stopped: .stopped
        case .cycle, .cycleOfActors, .endlessRecursion: .cycle
        case .tooDeep: .tooDeep
        case .wrongIsolation: .wrongIsolation
        case .notReady: .notReady
        case .weakValue: .weakValue
        case .boxIsGone: .boxIsGone
        }
    }
}

extension Message {
    /// A service couldn't be created; with the types from the requested one to the one that failed.
    static func making(
        _ failure: MakingFailure, path names: [String], _ steps: [ServicePath.Step], shownAs labels: [String]
    ) -> Explanation {
        let (asked, failed) = (names.first ?? "", names.last ?? "")
        let isNested = names.count > 1
        let it = asked == failed ? "it" : failed
        let decoration = failure.decoration
        let maker = decoration == nil ? "factory" : "decoration"
        let factory = asked == failed ? "its \(maker)" : "the \(maker) of \(failed)"
        let cause = failure.underlying as? ServiceBoxError
        let isStartedAgain = (cause?.makers ?? steps).contains { $0.traits.contains(.start) }
        let sought = isStartedAgain || cause?.refusal == nil ? [] : cause?.path ?? []
        var facts = isNested || !sought.isEmpty ? [(label: "Path", value: way(labels + sought))] : []
        var subject = "make \(TypeName.withArticle(asked))"
        let wayNotToStartAgain = "don't start the box from what it starts"
        let reason: String
        let fix: [String]
        switch failure {
        case .failed(.factoryFailed, _, let name, _):
            facts += name.map { registered(as: $0, unlike: failed) } ?? []
            reason = "\(factory) failed"
            fix = ["correct what the \(maker) of \(failed) reports, then \(wayToAskAgain(steps))"]
        case .failed(.moduleFailed, _, _, _):
            // The factory of a service may add the module.
            let isAdded = steps.first?.traits.contains(.module) == true
            if isAdded { subject = "add \(asked)" }
            reason = "\(isNested ? failed : "it") failed to register"
            fix = ["correct what \(failed) reports, then \(isAdded ? "add it again" : wayToAskAgain(steps))"]
        case .failed(let code, _, let name, _):
            let verb = code == .startFailed ? "start" : "stop"
            subject = "\(verb) \(TypeName.withArticle(asked))"
            facts += name.map { registered(as: $0, unlike: failed) } ?? []
            reason = "\(isNested ? "the \(verb) of \(failed)" : "its \(verb)") failed"
            fix = [isStartedAgain ? wayNotToStartAgain : "correct what the \(verb) of \(failed) reports"]
        case .stopped(let name, let box):
            facts.append(registered(as: name))
            facts += Message.box(box)
            reason = "the box that \(it) belongs to has stopped"
            fix = ["ask before the box stops"]
        case .cycle where isStartedAgain:
            subject = "start a box"
            reason = "it is already starting, and waits for what calls it"
            fix = [wayNotToStartAgain]
        case .cycle:
            reason = "\(asked == failed ? "it" : TypeName.withArticle(failed)) is needed to make itself"
            fix = waysOut(ofCycle: steps)
        case .cycleOfActors:
            reason = "\(it) is needed to make itself, on another actor"
            fix = [
                "let the services on the path take each other through injected properties, and give one an async factory",
                wayByProvider,
            ]
        case .endlessRecursion(let limit):
            reason = "\(factory) asked for another one more than \(limit) times in a row"
            fix = ["let the recursion end", "make the inner services in a loop"]
        case .tooDeep:
            reason = "the chain of factories is too long for the thread's stack"
            fix = [
                "let services on the path take others through injected properties, which are filled without nesting",
                "ask on a thread with a larger stack",
            ]
        case .wrongIsolation(let actor, _):
            let belongs = "\(factory) belongs to \(actor == .main ? "the main" : "another") actor"
            let isShared = steps.last?.traits.contains(.shared) ?? false
            let wayThere =
                steps.last?.traits.contains(.fromParameters) == true
                ? [] : [Self.wayThere]
            if actor == .unknown {
                reason = "\(belongs), and a statically linked program can't tell whether it runs there"
                fix = wayThere.isEmpty ? ["let the factory belong to the main actor, or to none"] : wayThere
            } else {
                reason = "\(belongs) and was called elsewhere"
                let there = actor == .main ? "the main actor" : "that actor"
                let after = isShared ? "; \(Self.availability)" : ""
                fix = wayThere + ["ask on \(there)\(after)"]
            }
        case .notReady(let name, let isShared, let isStarted, let isPerBox, let box):
            facts.append(registered(as: name))
            facts += Message.box(box)
            reason = "\(it) must be awaited\(isShared ? " and isn't ready" : " each time")"
            let way = "await prepare(\"\(name)\")"
            switch (isShared, isStarted) {
            case (false, _): fix = ["\(way) in its place", "give it a lifetime that is kept"]
            case (true, true):
                let box = isPerBox ? "child" : "box"
                fix = ["\(way) before asking", "await start() of the \(box) that creates it"]
            case (true, false): fix = ["\(way) before asking, and keep what it returns"]
            }
        case .weakValue(let made):
            if !isNested { subject = "hold \(TypeName.withArticle(asked)) weakly" }
            if let made { facts.append(("Made", TypeName.of(made))) }
            reason =
                isNested
                ? "\(TypeName.withArticle(failed)) is to be held weakly, but isn't a class instance"
                : "it isn't a class instance"
            let value = made.map(TypeName.of) ?? failed
            fix = ["give \(failed) another lifetime", "make \(value == failed ? "it" : value) a class"]
        case .boxIsGone(let name):
            facts.append(registered(as: name))
            reason = "the box that \(it) belongs to is gone"
            fix = ["keep the box as long as its providers are used"]
        }
        if let decoration { facts.append(("Decorated", "\(decoration)")) }
        if let error = failure.underlying { facts.append((Explanation.error, words(of: error))) }
        var explanation = Explanation("Can't \(subject)", because: reason, facts: facts, fix: fix)
        // What failed in a module, or while a service started or stopped.
        if let lookUp = cause?.refusal?.explained {
            explanation.facts += lookUp.facts.filter { $0.label != "Path" }
                .map { $0.label == "Registered" ? ("Available", $0.value) : $0 }
            let instruction = explanation.instruction
            explanation = explanation.ending(as: lookUp)
            if isStartedAgain { explanation.instruction = instruction }
        } else if let inner = cause?.explained, !isStartedAgain {
            explanation.facts += inner.facts.filter {
                [Explanation.error, Explanation.cause].contains($0.label)
            }
            .map { (Explanation.cause, $0.value) }
            explanation = explanation.ending(as: inner)
        }
        return explanation
    }

    /// What to do about the error of a service that a fill or a first read has asked for, given what to do about
    /// the error itself.
    static func toFill(_ instruction: String, isOnRead: Bool) -> String {
        instruction.replacing("ask again", with: isOnRead ? "read it again" : "fill again")
            .replacing("before asking", with: isOnRead ? "before reading" : "before filling")
            .replacing("ask on", with: isOnRead ? "read it on" : "fill on")
    }

    private static let wayThere = "in a box await prepare(…), which goes there"
    private static let availability = "a shared service is available everywhere once made"

    /// What to do about the error of a service that a property takes, which can't await it: one that is created each
    /// time isn't there afterwards.
    static func toTake(_ instruction: String) -> String {
        let isShared = instruction.contains(availability)
        return instruction.replacing(" in its place", with: " and set the property to what it returns")
            .replacing("\(wayThere), or ask", with: isShared ? "\(wayThere), or ask" : "ask")
    }

    /// What to do once the cause of an error is corrected, given the services that have passed it on.
    private static func wayToAskAgain(_ steps: [ServicePath.Step]) -> String {
        var known: Set<String> = []
        let keepers = steps.filter { $0.traits.contains(.keepingErrors) }.names.reversed().filter {
            known.insert($0).inserted
        }
        return switch keepers.count {
        case 0: "ask again"
        case 1: "reset() the provider of \(keepers[0]), which is eager and keeps the error"
        default:
            "reset() the providers of \(keepers.joined(separator: " and then ")), which are eager and keep the error"
        }
    }

    private static func waysOut(ofCycle steps: [ServicePath.Step]) -> [String] {
        // A shared service may take itself through a property, so this one's factory or decoration asks for it.
        let ends = steps.reversed().prefix { $0.provider == steps.last?.provider }
        if ends.count > 1, ends.allSatisfy({ $0.traits.contains(.shared) }) {
            return ends.contains { $0.traits.contains(.decoration) }
                ? ["use the service that the decoration is passed"]
                : ["let its factory ask for another service; all services of a type include its own"]
        }
        return [
            steps.contains { $0.traits.contains(.shared) }
                ? "let the services on the path take each other through injected properties, which are filled later"
                : "keep one service on the path, as a lazy or a weak one, in an optional injected property of another",
            wayByProvider,
        ]
    }

    private static let wayByProvider = "let one take a provider and resolve that later"

    /// The registered name of a service.
    static func registered(as name: String) -> Explanation.Fact { ("Registered", "as '\(name)'") }

    /// The same, unless the type says it.
    private static func registered(as name: String, unlike type: String) -> [Explanation.Fact] {
        type.prefix { $0 != "<" }.lowercased() == name.lowercased() ? [] : [registered(as: name)]
    }

    /// The thrown error; one of this library's is kept whole as the underlying error.
    private static func words(of error: any Error) -> String {
        (error as? ServiceBoxError)?.headline ?? "\(error) (\(TypeName.of(type(of: error))))"
    }

    /// A service couldn't be created because a look-up failed in its factory, or in that of a service that it
    /// needs; with the services under construction, and the path to what was looked up.
    static func lookUpFailed(
        _ root: Explanation, in steps: [ServicePath.Step], path names: [String]
    ) -> Explanation {
        let makers = steps.names
        let maker = steps.last?.traits.contains(.decoration) == true ? "decoration" : "factory"
        let factory = makers.count > 1 ? "the \(maker) of \(makers.last ?? "")" : "its \(maker)"
        return Explanation(
            "Can't make \(TypeName.withArticle(makers.first ?? ""))",
            because: "a look-up in \(factory) failed",
            facts: [("Path", way(names)), (Explanation.error, root.headline)]
                + root.facts.filter { $0.label != "Path" }
        ).ending(as: root)
    }

    /// The maximum number of steps of a path that are shown.
    private static let stepLimit = 12

    /// A path on one line; repetitions of a name are counted, and a very long path shows only its ends.
    static func way(_ names: [String]) -> String {
        var runs: [(name: String, count: Int)] = []
        for name in names {
            if runs.last?.name != name { runs.append((name, 0)) }
            runs[runs.count - 1].count += 1
        }
        var parts = runs.flatMap { run in
            run.count > 2
                ? ["\(run.name) (\(run.count) times)"] : Array(repeating: run.name, count: run.count)
        }
        if parts.count > stepLimit {
            let half = stepLimit / 2
            parts.replaceSubrange(half..<(parts.count - half), with: ["… \(parts.count - 2 * half) more …"])
        }
        return parts.joined(separator: " → ")
    }
}
