// Part of ServiceBox, released under the MIT License.
// Finding registrations in a registry and its ancestors.

extension Registry {
    /// The registration under a name: the registry's own, or what it inherits.
    func registration(named name: String) -> Registration? {
        if name == Registration.boxName { return entry }
        if let own = own(name) { return own }
        return parent?.registration(named: name).map(inherit)
    }

    /// The registry's own registration under a name.
    func own(_ name: String) -> Registration? { state.withLock { $0.registrations[name] } }

    /// Whether the registry or an ancestor has a name; creates nothing.
    func hasRegistered(_ name: String) -> Bool {
        // No registration leaves the lock: whoever asks may hold another one.
        state.withLock { $0.registrations[name] != nil } || parent?.hasRegistered(name) == true
    }

    /// The registration that a service's history belongs to, if it is still there.
    func registration(named name: String, with history: ServiceHistory) -> Registration? {
        let found = state.withLock { $0.registrations[name] ?? $0.inherited[name]?.own }
        return found.flatMap { $0.history === history ? $0 : nil }
    }

    /// Whether a registration is the one that the registry has under its name.
    func has(_ registration: Registration) -> Bool {
        state.withLock { state in
            state.registrations[registration.name] === registration
                || state.inherited[registration.name]?.own === registration
        }
    }

    /// What the registry and its ancestors have under a name, and how far away each is; the nearest hides the
    /// others.
    func registrations(named name: String) -> [(registration: Registration, distance: Int)] {
        ([self] + ancestors).enumerated().compactMap { distance, registry in
            registry.own(name).map { ($0, distance) }
        }
    }

    /// All services but the box itself: the ancestors', then the registry's own, each in their order.
    var services: [Registration] { servicesAndLastNumber.services }

    /// The same, and the number of the registry's last one.
    var servicesAndLastNumber: (services: [Registration], lastNumber: Int) {
        let (own, lastNumber) = state.withLock { ($0.registrations, $0.lastNumber) }
        let inherited = parent?.services.filter { own[$0.name] == nil }.map(inherit) ?? []
        return (inherited + own.values.sorted { $0.number < $1.number }, lastNumber)
    }

    /// The box's entry for itself, then all services in their order.
    var all: [Registration] { (entry.map { [$0] } ?? []) + services }

    /// All registrations by name.
    var sorted: [Registration] { all.sorted { $0.name < $1.name } }

    /// The registrations of the registry's own, by name.
    var ownServices: [Registration] {
        state.withLock { $0.registrations }.values.sorted { $0.name < $1.name }
    }

    /// The services that the registry's box fills, in their order.
    var filledServices: [Registration] {
        let (own, inherited) = state.withLock { ($0.registrations, $0.inherited) }
        return (Array(own.values) + inherited.values.map(\.own)).filter { $0.isFilled(by: self) }
            .sorted { $0.number < $1.number }
    }

    /// What the registry uses in the place of an ancestor's registration.
    private func inherit(_ registration: Registration) -> Registration {
        guard let inheritance = registration.inheritance, inheritance.scope == .box || isScope else {
            return registration
        }
        func known(_ state: State) -> Registration? {
            state.inherited[registration.name].flatMap { $0.from === registration ? $0.own : nil }
        }
        if let known = state.withLock({ known($0) }) { return known }
        guard let own = inheritance.makeOwn(self) else { return registration }
        let (used, outdated) = state.withLock { state -> (Registration, (Registration, Registration)?) in
            if let known = known(state) { return (known, nil) }
            return (own, state.inherited.updateValue((registration, own), forKey: registration.name))
        }
        // What is outdated goes here, when no lock is held: a deinitialiser may use the box.
        return withExtendedLifetime(outdated) { used }
    }
}

// MARK: - Tables

extension Registry {
    /// What the box and its ancestors were taught of a type and its superclasses, of which the nearest wins a
    /// name.
    ///
    /// - Parameter owners: The classes from the root to the type, or a struct alone.
    func taughtLines(of owners: [Any.Type]) -> [TableLine] {
        var lines = parent?.taughtLines(of: owners) ?? []
        state.withLock { state in
            guard !state.taughtLines.isEmpty else { return }
            for owner in owners {
                lines = lines.replacing(with: state.taughtLines[ObjectIdentifier(owner)] ?? [])
            }
        }
        return lines
    }

    /// Whether the box or an ancestor was taught anything.
    var hasTaught: Bool { state.withLock { !$0.taughtLines.isEmpty } || parent?.hasTaught == true }
}

// MARK: - Names

/// The names in a registry at one time, prepared for searches; keeps no service alive.
///
/// A registry keeps them until it has others, since reports are often read one after the other.
final class RegisteredNames: Sendable {
    private let generation: Int
    let search: NearestNames
    let listing: ServiceListing

    fileprivate init(of services: [Registration], generation: Int) {
        self.generation = generation
        search = NearestNames(services.lazy.map(\.name))
        var first: [Registration] = []
        for service in services {
            if first.count == ServiceListing.limit, let last = first.last, last.name < service.name { continue }
            first.insert(service, at: first.firstIndex { service.name < $0.name } ?? first.endIndex)
            if first.count > ServiceListing.limit { first.removeLast() }
        }
        listing = ServiceListing(first.map(ServiceDescription.init), of: services.count)
    }

    fileprivate func areCurrent(_ generation: Int) -> Bool { self.generation == generation }
}

extension Registry {
    /// The names that the registry sees.
    var names: RegisteredNames {
        let (known, current) = (state.withLock { $0.names }, generation)
        if let known, known.areCurrent(current) { return known }
        let (services, generation) = consistently { all }
        let names = RegisteredNames(of: services, generation: generation)
        return state.withLock { state in
            state.names = names
            return names
        }
    }
}

extension ServiceDescription {
    init(_ registration: Registration) {
        self.init(
            name: registration.name, type: registration.serviceType,
            implementation: registration.implementation, parameters: registration.parametersType,
            location: registration.location, number: registration.number)
    }
}
