// Part of ServiceBox, released under the MIT License.
// How often a service was taken.

/// Who has taken a service from a box so far.
///
/// A property counts when a fill has chosen the service for it, once, however many objects of its type were
/// filled.
///
/// ```swift
/// for use in box.uses where !use.isUsed { print(use) }
/// ```
///
/// May be read from anywhere.
public struct ServiceUse: Sendable {
    /// The name that the service is registered under.
    public let name: String
    /// The type that it is registered as.
    public let type: Any.Type
    /// The properties that it was chosen for, as `Screen.cache`, sorted.
    public let properties: [String]
    /// How many types those properties belong to.
    public let typeCount: Int
    /// Whether it, or its provider, was looked up by its name or by its type.
    public let wasResolved: Bool

    /// How many properties it was chosen for.
    public var propertyCount: Int { properties.count }

    /// Whether anything has asked for it.
    public var isUsed: Bool { wasResolved || !properties.isEmpty }

    init(_ registration: Registration, tally: UseTally?) {
        self.init(name: registration.name, type: registration.serviceType, tally: tally)
    }

    init(name: String, type: Any.Type, tally: UseTally?) {
        let takers = tally?.properties ?? []
        self.name = name
        self.type = type
        properties = takers.map { "\(TypeName.of($0.type)).\($0.name)" }.sorted()
        typeCount = Set(takers.map { ObjectIdentifier($0.type) }).count
        wasResolved = tally?.wasLookedUp ?? false
    }
}

extension ServiceUse: CustomStringConvertible {
    /// The service and its use, on one line.
    public var description: String {
        Message.use(
            of: type, name: name, properties: propertyCount, types: typeCount, wasResolved: wasResolved)
    }
}

extension ServiceBox {
    /// Who has taken each service from this box so far, sorted by the services' names.
    ///
    /// A service of an ancestor is listed with what went through this box; the ancestor counts that too.
    /// Services count for the box that has them, and for its copies together. May be called from anywhere;
    /// makes and fills nothing.
    ///
    /// - Complexity: O(*n* log *n*) for *n* services and the properties that took them.
    public var uses: [ServiceUse] {
        registry.sorted.filter { !($0.isBox) }
            .map { ServiceUse($0, tally: ledger.uses(of: $0.name)) }
    }

    /// The names of this box's own services that nothing has asked for yet, with the types they are
    /// registered as, sorted by name.
    ///
    /// Ask when the program has done its work, or a test its own. To learn what no type that you know of
    /// would ever ask for, use ``audit(including:makingServices:)``. May be called from anywhere; makes and
    /// fills nothing.
    ///
    /// - Complexity: O(*n* log *n*) for *n* services.
    public var unusedRegistrations: [(name: String, type: Any.Type)] {
        ownRegistrations.filter { $0.uses.isEmpty }.map { (name: $0.name, type: $0.serviceType) }
    }

    /// What reads, now and later, the use of each service that the box has itself now, by name; keeps no
    /// service alive.
    package var ownUses: [String: @Sendable () -> ServiceUse] {
        registry.state.withLock { $0.registrations }.mapValues { registration in
            let (name, type, tally) = (registration.name, registration.serviceType, registration.uses)
            return { ServiceUse(name: name, type: type, tally: tally) }
        }
    }

    /// The uses of live services of ancestors that the box has others for by now.
    package var liveUsesBeforeOverriding: [ServiceUse] {
        let inherited = ledger.state.withLock { $0.inheritedUses }
        return inherited.compactMap { name, tallies in
            guard registry.own(name) != nil, let parent, parent.isLive(name),
                let service = parent.registry.registration(named: name)
            else { return nil }
            let use = ServiceUse(service, tally: tallies.here)
            return use.isUsed ? use : nil
        }
    }

    /// The box's own registrations by name.
    var ownRegistrations: [Registration] {
        registry.ownServices
    }
}
