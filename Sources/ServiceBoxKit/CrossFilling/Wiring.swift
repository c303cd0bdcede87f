// Part of ServiceBox, released under the MIT License.
// A registered service seen as something to fill.

/// The slots and the table of a registered service, gathered in its own isolation, so that a cross-fill from
/// any thread touches slot references alone.
///
/// `Sendable` is unchecked because of `object`: registered services are `Sendable`.
final class Wiring: @unchecked Sendable {
    private let learntPlan: TypePlan
    /// In the order of the plan's `slotIndices`.
    ///
    /// Weak, because a slot that somebody else holds keeps each value that its owner replaces by hand: others
    /// might be reading it.
    private let weakSlots: [WeakSlot]
    /// The service itself, if it is a class instance, whose table can be written.
    var object: AnyObject? { kept ?? seen?.object }
    private let kept: AnyObject?
    /// A service that its provider keeps, and may forget.
    private let seen: WeakReference?
    /// What a cross-fill has put into the slots that take all services of a type.
    private let gatherings = Guarded<[Int: Gathering]>([:])
    /// The names of those services, in their order; apart, so that adding one copies none.
    private let gatheredNames = Guarded<[Int: [String]]>([:])
    private let lineStates = Guarded<[String: LineState]>([:])
    private let fills = Guarded<[Int: Fill]>([:])
    private let failures = Guarded<[OpenProperty.Key: Finding]>([:])

    /// What a slot was filled with.
    private struct Fill {
        /// The address of the cell, and how often the slot had been set by hand: a cell that was set since
        /// may lie where this one did.
        let cell: UInt?
        let assignments: UInt16
        let source: ObjectIdentifier?
    }

    /// What a cross-fill did with a line of the table.
    enum LineState {
        case written
        case kept
    }

    /// Looks at a service that others may have.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - isKept: Whether to keep it alive.
    init<Service: Sendable>(of service: Service, isKept: Bool) {
        let object = classInstance(in: service)
        kept = isKept ? object : nil
        seen = isKept ? nil : object.map(WeakReference.init)
        let slots: [Slot]
        (learntPlan, slots) = PlanStore.learn(object ?? service, .shared)
        weakSlots = slots.map(WeakSlot.init)
    }

    /// A slot, by its position among the plan's `slotIndices`; nil if its property is gone.
    func slot(at position: Int) -> Slot? { weakSlots[position].slot }

    /// A slot of a registered service, by where it is found.
    struct Place {
        let wiring: Wiring
        let position: Int
    }

    /// The places of the slots that are alive.
    var places: [(slot: ObjectIdentifier, place: Place)] {
        weakSlots.enumerated().compactMap { position, weak in
            weak.slot.map { (ObjectIdentifier($0), Place(wiring: self, position: position)) }
        }
    }

    /// Whether the service was a class instance that nobody keeps any more.
    var isGone: Bool { seen.map { $0.object == nil } ?? false }

    /// The plan; a better one if the table was out of reach at first and is known by now.
    var plan: TypePlan {
        PlanStore.updated(learntPlan)
    }

    /// Reads the table if it was out of reach before and is not here.
    func rereadTable() {
        guard let object, !plan.tableIsKnown, object is any Injectable else { return }
        _ = PlanStore.learn(object, .shared)
    }

    /// The empty slots, by position, with the names of the services that they take.
    var emptySlots: [(position: Int, name: String)] {
        zip(plan.slotIndices, weakSlots).enumerated().compactMap { position, pair in
            guard pair.1.slot?.isEmpty == true else { return nil }
            return (position, plan.properties[pair.0].serviceName)
        }
    }

    /// Visits the empty slots that take all services of a type, by position.
    func forEachEmptyCollection(
        _ body: (_ position: Int, _ request: CellRequest, _ element: Any.Type, _ taker: UseTally.Property) ->
            Void
    ) {
        for (position, index) in plan.slotIndices.enumerated() where slot(at: position)?.isEmpty == true {
            let property = plan.properties[index]
            guard case .slot(let request, _) = property.kind, let element = request.element else { continue }
            body(position, request, element, UseTally.Property(type: plan.type, name: property.name))
        }
    }

    /// What a cross-fill has put into a slot that takes all services of a type; nil if it has put nothing.
    func gathering(at position: Int) -> Gathering? { gatherings.withLock { $0[position] } }

    /// The names of the services that a cross-fill has put into a slot that takes all of a type.
    func gatheredNames(at position: Int) -> [String] { gatheredNames.withLock { $0[position] ?? [] } }

    /// Whether a slot that takes all services of a type is empty, or holds what was put there.
    func awaitsAll(at position: Int, after known: Gathering?) -> Bool {
        guard let slot = slot(at: position) else { return false }
        guard let known else { return slot.isEmpty }
        return known.list.map { slot.holds($0) } ?? false
    }

    /// Notes that a service could not be made for a slot that takes all services of a type.
    func distrustGathering(at position: Int) {
        gatherings.withLock { $0[position]?.distrust() }
    }

    /// Fills a slot that is empty, or exchanges or extends what this method put there before.
    ///
    /// - Parameters:
    ///   - list: What to put there or to add; nobody else has it.
    ///   - names: The names of its services.
    ///   - position: The slot.
    ///   - gathering: What is noted of it afterwards; its list is chosen here.
    ///   - known: What was noted before.
    ///   - isAddition: Whether the list is what comes after what is there.
    /// - Returns: What came of it.
    func put(
        _ list: AnyListCell, of names: [String], at position: Int, _ gathering: Gathering,
        after known: Gathering?, isAddition: Bool
    ) -> Put {
        guard let slot = slot(at: position) else { return .left }
        let there = known?.list
        let outcome = gatherings.withLock { gatherings -> Put in
            guard gatherings[position]?.count == known?.count else { return .outdated }
            let isOurs = known == nil ? slot.fillIfEmpty(with: list) : there.map { slot.holds($0) } ?? false
            guard isOurs else { return .left }
            if isAddition { there?.append(contentsOf: list) } else { there?.exchange(with: list) }
            gatheredNames.withLock { all in
                if isAddition { all[position, default: []] += names } else { all[position] = names }
            }
            let cell = there ?? list
            gatherings[position] = Gathering(gathering, in: cell, count: (known?.count ?? 0) + 1)
            noteFilled(at: position, from: nil)
            return .done(cell)
        }
        // Were these the last references, values would go under the lock.
        return withExtendedLifetime((slot, there, list)) { outcome }
    }

    /// Notes what a slot was filled with just now, for reports.
    ///
    /// - Parameters:
    ///   - position: The slot.
    ///   - source: What it was filled from; nil for all services of a type.
    func noteFilled(at position: Int, from source: Registration?) {
        guard let slot = slot(at: position), !slot.isEmpty else { return }
        let fill = Fill(
            cell: slot.loaded.map(UInt.init(bitPattern:)), assignments: slot.assignments,
            source: source.map(ObjectIdentifier.init))
        fills.withLock { $0[position] = fill }
    }

    /// Whether a slot still holds what it was filled with from a service.
    func holdsFill(at position: Int, from source: Registration) -> Bool {
        guard let slot = slot(at: position), let fill = fills.withLock({ $0[position] }) else { return false }
        let source = source is GatheredServices ? nil : ObjectIdentifier(source)
        return fill.source == source && fill.assignments == slot.assignments
            && fill.cell == slot.loaded.map(UInt.init(bitPattern:))
    }

    /// Claims a line of the table, which a cross-fill deals with once for a service.
    ///
    /// - Returns: Whether nobody has claimed it before.
    @discardableResult
    func claim(_ line: String, as state: LineState) -> Bool {
        lineStates.withLock { states in
            if states[line] != nil { return false }
            states[line] = state
            return true
        }
    }

    /// Notes whether a service for a slot or a line could be made, and did not turn out to be of another
    /// type.
    func note(_ supply: Supply?, from source: Registration?, for key: OpenProperty.Key) {
        let failure = source.flatMap { supply?.finding(from: $0) }
        failures.withLock { $0[key] = failure }
    }

    /// Why the last cross-fill could not fill a slot or a line, if there was a service for it.
    func failure(for key: OpenProperty.Key) -> Finding? {
        failures.withLock { $0[key] }
    }

    /// What became of a line, or nil if no cross-fill has dealt with it.
    func state(ofLine name: String) -> LineState? {
        lineStates.withLock { $0[name] }
    }
}

/// A slot that its property alone keeps alive.
///
/// A class, since a copy of a struct with a weak constant ends the program in Swift 6.3.1.
private final class WeakSlot: Sendable {
    weak let slot: Slot?

    init(_ slot: Slot) { self.slot = slot }
}
