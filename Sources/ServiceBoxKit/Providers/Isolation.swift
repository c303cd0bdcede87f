// Part of ServiceBox, released under the MIT License.
// Whether code that belongs to the main actor may be run here.

/// A portable probe for the main actor.
///
/// A cast to a protocol whose conformance is isolated succeeds on that actor only (measured on Swift 6.3).
enum Isolation {
    fileprivate protocol MainActorMark {}

    @MainActor fileprivate final class Probe {
        nonisolated init() {}
    }

    private static let probe: any Sendable = Probe()

    /// Whether the caller runs on the main actor.
    static var isMainActor: Bool { probe is any MainActorMark }
}

extension Isolation.Probe: @MainActor Isolation.MainActorMark {}
