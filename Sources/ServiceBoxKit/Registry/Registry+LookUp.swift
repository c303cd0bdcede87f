// Part of ServiceBox, released under the MIT License.
// Finding registrations in a registry and its ancestors.

import Synchronization

extension Registry {
    /// The registration under a name: the registry's own, or an inherited one.
    func registration(named name: String) -> Registration? {
        if name == Registration.boxName { return entry }
        if let own = own(name) { return own }
        return parent?.registration(named: name).map(inherit)
    }

    /// The registry's own registration under a name.
    func own(_ name: String) -> Registration? { state.withLock { $0.registrations[name] } }

    /// The nearest registration under a name, its own or an ancestor's; creates nothing.
    func nearest(_ name: String) -> Registration? { own(name) ?? parent?.nearest(name) }

    /// A hash that distinguishes the services under some names from earlier and later ones.
    func stamp(of names: [String]) -> Int {
        var hasher = Hasher()
        for name in names {
            let registration = nearest(name)
            // An object that is registered again counts as the same.
            if let instance = registration?.instance {
                hasher.combine(ObjectIdentifier(instance))
            } else {
                hasher.combine((registration?.home).map(ObjectIdentifier.init))
                hasher.combine(registration?.number)
            }
        }
        return hasher.finalize()
    }

    /// Whether a service is still the one under its name; an object that is registered again counts as the same.
    func hasStill(_ service: Registration) -> Bool {
        let current = registration(named: service.name)
        return current === service || current?.instance.map { $0 === service.instance } ?? false
    }

    /// Whether a registration is the current one under its name, or may still be used.
    func keeps(_ registration: Registration) -> Bool {
        has(registration) || earlier(registration.name).contains { $0 === registration }
    }

    /// The registration that a history belongs to, if it still exists.
    func registration(named name: String, with history: ServiceHistory) -> Registration? {
        layer(named: name) { $0.knownHistory === history }
    }

    /// Whether a registration is the current one under its name, or a version of an ancestor's, which comes back by
    /// itself when nothing hides it any more.
    func has(_ registration: Registration) -> Bool {
        if layer(named: registration.name, where: { $0 === registration }) != nil { return true }
        guard registration.isInherited else { return false }
        return state.withLock { $0.versions(named: registration.name) }.contains { version in
            version.layers.contains { $0 === registration }
        }
    }

    private func layer(named name: String, where isMeant: (Registration) -> Bool) -> Registration? {
        let found = state.withLock { $0.registrations[name] ?? $0.inherited[name]?.own }
        return found.flatMap { $0.layers.first(where: isMeant) }
    }

    /// The registrations under a name in the registry and its ancestors, with their distance; the nearest
    /// hides the others.
    func registrations(named name: String) -> [(registration: Registration, distance: Int)] {
        sequence(first: self, next: \.parent).enumerated().compactMap { distance, registry in
            registry.own(name).map { ($0, distance) }
        }
    }

    /// Notes that a running factory of this box, or of the one that has the service, takes it.
    ///
    /// - Returns: The name of the factory's service, if this is news.
    @inline(__always)
    func newAsker(of registration: Registration) -> String? {
        RunningFactories.areRunning ? noteAsk(of: registration) : nil
    }

    /// Notes that a running factory couldn't have a service that it takes.
    func noteFailure(of registration: Registration) {
        RunningFactories.history?.habits.noteFailure(of: ask(of: registration))
    }

    @inline(never)
    private func noteAsk(of registration: Registration) -> String? {
        RunningFactories.note(ask(of: registration), in: ObjectIdentifier(weakBox))
    }

    private func ask(of registration: Registration) -> ServiceHistory.Ask {
        ServiceHistory.Ask(name: registration.name, service: registration.identity)
    }

    /// All services except the box itself: the ancestors', then the registry's own, each in order.
    var services: [Registration] {
        let own = state.withLock(\.registrations)
        let inherited = parent?.services.filter { own[$0.name] == nil }.map(inherit) ?? []
        return inherited + own.elements.inOrder
    }

    /// The box's entry for itself, then all services in order.
    var all: [Registration] { [entry] + services }

    /// All registrations, sorted by name.
    var sorted: [Registration] { all.sortedByName(\.name) }

    /// The registry's own registrations, sorted by name.
    var ownServices: [Registration] {
        state.withLock { $0.registrations }.elements.sortedByName(\.name)
    }

    /// The services that the registry's box fills, in order.
    var filledServices: [Registration] { filled(state.withLock(\.shown)) }

    /// The same, with the replaced ones, which may come back, and the refused ones, which stop with the box.
    var keptServices: [Registration] { keptServices(in: state.withLock { $0 }) }

    /// The services that a state of the registry keeps.
    func keptServices(in state: State) -> [Registration] {
        let shown = filled(state.shown)
        if state.hidden.isEmpty { return shown }
        // An ancestor's decoration may wrap a version that is back once the decoration is gone.
        let known = Set(shown.map(ObjectIdentifier.init))
        return shown + filled(state.hidden).filter { !known.contains(ObjectIdentifier($0)) }
    }

    private func filled(_ services: [Registration]) -> [Registration] {
        services.flatMap(\.layers).filter { $0.isFilled(by: self) }.inOrder
    }

    /// The replaced ones, which may come back, and the refused ones.
    var hiddenServices: [Registration] { state.withLock(\.hidden) }

    /// The replaced registrations under a name, here or in an ancestor.
    func replaced(_ name: String) -> [Registration] {
        state.withLock { $0.replaced(name) }.flatMap(\.layers) + (parent?.replaced(name) ?? [])
    }

    /// The registrations under a name that aren't handed out any more but may still be used: the replaced ones,
    /// and what the current one decorates.
    func earlier(_ name: String) -> [Registration] {
        let decorated = registration(named: name)?.layers.dropFirst()
        return replaced(name) + (decorated.map(Array.init) ?? [])
    }

    /// One of `keptServices` for which a predicate holds; in any order, so that no list is needed.
    func keptService(where isMeant: (Registration) -> Bool) -> Registration? {
        let (own, inherited, hidden) = state.withLock { ($0.registrations, $0.inherited, $0.hidden) }
        func search(_ registration: Registration) -> Registration? {
            registration.isFilled(by: self) && isMeant(registration)
                ? registration : registration.base.flatMap(search)
        }
        for registration in own.elements { if let found = search(registration) { return found } }
        for pair in inherited.elements { if let found = search(pair.own) { return found } }
        for registration in hidden { if let found = search(registration) { return found } }
        return nil
    }

    /// The number of own services that are searched one by one: an index of so few, as in the box of a request,
    /// takes longer than all its look-ups.
    static var few: Int { 8 }

    /// The services that are registered as exactly a type, in order; without the box itself.
    ///
    /// - Complexity: O(*a* + *f*) for *a* ancestors and *f* such services, except for the first question.
    func registrations(of type: Any.Type) -> [Registration] {
        let own = state.withLock { state -> [Registration] in
            let all = state.registrations.elements
            if state.byType == nil, all.count <= Self.few { return all.filter { $0.serviceType == type } }
            if state.byType == nil {
                state.byType = all.reduce(into: [:]) {
                    $0[ObjectIdentifier($1.serviceType), default: [:]][$1.number] = $1
                }
            }
            return (state.byType?[ObjectIdentifier(type)]?.values).map(Array.init) ?? []
        }.inOrder
        let inherited = parent?.registrations(of: type) ?? []
        if inherited.isEmpty { return own }
        return inherited.filter { self.own($0.name) == nil }.map(inherit) + own
    }

    /// The registration that the registry uses in place of an ancestor's.
    func inherit(_ registration: Registration) -> Registration {
        let isShared = registration.isShared(with: self)
        if isShared, !hasDecorations.load(ordering: .acquiring) { return registration }
        func known(_ state: State) -> Registration? {
            state.inherited[registration.name].flatMap { $0.from === registration ? $0.own : nil }
        }
        let (found, isDecorated, version) = state.withLock { state in
            let found = known(state)
            let version = found == nil && !isShared ? state.version(of: registration) : nil
            return (found, state.decorations[registration.name] != nil, version)
        }
        if let found { return found }
        if isShared, !isDecorated { return registration }
        let base = isShared ? registration : version ?? registration.own(in: self) ?? registration
        // The old registration is released while no lock is held: a deinitialiser may use the box.
        return withExtendedLifetime(base) {
            let (own, old) = state.withLock { state in
                known(state).map { ($0, ($0, nil)) } ?? state.inherit(base, from: registration, in: self)
            }
            drop(old.1?.own)
            forgetGone()
            return withExtendedLifetime(old) { own }
        }
    }

    /// Drops own versions of what the ancestors have removed for good, once there are many versions.
    private func forgetGone() {
        let versions = state.withLock { state in
            state.inheritedLimit.isExceeded(by: state.inherited.elements.count)
                ? state.inherited.elements : []
        }
        if versions.isEmpty { return }
        let gone = versions.filter {
            parent?.nearest($0.name) == nil && parent?.replaced($0.name).isEmpty != false
        }
        let old = state.withLock { state in
            var old = gone.filter { state.inherited[$0.name]?.own === $0.own }
            for name in old.map(\.name) {
                state.inherited[name] = nil
                old += state.outdated.removeValue(forKey: name) ?? []
            }
            state.inheritedLimit.reset(to: state.inherited.elements.count)
            return old
        }
        for version in old { drop(version.own) }
        // Other registrations may get their addresses.
        if !old.isEmpty { noteReordering() }
    }

    /// The registry's own version of an ancestor's registration, without its own decorations, if it has one.
    func version(of registration: Registration) -> Registration? {
        state.withLock { $0.version(of: registration) }
    }
}

// MARK: - Replaced registrations

extension Registry.State {
    /// The registry's own version of an ancestor's registration, without its own decorations, if it has one; perhaps
    /// from inside one that was decorated otherwise.
    fileprivate func version(of registration: Registration) -> Registration? {
        let name = registration.name
        guard let latest = inherited[name] else { return nil }
        let decorations = decorations[name] ?? []
        for known in [latest] + (outdated[name] ?? []) {
            let layers = known.own.layers.drop { layer in decorations.contains { $0 === layer.decoration } }
            let pair = zip(known.from.layers, layers).first { $0.0 === registration }
            if let version = pair?.1 { return version }
        }
        return nil
    }

    /// The decorations added since a registration was made, except those for another type, which an audit
    /// reports.
    func newDecorations(of known: Registration) -> [Decoration] {
        (decorations[known.name] ?? []).filter { new in
            new.fits(known) && !known.layers.contains { $0.decoration === new }
        }
    }

    /// A restored registration, wrapped in the decorations added meanwhile.
    mutating func decorated(_ base: Registration, in registry: Registry) -> Registration {
        newDecorations(of: base).reduce(base) { base, decoration in
            lastNumber += 1
            return decoration.wrap(base, number: lastNumber, in: registry)
        }
    }

    /// Stores the registry's own version of an ancestor's registration, which may have been restored; `base` if
    /// there was none before.
    ///
    /// - Returns: The version to use from now on, and the ones to release after unlocking.
    fileprivate mutating func inherit(
        _ base: Registration, from registration: Registration, in registry: Registry
    ) -> (own: Registration, old: (Registration, Registry.Inherited?)) {
        let name = registration.name
        let index = outdated[name]?.firstIndex { $0.from === registration }
        let back = index.flatMap { outdated[name]?.remove(at: $0).own }
        let found = back ?? base
        let wrapped = newDecorations(of: found).reduce(found) { $1.wrap($0, number: $0.number, in: registry) }
        let own = stop?.refuse(wrapped) ?? wrapped
        var oldest: Registry.Inherited?
        if let hidden = inherited.updateValue(Registry.Inherited(from: registration, own: own), for: name) {
            oldest = outdated[name, default: []].append(hidden, keeping: Self.replacedLimit)
        }
        return (own, (wrapped, oldest))
    }

    /// The replaced registrations under a name that are kept, and the version of an ancestor's, which may have
    /// been removed there.
    fileprivate func replaced(_ name: String) -> [Registration] {
        (replaced[name] ?? []) + refused.filter { $0.name == name } + versions(named: name)
    }

    /// The registry's own versions of its ancestors' registrations under a name.
    fileprivate func versions(named name: String) -> [Registration] {
        (outdated[name] ?? []).map(\.own) + (inherited[name].map { [$0.own] } ?? [])
    }

    /// The registrations that are handed out now.
    fileprivate var shown: [Registration] { registrations.elements + inherited.elements.map(\.own) }

    /// The registrations that are kept but not handed out now.
    fileprivate var hidden: [Registration] {
        replaced.values.flatMap(\.self) + outdated.values.flatMap { $0.map(\.own) } + refused
    }
}

// MARK: - Tables

extension Registry {
    /// The lines of a type's own table, and those that the box and its ancestors were taught.
    func lines(of plan: TypePlan) -> [TableLine] { plan.lines(with: taughtLines(of: plan.owners)) }

    /// The lines that the box and its ancestors were taught for a type and its superclasses; the nearest box
    /// wins for each name.
    ///
    /// - Parameter owners: The classes from the root to the type, or a struct alone.
    /// - Returns: The lines, in the order in which they were taught.
    private func taughtLines(of owners: [Any.Type]) -> [TableLine] {
        let (inherited, own) = (parent?.taughtLines(of: owners) ?? [], state.withLock(\.taughtLines))
        return owners.reduce(inherited) { $0.replacing(with: own[ObjectIdentifier($1)] ?? []) }
    }

    /// Whether the box or an ancestor was taught anything about a type or a superclass; mostly one load each.
    func isTaught(_ type: Any.Type) -> Bool {
        if ownTeachingCount == 0 { return parent?.isTaught(type) ?? false }
        let isOwn = lineage(of: type).contains { owner in
            state.withLock { $0.taughtLines[ObjectIdentifier(owner)] != nil }
        }
        return isOwn || parent?.isTaught(type) ?? false
    }
}

// MARK: - Names

/// A snapshot of the names in a registry, prepared for searches; keeps no service alive.
///
/// A registry keeps it until the names change, since reports are often read one after the other.
struct RegisteredNames: Sendable {
    fileprivate let generation: Int
    let search: NearestNames
    let listing: ServiceListing
}

extension Registry {
    /// The names that are visible in the registry.
    var names: RegisteredNames {
        if let known = state.withLock({ $0.names })?.value, known.generation == generation { return known }
        let ((own, inherited, hidden), generation) = consistently {
            let own = ([entry] + ownServices).sortedByName(\.name)
            return (own, parent?.names, own.count { parent?.registration(named: $0.name) != nil })
        }
        let theirs = inherited?.listing.first.filter { service in !own.contains { $0.name == service.name } }
        let first = own.prefix(ServiceListing.limit).map(ServiceDescription.init) + (theirs ?? [])
        let names = RegisteredNames(
            generation: generation, search: NearestNames(own.lazy.map(\.name), beside: inherited?.search),
            listing: ServiceListing(
                first.sortedByName(\.name), of: own.count + (inherited?.listing.count ?? 0) - hidden, in: name
            ))
        state.withLock { $0.names = ConstantObject(names) }
        return names
    }
}

extension ServiceDescription {
    init(_ registration: Registration) {
        self.init(
            name: registration.name, type: registration.serviceType,
            implementation: registration.implementation, parameters: registration.parametersType,
            location: registration.location, module: registration.innermost.module,
            number: registration.number,
            provider: registration.step?.provider)
    }
}
