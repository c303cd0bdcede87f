// Part of ServiceBox, released under the MIT License.
// Finding registrations in a registry and its ancestors.

import Synchronization

extension Registry {
    /// The registration under a name: the registry's own, or what it inherits.
    func registration(named name: String) -> Registration? {
        if name == Registration.boxName { return entry }
        if let own = own(name) { return own }
        return parent?.registration(named: name).map(inherit)
    }

    /// The registry's own registration under a name.
    func own(_ name: String) -> Registration? { state.withLock { $0.registrations[name] } }

    /// The nearest registration under a name, its own or an ancestor's; creates nothing.
    func nearest(_ name: String) -> Registration? { own(name) ?? parent?.nearest(name) }

    /// What tells the services under some names from those that were or will be there.
    func stamp(of names: [String]) -> Int {
        var hasher = Hasher()
        for name in names {
            let registration = nearest(name)
            // An object that is registered again is the same.
            if let instance = registration?.supplier.instance {
                hasher.combine(ObjectIdentifier(instance))
            } else {
                hasher.combine(registration?.home)
                hasher.combine(registration?.number)
            }
        }
        return hasher.finalize()
    }

    /// The registration that a service's history belongs to, if it is still there.
    func registration(named name: String, with history: ServiceHistory) -> Registration? {
        var found = state.withLock { $0.registrations[name] ?? $0.inherited[name]?.own }
        while let layer = found, layer.history !== history { found = layer.base }
        return found
    }

    /// Whether a registration is the one that the registry has under its name.
    func has(_ registration: Registration) -> Bool {
        self.registration(named: registration.name, with: registration.history) != nil
    }

    /// What the registry and its ancestors have under a name, and how far away each is; the nearest hides the
    /// others.
    func registrations(named name: String) -> [(registration: Registration, distance: Int)] {
        sequence(first: self, next: \.parent).enumerated().compactMap { distance, registry in
            registry.own(name).map { ($0, distance) }
        }
    }

    /// Notes a look-up, if a factory of the box has made it.
    @inline(__always)
    func noteLookUp(of registration: Registration) {
        if factories.areRunning { noteAsk(for: registration) }
    }

    @inline(never)
    private func noteAsk(for registration: Registration) {
        let asker = factories.noteAsk(in: ObjectIdentifier(self)) {
            $0.noteAsk(for: registration.name, registration.home, registration.number)
        }
        if let asker { registration.uses.noteFactory(of: asker) }
    }

    /// All services but the box itself: the ancestors', then the registry's own, each in their order.
    var services: [Registration] { servicesAndLastNumber.services }

    /// The same, and the number of the registry's last one.
    var servicesAndLastNumber: (services: [Registration], lastNumber: Int) {
        let (own, lastNumber) = state.withLock { ($0.registrations, $0.lastNumber) }
        let inherited = parent?.services.filter { own[$0.name] == nil }.map(inherit) ?? []
        return (inherited + own.elements.inOrder, lastNumber)
    }

    /// The box's entry for itself, then all services in their order.
    var all: [Registration] { (entry.map { [$0] } ?? []) + services }

    /// All registrations by name.
    var sorted: [Registration] { all.sortedByName(\.name) }

    /// The registrations of the registry's own, by name.
    var ownServices: [Registration] {
        state.withLock { $0.registrations }.elements.sortedByName(\.name)
    }

    /// The services that the registry's box fills, in their order.
    var filledServices: [Registration] { filled(state.withLock(\.shown)) }

    /// The same, those that were replaced and may come back, and those that are refused and end with the box.
    var keptServices: [Registration] { keptServices(in: state.withLock { $0 }) }

    /// Those that were kept in a state of the registry.
    func keptServices(in state: State) -> [Registration] { filled(state.shown) + filled(state.hidden) }

    private func filled(_ services: [Registration]) -> [Registration] {
        services.flatMap(\.layers).filter { $0.isFilled(by: self) }.inOrder
    }

    /// The services that were replaced under a name, here or in an ancestor, and may come back.
    func replaced(_ name: String) -> [Registration] {
        state.withLock { $0.replaced(name) }.flatMap(\.layers) + (parent?.replaced(name) ?? [])
    }

    /// Whether something holds for all of these; in any order, so that few need no list.
    func keepsOnly(_ isMeant: (Registration) -> Bool) -> Bool {
        let (own, inherited, hidden) = state.withLock { ($0.registrations, $0.inherited, $0.hidden) }
        func holds(_ registration: Registration) -> Bool {
            (!registration.isFilled(by: self) || isMeant(registration))
                && registration.base.map(holds) ?? true
        }
        return own.elements.allSatisfy(holds) && inherited.elements.allSatisfy { holds($0.own) }
            && hidden.allSatisfy(holds)
    }

    /// The services that are registered as exactly a type, in their order; but for the box itself.
    ///
    /// - Complexity: O(*a* + *f*) for *a* ancestors and *f* such services, but for the first question.
    func registrations(of type: Any.Type) -> [Registration] {
        let byNumber = state.withLock { state in
            if state.byType == nil {
                state.byType = state.registrations.elements.reduce(into: [:]) {
                    $0[ObjectIdentifier($1.serviceType), default: [:]][$1.number] = $1
                }
            }
            return state.byType?[ObjectIdentifier(type)] ?? [:]
        }
        let own = Array(byNumber.values).inOrder
        guard let parent else { return own }
        return parent.registrations(of: type).filter { self.own($0.name) == nil }.map(inherit) + own
    }

    /// What the registry uses in the place of an ancestor's registration.
    private func inherit(_ registration: Registration) -> Registration {
        let isShared = registration.isShared(with: self)
        if isShared, !hasDecorations.load(ordering: .acquiring) { return registration }
        func known(_ state: State) -> Registration? {
            state.inherited[registration.name].flatMap { $0.from === registration ? $0.own : nil }
        }
        let (found, isDecorated) = state.withLock { state in
            (known(state), state.decorations[registration.name] != nil)
        }
        if let found { return found }
        if isShared, !isDecorated { return registration }
        let base = isShared ? registration : registration.own(in: self) ?? registration
        if !isShared, base === registration { return registration }
        // What is old goes when no lock is held: a deinitialiser may use the box.
        return withExtendedLifetime(base) {
            let (own, old) = state.withLock { state in
                known(state).map { ($0, ($0, nil)) } ?? state.inherit(base, from: registration, in: self)
            }
            return withExtendedLifetime(old) { own }
        }
    }
}

// MARK: - What was replaced

extension Registry.State {
    /// What has come to decorate a registration that it didn't have; not what is for services of another type, of which an
    /// audit tells.
    func newDecorations(of known: Registration) -> [Decoration] {
        (decorations[known.name] ?? []).filter { new in
            new.fits(known) && !known.layers.contains { $0.decoration === new }
        }
    }

    /// A registration that is there again, in what has come to decorate it.
    mutating func decorated(_ base: Registration, in registry: Registry) -> Registration {
        newDecorations(of: base).reduce(base) { base, decoration in
            lastNumber += 1
            return decoration.wrap(base, number: lastNumber, in: registry)
        }
    }

    /// Takes in the registry's own of an ancestor's registration, which may have come back.
    ///
    /// - Parameters:
    ///   - base: The registry's own, if it never had one.
    ///   - registration: The ancestor's.
    ///   - registry: The registry.
    /// - Returns: What is handed out from now on, and what is let go of when the lock is free.
    fileprivate mutating func inherit(
        _ base: Registration, from registration: Registration, in registry: Registry
    ) -> (own: Registration, old: (Registration, Registration?)) {
        let name = registration.name
        let index = outdated[name]?.firstIndex { $0.from === registration }
        let back = index.flatMap { outdated[name]?.remove(at: $0).own }
        let found = back ?? base
        let wrapped = newDecorations(of: found).reduce(found) { $1.wrap($0, number: $0.number, in: registry) }
        let own = refuse?(wrapped) ?? wrapped
        var oldest: Registration?
        if let hidden = inherited.updateValue(Registry.Inherited(from: registration, own: own), for: name) {
            oldest = outdated[name, default: []].append(hidden, keeping: Self.replacedLimit)?.own
        }
        return (own, (wrapped, oldest))
    }

    /// What was replaced under a name and is kept.
    fileprivate func replaced(_ name: String) -> [Registration] {
        (replaced[name] ?? []) + (outdated[name]?.map(\.own) ?? [])
    }

    /// What is handed out now.
    fileprivate var shown: [Registration] { registrations.elements + inherited.elements.map(\.own) }

    /// What isn't handed out now, but is kept.
    fileprivate var hidden: [Registration] {
        replaced.values.flatMap(\.self) + outdated.values.flatMap { $0.map(\.own) } + refused
    }
}

// MARK: - Tables

extension Registry {
    /// What the box and its ancestors were taught of a type and its superclasses, of which the nearest wins a
    /// name.
    ///
    /// - Parameter owners: The classes from the root to the type, or a struct alone.
    /// - Returns: The lines, in the order in which they were taught.
    func taughtLines(of owners: [Any.Type]) -> [TableLine] {
        let (inherited, own) = (parent?.taughtLines(of: owners) ?? [], state.withLock(\.taughtLines))
        if own.isEmpty { return inherited }
        return owners.reduce(inherited) { $0.replacing(with: own[ObjectIdentifier($1)] ?? []) }
    }
}

// MARK: - Names

/// The names in a registry at one time, prepared for searches; keeps no service alive.
///
/// A registry keeps them until it has others, since reports are often read one after the other.
final class RegisteredNames: Sendable {
    fileprivate let generation: Int
    let search: NearestNames
    let listing: ServiceListing

    fileprivate init(of services: [Registration], in box: String?, generation: Int) {
        self.generation = generation
        search = NearestNames(services.lazy.map(\.name))
        listing = ServiceListing(
            services.sortedByName(\.name).prefix(ServiceListing.limit).map(ServiceDescription.init),
            of: services.count, in: box)
    }
}

extension Registry {
    /// The names that the registry sees.
    var names: RegisteredNames {
        if let known = state.withLock({ $0.names }), known.generation == generation { return known }
        let (services, generation) = consistently { all }
        let names = RegisteredNames(of: services, in: name, generation: generation)
        state.withLock { $0.names = names }
        return names
    }
}

extension ServiceDescription {
    init(_ registration: Registration) {
        self.init(
            name: registration.name, type: registration.serviceType,
            implementation: registration.implementation, parameters: registration.parametersType,
            location: registration.location, module: registration.module, number: registration.number,
            provider: registration.supplier.step?.provider)
    }
}
