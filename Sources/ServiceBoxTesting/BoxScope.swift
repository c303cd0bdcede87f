// Part of ServiceBox, released under the MIT License.
// The box of a scope, the requirements on its services, and the error if they aren't met.

import ServiceBoxKit

/// What a scope requires of its overrides and live services, besides not throwing.
///
/// ```swift
/// import ServiceBoxKit
/// import ServiceBoxTesting
///
/// let strict: OverrideRequirements = [.everyOverrideIsUsed, .nothingLiveIsUsed]
/// ```
///
/// A service is used if a fill has chosen it for a property, if it or its provider was looked up, or if its box
/// has started it; see `ServiceBox.uses`.
public struct OverrideRequirements: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates requirements from their bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Every service that the scope registered or decorated at its start is used before its end.
    ///
    /// This finds overrides with a misspelled name, those that nothing needs any more, and those that can't
    /// reach their users, because these are shared with the base and filled there. The error gives the
    /// reason.
    public static let everyOverrideIsUsed = OverrideRequirements(rawValue: 1)
    /// No service that is marked as live, by `ServiceBox.markLive`, is created or used without an override.
    ///
    /// This finds tests that talk to the real network because an override is missing, or because a factory or
    /// code of the scope looks a service up in the base, which nobody had before and which creates it. What the
    /// base itself does with its ready services doesn't count, nor what happens in tasks that have another
    /// default box, such as detached ones.
    public static let nothingLiveIsUsed = OverrideRequirements(rawValue: 2)
}

/// Why a scope didn't meet its ``OverrideRequirements``.
///
/// One error lists every problem. Its text is for people and may change; compare ``unusedOverrides`` and
/// ``usedLiveServices``.
public struct ServiceOverrideError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the scope: that of the test, or of the function that opened it.
    public let scopeName: String
    /// The names of the overrides that nothing used, sorted.
    public let unusedOverrides: [String]
    /// The names of the live services that were used, sorted.
    public let usedLiveServices: [String]
    /// Each problem with its reason, the properties that used overrides went into, and what to do.
    public let description: String

    init(
        scopeName: String, unused: [TestingMessage.Unused], live: [ServiceUse], used: [ServiceUse]
    ) {
        self.scopeName = scopeName
        unusedOverrides = unused.map(\.use.name)
        usedLiveServices = live.map(\.name)
        description = TestingMessage.unmet(scopeName, unused: unused, live: live, used: used)
    }
}

/// The box of a scope.
struct BoxScope: Sendable {
    let box: ServiceBox
    private let name: String
    private let base: ServiceBox?
    private let requirements: OverrideRequirements
    private let observed = ObservedNames()
    private var observations: [ServiceObservation] = []
    /// The names of the services that code had looked up in the base before.
    private var resolvedBefore: Set<String> = []

    /// Opens a scope; its name is for messages.
    init(of base: ServiceBox?, named name: String, requiring requirements: OverrideRequirements) {
        box = ServiceBox.makeScope(of: base, name: name)
        self.name = name
        self.base = base
        self.requirements = requirements
        if requirements.isEmpty { return }
        observations.append(
            box.observe { [observed] event in
                if let hole = event.hole, hole.outcome == .missing {
                    observed.missing.withLock { _ = $0.insert(hole.serviceName) }
                } else if event.kind == .made, let name = event.serviceName {
                    observed.made.withLock { _ = $0.insert(name) }
                }
            })
        guard requirements.contains(.nothingLiveIsUsed), let base else { return }
        resolvedBefore = Set(base.uses.filter(\.wasResolved).map(\.name))
        // Tests that run beside this one may use the same base.
        observations.append(
            base.observe { [observed, box] event in
                guard event.kind == .made, let name = event.serviceName, ServiceBox.default === box else {
                    return
                }
                observed.madeInBase.withLock { _ = $0.insert(name) }
            })
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
            live = uses.filter { ($0.isUsed || made.contains($0.name)) && box.isLive($0.name) }
            live += box.liveUsesBeforeOverriding
            let madeInBase = observed.madeInBase.withLock { $0 }
                .subtracting(resolvedBefore).subtracting(live.map(\.name))
            if let base {
                live += base.uses.filter {
                    madeInBase.contains($0.name) && $0.wasResolved && base.isLive($0.name)
                }
            }
            live.sort { $0.name < $1.name }
        }
        if unused.isEmpty, live.isEmpty { return }
        throw ServiceOverrideError(
            scopeName: name, unused: unused, live: live, used: ofOverrides.filter(\.isUsed))
    }
}

/// Names gathered from a box's events.
private final class ObservedNames: Sendable {
    /// The names that properties requested without finding a service.
    let missing = Guarded<Set<String>>([])
    /// The names of the services that were created, in the scope's box and in its base.
    let made = Guarded<Set<String>>([])
    let madeInBase = Guarded<Set<String>>([])
}
