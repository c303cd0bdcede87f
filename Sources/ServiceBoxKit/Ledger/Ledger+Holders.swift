// Part of ServiceBox, released under the MIT License.
// The living properties that hold services from a box; their text is written in Reports/.

/// A property that holds a service from a box.
///
/// Thread-safe. It doesn't keep the object alive.
public struct ServiceHolder: Sendable {
    /// The type that the property was filled in.
    public let type: Any.Type
    /// The property's name.
    public let property: String
    /// The object that the property belongs to, to compare with `ObjectIdentifier(object)`; nil for a
    /// struct's property, and for one that was looked up on read.
    public let object: ObjectIdentifier?
    /// Whether its service, or one of those in its list, has been replaced or removed since.
    public let isStale: Bool

    init(_ holding: Holding, isStale: Bool) {
        self.isStale = isStale
        type = holding.property.type
        property = holding.property.name
        object = holding.object
    }
}

/// A filled property, for as long as it exists.
///
/// `Sendable` is unchecked because `owner` is typed as any object, which may be isolated to an actor. It is
/// safe: the object is never read or handed out, only checked for existence, and the reference changes only
/// to nil.
final class Holding: @unchecked Sendable {
    /// Identifies a holding while it exists: a slot, or an object and a line of its table.
    struct Key: Hashable {
        let subject: ObjectIdentifier?
        let line: String?
    }

    let key: Key
    let property: PropertyID
    /// The names of the services that it was filled with: one, or all of a type.
    let names: [String]
    /// What it requests on the actor that it was filled on.
    let request: CellRequest
    /// The object that it belongs to; nil for a struct's property.
    let object: ObjectIdentifier?
    /// The slot that was filled; nil for a table's line, and once the slot is gone.
    var slot: Slot? { slotReference?.object }
    /// The cell that the slot was filled with, while it exists: tracking keeps no service alive.
    var cell: AnyCell? { cellReference?.object }
    private let slotReference: WeakReference<Slot>?
    private let cellReference: WeakReference<AnyCell>?
    private weak let owner: AnyObject?

    /// Notes a property: with the cell in its slot, or with the object that owns its line.
    init(
        _ cell: AnyCell?, in slot: Slot?, of property: PropertyID, names: [String], _ request: CellRequest,
        object: ObjectIdentifier?, owner: AnyObject? = nil
    ) {
        key = Key(subject: slot.map(ObjectIdentifier.init) ?? object, line: slot == nil ? property.name : nil)
        self.property = property
        self.names = names
        self.request = request.here
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

    /// Whether the slot or its cell is gone, or it holds another; an empty one may get its cell yet.
    ///
    /// The same restriction applies as to ``isHeld``.
    var isGone: Bool { !isHeld && (cell == nil || slot?.isEmpty != true) }

    /// Whether the property exists and, as far as can be told from outside, still holds its service.
    ///
    /// The check may release the last reference to a slot or a service, so never do it under a lock.
    var isHeld: Bool {
        if key.line != nil { return owner != nil }
        guard let cell, let slot else { return false }
        return slot.holds(cell) && !cell.isGone
    }
}

/// The properties that hold services from a box.
struct HolderTable: Sendable {
    /// A holding with the stamp of the services under its names at the time; nil if it holds others.
    ///
    /// No tuple: the runtime destroys an array of tuples slowly.
    struct Entry: Sendable {
        let holding: Holding
        let stamp: Int?
    }

    /// What a new holding has replaced.
    struct Replacement {
        let old: Entry
        let new: Holding
    }

    private var holdings: [Holding.Key: Entry] = [:]
    private var limit = GrowthLimit()
    /// The number of the latest registration when tracking began, and of those that had been handed out by then, or
    /// by a descendant that doesn't track.
    private let lastBefore: Int
    private var untracked: Set<Int>

    init(after last: Int, untracked: Set<Int>) { (lastBefore, self.untracked) = (last, untracked) }

    /// Whether it has all that hold the first one of two services.
    func isComplete(for replacement: ServiceReplacement) -> Bool {
        replacement.new.number > lastBefore && !untracked.contains(replacement.old.number)
    }

    /// Notes that a descendant, which doesn't track, has given a service to a property.
    mutating func noteUntracked(_ number: Int) { untracked.insert(number) }

    /// All holdings, in no order.
    var all: [Holding] { holdings.values.map(\.holding) }

    subscript(key: Holding.Key) -> Entry? { holdings[key] }

    /// Whether there are so many holdings that ended ones should be dropped.
    var isFull: Bool { limit.isExceeded(by: holdings.count) }

    /// Stores new holdings.
    ///
    /// - Returns: The replaced ones, each with the new one, for the caller to release when no lock is held.
    mutating func note(_ new: [Entry]) -> [Replacement] {
        new.compactMap { entry in
            holdings.updateValue(entry, forKey: entry.holding.key)
                .map { Replacement(old: $0, new: entry.holding) }
        }
    }

    /// Drops ended holdings.
    mutating func forget(_ gone: [Holding]) {
        for holding in gone where holdings[holding.key]?.holding === holding { holdings[holding.key] = nil }
        limit.reset(to: holdings.count)
    }
}

extension Ledger {
    /// The properties that still hold their services, sorted by the names of their types and their own; nil
    /// if the box doesn't track them.
    func holdings(where isWanted: (Holding) -> Bool) -> [Holding]? {
        guard let all = state.withLock({ $0.holders?.all }) else { return nil }
        let byProperty = Dictionary(grouping: all.filter { isWanted($0) && $0.isHeld }, by: \.property)
        return byProperty.sortedByName { "\(TypeName.of($0.key.type))\u{0}\($0.key.name)" }.flatMap(\.value)
    }

    /// Whether a property holds a service that has been replaced or removed since.
    func isStale(_ holding: Holding) -> Bool {
        guard let known = state.withLock({ $0.holders?[holding.key] }), holding.isHeld else { return false }
        return registry.stamp(of: holding.names) != known.stamp
    }

    /// Whether a slot holds a service that was replaced or removed since; nil if the box hasn't tracked its fill.
    func isStale(_ slot: Slot) -> Bool? {
        let key = Holding.Key(subject: ObjectIdentifier(slot), line: nil)
        return state.withLock { $0.holders?[key]?.holding }.map(isStale)
    }

    /// Whether the box has tracked all that may hold a replaced service: of an ancestor's, what it has filled itself.
    func hasTracked(_ replacement: ServiceReplacement) -> Bool {
        let isInherited = registry.own(replacement.new.name) == nil
        return state.withLock { $0.holders.map { isInherited || $0.isComplete(for: replacement) } ?? false }
    }

    /// Tells the ancestor that has a service that a property holds it, if nobody tracks that.
    func noteUntrackedUse(of name: String) {
        guard registry.own(name) == nil, state.withLock({ $0.holders == nil }) else { return }
        let owner = sequence(first: self, next: \.parent).first { $0.registry.own(name) != nil }
        guard let owner, owner.isWatched, let number = owner.registry.own(name)?.number else { return }
        owner.state.withLock { $0.holders?.noteUntracked(number) }
    }

    /// Stores holdings, if the box tracks them.
    ///
    /// - Parameters:
    ///   - holdings: The holdings.
    ///   - given: What the properties were given; one whose service is replaced by now is stale.
    func track(
        _ holdings: @autoclosure () -> [Holding],
        given: @autoclosure () -> [(service: Registration, property: PropertyID)] = []
    ) {
        guard isWatched, state.withLock({ $0.holders != nil }) else { return }
        let holdings = holdings()
        // What is replaced later shows by the stamps.
        var new = registry.consistently {
            let outdated = Set(given().filter { !registry.hasStill($0.service) }.map(\.property))
            // Consecutive properties often get the same service.
            var (names, stamp) = ([String](), registry.stamp(of: []))
            return holdings.map { holding in
                if holding.names != names {
                    (names, stamp) = (holding.names, registry.stamp(of: holding.names))
                }
                return HolderTable.Entry(
                    holding: holding, stamp: outdated.contains(holding.property) ? nil : stamp)
            }
        }.0
        while !new.isEmpty {
            let (old, all) = state.withLock { state in
                (
                    state.holders?.note(new) ?? [],
                    state.holders?.isFull == true ? state.holders?.all ?? [] : []
                )
            }
            let gone = all.filter(\.isGone)
            if !all.isEmpty { state.withLock { $0.holders?.forget(gone) } }
            // Another thread may have given a property a later service, and have noted that before.
            new = old.filter { !$0.new.isHeld && $0.old.holding.isHeld }.map(\.old)
            withExtendedLifetime((old, gone)) {}
        }
    }

    /// Notes the holders of a fill, and tells observers; a fresh service is announced by its source.
    ///
    /// - Parameters:
    ///   - report: The report of the fill.
    ///   - program: The program that has filled the slots.
    ///   - slots: The slots.
    ///   - cells: What they were given, by their positions; nil if nobody else has the subject, so that they can
    ///     be read.
    ///   - subject: The object or value that has the slots.
    ///   - isFresh: Whether a factory has just created it.
    func note(
        _ report: FillReport, of program: FillProgram, _ slots: [Slot], given cells: [Int: AnyCell]?,
        _ subject: Any, isFresh: Bool
    ) {
        track(
            program.holdings(after: report, slots, given: cells, classInstance(subject)),
            given: registry.generation == program.generation
                ? [] : program.taken.map { ($0.service, $0.property) })
        if !isFresh { tell(report.events) }
    }
}

extension FillProgram {
    /// The properties that a fill has given a service, with their cells.
    fileprivate func holdings(
        after report: FillReport, _ slots: [Slot], given cells: [Int: AnyCell]?, _ object: AnyObject?
    ) -> [Holding] {
        report.findings.compactMap { record in
            guard record.finding.hasGiven else { return nil }
            let property = PropertyID(type: pattern.plan.type, name: record.name)
            let names = record.finding.serviceNames
            switch record.source {
            case .slot(let position):
                let slot = slots[position]
                // If others may have the object, its owner may replace the cell meanwhile, so the slot's own
                // cell isn't read, only one that is held elsewhere.
                let ownCell = if let cells { cells[position] } else { slot.cell }
                let cell = ownCell ?? source(at: position)?.presentCell
                // An empty slot gets an incomplete service later.
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
