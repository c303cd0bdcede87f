// Part of ServiceBox, released under the MIT License.
// A box of its own for a scope, and what is required of its use.

import ServiceBoxKit
import Synchronization

/// A scope's box, from its set-up to the check of its use.
struct BoxScope: Sendable {
    let box: ServiceBox
    private let name: String
    private let requirements: OverrideRequirements
    private let missing: MissingNames

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
        missing = MissingNames(in: requirements.contains(.everyOverrideIsUsed) ? box : nil)
    }

    /// Throws if the scope was not used as required.
    ///
    /// - Parameter overrides: The names of the services that were registered at the start of the scope.
    /// - Throws: An error that lists every problem.
    func check(_ overrides: Set<String>) throws(ServiceOverrideError) {
        let uses = box.uses
        var unused: [TestingMessage.Service] = []
        var live: [TestingMessage.Service] = []
        if requirements.contains(.everyOverrideIsUsed) {
            let others = uses.map(\.name).filter { !overrides.contains($0) } + missing.names
            unused = uses.filter { overrides.contains($0.name) && !$0.isUsed }.map { use in
                TestingMessage.Service(use: use, suggestions: NearestNames.to(use.name, among: Set(others)))
            }
        }
        if requirements.contains(.nothingLiveIsUsed) {
            live = uses.filter { $0.isUsed && box.isLive($0.name) }.map { TestingMessage.Service(use: $0) }
        }
        if unused.isEmpty, live.isEmpty { return }
        let used = uses.filter { overrides.contains($0.name) && $0.isUsed }
        throw ServiceOverrideError(
            scopeName: name, unused: unused, live: live, used: used.map { TestingMessage.Service(use: $0) })
    }
}

/// The names that properties asked for and nothing was registered under, gathered as long as this lives.
private final class MissingNames: Sendable {
    /// What the observer may hold: not this, which would keep the observation.
    private final class Names: Sendable {
        let all = Mutex<Set<String>>([])
    }

    private let gathered = Names()
    private let observation: ServiceObservation?

    init(in box: ServiceBox?) {
        observation = box?.observe { [gathered] event in
            guard let hole = event.hole, hole.outcome == .missing else { return }
            gathered.all.withLock { _ = $0.insert(hole.serviceName) }
        }
    }

    var names: Set<String> { gathered.all.withLock { $0 } }
}
