// Part of ServiceBox, released under the MIT License.
// Who has taken a service from a box, who holds it, and why nobody has.

/// Who has taken a service from a box so far.
///
/// A property counts once when a fill has chosen the service for it, however many objects of its type were filled.
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
    /// The names of the services whose factories looked it up while they ran, sorted.
    public let factories: [String]
    /// Whether it, or its provider, was looked up by its name or by its type, in a factory or elsewhere.
    public let wasResolved: Bool

    /// Whether anything has asked for it.
    public var isUsed: Bool { wasResolved || !properties.isEmpty }

    init(name: String, type: Any.Type, tally: UseTally?) {
        self.name = name
        self.type = type
        properties = (tally?.properties ?? []).map(\.path).sorted()
        factories = (tally?.factories ?? []).sorted()
        wasResolved = tally?.wasLookedUp ?? false
    }
}

extension ServiceUse: CustomStringConvertible {
    /// The service and its use, on one line.
    public var description: String {
        Message.use(
            of: type, name: name, properties: properties.count, factories: factories.count,
            wasResolved: wasResolved)
    }
}

extension ServiceBox {
    /// Who has taken each service from this box so far, sorted by the services' names.
    ///
    /// A service of an ancestor is listed with what went through this box; the ancestor counts that too. The uses
    /// of a box's own services count for its copies as well. To learn what no type that you know of would ever ask
    /// for, use ``audit(including:makingServices:assuming:)``.
    ///
    /// - Complexity: O(*n* log *n*) for *n* services and the properties that took them.
    public var uses: [ServiceUse] {
        registry.sorted.filter { !$0.isBox }.map {
            ServiceUse(name: $0.name, type: $0.serviceType, tally: ledger.uses(of: $0.name))
        }
    }

    /// What reads, now and later, the use of each service that the box itself has now, by name; keeps no service
    /// alive.
    package var ownUses: [String: @Sendable () -> ServiceUse] {
        ledger.state.withLock { $0.hasReaders = true }
        ledger.catchUp()
        let services = registry.state.withLock { $0.registrations }.elements
        return services.reduce(into: [:]) { uses, registration in
            let (name, type, tally) = (registration.name, registration.serviceType, registration.uses)
            uses[name] = { ServiceUse(name: name, type: type, tally: tally) }
        }
    }

    /// The uses of ancestors' live services that the box has others for by now.
    package var liveUsesBeforeOverriding: [ServiceUse] {
        ledger.catchUp()
        return ledger.state.withLock { $0.inheritedUses }.elements.compactMap { tallies in
            let name = tallies.name
            guard registry.own(name) != nil, let parent, parent.isLive(name),
                let service = parent.registry.registration(named: name)
            else { return nil }
            let use = ServiceUse(name: name, type: service.serviceType, tally: tallies.here)
            return use.isUsed ? use : nil
        }
    }
}

extension PropertyID {
    /// `Screen.cache`.
    var path: String { "\(TypeName.of(type)).\(name)" }
}

extension ServiceHolder: CustomStringConvertible {
    /// The property, as `Screen.cache`, and whether what it holds was replaced since.
    public var description: String { Message.holder("\(TypeName.of(type)).\(property)", isStale: isStale) }
}

// MARK: - Why nobody has

/// Why nothing has used a service that a box has registered.
///
/// Keeps no service alive.
package enum UnusedReason: Sendable {
    /// Services would take it if it were not another box that fills them.
    case shared([SharedTaker])
    /// Properties that the box has dealt with ask for it, but can't take it.
    case refused([PropertyReport])
    /// Nothing asked the box for it; the parent's service of its name was used.
    case replacedOnly(ServiceUse)
    /// Its name is probably a slip of one of these.
    case near([String])
    case unasked
}

/// A service that would take what a box has registered if that box filled it.
package struct SharedTaker: Sendable {
    package let service: ServiceDescription
    /// The service that the two boxes share: the taker itself, or one that leads to it.
    package let root: ServiceDescription
    /// Whether that was registered ready-made, and isn't what a provider creates.
    package let isReadyMade: Bool
    package let isRoot: Bool
    /// Whether its property holds something.
    package let isFilled: Bool
    /// Whether its property asks for a name, not for all services that fit.
    let asksByName: Bool
}

extension ServiceBox {
    /// Why nothing has used a service that the box itself has registered, or had.
    ///
    /// - Parameters:
    ///   - name: The name of the service.
    ///   - askedNames: The names that the service's may be a slip of.
    /// - Returns: The likeliest reason.
    /// - Complexity: O(*n*) for *n* services, types and their properties.
    package func reasonForNoUse(of name: String, askedNames: Set<String>) -> UnusedReason {
        let isReplacement = parent?.registry.nearest(name) != nil
        let suggestions = isReplacement ? [] : NearestNames.to(name, among: askedNames)
        let takers = sharedTakers(of: name)
        // What takes all services of a type says little about a name.
        if takers.contains(where: \.asksByName) || !takers.isEmpty && suggestions.isEmpty {
            return .shared(takers)
        }
        let refusals = refusals(of: name)
        if !refusals.isEmpty { return .refused(refusals) }
        if let use = parent?.uses.first(where: { $0.name == name && $0.isUsed }) { return .replacedOnly(use) }
        return suggestions.isEmpty ? .unasked : .near(suggestions)
    }

    /// The services that other boxes fill and that would take one that the box has registered: those that it shares
    /// with its ancestors or its original, and those that these lead to.
    private func sharedTakers(of name: String) -> [SharedTaker] {
        guard let wanted = registry.own(name) else { return [] }
        var ways = registry.sorted.filter { !$0.isBox }.map { (service: $0, box: box(filling: $0), root: $0) }
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
            ways += targets.filter { !$0.isBox && seen.insert(ObjectIdentifier($0)).inserted }
                .map { ($0, box.box(filling: $0), root) }
        }
        return takers
    }

    /// What a service that the box fills has got or, if no one knows, what it would get.
    private func properties(of service: Registration) -> [PropertyRecord] {
        let report = crossFiller.report(on: service) ?? service.history.lastFill
        return report?.findings ?? plan(for: service.implementation).record.properties
    }

    /// The properties that the box has dealt with and that ask for a name but don't have its service.
    private func refusals(of name: String) -> [PropertyReport] {
        let search = HintSearch(in: registry)
        return WiringMap(of: self, isPlanned: false).subjects.filter { $0.filler === self }.flatMap {
            subject in
            subject.properties.filter { $0.serviceName == name && $0.finding.kind != .filled }.map {
                PropertyReport(
                    $0, search: search, claimed: subject.properties.claimedNames(of: subject.service?.name))
            }
        }
    }
}

extension PropertyRecord {
    /// Whether the property would have a service if the box that fills it had that.
    fileprivate func wouldTake(_ service: Registration) -> Bool {
        if let element = request.element { return service.fit(CellRequest(type: element)).isCertain }
        return source != .plain && serviceName == service.name && service.fit(request).isPossible
    }
}
