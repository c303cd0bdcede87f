// Part of ServiceBox, released under the MIT License.
// A box of its own for a scope, and what is required of its use.

import ServiceBoxKit

/// A scope's box, from its set-up to the check of its use.
struct BoxScope: Sendable {
    let box: ServiceBox
    private let name: String
    private let requirements: OverrideRequirements
    private let observations: ScopeObservations

    /// Opens a scope.
    ///
    /// - Parameters:
    ///   - base: The box to build on.
    ///   - name: The name of the scope, for messages.
    ///   - requirements: What is required of its use.
    init(of base: ServiceBox?, named name: String, requiring requirements: OverrideRequirements) {
        box = ServiceBox.makeScope(of: base, name: name)
        self.name = name
        self.requirements = requirements
        observations = ScopeObservations(of: requirements.isEmpty ? nil : box)
    }

    /// Throws if the scope was not used as required.
    ///
    /// - Parameter overrides: The uses of the services that were registered at the start of the scope, by
    ///   name.
    /// - Throws: An error that lists every problem.
    func check(_ overrides: [String: @Sendable () -> ServiceUse]) throws(ServiceOverrideError) {
        let uses = box.uses
        // An override may have been replaced since by one of the scope's own; either of them may be the used
        // one.
        let latest = box.ownUses
        let ofOverrides = overrides.sorted { $0.key < $1.key }.map { name, use in
            let use = use()
            return use.isUsed ? use : latest[name]?() ?? use
        }
        var unused: [TestingMessage.Service] = []
        var live: [TestingMessage.Service] = []
        if requirements.contains(.everyOverrideIsUsed) {
            let others = uses.map(\.name).filter { overrides[$0] == nil } + observations.missing
            unused = ofOverrides.filter { !$0.isUsed }.map { use in
                TestingMessage.Service(use: use, suggestions: NearestNames.to(use.name, among: Set(others)))
            }
        }
        if requirements.contains(.nothingLiveIsUsed) {
            let made = observations.made
            let current = uses.filter { ($0.isUsed || made.contains($0.name)) && box.isLive($0.name) }
            live = (current + box.liveUsesBeforeOverriding).sorted { $0.name < $1.name }
                .map { TestingMessage.Service(use: $0) }
        }
        if unused.isEmpty, live.isEmpty { return }
        let used = ofOverrides.filter(\.isUsed)
        throw ServiceOverrideError(
            scopeName: name, unused: unused, live: live, used: used.map { TestingMessage.Service(use: $0) })
    }
}

/// What a box is seen to do as long as this lives.
private final class ScopeObservations: Sendable {
    private struct Names {
        var missing: Set<String> = []
        var made: Set<String> = []
    }

    /// What the observer may hold: not the observations, which keep the observer.
    private final class Gathered: Sendable {
        let names = Guarded(Names())
    }

    private let gathered = Gathered()
    private let observation: ServiceObservation?

    init(of box: ServiceBox?) {
        observation = box?.observe { [gathered] event in
            if let hole = event.hole, hole.outcome == .missing {
                gathered.names.withLock { _ = $0.missing.insert(hole.serviceName) }
            } else if event.kind == .made, let name = event.serviceName {
                gathered.names.withLock { _ = $0.made.insert(name) }
            }
        }
    }

    /// The names that properties asked for and nothing was registered under.
    var missing: Set<String> { gathered.names.withLock { $0.missing } }

    /// The names of the services that were made.
    var made: Set<String> { gathered.names.withLock { $0.made } }
}
