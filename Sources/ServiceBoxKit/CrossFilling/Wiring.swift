// Part of ServiceBox, released under the MIT License.
// The slots and the table of a registered service, and the values that cross-fills put there.

/// The slots and the table of a registered service, collected in its own isolation, so that a cross-fill on
/// any thread touches only slot references.
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

    /// What a slot was filled with.
    private struct SlotFill {
        let position: Int
        let cell: WeakReference<AnyCell>
        /// Nil for all services of a type.
        let service: ServiceDescription?
    }

    /// The content of a slot for all services of a type: a list of the slot's own, extended when services are
    /// registered, and replaced when anything else has changed.
    struct Collection {
        /// The number of the last registration that was asked.
        let lastNumber: Int
        /// The order of services that the list follows, see ``Registry/reorderings``; nil if everything must be
        /// collected again.
        var reorderings: Int?
        /// Whether it was collected on the main actor; nil if that makes no difference.
        var isOfMainActor: Bool?
        /// Distinguishes it from earlier ones.
        var count = 0
        var list: WeakReference<AnyListCell>?

        /// The slot's list; nil if it is gone, since the slot was set by hand.
        var cell: AnyListCell? { list?.object }
    }

    private struct State {
        /// What the slots were filled with, of each the latest.
        var fills: [SlotFill] = []
        /// What became of the lines that were written or claimed, by name: filled or kept.
        var lines = SmallDictionary<String, Finding>()
        /// The reasons why services couldn't be supplied.
        var failures = [Key: Finding]()
        var collections = [Int: Collection]()
        /// The services in a collection, in order; separate, so that adding one copies none.
        var collected = [Int: [ServiceDescription]]()
        /// The object, if it has another registration, which may outlive the first.
        var object: WeakCell?

        mutating func note(_ fill: SlotFill, of count: Int) {
            if let index = fills.firstIndex(where: { $0.position == fill.position }) {
                fills[index] = fill
            } else {
                if fills.isEmpty { fills.reserveCapacity(count) }
                fills.append(fill)
            }
        }

        /// Sets why a property's service couldn't be supplied, and returns what was noted before.
        mutating func exchangeFailure(of key: Key, with failure: Finding?) -> Finding? {
            // Assigning nil would allocate storage.
            guard let failure else { return failures.removeValue(forKey: key) }
            return failures.updateValue(failure, forKey: key)
        }
    }

    private let shared: SharedPlan
    /// In the order of the plan's slots.
    ///
    /// Weak, because a slot with another owner keeps every value that its owner replaces by hand: others
    /// might be reading it.
    let slots: [WeakReference<Slot>]
    private let holder: Holder
    private let state = Guarded(State())

    /// A reference to the service, if it is a class instance and its table can be written.
    ///
    /// A weak reference to an object makes retaining and releasing it several times slower everywhere
    /// (measured). So a service that the box creates is referred to weakly through its cell.
    enum Holder {
        case value
        /// Registered ready-made, and kept alive here.
        case strong(AnyObject)
        /// Created by the box, and kept in a cell by its provider, which may forget it.
        case created(WeakReference<AnyCell>)
        /// Held weakly, or created by a provider from outside.
        case weak(WeakCell)
    }

    private init(_ plan: SharedPlan, _ slots: [Slot], hasTable: Bool, _ holder: Holder) {
        shared = plan
        self.hasTable = hasTable
        self.slots = slots.map { WeakReference($0) }
        self.holder = holder
    }

    /// Whether its table may be written.
    let hasTable: Bool

    /// Inspects a service that others may have.
    ///
    /// - Parameters:
    ///   - service: The `Sendable` service; the object, if it is a class instance.
    ///   - hasTable: Whether its table may be written.
    ///   - hold: The holder, if it is a class instance.
    /// - Returns: Its wiring and its slots.
    static func look(
        at service: Any, hasTable: Bool = true, hold: (AnyObject) -> Holder
    ) -> (wiring: Wiring, slots: [Slot]) {
        let (plan, slots) = PlanStore.learn(service, .shared)
        return (Wiring(plan, slots, hasTable: hasTable, classInstance(service).map(hold) ?? .value), slots)
    }

    /// Whether the service may turn out to lack something that it requires.
    func mayLack(in registry: Registry) -> Bool {
        !shared.plan.tableIsKnown || shared.requiresAny
            || registry.lines(of: shared.plan).contains(where: \.injection.isRequired)
    }

    /// Whether the service has nothing left to fill unless its table changes.
    var isFull: Bool { isPlain && slots.allSatisfy { $0.object?.isSettled == true } }

    /// Whether it certainly has what it requires once these properties are filled, unless its table changes.
    func hasAllRequired(except given: [Key]) -> Bool {
        isPlain
            && slots.indices.allSatisfy { position in
                slots[position].object?.isSettled != false || given.contains(.slot(position))
                    || shared.plan.properties[shared.plan.slotIndices[position]].request?.isOptional == true
            }
    }

    /// Whether it has no table, and slots only that keep one service each.
    private var isPlain: Bool {
        shared.plan.table?.isEmpty == true && !shared.takesAllServices && !shared.holdsWeakly
    }

    /// The service itself, if it is a class instance and its table can be written.
    var object: AnyObject? { heldObject ?? state.withLock(\.object)?.object }

    private var heldObject: AnyObject? {
        switch holder {
        case .value: nil
        case .strong(let object): object
        case .created(let cell): cell.object?.instance
        case .weak(let cell): cell.object
        }
    }

    /// Notes that the service has another registration.
    func noteShared() {
        guard let object else { return }
        let cell = WeakCell(object)
        state.letGo { exchange(&$0.object, with: cell) }
    }

    /// The address of the object, or of the value's first slot.
    var address: UInt? {
        (object ?? slots.first?.object).map { UInt(bitPattern: ObjectIdentifier($0)) }
    }

    /// Whether it is of this object, or of a copy of the value that has these slots.
    func isOf(_ object: AnyObject?, _ slots: [Slot]) -> Bool {
        if let object { return self.object === object }
        return slots.first.map { $0 === self.slots.first?.object } ?? false
    }

    /// Whether the service was a class instance that nobody keeps any more.
    var isGone: Bool { if case .value = holder { false } else { object == nil } }

    /// The plan, or an updated one if its table was out of reach at first and has been read since.
    var current: SharedPlan { PlanStore.updated(shared) }

    /// Reads the table if it was out of reach before and is readable here.
    func rereadTable() {
        if !current.plan.tableIsKnown, hasTable { _ = PlanStore.plan(of: shared.plan.type) }
    }

    /// A slot, by its position among the plan's; nil if its property is gone.
    func slot(at position: Int) -> Slot? { slots[position].object }
}

// MARK: - Contents

extension Wiring {
    /// Notes the cell that a slot was just filled with, and its service; nil for all services of a type.
    func noteFilled(with cell: AnyCell, from service: ServiceDescription?, at position: Int) {
        let fill = SlotFill(position: position, cell: WeakReference(cell), service: service)
        state.withLock { $0.note(fill, of: slots.count) }
    }

    /// Claims a line of the table, which is written at most once for a service.
    ///
    /// - Returns: Whether it was unclaimed.
    @discardableResult
    func claim(_ line: String, as finding: Finding) -> Bool {
        state.withLock { state in
            guard state.lines[line] == nil else { return false }
            state.lines[line] = finding
            return true
        }
    }

    /// Notes what failed in a fill, and the lines that it wrote: a cross-fill must not rewrite what others can see
    /// by then.
    func noteFill(_ report: FillReport) {
        if report.isFull { return }
        for record in report.findings {
            switch (record.source, record.finding) {
            case (.line, .filled), (.line, .kept): claim(record.name, as: record.finding)
            case (.line, .failed): note(record.finding, for: .line(record.name))
            case (.slot(let position), .failed): note(record.finding, for: .slot(position))
            default: break
            }
        }
    }

    /// What became of a line: filled, or kept since the service itself had put a value there; nil if it wasn't written.
    func finding(forLine name: String) -> Finding? { state.withLock { $0.lines[name] } }

    /// Whether a slot was ever filled.
    func wasFilled(at position: Int) -> Bool { slotFill(at: position) != nil }

    private func slotFill(at position: Int) -> SlotFill? {
        state.withLock { $0.fills.first { $0.position == position } }
    }

    /// The cell that a slot was filled with and still holds, and its service; nil for all services of a type.
    func fill(at position: Int) -> (cell: AnyCell, service: ServiceDescription?)? {
        guard let fill = slotFill(at: position), let cell = fill.cell.object,
            slot(at: position)?.holds(cell) == true
        else { return nil }
        return (cell, fill.service)
    }

    /// The cell that a weak slot was filled with and still holds, if its object is gone.
    func lostCell(at position: Int) -> AnyCell? {
        fill(at: position).flatMap { $0.cell.isGone ? $0.cell : nil }
    }

    /// Notes why a property's service couldn't be supplied; nil if it could.
    func note(_ failure: Finding?, for key: Key) {
        state.letGo { $0.exchangeFailure(of: key, with: failure) }
    }

    /// Notes in empty slots why they are empty, for the message of a read.
    func note(_ report: FillReport, except excluded: Set<Int>) {
        for property in report.lacking(except: excluded) {
            guard case .slot(let position) = property.source else { continue }
            if let slot = slot(at: position) { report.record.note(property, in: slot) }
        }
    }

    /// The reason why the last fill couldn't fill a property although a service was registered for it.
    func failure(for key: Key) -> Finding? { state.withLock { $0.failures[key] } }
}

// MARK: - All services of a type

extension Wiring {
    func collection(at position: Int) -> Collection? { state.withLock { $0.collections[position] } }

    /// The list that was put into a slot, if it is still there.
    func list(at position: Int) -> AnyListCell? { collection(at: position)?.cell }

    /// The services that a slot was filled with and still holds.
    func given(at position: Int) -> [ServiceDescription] {
        fill(at: position).map { $0.service.map { [$0] } ?? collected(at: position) } ?? []
    }

    /// The services in a collection.
    func collected(at position: Int) -> [ServiceDescription] {
        state.withLock { $0.collected[position] ?? [] }
    }

    /// Whether a slot is empty, or still holds the collection put there.
    func awaitsCollection(at position: Int, after known: Collection?) -> Bool {
        guard let slot = slot(at: position) else { return false }
        guard let known else { return slot.isEmpty }
        return known.cell.map { slot.holds($0) } ?? false
    }

    /// Makes the next cross-fill collect everything for a slot again; nil for all slots.
    func distrustCollection(at position: Int?) {
        state.withLock { state in
            for position in position.map({ [$0] }) ?? Array(state.collections.keys) {
                state.collections[position]?.reorderings = nil
                state.collections[position]?.count += 1
            }
        }
    }

    /// Fills an empty slot, or replaces or extends the list put there before.
    ///
    /// - Parameters:
    ///   - list: The services to put there or to add; nobody else has the list.
    ///   - services: Its services.
    ///   - position: The slot.
    ///   - collection: The new collection.
    ///   - known: The old one; if both follow the same order of services, the list is appended.
    ///   - finding: Why a service couldn't be supplied, if so.
    /// - Returns: The slot's list; nil if another thread was quicker, or the slot awaits no collection any more.
    func put(
        _ list: AnyListCell, of services: [ServiceDescription], at position: Int, _ collection: Collection,
        after known: Collection?, finding: Finding?
    ) -> AnyListCell? {
        guard let slot = slot(at: position) else { return nil }
        let there = known?.cell
        let isAddition = collection.reorderings != nil && known?.reorderings == collection.reorderings
        let (cell, old) = state.withLock { state -> (AnyListCell?, Finding?) in
            guard state.collections[position]?.count == known?.count,
                unsafe known == nil ? slot.fillIfEmpty(with: list) : there.map({ slot.holds($0) }) ?? false
            else { return (nil, nil) }
            if isAddition {
                there?.append(contentsOf: list)
                state.collected[position, default: []] += services
            } else {
                there?.exchange(with: list)
                state.collected[position] = services
            }
            let cell = there ?? list
            state.collections[position] = collection
            state.collections[position]?.count = (known?.count ?? 0) + 1
            state.collections[position]?.list = WeakReference(cell)
            state.note(
                SlotFill(position: position, cell: WeakReference(cell), service: nil), of: slots.count)
            return (cell, state.exchangeFailure(of: .slot(position), with: finding))
        }
        // Otherwise the last references might be released under the lock.
        return withExtendedLifetime((slot, there, list, old)) { cell }
    }
}

// MARK: - Access

extension ServiceHistory {
    /// The wiring of the existing service.
    var wiring: Wiring? {
        let known = withFacts(\.wiring).map { unsafe unsafeDowncast($0, to: Wiring.self) }
        return known?.isGone == false ? known : nil
    }

    /// Notes the wiring of a service that replaces the previous one.
    ///
    /// - Returns: The previous wiring, for the caller to release when it holds no lock.
    func note(_ wiring: Wiring?) -> Wiring? {
        withFacts { exchange(&$0.wiring, with: wiring) }.map { unsafe unsafeDowncast($0, to: Wiring.self) }
    }
}

extension Registration {
    /// The wiring of the existing service; a service with nothing to fill is inspected on demand.
    var wiring: Wiring? {
        if let known = knownHistory?.wiring { return known }
        let isReadyMade = kind == .instance
        guard fills, isReadyMade || lifetime == .lazy || lifetime == .eager,
            let cell = present, let service = cell.subject,
            PlanStore.isBare(type(of: service))
        else { return nil }
        let new = Wiring.look(at: service) {
            isReadyMade ? .strong($0) : .created(WeakReference(cell))
        }.wiring
        return history.withFacts { facts in
            let known = facts.wiring.map { unsafe unsafeDowncast($0, to: Wiring.self) }
            if known == nil { facts.wiring = new }
            return known ?? new
        }
    }
}
