// Part of ServiceBox, released under the MIT License.
// Reading the tables of types, and whether a line may be used here.

extension TypePlan {
    /// The lines that a type and its superclasses list, of which the nearest wins a name.
    ///
    /// A table runs code of the user's.
    ///
    /// - Parameter type: Any type.
    /// - Returns: The lines, or nil if the conformance belongs to an actor that this doesn't run on.
    static func table(of type: Any.Type) -> [TableLine]? {
        // A cast of a type to a protocol that the compiler knows asks for no actor.
        guard type is any Injectable.Type else { return [] }
        guard Conformance.of(type, to: (any Injectable).self) == true else { return nil }
        // A class has the conformance of its superclass and can have no other, so where its own may be used, the
        // superclass's may be.
        return TypeMetadata.classChain(of: type).compactMap { ($0 as? any Injectable.Type)?.injections.lines }
            .reduce([]) { $0.replacing(with: $1) }
    }
}

extension TableLine {
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
