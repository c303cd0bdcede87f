// Part of ServiceBox, released under the MIT License.
// Who has taken a service from a box, who holds it, and why nobody has taken it.

/// Who has taken a service from a box so far.
///
/// A property counts once a fill has chosen the service for it, however many objects of its type were filled; not
/// while it has kept a value of its own in each.
///
/// ```swift
/// for use in box.uses where !use.isUsed { print(use) }
/// ```
///
/// Thread-safe.
public struct ServiceUse: Sendable {
    /// The name that the service is registered under.
    public let name: String
    /// The type that it is registered as.
    public let type: Any.Type
    /// The properties that it was chosen for, as `Screen.cache`, sorted.
    public let properties: [String]
    /// The names of the services whose factories looked it up or filled something with it while they ran, sorted;
    /// no more than ten thousand of them.
    public let factories: [String]
    /// Whether it or its provider was looked up, by name or by type, in a factory or elsewhere.
    public let wasResolved: Bool

    /// Whether it was looked up elsewhere than in scopes of overrides, which create services of their own.
    package let wasResolvedOutsideScopes: Bool
    /// Whether its box has started it.
    package let wasStarted: Bool

    /// Whether anything has taken it, or its box has started it.
    public var isUsed: Bool { wasResolved || wasStarted || !properties.isEmpty }

    init(name: String, type: Any.Type, tally: UseTally?) {
        self.name = name
        self.type = type
        properties = (tally?.properties ?? []).map(\.path).sorted()
        factories = (tally?.factories ?? []).sorted()
        wasResolved = tally?.wasLookedUp ?? false
        wasResolvedOutsideScopes = tally?.wasLookedUpOutsideScopes ?? false
        wasStarted = tally?.wasStarted ?? false
    }
}

extension ServiceUse: CustomStringConvertible {
    /// The service and its use, on one line.
    public var description: String {
        Message.use(
            of: type, name: name, properties: properties.count, factories: factories.count,
            wasResolved: wasResolved, wasStarted: wasStarted)
    }
}

extension ServiceBox {
    /// Who has taken each service from this box so far, sorted by the services' names.
    ///
    /// A service of an ancestor is listed with the uses through this box; the ancestor counts them too. The
    /// uses of a box's own services also count for its copies. To find services that no known type would ever
    /// take, use ``audit(including:makingServices:assuming:)``.
    ///
    /// - Complexity: O(*n* log *n*) for *n* services and the properties that took them.
    public var uses: [ServiceUse] {
        registry.sorted.filter { !$0.isBox }.map {
            ServiceUse(name: $0.name, type: $0.serviceType, tally: ledger.uses(of: $0.name))
        }
    }

    /// Closures that read the use of each of the box's present own services, and of the inherited ones that it
    /// decorates, now or later, by name; they keep no service alive.
    package var ownUses: [String: @Sendable () -> ServiceUse] {
        ledger.state.withLock { $0.hasReaders = true }
        ledger.catchUp()
        let (services, decorations) = registry.state.withLock { ($0.registrations.elements, $0.decorations) }
        var uses: [String: @Sendable () -> ServiceUse] = [:]
        for (name, type) in decorations.compactMapValues(\.first?.serviceType) {
            uses[name] = { [weak self] in
                ServiceUse(name: name, type: type, tally: self?.ledger.uses(of: name))
            }
        }
        for registration in services {
            let (name, type, tally) = (registration.name, registration.serviceType, registration.uses)
            uses[name] = { ServiceUse(name: name, type: type, tally: tally) }
        }
        return uses
    }

    /// Ends the set-up of a test's scope, in which modules override those of its base.
    ///
    /// - Returns: What reads the uses of the overrides, as ``ownUses``.
    package func endSetUp() -> [String: @Sendable () -> ServiceUse] {
        registry.modules.areOverrides = false
        return ownUses
    }

    /// The uses of ancestors' live services that the box has overridden since.
    package var liveUsesBeforeOverriding: [ServiceUse] {
        ledger.state.withLock { $0.inheritedUses }.elements.compactMap { tallies in
            let name = tallies.name
            guard registry.own(name) != nil, let parent, parent.isLive(name),
                let service = parent.registry.registration(named: name)
            else { return nil }
            return ServiceUse(name: name, type: service.serviceType, tally: tallies.here)
        }
    }
}

extension PropertyID {
    /// `Screen.cache`.
    var path: String { "\(TypeName.of(type)).\(name)" }
}

extension ServiceHolder: CustomStringConvertible {
    /// The property, such as `Screen.cache`, and whether its service was replaced since.
    public var description: String { Message.holder("\(TypeName.of(type)).\(property)", isStale: isStale) }
}

// MARK: - Unused services

/// Why nothing has used a service that a box has registered.
///
/// Keeps no service alive.
package enum UnusedReason: Sendable {
    /// Services would take it, but another box fills them.
    case shared([SharedTaker])
    /// Properties that the box has filled or tried to fill request it, but can't take it.
    case refused([PropertyReport])
    /// Nothing asked the box for it, but the parent's service of its name was used.
    case replacedOnly(ServiceUse)
    /// Its name is probably a misspelling of one of these, or it was registered without that key.
    case near([String])
    case unasked
}

/// A service that would take a box's service if that box filled it.
package struct SharedTaker: Sendable {
    package let service: ServiceDescription
    /// The service that the two boxes share: the taker itself, or one that leads to it.
    package let root: ServiceDescription
    /// Whether that was registered ready-made, rather than created by a provider.
    package let isReadyMade: Bool
    package let isRoot: Bool
    /// Whether its property holds a value.
    package let isFilled: Bool
    /// Whether its property requests a name, rather than all services of a type.
    let asksByName: Bool
}

extension ServiceBox {
    /// Finds out why nothing has used a service that the box itself has or had registered.
    ///
    /// - Parameters:
    ///   - name: The name of the service.
    ///   - askedNames: The names that may have been meant.
    /// - Returns: The likeliest reason.
    /// - Complexity: O(*n*) for *n* services, types and their properties.
    package func reasonForNoUse(of name: String, askedNames: Set<String>) -> UnusedReason {
        let isReplacement = parent?.registry.nearest(name) != nil
        let suggestions = isReplacement ? [] : NearestNames.to(name, among: askedNames)
        let refusals = refusals(of: name)
        // An empty property may get it yet.
        if refusals.contains(where: { $0.outcome != .empty }) { return .refused(refusals) }
        let takers = sharedTakers(of: name)
        // A taker of all services of a type says little about a name.
        if takers.contains(where: \.asksByName) || !takers.isEmpty && suggestions.isEmpty {
            return .shared(takers)
        }
        if !refusals.isEmpty { return .refused(refusals) }
        if let use = parent?.uses.first(where: { $0.name == name && $0.isUsed }) { return .replacedOnly(use) }
        let meant = suggestions.isEmpty ? namesakes(of: name).filter(askedNames.contains) : suggestions
        return meant.isEmpty ? .unasked : .near(meant)
    }

    /// The used services that one registered without a key might have been meant for.
    private func namesakes(of name: String) -> [String] {
        guard let own = registry.own(name), DerivedName.of(own.serviceType) == name else { return [] }
        return uses.filter { $0.isUsed && own.fit(CellRequest(type: $0.type)).isCertain }.map(\.name)
    }

    /// The services that other boxes fill and that would take one of this box's own: those that it shares
    /// with its ancestors or its original, and those that these lead to.
    private func sharedTakers(of name: String) -> [SharedTaker] {
        guard let wanted = registry.own(name) else { return [] }
        // What has ended takes nothing any more.
        var ways = registry.sorted.filter { !$0.isBox && !$0.isStopped }.map {
            (service: $0, box: box(filling: $0), root: $0)
        }
        .filter { $0.box !== self }
        var seen = Set(ways.map { ObjectIdentifier($0.service) })
        var takers: [SharedTaker] = []
        var index = 0
        while index < ways.count {
            let (service, box, root) = ways[index]
            index += 1
            let properties = box.properties(of: service)
            if let property = properties.first(where: { $0.wouldTake(wanted) }) {
                takers.append(
                    SharedTaker(
                        service: ServiceDescription(service), root: ServiceDescription(root),
                        isReadyMade: root.kind == .instance, isRoot: service === root,
                        isFilled: property.finding.kind != .hole,
                        asksByName: property.request.element == nil))
            }
            let targets = properties.flatMap(\.finding.serviceNames)
                .compactMap(box.registry.registration(named:))
            ways += targets.filter { seen.insert(ObjectIdentifier($0)).inserted }
                .map { ($0, box.box(filling: $0), root) }
        }
        return takers
    }

    /// The properties of a service that the box fills, with what they have or, if unknown, would get.
    private func properties(of service: Registration) -> [PropertyRecord] {
        crossFiller.latestReport(on: service)?.findings ?? plan(for: service.implementation).record.properties
    }

    /// The properties in this box's fills that request a name but don't have its service.
    private func refusals(of name: String) -> [PropertyReport] {
        let search = HintSearch(in: registry)
        return WiringMap(of: self, isPlanned: false).subjects.filter { $0.filler === self }.flatMap {
            subject in
            subject.properties.filter { $0.serviceName == name && $0.finding.kind != .filled }.map {
                PropertyReport(
                    $0, of: subject.service?.name, search: search,
                    claimed: subject.properties.claimedNames(of: subject.service?.name))
            }
        }
    }
}

extension PropertyRecord {
    /// Whether the property would take a service if its box had that.
    fileprivate func wouldTake(_ service: Registration) -> Bool {
        if let request = request.ofElements { return service.fit(request).isCertain }
        return source != .plain && serviceName == service.name && service.fit(request).isPossible
    }
}
