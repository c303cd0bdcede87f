// Part of ServiceBox, released under the MIT License.
// Who has taken a service from a box, and who holds it.

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
        properties = (tally?.properties ?? []).map { "\(TypeName.of($0.type)).\($0.name)" }.sorted()
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
        let services = registry.state.withLock { $0.registrations }.values
        return services.reduce(into: [:]) { uses, registration in
            let (name, type, tally) = (registration.name, registration.serviceType, registration.uses)
            uses[name] = { ServiceUse(name: name, type: type, tally: tally) }
        }
    }

    /// The uses of ancestors' live services that the box has others for by now.
    package var liveUsesBeforeOverriding: [ServiceUse] {
        ledger.catchUp()
        let inherited = ledger.state.withLock { $0.inheritedUses }
        return zip(inherited.keys, inherited.values).compactMap { name, tallies in
            guard registry.own(name) != nil, let parent, parent.isLive(name),
                let service = parent.registry.registration(named: name)
            else { return nil }
            let use = ServiceUse(name: name, type: service.serviceType, tally: tallies.here)
            return use.isUsed ? use : nil
        }
    }
}

extension ServiceHolder: CustomStringConvertible {
    /// The property, as `Screen.cache`, and whether what it holds was replaced since.
    public var description: String { Message.holder("\(TypeName.of(type)).\(property)", isStale: isStale) }
}
