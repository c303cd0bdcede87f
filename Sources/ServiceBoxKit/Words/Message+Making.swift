// Part of ServiceBox, released under the MIT License.
// What the library says when a service cannot be made.

extension Message {
    /// The explanation of a service that could not be made.
    ///
    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - names: The types from the service that was asked for to the one that failed.
    /// - Returns: The message.
    static func making(_ failure: MakingFailure, path names: [String]) -> Explanation {
        let asked = names.first ?? ""
        let failed = names.last ?? ""
        let isNested = names.count > 1
        var facts = isNested ? [(label: "Path", value: way(names))] : []
        let reason: String
        var verb = "make"
        let instruction: String
        switch failure {
        case .factoryFailed(let error):
            reason = isNested ? "the factory of \(failed) failed" : "its factory failed"
            facts.append(("Error", words(of: error)))
            instruction = "To fix, see to what the factory of \(failed) reports, then ask again."
        case .cycle:
            reason =
                asked == failed
                ? "making it needs it already" : "making \(TypeName.withArticle(failed)) needs it already"
            instruction =
                "To fix, let one service on the path take another through a property that is filled after the making, "
                + "or take its provider and resolve it later."
        case .endlessRecursion(let limit):
            let subject = asked == failed ? "its factory" : "the factory of \(failed)"
            reason = "\(subject) asked for another one more than \(limit) times in a row"
            instruction = "To fix, let the recursion end, or make the inner services in a loop."
        case .tooDeep:
            reason = "the chain of factories is too long for the thread's stack"
            instruction =
                "To fix, let services on the path take others through properties, which are filled without nesting, "
                + "or ask on a thread with a larger stack."
        case .wrongIsolation(let isMainActor):
            let subject = isNested ? "the factory of \(failed)" : "its factory"
            let owner = isMainActor ? "the main actor" : "another actor"
            reason = "\(subject) belongs to \(owner) and was asked elsewhere"
            let place = isMainActor ? "the main actor" : "that actor"
            instruction =
                "To fix, ask on \(place); a service that is shared can be asked for anywhere once it is made."
        case .weakType, .weakValue:
            verb = isNested ? "make" : "hold"
            reason = weakReason(failed, isNested: isNested)
            if case .weakValue(let made) = failure { facts.append(("Made", TypeName.of(made))) }
            instruction = "To fix, give \(failed) another lifetime, or make it a class."
        case .boxIsGone(let name):
            reason = "the box that \(isNested ? "\(failed)" : "it") was registered in is gone"
            facts.append(("Registered", "as '\(name)'"))
            instruction = "To fix, keep the box as long as its providers are used."
        }
        let subject = TypeName.withArticle(asked) + (verb == "hold" ? " weakly" : "")
        return Explanation(
            reason: reason, headline: "Can't \(verb) \(subject): \(reason).", facts: facts,
            instruction: instruction)
    }

    /// A service could not be made because its factory, or that of another one which it needs, looked a
    /// service up in vain.
    ///
    /// - Parameters:
    ///   - root: What the look-up threw.
    ///   - names: The types of the services that were being made, and what was looked up.
    /// - Returns: The message.
    static func lookUpFailed(_ root: Explanation, path names: [String]) -> Explanation {
        let makers = names.dropLast()
        let failed = makers.count > 1 ? "the factory of \(makers.last ?? "")" : "its factory"
        let reason = "a look-up in \(failed) failed"
        return Explanation(
            reason: reason,
            headline: "Can't make \(TypeName.withArticle(names.first ?? "")): \(reason).",
            facts: [("Path", way(names)), ("Error", root.headline)] + root.facts, hint: root.hint,
            instruction: root.instruction)
    }

    /// The text for a session factory with a lifetime that sessions cannot have.
    static func transientSession(_ type: Any.Type) -> String {
        let reason = "a session keeps one service for each key"
        return Explanation(
            reason: reason,
            headline: "Can't make \(TypeName.withArticle(TypeName.of(type))) anew for each ask: \(reason).",
            facts: [("Lifetime", "transient")],
            instruction: "To fix, let the session factory's lifetime be eager, lazy or weak."
        ).text
    }

    /// What an error says, on one line if it is one of this library's; those are kept whole as the underlying
    /// error.
    private static func words(of error: any Error) -> String {
        (error as? ServiceBoxError)?.headline ?? "\(error) (\(TypeName.of(type(of: error))))"
    }

    private static func weakReason(_ name: String, isNested: Bool) -> String {
        isNested
            ? "\(TypeName.withArticle(name)) is to be held weakly, and it is no class instance"
            : "it is no class instance"
    }

    /// The most steps of a path that are written out.
    private static let stepLimit = 12

    /// A path on one line: the same name many times in a row is counted, and a very long path shows its ends.
    private static func way(_ names: [String]) -> String {
        var runs: [(name: String, count: Int)] = []
        for name in names {
            if let last = runs.last, last.name == name {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((name, 1))
            }
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
