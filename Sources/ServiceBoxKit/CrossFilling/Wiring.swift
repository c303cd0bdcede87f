// Part of ServiceBox, released under the MIT License.
// The slots and the table of a registered service, and what cross-fills have put there.

/// The slots and the table of a registered service, gathered in its own isolation, so that a cross-fill from any
/// thread touches slot references alone.
///
/// Thread-safe. `Sendable` is unchecked because of `object`: registered services are `Sendable`.
final class Wiring: @unchecked Sendable {
    /// A property of the service.
    enum Key: Hashable {
        /// A slot, by its position among the plan's.
        case slot(Int)
        /// A line of the table.
        case line(String)
    }

    /// What a property has.
    enum Content {
        /// What a service supplied, or with nil all services of a type; in a cell that isn't always the same.
        case filled(ServiceDescription?, WeakReference<AnyCell>?)
        /// What the service had put there itself.
        case kept
    }

    /// What a cross-fill has put into a slot that takes all services of a type: a list of the slot's own, which is
    /// extended when services are registered, and exchanged when anything else has changed.
    struct Collection {
        /// The last registration of the box that was asked.
        let lastNumber: Int
        /// The order of services that it is made for, see ``Registry/reorderings``; nil if something has failed.
        var reorderings: Int?
        /// Tells it from those before it.
        var count = 0
        var list: WeakReference<AnyListCell>?

        /// The slot's list; nil if it is gone, since the slot was set by hand.
        var cell: AnyListCell? { list?.object }
    }

    private struct State {
        var contents = SmallDictionary<Key, Content>()
        /// Why services couldn't be supplied.
        var failures = [Key: Finding]()
        var collections = [Int: Collection]()
        /// The names of the services in a collection, in their order; apart, so that adding one copies none.
        var names = [Int: [String]]()
    }

    private let shared: SharedPlan
    /// In the order of the plan's slots.
    ///
    /// Weak, because a slot that somebody else holds keeps each value that its
    /// owner replaces by hand: others might be reading it.
    let slots: [WeakReference<Slot>]
    private let holder: Holder
    private let state = Guarded(State())

    /// What leads to the service, if it is a class instance, whose table can be written.
    ///
    /// A weak reference to an object makes each strong one to it that comes and goes several times as slow (measured),
    /// wherever it is used; so that of what the box creates is one to the reference that keeps it.
    enum Holder {
        case value
        /// It was registered ready-made, and is kept alive here.
        case strong(AnyObject)
        /// The box creates it, and its provider keeps it by a reference, and may forget it.
        case created(WeakReference<AnyCell>)
        /// A provider of somebody else's has created it, perhaps as a value: nothing but its slots is touched.
        case foreign(WeakCell?)
    }

    private init(_ plan: SharedPlan, _ slots: [Slot], _ holder: Holder) {
        shared = plan
        self.slots = slots.map { WeakReference($0) }
        self.holder = holder
    }

    /// Whether its table may be written.
    var hasTable: Bool { if case .foreign = holder { false } else { true } }

    /// Looks at a service that others may have.
    ///
    /// - Parameters:
    ///   - service: The service, of a type that is `Sendable`; the object, if it is a class instance.
    ///   - value: What leads to it, if it is a value.
    ///   - hold: The same if it is a class instance.
    /// - Returns: Its wiring and its slots.
    static func look(
        at service: Any, value: Holder = .value, hold: (AnyObject) -> Holder
    ) -> (wiring: Wiring, slots: [Slot]) {
        let (plan, slots) = PlanStore.learn(service, .shared)
        return (Wiring(plan, slots, classInstance(service).map(hold) ?? value), slots)
    }

    /// Whether the service may turn out to lack something that it requires.
    func mayLack(with taught: [TableLine]) -> Bool {
        guard let table = shared.plan.table, !shared.requiresAny else { return true }
        // The updated plan would be a copy, which costs more than all the rest here.
        if table.isEmpty, taught.isEmpty { return false }
        return shared.plan.lines(with: taught).contains { $0.injection.isRequired }
    }

    /// Whether the service has nothing to fill, or nothing any more, as long as its table is its type's.
    var isFull: Bool {
        if shared.plan.table?.isEmpty != true { return false }
        return !shared.takesAllServices && slots.allSatisfy { $0.object?.isSettled == true }
    }

    /// The classes from the root to the service's, or its type alone.
    var owners: [Any.Type] { shared.plan.owners }

    /// The lines of its table, if they may be written.
    func lines(with taught: [TableLine]) -> [TableLine] {
        hasTable && object != nil ? plan.lines(with: taught) : []
    }

    /// The service itself, if it is a class instance, whose table can be written.
    var object: AnyObject? {
        switch holder {
        case .value: nil
        case .strong(let object): object
        case .created(let cell): cell.object?.instance
        case .foreign(let object): object?.object
        }
    }

    /// Whether the service was a class instance that nobody keeps any more.
    var isGone: Bool {
        switch holder {
        case .value, .foreign(nil): false
        case .strong, .created, .foreign: object == nil
        }
    }

    /// The plan; a better one if the table was out of reach at first and is known by now.
    var current: SharedPlan { PlanStore.updated(shared) }
    var plan: TypePlan { current.plan }

    /// Reads the table if it was out of reach before and isn't here.
    func rereadTable() {
        if object != nil, !plan.tableIsKnown { _ = PlanStore.plan(of: shared.plan.type) }
    }

    /// A slot, by its position among the plan's; nil if its property is gone.
    func slot(at position: Int) -> Slot? { slots[position].object }
}

// MARK: - What was put there

extension Wiring {
    /// Notes what a slot was filled with just now.
    ///
    /// - Parameters:
    ///   - cell: What it was filled with.
    ///   - service: What supplied it; nil for all services of a type.
    ///   - position: The slot.
    func noteFilled(with cell: AnyCell, from service: ServiceDescription?, at position: Int) {
        let content = Content.filled(service, WeakReference(cell))
        state.withLock { $0.contents[.slot(position)] = content }
    }

    /// Claims a line of the table, which is dealt with once for a service.
    ///
    /// - Returns: Whether nobody has claimed it before.
    @discardableResult
    func claim(_ line: String, as content: Content) -> Bool {
        state.withLock { state in
            guard state.contents[.line(line)] == nil else { return false }
            state.contents[.line(line)] = content
            return true
        }
    }

    /// Notes what a fill has done with the table: a cross-fill must not write again what others can see by then.
    func noteLines(of report: FillReport) {
        guard report.record.traits.hasLines else { return }
        for record in report.findings where record.source == .line {
            switch record.finding {
            case .filled(let service): claim(record.name, as: .filled(service, nil))
            case .kept: claim(record.name, as: .kept)
            default: break
            }
        }
    }

    /// What was put into a property, or found there.
    func content(of key: Key) -> Content? { state.withLock { $0.contents[key] } }

    /// Whether a slot still holds what it was filled with from a service.
    func holdsFill(at position: Int, from service: ServiceDescription?) -> Bool {
        guard case .filled(let source, let cell)? = content(of: .slot(position)),
            let slot = slot(at: position), let cell = cell?.object
        else { return false }
        return source?.id == service?.id && slot.holds(cell)
    }

    /// Notes whether a service could be supplied for a property.
    func note(_ failure: Finding?, for key: Key) {
        state.letGo { exchange(&$0.failures[key], with: failure) }
    }

    /// Tells the slots that are empty why, for whoever reads them.
    func note(_ report: FillReport, except excluded: Set<Int>) {
        for property in report.lacking(except: excluded) {
            guard case .slot(let position) = property.source else { continue }
            if let slot = slot(at: position) { report.record.note(property, in: slot) }
        }
    }

    /// Tells the slots that are looked up when they are read how, unless they know.
    func note(_ lookUps: [Int: SlotLookUp]) {
        for (position, lookUp) in lookUps { slot(at: position)?.notes.note(lookUp, isReplacing: false) }
    }

    /// Why the last cross-fill couldn't fill a property, if there was a service for it.
    func failure(for key: Key) -> Finding? { state.withLock { $0.failures[key] } }
}

// MARK: - All services of a type

extension Wiring {
    /// What came of filling a slot that takes all services of a type.
    enum Put {
        case done(AnyListCell)
        /// The slot holds something else, or its property is gone.
        case left
        /// Another thread was quicker.
        case outdated
    }

    func collection(at position: Int) -> Collection? { state.withLock { $0.collections[position] } }

    /// The list that was put into a slot, if it is there.
    func list(at position: Int) -> AnyListCell? { collection(at: position)?.cell }

    /// The names of the services in a collection.
    func names(at position: Int) -> [String] { state.withLock { $0.names[position] ?? [] } }

    /// Whether a slot is empty, or holds the collection that was put there.
    func awaitsCollection(at position: Int, after known: Collection?) -> Bool {
        guard let slot = slot(at: position) else { return false }
        guard let known else { return slot.isEmpty }
        return known.cell.map { slot.holds($0) } ?? false
    }

    /// Has the whole collection gathered again next time, since a service couldn't be supplied.
    func distrustCollection(at position: Int) {
        state.withLock { state in
            state.collections[position]?.reorderings = nil
            state.collections[position]?.count += 1
        }
    }

    /// Has every collection gathered again next time.
    func distrustCollections() {
        for position in state.withLock({ Array($0.collections.keys) }) { distrustCollection(at: position) }
    }

    /// Fills a slot that is empty, or exchanges or extends what this method put there before.
    ///
    /// - Parameters:
    ///   - list: What to put there or to add; nobody else has it.
    ///   - names: The names of its services.
    ///   - position: The slot.
    ///   - collection: What is noted of it afterwards.
    ///   - known: What was noted before; the list comes after what is there if both are for one order of services.
    /// - Returns: What came of it.
    func put(
        _ list: AnyListCell, of names: [String], at position: Int, _ collection: Collection,
        after known: Collection?
    ) -> Put {
        guard let slot = slot(at: position) else { return .left }
        let there = known?.cell
        let isAddition = known?.reorderings == collection.reorderings
        let outcome = state.withLock { state -> Put in
            guard state.collections[position]?.count == known?.count else { return .outdated }
            let isOurs = known == nil ? slot.fillIfEmpty(with: list) : there.map { slot.holds($0) } ?? false
            guard isOurs else { return .left }
            if isAddition {
                there?.append(contentsOf: list)
                state.names[position, default: []] += names
            } else {
                there?.exchange(with: list)
                state.names[position] = names
            }
            let cell = there ?? list
            state.collections[position] = collection
            state.collections[position]?.count = (known?.count ?? 0) + 1
            state.collections[position]?.list = WeakReference(cell)
            state.contents[.slot(position)] = .filled(nil, WeakReference(cell))
            return .done(cell)
        }
        // Were these the last references, values would go under the lock.
        return withExtendedLifetime((slot, there, list)) { outcome }
    }
}

// MARK: - Whose it is

extension ServiceHistory {
    /// The slots and the table of the service that is there.
    var wiring: Wiring? {
        guard let wiring = withFacts(\.wiring).map({ unsafeDowncast($0, to: Wiring.self) }) else {
            return nil
        }
        return wiring.isGone ? nil : wiring
    }

    /// Notes the wiring of a service that takes the place of the one before.
    ///
    /// - Returns: Its wiring, for the caller to release when it holds no lock.
    func note(_ wiring: Wiring?) -> Wiring? {
        withFacts { exchange(&$0.wiring, with: wiring) }.map { unsafeDowncast($0, to: Wiring.self) }
    }
}

extension Registration {
    /// The slots and the table of the service that is there; of one that has nothing to fill looked at when somebody asks.
    var wiring: Wiring? {
        if let known = history.wiring { return known }
        let isReadyMade = kind == .instance
        guard fills, isReadyMade || lifetime == .lazy || lifetime == .eager,
            let cell = supplier.present, let service = cell.subject,
            PlanStore.isBare(type(of: service))
        else { return nil }
        let new = Wiring.look(at: service) {
            isReadyMade ? .strong($0) : .created(WeakReference(cell))
        }.wiring
        return history.withFacts { facts in
            let known = facts.wiring.map { unsafeDowncast($0, to: Wiring.self) }
            if known == nil { facts.wiring = new }
            return known ?? new
        }
    }
}
