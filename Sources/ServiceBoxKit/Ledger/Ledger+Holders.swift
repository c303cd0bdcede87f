// Part of ServiceBox, released under the MIT License.
// Which living properties hold services from a box. How a holder reads is in Reports/.

/// A property that holds a service from a box.
///
/// Thread-safe. It doesn't keep the object alive.
public struct ServiceHolder: Sendable {
    /// The type that the property was filled in.
    public let type: Any.Type
    /// The property's name.
    public let property: String
    /// The object that the property belongs to, to compare with `ObjectIdentifier(object)`; nil for a
    /// struct's property, and for one that was looked up when it was read.
    public let object: ObjectIdentifier?
    /// Whether the service that it holds was replaced or removed since.
    public let isStale: Bool

    init(_ holding: Holding, isStale: Bool) {
        self.isStale = isStale
        type = holding.property.type
        property = holding.property.name
        object = holding.object
    }
}

/// A property that was filled, for as long as it lives.
///
/// `Sendable` is unchecked because `owner` is typed as any object, which may belong to some actor. It holds: the
/// object is never read nor handed out, only asked for being there, and the reference never changes but to nil.
final class Holding: @unchecked Sendable {
    /// What tells holdings apart while they live: a slot, or an object and a line of its table.
    struct Key: Hashable {
        let subject: ObjectIdentifier?
        let line: String?
    }

    let key: Key
    let property: PropertyID
    /// The names of the services that it was filled with: one, or all that it takes.
    let names: [String]
    let request: CellRequest
    /// The object that it belongs to; nil for a struct's.
    let object: ObjectIdentifier?
    /// The slot that was filled; nil for a table's line, and once it is gone.
    var slot: Slot? { slotReference?.object }
    /// What the slot was filled with, if anything still holds it: tracking keeps no service alive.
    var cell: AnyCell? { cellReference?.object }
    private let slotReference: WeakReference<Slot>?
    private let cellReference: WeakReference<AnyCell>?
    private weak let owner: AnyObject?

    /// Notes a property.
    ///
    /// - Parameters:
    ///   - cell: What its slot was filled with; nil for a line.
    ///   - slot: Its slot; nil for a line.
    ///   - property: The property.
    ///   - names: The names of the services that it has.
    ///   - request: What it asks for.
    ///   - object: The object that it belongs to; nil for a struct's.
    ///   - owner: The same for a line.
    init(
        _ cell: AnyCell?, in slot: Slot?, of property: PropertyID, names: [String], _ request: CellRequest,
        object: ObjectIdentifier?, owner: AnyObject? = nil
    ) {
        key = Key(subject: slot.map(ObjectIdentifier.init) ?? object, line: slot == nil ? property.name : nil)
        self.property = property
        self.names = names
        self.request = request
        self.object = object
        slotReference = slot.map { WeakReference($0) }
        cellReference = cell.map { WeakReference($0) }
        self.owner = owner
    }

    /// Notes a line of an object's table.
    convenience init(lineOf owner: AnyObject, _ property: PropertyID, names: [String], _ request: CellRequest)
    {
        self.init(
            nil, in: nil, of: property, names: names, request, object: ObjectIdentifier(owner), owner: owner)
    }

    /// Whether the property or what it was given is gone, or it holds something else; it may get that yet if it is empty.
    ///
    /// Asking is like asking ``isHeld``.
    var isGone: Bool { !isHeld && (cell == nil || slot?.isEmpty != true) }

    /// Whether the property is alive and, as far as can be told from outside, still holds what it was given.
    ///
    /// Asking may be the last to hold a slot or a service for a moment, and end it: never under a lock.
    var isHeld: Bool {
        if key.line != nil { return owner != nil }
        guard let cell, let slot else { return false }
        return slot.holds(cell)
    }
}

/// The properties that hold services from a box.
struct HolderTable: Sendable {
    /// With each holding the stamp of what was registered under its names then.
    private var holdings: [Holding.Key: (holding: Holding, stamp: Int)] = [:]
    private var countToPrune = 64

    /// All that was noted, in no order.
    var all: [Holding] { holdings.values.map(\.holding) }

    subscript(key: Holding.Key) -> (holding: Holding, stamp: Int)? { holdings[key] }

    /// Whether there is so much that what is gone should be looked for.
    var isFull: Bool { holdings.count > countToPrune }

    /// Notes what was filled.
    ///
    /// - Returns: What it replaces, for the caller to release when no lock is held.
    mutating func note(_ new: [(holding: Holding, stamp: Int)]) -> [Holding] {
        new.compactMap { holdings.updateValue($0, forKey: $0.holding.key)?.holding }
    }

    /// Forgets what is gone.
    mutating func forget(_ gone: [Holding]) {
        for holding in gone where holdings[holding.key]?.holding === holding { holdings[holding.key] = nil }
        countToPrune = max(64, 2 * holdings.count)
    }
}

extension Ledger {
    /// The properties that hold what they were given, sorted by the names of their types and their own; nil if
    /// the box doesn't track them.
    func holdings(where isWanted: (Holding) -> Bool) -> [Holding]? {
        guard let all = state.withLock({ $0.holders?.all }) else { return nil }
        let byProperty = Dictionary(grouping: all.filter { isWanted($0) && $0.isHeld }, by: \.property)
        return byProperty.sortedByName { "\(TypeName.of($0.key.type))\u{0}\($0.key.name)" }.flatMap(\.value)
    }

    /// Whether a property holds what was replaced or removed since it got it.
    func isStale(_ holding: Holding) -> Bool {
        guard let stamp = state.withLock({ $0.holders?[holding.key]?.stamp }), holding.isHeld else {
            return false
        }
        return registry.stamp(of: holding.names) != stamp
    }

    /// Whether a slot holds what was replaced or removed since it got it; nil if the box doesn't track that.
    func isStale(_ slot: Slot) -> Bool? {
        let key = Holding.Key(subject: ObjectIdentifier(slot), line: nil)
        let (isTracking, known) = state.withLock { ($0.holders != nil, $0.holders?[key]?.holding) }
        return isTracking ? known.map(isStale) ?? false : nil
    }

    /// Notes what properties hold, if the box tracks them.
    func track(_ holdings: @autoclosure () -> [Holding]) {
        if isWatched, state.withLock({ $0.holders != nil }) { note(holdings()) }
    }

    private func note(_ holdings: [Holding]) {
        // Many properties get the same service one after the other.
        var (names, stamp) = ([String](), registry.stamp(of: []))
        let new = holdings.map { holding in
            if holding.names != names { (names, stamp) = (holding.names, registry.stamp(of: holding.names)) }
            return (holding: holding, stamp: stamp)
        }
        let (old, all) = state.withLock { state in
            (state.holders?.note(new), state.holders?.isFull == true ? state.holders?.all ?? [] : [])
        }
        let gone = all.filter(\.isGone)
        if !all.isEmpty { state.withLock { $0.holders?.forget(gone) } }
        withExtendedLifetime((old, gone)) {}
    }

    /// Tells whoever wants to know of a fill.
    ///
    /// - Parameters:
    ///   - report: The fill.
    ///   - program: What was filled.
    ///   - slots: The slots, in the order of the plan's.
    ///   - subject: The object or the struct.
    ///   - isFresh: Whether it is a service that is being created, of which its source tells.
    ///   - isShared: Whether others may have it.
    func note(
        _ report: FillReport, of program: FillProgram, _ slots: [Slot], _ subject: Any, isFresh: Bool,
        isShared: Bool
    ) {
        let object = classInstance(subject)
        track(program.holdings(after: report, slots, object, isShared: isShared))
        if !isFresh { tell(report.events) }
    }
}

extension FillProgram {
    /// The properties that a fill has given a service, and what each holds now.
    fileprivate func holdings(
        after report: FillReport, _ slots: [Slot], _ object: AnyObject?, isShared: Bool
    ) -> [Holding] {
        report.findings.compactMap { record in
            guard record.finding.hasGiven else { return nil }
            let property = PropertyID(type: plan.type, name: record.name)
            let names = record.finding.serviceNames
            switch record.source {
            case .slot(let position):
                let slot = slots[position]
                // The owner may replace the cell meanwhile, so of what others may have only a cell that is held
                // otherwise is looked at.
                let ownCell = isShared ? nil : slot.cell
                let cell = ownCell ?? source(at: position)?.presentCell
                // One that is empty gets what isn't complete yet.
                guard let cell, slot.isEmpty || slot.holds(cell) else { return nil }
                return Holding(
                    cell, in: slot, of: property, names: names, record.request,
                    object: object.map(ObjectIdentifier.init))
            case .line:
                return object.map { Holding(lineOf: $0, property, names: names, record.request) }
            case .plain, .subject: return nil
            }
        }
    }
}
