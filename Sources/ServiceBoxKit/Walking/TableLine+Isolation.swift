// Part of ServiceBox, released under the MIT License.
// Whether a line of a table may be used here.

extension TypePlan.TableLine {
    /// Whether the line may be used on a subject here.
    ///
    /// A line of an actor other than the main one comes from an isolated conformance, whose cast asks for that
    /// actor, or from a closure that names it, of which only the runtime can tell.
    ///
    /// - Parameters:
    ///   - subject: What is to be written.
    ///   - isOnActor: Whether the subject is an actor and this its isolation.
    /// - Returns: Whether it may.
    func isUsable(on subject: Any, isOnActor: Bool = false) -> Bool {
        if injection.isForActor { return isOnActor }
        guard let actor = injection.isolation else { return true }
        if actor === MainActor.shared { return Isolation.isMainActor }
        return Isolation.isCurrent(actor) ?? (subject is any Injectable)
    }
}

extension Injection {
    /// Whether the line was made on an actor other than the main one.
    var isForOtherActor: Bool { isolation.map { $0 !== MainActor.shared } ?? false }
}
