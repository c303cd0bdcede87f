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
        let fix: [String]
        switch failure {
        case .factoryFailed(let error):
            reason = isNested ? "the factory of \(failed) failed" : "its factory failed"
            facts.append(("Error", words(of: error)))
            fix = ["correct what the factory of \(failed) reports, then ask again"]
        case .cycle:
            reason = "\(asked == failed ? "it" : TypeName.withArticle(failed)) is needed to make itself"
            fix = [
                "let one service on the path take another through an injected property, which is filled later",
                "let it take a provider and resolve that later",
            ]
        case .endlessRecursion(let limit):
            let subject = asked == failed ? "its factory" : "the factory of \(failed)"
            reason = "\(subject) asked for another one more than \(limit) times in a row"
            fix = ["let the recursion end", "make the inner services in a loop"]
        case .tooDeep:
            reason = "the chain of factories is too long for the thread's stack"
            fix = [
                "let services on the path take others through injected properties, which are filled without nesting",
                "ask on a thread with a larger stack",
            ]
        case .wrongIsolation(let isMainActor):
            let subject = isNested ? "the factory of \(failed)" : "its factory"
            reason =
                "\(subject) belongs to \(isMainActor ? "the main" : "another") actor and was called elsewhere"
            fix = [
                "ask on \(isMainActor ? "the main" : "that") actor; a shared service is available everywhere once made"
            ]
        case .weakType, .weakValue:
            verb = isNested ? "make" : "hold"
            reason = weakReason(failed, isNested: isNested)
            if case .weakValue(let made) = failure { facts.append(("Made", TypeName.of(made))) }
            fix = ["give \(failed) another lifetime", "make it a class"]
        case .boxIsGone(let name):
            reason = "the box that \(isNested ? "\(failed)" : "it") was registered in is gone"
            facts.append(("Registered", "as '\(name)'"))
            fix = ["keep the box as long as its providers are used"]
        }
        let subject = TypeName.withArticle(asked) + (verb == "hold" ? " weakly" : "")
        return Explanation("Can't \(verb) \(subject)", because: reason, facts: facts, fix: fix)
    }

    /// A service couldn't be made because its factory, or that of another one which it needs, looked up a service that
    /// wasn't found.
    ///
    /// - Parameters:
    ///   - root: What the look-up threw.
    ///   - names: The types of the services that were being made, and what was looked up.
    /// - Returns: The message.
    static func lookUpFailed(_ root: Explanation, path names: [String]) -> Explanation {
        let makers = names.dropLast()
        let failed = makers.count > 1 ? "the factory of \(makers.last ?? "")" : "its factory"
        var explanation = Explanation(
            "Can't make \(TypeName.withArticle(names.first ?? ""))", because: "a look-up in \(failed) failed",
            facts: [("Path", way(names)), ("Error", root.headline)] + root.facts, hint: root.hint)
        explanation.instruction = root.instruction
        return explanation
    }

    /// What an error says, on one line if it is one of this library's; those are kept whole as the underlying
    /// error.
    private static func words(of error: any Error) -> String {
        (error as? ServiceBoxError)?.headline ?? "\(error) (\(TypeName.of(type(of: error))))"
    }

    private static func weakReason(_ name: String, isNested: Bool) -> String {
        isNested
            ? "\(TypeName.withArticle(name)) is to be held weakly, but isn't a class instance"
            : "it isn't a class instance"
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
