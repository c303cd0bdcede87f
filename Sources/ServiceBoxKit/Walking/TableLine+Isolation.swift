// Part of ServiceBox, released under the MIT License.
// Whether a line of a table may be used here.

extension TypePlan.TableLine {
    /// Whether the line may be used on a subject here.
    ///
    /// A line made on an actor other than the main one can only come from an isolated conformance, whose cast asks
    /// for that actor.
    func isUsable(on subject: Any) -> Bool {
        guard let actor = injection.isolation else { return true }
        if actor === MainActor.shared { return Isolation.isMainActor }
        return subject is any Injectable
    }
}
