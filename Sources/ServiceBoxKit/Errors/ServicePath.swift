// Part of ServiceBox, released under the MIT License.
// The way from what was asked for to what failed.

/// The services that were being made for each other when one of them failed, from the outermost to the one
/// that failed.
struct ServicePath: Sendable {
    /// One service on the way: which provider makes it, and its type.
    struct Step: Sendable {
        let provider: ObjectIdentifier
        let type: Any.Type
    }

    let steps: [Step]

    init(_ steps: [Step]) {
        self.steps = steps
    }

    /// The names of the types on the way.
    var names: [String] { steps.map { TypeName.of($0.type) } }

    /// The path of a cycle as seen by a provider whose factory let the error escape: the provider comes
    /// first.
    ///
    /// A path that has gone round already, and that the provider lies on, is turned so that it starts and
    /// ends there: who enters a cycle at B is told B → A → B, whoever else found it.
    func entered(by step: Step) -> ServicePath {
        if let start = steps.dropLast().firstIndex(where: { $0.provider == steps.last?.provider }) {
            let circle = steps[start..<(steps.count - 1)]
            if let entry = circle.firstIndex(where: { $0.provider == step.provider }) {
                return ServicePath(Array(circle[entry...]) + circle[..<entry] + [step])
            }
        }
        return ServicePath([step] + steps)
    }
}
