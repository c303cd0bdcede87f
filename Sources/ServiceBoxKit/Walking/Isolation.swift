// Part of ServiceBox, released under the MIT License.
// Whether code that belongs to an actor may be run here.

/// A portable probe for the main actor.
///
/// A cast to a protocol whose conformance is isolated succeeds on that actor only (measured on Swift 6.3).
enum Isolation {
    fileprivate protocol MainActorMark {}

    @MainActor fileprivate final class Probe {
        nonisolated init() {}
    }

    private static let probe: any Sendable = Probe()

    static var isMainActor: Bool { probe is any MainActorMark }
}

extension Isolation.Probe: @MainActor Isolation.MainActorMark {}

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
