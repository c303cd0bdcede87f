// Part of ServiceBox, released under the MIT License.
// Whether a line of a table may be used here.

extension TypePlan.TableLine {
    /// Whether the line may be used on a subject here.
    ///
    /// A line made on an actor other than the main one can only come from an isolated conformance, whose cast
    /// asks for that actor.
    ///
    /// - Parameters:
    ///   - subject: What is to be written.
    ///   - isOnActor: Whether the subject is an actor and this its isolation.
    /// - Returns: Whether it may.
    func isUsable(on subject: Any, isOnActor: Bool = false) -> Bool {
        if injection.isForActor { return isOnActor }
        guard let actor = injection.isolation else { return true }
        if actor === MainActor.shared { return Isolation.isMainActor }
        return subject is any Injectable
    }
}

extension Injection {
    /// Whether the line was made on an actor other than the main one.
    var isForOtherActor: Bool { isolation.map { $0 !== MainActor.shared } ?? false }
}
