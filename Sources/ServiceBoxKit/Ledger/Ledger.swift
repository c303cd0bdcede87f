// Part of ServiceBox, released under the MIT License.
// The owner of what happened in a box: outcomes, uses, look-ups, replacements.

import Synchronization

/// What happened in a box.
///
/// Thread-safe.
final class Ledger: Sendable {
    /// What fills of a type came to.
    struct FilledType: Sendable {
        let plan: TypePlan
        /// What the latest fill came to.
        let record: FillRecord
        /// The place of the first fill among all that the box and its copies have filled.
        let order: Int
    }

    /// Who took from this box what an ancestor has, and the ancestor's own tally.
    struct InheritedUse: Named, Sendable {
        let name: String
        let of: UseTally
        let here: UseTally
    }

    struct State {
        var filledTypes = [ObjectIdentifier: FilledType]()
        /// The programs that nobody has asked for, with their places in the order.
        var unread: [(program: FillProgram, order: Int)] = []
        /// What was looked up in the box, and isn't counted here yet; by its tally, which keeps no service.
        var unreadLookUps: [(name: String, uses: UseTally, generation: Int)] = []
        /// Whether somebody reads the uses of the services even when the box is gone.
        var hasReaders = false
        /// Who took what an ancestor has from this box, with the ancestor's own tally, which tells a service from
        /// a later one of its name.
        var inheritedUses = NameTable<InheritedUse>()
        /// The types by which services were looked up without a name.
        var typesLookedUp = [ObjectIdentifier: Any.Type]()
        /// What was replaced, by name.
        var replacements = [String: ServiceReplacement]()
        /// What was removed last before anything had asked for it.
        var removals: [ServiceDescription] = []
        var observers = ObserverList<ServiceEvent>()
        /// The properties that hold services, if the box tracks them.
        var holders: HolderTable?
    }

    let state = Guarded(State())
    let registry: Registry
    /// The ledger of the box that this one is a copy of.
    private let elder: Ledger?
    let parent: Ledger?
    /// Counts what the box and its copies fill.
    private let fillCount = Atomic(0)
    private let hasListeners = Atomic(false)
    private let hearsChildren = Atomic(false)
    /// How many observers any boxes have for their children too: only where there is one a box looks through its
    /// ancestors.
    static let observersOfChildren = Atomic(0)

    /// Creates an empty ledger.
    ///
    /// - Parameters:
    ///   - registry: What is registered in its box.
    ///   - parent: The ledger of the box's parent.
    ///   - original: The ledger of the box that this one is a copy of.
    init(_ registry: Registry, parent: Ledger?, original: Ledger?) {
        self.registry = registry
        self.parent = parent
        elder = original
    }

    /// Whether each fill has to be told of, to observers or for the holders; takes no lock.
    var isWatched: Bool {
        hasListeners.load(ordering: .acquiring)
            || Self.observersOfChildren.load(ordering: .acquiring) > 0 && isHeardByAncestor
    }

    private var isHeardByAncestor: Bool {
        parent.map { $0.hearsChildren.load(ordering: .acquiring) || $0.isHeardByAncestor } ?? false
    }

    /// The place of a fill among all of the box and its copies, from one: a copy shows the services that it shares with its
    /// original in one order with what it fills itself.
    func nextOrder() -> Int { elder?.nextOrder() ?? fillCount.add(1, ordering: .relaxed).newValue }

    /// Changes who wants to be told.
    func changeListeners<Result>(_ change: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer {
                hasListeners.store(state.holders != nil || !state.observers.isEmpty, ordering: .releasing)
                hearsChildren.store(
                    state.observers.all.contains(where: \.hearsChildren), ordering: .releasing)
            }
            return change(&state)
        }
    }

    /// Forgets what was about registrations that are gone.
    func clear() {
        state.letGo { state in
            let new = State(
                hasReaders: state.hasReaders, observers: state.observers, holders: state.holders)
            return exchange(&state, with: new)
        }
    }
}

// MARK: - Outcomes

extension Ledger {
    /// What the box has filled, type by type, in the order in which it met them.
    var filledTypes: [FilledType] {
        catchUp()
        return state.withLock { Array($0.filledTypes.values) }.sorted { $0.order < $1.order }
    }

    /// Notes what the fills of a type take from the box, and that it is filled.
    ///
    /// That is looked into when somebody asks, unless others have to know that don't ask here: the ancestors, where they
    /// don't know from another box, or the original of a copy. The box of a request is mostly gone by then.
    func note(_ program: FillProgram) {
        let isNews = elder != nil || parent != nil && !program.isBound
        let isLast = state.withLock { state in
            // In one block, where there are few.
            if state.unread.isEmpty { state.unread.reserveCapacity(4) }
            state.unread.append((program, nextOrder()))
            // Older ones keep services that may be gone.
            return state.hasReaders || isNews || state.unread[0].program.generation != program.generation
        }
        if isLast { catchUp() }
    }

    /// Notes what was put off, here and where the same services are counted.
    func catchUp() {
        elder?.catchUp()
        let (programs, lookUps) = state.withLock {
            (exchange(&$0.unread, with: []), exchange(&$0.unreadLookUps, with: []))
        }
        for (name, uses, _) in lookUps where registry.registration(named: name)?.uses === uses {
            forEachTally(of: name) { $0.noteLookUp() }
        }
        for (program, order) in programs {
            let key = ObjectIdentifier(program.plan.type)
            state.letGo { state in
                let old = state.filledTypes[key]
                state.filledTypes[key] = FilledType(
                    plan: program.plan, record: program.record, order: old?.order ?? order)
                return old
            }
            for (service, property) in program.taken
            where registry.registration(named: service.name) === service {
                noteUse(of: service.name, by: property)
            }
        }
    }

    /// Notes a registration that took the name of another one.
    func noteReplacement(of old: Registration, by new: Registration) -> ServiceReplacement {
        let instance = old.supplier.instance
        let isSame = instance != nil && instance === new.supplier.instance
        let replacement = ServiceReplacement(
            old: ServiceDescription(old), new: ServiceDescription(new),
            wasHandedOut: old.wasHandedOut && !isSame)
        forget(old)
        // What a copy has in the place of its original's service is no news.
        if old.isFilled(by: registry), registry.has(new) {
            state.withLock { $0.replacements[new.name] = replacement }
        }
        return replacement
    }

    /// What took the place of another service under a name, in the box or in an ancestor that it has the service from.
    func replacement(of name: String) -> ServiceReplacement? {
        state.withLock { $0.replacements[name] }
            ?? (registry.own(name) == nil ? parent?.replacement(of: name) : nil)
    }

    /// Notes that what held a replaced service has the new one; where that is of another type, it may not fit.
    func noteRefill(of name: String) {
        state.withLock { state in
            if state.replacements[name]?.isOfAnotherType == false {
                state.replacements[name]?.wasHandedOut = false
            }
        }
    }

    func forget(_ registration: Registration) {
        state.withLock { $0.replacements[registration.name] = nil }
    }

    /// Notes a registration that was removed.
    func noteRemoval(of registration: Registration) {
        let service = registration.uses.isEmpty ? ServiceDescription(registration) : nil
        state.withLock { state in
            state.replacements[registration.name] = nil
            state.removals.removeAll { $0.name == registration.name }
            // Names that come and go must not fill the memory.
            if let service { _ = state.removals.append(service, keeping: Self.mostRemovals) }
        }
    }
}

extension ServiceHistory {
    /// How the service that was created last was filled, if the box creates it.
    var lastFill: FillReport? {
        withFacts(\.lastFill).map { unsafeDowncast($0, to: ConstantObject<FillReport>.self).value }
    }

    func noteFill(_ report: FillReport) {
        let old = withFacts { exchange(&$0.lastFill, with: ConstantObject(report)) }
        withExtendedLifetime(old) {}
    }
}

// MARK: - Uses

extension Ledger {
    /// Notes that a property was matched with a service.
    func noteUse(of name: String, by property: PropertyID) {
        forEachTally(of: name) { $0.note(property) }
    }

    func noteLookUp(of registration: Registration) {
        registry.noteLookUp(of: registration)
        let name = registration.name
        // The box's own takes a load.
        guard let parent, registry.own(name) == nil else { return registration.uses.noteLookUp() }
        if elder != nil { return forEachTally(of: name) { $0.noteLookUp() } }
        if registration.isBox { return }
        parent.forEachTally(of: name) { $0.noteLookUp() }
        // The box of a request is mostly gone before somebody asks.
        let generation = registry.generation
        let isLast = state.withLock { state in
            state.unreadLookUps.append((name, registration.uses, generation))
            return state.hasReaders || state.unreadLookUps[0].generation != generation
                || state.unreadLookUps.count > Self.mostUnread
        }
        if isLast { catchUp() }
    }

    private static let mostUnread = 64
    private static let mostRemovals = 256

    func noteLookUp(by type: Any.Type) {
        state.withLock { $0.typesLookedUp[ObjectIdentifier(type)] = type }
    }

    /// What has gone from this box to whom, of a service that it or an ancestor has.
    func uses(of name: String) -> UseTally? {
        catchUp()
        if let own = registry.own(name) { return own.uses }
        let inherited = state.withLock { $0.inheritedUses[name] }
        return inherited.flatMap { $0.of === registry.nearest(name)?.uses ? $0.here : nil }
    }

    /// Visits the tallies of the box and its ancestors up to the one that has the service.
    private func forEachTally(of name: String, _ note: (UseTally) -> Void) {
        if name == Registration.boxName { return }
        if let own = registry.own(name) { return note(own.uses) }
        guard let parent, let owner = parent.registry.nearest(name)?.uses else { return }
        // What a copy takes from an ancestor, its original takes too.
        for ledger in sequence(first: self, next: \.elder) { note(ledger.tally(of: name, from: owner)) }
        parent.forEachTally(of: name, note)
    }

    /// What has gone from this box of a service that an ancestor counts.
    private func tally(of name: String, from owner: UseTally) -> UseTally {
        state.withLock { state in
            if let known = state.inheritedUses[name], known.of === owner { return known.here }
            let new = UseTally()
            state.inheritedUses[name] = InheritedUse(name: name, of: owner, here: new)
            return new
        }
    }
}

extension FillProgram {
    /// The services that it fills properties with.
    fileprivate var taken: [(service: Registration, property: PropertyID)] {
        let collections = pattern.slots.indices.flatMap { position -> [(Registration, PropertyID)] in
            let slot = pattern.slots[position]
            guard slot.request.element != nil, case .all(let services, _)? = source(at: position) else {
                return []
            }
            let id = PropertyID(type: plan.type, name: record.properties[slot.index].name)
            return services.services.map { ($0, id) }
        }
        return pattern.uses.compactMap { use in answers[use.ask].map { ($0, use.property) } } + collections
    }
}
