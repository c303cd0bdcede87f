// Part of ServiceBox, released under the MIT License.
// What is said of boxes that start and stop.

extension Message {
    /// A box was to be started that has stopped.
    static func startAfterStop(_ box: String?) -> Explanation {
        Explanation(
            "Can't start a box", because: "it has stopped", facts: box.map { [("Box", "'\($0)'")] } ?? [],
            fix: ["start a new one, or a child of one that runs"])
    }

    /// A child was to run in a box that has stopped.
    static func childAfterStop(_ child: String, of box: String?) -> Explanation {
        Explanation(
            "Can't run the child '\(child)'", because: "its parent has stopped",
            facts: box.map { [("Box", "'\($0)'")] } ?? [], fix: ["run children before the parent stops"])
    }

    /// Services hadn't ended in time.
    ///
    /// - Parameters:
    ///   - names: Their names, the current one first.
    ///   - limit: How long they were given.
    /// - Returns: The message.
    static func stopTimedOut(_ names: [String], limit: Duration) -> Explanation {
        var facts: [Explanation.Fact] = [("Given", "\(limit)")]
        if names.count > 1 {
            facts.append(("Waiting", names.dropFirst().map { "'\($0)'" }.joined(separator: ", ")))
        }
        return Explanation(
            "Can't stop in time", because: "'\(names.first ?? "")' hasn't ended", facts: facts,
            fix: ["let it end when its task is cancelled", "give the box more time"])
    }

    /// Several services threw errors while they stopped.
    static func stopFailed(_ errors: [ServiceBoxError]) -> Explanation {
        list("Can't stop all services", "errors", errors.map(\.explained))
    }
}
