// Part of ServiceBox, released under the MIT License.
// The owner of a box's history: outcomes, uses, look-ups, replacements.

import Synchronization

/// The history of a box.
///
/// Thread-safe.
final class Ledger: Sendable {
    /// The result of filling a type.
    struct FilledType: Sendable {
        let plan: SharedPlan
        /// The record of the latest fill.
        let record: FillRecord
        /// The places of the type's first and its latest fill among all fills of the box and its copies.
        let order: Int
        let latest: Int
        /// The registry's generation at the first fill.
        let generation: Int
    }

    /// Who took an inherited service from this box, and the ancestor's own tally.
    struct InheritedUse: Named, Sendable {
        let name: String
        let of: UseTally
        let here: UseTally
    }

    struct State {
        /// The types that were filled, by their addresses.
        var filledTypes = AddressTable<FilledType>()
        /// Programs that aren't processed yet, with their places in the order.
        var unread: [(program: FillProgram, order: Int)] = []
        /// Look-ups in the box that aren't counted yet; by tally, so that no service is kept alive.
        var unreadLookUps: [(name: String, uses: UseTally, use: UseTally.Use, generation: Int)] = []
        /// Whether the uses of services are read even after the box is gone.
        var hasReaders = false
        /// Who took inherited services from this box, with the ancestor's own tally, which distinguishes a
        /// service from a later one of its name.
        var inheritedUses = KeyedTable<InheritedUse>()
        /// The types by which services were looked up without a name.
        var typesLookedUp = [ObjectIdentifier: Any.Type]()
        /// Replacements by name, the latest last, without those that were undone.
        var replacements = [String: [ServiceReplacement]]()
        /// The latest services that were removed before anything had used them.
        var removals: [ServiceDescription] = []
        var observers = ObserverList<ServiceEvent>()
        /// The properties that hold services, if the box tracks them.
        var holders: HolderTable?
    }

    let state = Guarded(State())
    let registry: Registry
    /// The ledger of the original, if the box is a copy.
    private let elder: Ledger?
    let parent: Ledger?
    /// Counts the fills of the box and its copies.
    private let fillCount = Atomic(0)
    private let hasListeners = Atomic(false)
    private let hearsChildren = Atomic(false)
    /// The number of observers of children in all boxes; while it is zero, boxes needn't search their
    /// ancestors.
    static let observersOfChildren = Atomic(0)

    init(_ registry: Registry, parent: Ledger?, original: Ledger?) {
        self.registry = registry
        self.parent = parent
        elder = original
    }

    /// Whether fills must be reported, to observers or for the holders; takes no lock.
    var isWatched: Bool {
        hasListeners.load(ordering: .acquiring)
            || Self.observersOfChildren.load(ordering: .acquiring) > 0 && isHeardByAncestor
    }

    private var isHeardByAncestor: Bool {
        parent.map { $0.hearsChildren.load(ordering: .acquiring) || $0.isHeardByAncestor } ?? false
    }

    /// The next place in the order of fills, from one; shared with copies, since a copy shows its own fills
    /// and its original's services in one order.
    func nextOrder() -> Int { elder?.nextOrder() ?? fillCount.add(1, ordering: .relaxed).newValue }

    /// The place of the latest fill.
    var latestOrder: Int { elder?.latestOrder ?? fillCount.load(ordering: .relaxed) }

    /// Changes the observers, or whether holders are tracked.
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

    /// Drops everything about registrations, which are gone.
    func clear() {
        state.letGo { state in
            // What the box took from its ancestors, it has taken.
            let new = State(
                hasReaders: state.hasReaders, inheritedUses: state.inheritedUses, observers: state.observers,
                holders: state.holders)
            return exchange(&state, with: new)
        }
    }
}

// MARK: - Outcomes

extension Ledger {
    /// The types that the box has filled, in the order of their first fills.
    var filledTypes: [FilledType] {
        catchUp()
        return state.withLock(\.filledTypes).values.sorted { $0.order < $1.order }
    }

    /// Notes a program, and the services that it gives to properties.
    ///
    /// That is processed on demand, unless others need it that don't ask here: the ancestors, if they don't
    /// know it from another box, or the original of a copy. The box of a request is usually gone by then.
    func note(_ program: FillProgram) {
        let isNews = elder != nil || parent != nil && !program.isBound
        let isLast = state.withLock { state in
            // One allocation is enough for a few.
            if state.unread.isEmpty { state.unread.reserveCapacity(4) }
            state.unread.append((program, nextOrder()))
            // Older programs keep services that may have been removed.
            return state.hasReaders || isNews || state.unread[0].program.generation != program.generation
                || state.unread.count > Self.mostUnread
        }
        if isLast { catchUp() }
    }

    /// Processes what was deferred, here and in the original.
    func catchUp() {
        elder?.catchUp()
        let (programs, lookUps) = state.withLock {
            (exchange(&$0.unread, with: []), exchange(&$0.unreadLookUps, with: []))
        }
        for (name, uses, use, _) in lookUps where registry.registration(named: name)?.uses === uses {
            forEachTally(of: name) { $0.note(use, isInScope: $1) }
        }
        for (program, order) in programs {
            let address = Metadata(program.record.type).address
            state.letGo { state -> FilledType? in
                let known = state.filledTypes[address]
                // Another thread may have noted a later one.
                if let known, known.latest > order { return nil }
                return state.filledTypes.updateValue(
                    FilledType(
                        plan: program.pattern.shared, record: program.record, order: known?.order ?? order,
                        latest: order, generation: known?.generation ?? program.generation),
                    at: address)
            }
            noteUses(of: program, at: program.record.untaken.count())
        }
    }

    /// Forgets the types of services that were filled only after a generation, as if they had never been.
    func forgetTypes(of services: [Registration], filledAfter generation: Int) {
        let types = Set(
            services.flatMap(\.layers).map { ObjectIdentifier($0.present?.dynamicType ?? $0.implementation) })
        state.letGo { state in
            var kept = AddressTable<FilledType>()
            for entry in state.filledTypes.values
            where entry.generation <= generation || !types.contains(ObjectIdentifier(entry.record.type)) {
                kept.updateValue(entry, at: Metadata(entry.record.type).address)
            }
            return exchange(&state.filledTypes, with: kept)
        }
    }

    /// Notes the properties that have taken a service in a fill: one that keeps its value takes none.
    @inline(__always)
    func noteTaken(_ report: FillReport, by program: FillProgram) {
        if program.hasUntaken { noteFirstTaken(report, by: program) }
    }

    @inline(never)
    private func noteFirstTaken(_ report: FillReport, by program: FillProgram) {
        if program.record.untaken.isEmpty { return }
        let (first, isLate) = program.record.untaken.remove(unless: report.deviations)
        let (firstOfAll, _) = program.pattern.untaken.remove(unless: report.deviations)
        // The others are noted when the ledger catches up.
        let news = isLate ? first : program.isBound ? first.intersection(firstOfAll) : []
        if !news.isEmpty { noteUses(of: program, at: news) }
    }

    private func noteUses(of program: FillProgram, at indices: UntakenProperties.Indices) {
        for (service, property, index) in program.taken
        where indices.contains(index: index) && registry.registration(named: service.name) === service {
            noteUse(of: service.name, by: property)
        }
    }

    /// Notes that a registration replaced another one, unless it just came back.
    func noteReplacement(of old: Registration, by new: Registration, isBack: Bool) -> ServiceReplacement {
        let instance = old.instance
        let isSame = instance != nil && instance === new.instance
        let replacement = ServiceReplacement(
            old: ServiceDescription(old), new: ServiceDescription(new),
            wasHandedOut: old.wasHandedOut && !isSame,
            decoration: new.base === old ? new.decoration?.location : nil)
        // A copy's version of its original's service doesn't count as a replacement.
        if isBack || !old.isFilled(by: registry) || !registry.has(new) { return replacement }
        state.withLock { state in
            _ = state.replacements[new.name, default: []]
                .append(replacement, keeping: Registry.State.replacedLimit)
        }
        return replacement
    }

    /// The latest replacement under a name of a service that was handed out, or else of any, in the box or in the
    /// ancestor that has the service.
    func replacement(of name: String) -> ServiceReplacement? {
        state.withLock { state in
            state.replacements[name].flatMap { $0.last(where: \.wasHandedOut) ?? $0.last }
        }
            ?? (registry.own(name) == nil ? parent?.replacement(of: name) : nil)
    }

    /// Knows replacements under a name again, and forgets what registrations have done that were undone.
    func bringBack(_ known: [ServiceReplacement], of name: String, without undone: Set<Int>) {
        let numbers = undone.union(known.map(\.new.number))
        state.withLock { state in
            let later = (state.replacements[name] ?? []).filter { !numbers.contains($0.new.number) }
            state.replacements[name] = known.isEmpty && later.isEmpty ? nil : known + later
            state.removals.removeAll { $0.name == name && undone.contains($0.number) }
        }
    }

    /// Drops the replacements by registrations that are gone.
    func forget(_ gone: [Registration]) {
        let numbers = Set(gone.flatMap(\.layers).map(\.number))
        state.withLock { state in
            for name in Set(gone.map(\.name)) {
                let rest = (state.replacements[name] ?? []).filter { !numbers.contains($0.new.number) }
                state.replacements[name] = rest.isEmpty ? nil : rest
            }
        }
    }

    /// Notes a registration that was removed.
    func noteRemoval(of registration: Registration) {
        let service = registration.uses.isEmpty ? ServiceDescription(registration) : nil
        state.withLock { state in
            state.removals.removeAll { $0.name == registration.name }
            // Limited, so that names that come and go don't fill the memory.
            if let service { _ = state.removals.append(service, keeping: Self.mostRemovals) }
        }
    }
}

extension ServiceHistory {
    /// How the last created service was filled, if the box creates it.
    var lastFill: FillReport? {
        withFacts(\.lastFill).map { unsafe unsafeDowncast($0, to: ConstantObject<FillReport>.self).value }
    }

    func noteFill(_ report: FillReport) {
        withExtendedLifetime(withFacts { exchange(&$0.lastFill, with: ConstantObject(report)) }) {}
    }
}

// MARK: - Uses

extension Ledger {
    /// Notes that a property was matched with a service.
    func noteUse(of name: String, by property: PropertyID) {
        forEachTally(of: name) { tally, _ in tally.note(property) }
        noteUntrackedUse(of: name)
    }

    func noteLookUp(of registration: Registration) {
        note(UseTally.Use(asker: registry.newAsker(of: registration), isLookUp: true), of: registration)
    }

    /// Notes that a running factory looked a service up again, or filled something with it.
    @inline(__always)
    func noteAsk(of registration: Registration) {
        guard let asker = registry.newAsker(of: registration) else { return }
        note(UseTally.Use(asker: asker, isLookUp: false), of: registration)
    }

    @inline(never)
    private func note(_ use: UseTally.Use, of registration: Registration) {
        let name = registration.name
        // The common case, the box's own service, costs one load.
        guard let parent, registry.own(name) == nil else { return registration.uses.note(use) }
        // A child's version of an inherited service has a tally of its own.
        if use.asker != nil, registration.isInherited { registration.uses.note(use) }
        if elder != nil { return forEachTally(of: name) { $0.note(use, isInScope: $1) } }
        if registration.isBox { return }
        parent.forEachTally(of: name, isInScope: registry.isScope) { $0.note(use, isInScope: $1) }
        // The box of a request is usually gone before anyone asks.
        let generation = registry.generation
        let isLast = state.withLock { state in
            // One allocation is enough for a few.
            if state.unreadLookUps.isEmpty { state.unreadLookUps.reserveCapacity(4) }
            state.unreadLookUps.append((name, registration.uses, use, generation))
            return state.hasReaders || state.unreadLookUps[0].generation != generation
                || state.unreadLookUps.count > Self.mostUnread
        }
        if isLast { catchUp() }
    }

    /// More than the types that most applications fill, and the services that a request asks for.
    private static let mostUnread = 256
    private static let mostRemovals = 256

    func noteLookUp(by type: Any.Type) {
        state.withLock { $0.typesLookedUp[ObjectIdentifier(type)] = type }
    }

    /// Who took a service, the box's own or an inherited one, from this box.
    func uses(of name: String) -> UseTally? {
        catchUp()
        if let own = registry.own(name) { return own.uses }
        let inherited = state.withLock { $0.inheritedUses[name] }
        return inherited.flatMap { $0.of === registry.nearest(name)?.uses ? $0.here : nil }
    }

    /// Visits the tallies of the box and its ancestors, up to the one that has the service, and says whether the use
    /// comes from a scope of overrides below.
    private func forEachTally(of name: String, isInScope: Bool = false, _ note: (UseTally, Bool) -> Void) {
        if let own = registry.own(name) { return note(own.uses, isInScope) }
        guard let parent, let owner = parent.registry.nearest(name)?.uses else { return }
        // A copy's uses of an ancestor's service count for its original too.
        for ledger in sequence(first: self, next: \.elder) {
            note(ledger.tally(of: name, from: owner), isInScope)
        }
        parent.forEachTally(of: name, isInScope: isInScope || registry.isScope, note)
    }

    /// The tally of an inherited service in this box.
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
    /// A service, and the property that it is given to, with its index in the record.
    typealias Taken = (service: Registration, property: PropertyID, index: Int)

    /// The services that the program gives to properties, unless these keep a value.
    var taken: [Taken] {
        let gathered = collections.flatMap { position, source -> [Taken] in
            guard case .all(let services) = source.origin else { return [] }
            let index = pattern.slots[position].index
            let property = PropertyID(type: pattern.plan.type, name: record.properties[index].name)
            return services.services.map { ($0, property, index) }
        }
        return pattern.uses.compactMap { use in answers[use.ask].map { ($0, use.property, use.index) } }
            + gathered
    }
}
