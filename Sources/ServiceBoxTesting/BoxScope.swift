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
    /// code of the scope looks a service up in the base or a box that this builds on, which creates it, or fills an
    /// object from there. What code had looked up there before doesn't count for a look-up, even if that is created
    /// again, nor what a base does with its ready services, nor what happens where another default box holds, as in
    /// detached tasks, threads and dispatch queues.
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
    private let requirements: OverrideRequirements
    private let observed = ObservedNames()
    private var observation: ServiceObservation?
    private var bases: [WatchedBase] = []

    /// Opens a scope; its name is for messages.
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
        guard requirements.contains(.nothingLiveIsUsed), let base else { return }
        bases = base.family.map { WatchedBase($0, in: box) }
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
            for base in bases {
                let known = Set(live.map(\.name))
                live += base.liveUses.filter { !known.contains($0.name) }
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
    /// The names of the services that were created.
    let made = Guarded<Set<String>>([])
    /// The names of the services that objects were filled with, and those that a service was, by its name.
    let given = Guarded<[String?: Set<String>]>([:])
}

/// A box that a scope builds on, watched for what the scope's code has it create.
private struct WatchedBase: Sendable {
    private let box: ServiceBox
    private let observed = ObservedNames()
    private let observation: ServiceObservation
    /// The names of the services that code had looked up before.
    private let resolvedBefore: Set<String>

    init(_ base: ServiceBox, in scope: ServiceBox) {
        box = base
        resolvedBefore = Set(base.uses.filter(\.wasResolvedOutsideScopes).map(\.name))
        observation = base.observe { [observed] event in
            // Tests that run beside this one may use the same base.
            guard ServiceBox.default.family.contains(where: { $0 === scope }) else { return }
            switch (event.kind, event.serviceName) {
            case (.made, let name?): observed.made.withLock { _ = $0.insert(name) }
            case (.filled, let name):
                let names = event.report?.givenNames ?? []
                observed.given.withLock { $0[name, default: []].formUnion(names) }
            default: break
            }
        }
    }

    /// The uses of the live services that were created and looked up, or that objects or created services were filled
    /// with.
    var liveUses: [ServiceUse] {
        let allMade = observed.made.withLock { $0 }
        let made = allMade.subtracting(resolvedBefore)
        // A ready-made service of the base is filled by the base's own doing.
        let taken = observed.given.withLock { $0 }.filter { name, _ in name.map(allMade.contains) ?? true }
        let given = Set(taken.values.joined())
        return box.uses.filter {
            (made.contains($0.name) && $0.wasResolvedOutsideScopes || given.contains($0.name))
                && box.isLive($0.name)
        }
    }
}
