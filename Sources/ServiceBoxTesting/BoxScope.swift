// Part of ServiceBox, released under the MIT License.
// The box of a scope, and the check of how it was used.

import ServiceBoxKit

/// The box of a scope.
struct BoxScope: Sendable {
    let box: ServiceBox
    private let name: String
    private let requirements: OverrideRequirements
    private let observed = ObservedNames()
    private var observation: ServiceObservation?

    /// Opens a scope.
    ///
    /// - Parameters:
    ///   - base: The box to build on.
    ///   - name: The name of the scope, for messages.
    ///   - requirements: What the scope requires of its services.
    init(of base: ServiceBox?, named name: String, requiring requirements: OverrideRequirements) {
        box = ServiceBox.makeScope(of: base, name: name)
        self.name = name
        self.requirements = requirements
        if requirements.isEmpty { return }
        observation = box.observe { [observed] event in
            if let hole = event.hole, hole.outcome == .missing {
                observed.missing.withLock { _ = $0.insert(hole.serviceName) }
            } else if event.kind == .made, let name = event.serviceName {
                observed.made.withLock { _ = $0.insert(name) }
            }
        }
    }

    /// Throws if the scope was not used as required.
    ///
    /// - Parameter overrides: By name, the uses of the services that were registered at the start.
    /// - Throws: An error that lists every problem.
    func check(_ overrides: [String: @Sendable () -> ServiceUse]) throws(ServiceOverrideError) {
        let uses = box.uses
        // The scope may have replaced an override since; the use of either counts.
        let latest = box.ownUses
        let ofOverrides = overrides.sorted { $0.key < $1.key }.map { name, use in
            let use = use()
            return use.isUsed ? use : latest[name]?() ?? use
        }
        var unused: [TestingMessage.Unused] = []
        var live: [ServiceUse] = []
        if requirements.contains(.everyOverrideIsUsed) {
            let others = uses.map(\.name).filter { overrides[$0] == nil } + observed.missing.withLock { $0 }
            unused = ofOverrides.filter { !$0.isUsed }.map { use in
                TestingMessage.Unused(
                    use: use, reason: box.reasonForNoUse(of: use.name, askedNames: Set(others)))
            }
        }
        if requirements.contains(.nothingLiveIsUsed) {
            let made = observed.made.withLock { $0 }
            let current = uses.filter { ($0.isUsed || made.contains($0.name)) && box.isLive($0.name) }
            live = (current + box.liveUsesBeforeOverriding).sorted { $0.name < $1.name }
        }
        if unused.isEmpty, live.isEmpty { return }
        throw ServiceOverrideError(
            scopeName: name, unused: unused, live: live, used: ofOverrides.filter(\.isUsed))
    }
}

/// What a box has told of.
private final class ObservedNames: Sendable {
    /// The names that properties asked for without finding a service.
    let missing = Guarded<Set<String>>([])
    /// The names of the services that were created.
    let made = Guarded<Set<String>>([])
}
