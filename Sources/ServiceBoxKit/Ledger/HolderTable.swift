// Part of ServiceBox, released under the MIT License.
// Which properties hold what a box gave them.

/// A property that was filled, for as long as it lives.
///
/// `Sendable` is unchecked because `owner` is typed as any object, which may belong to some actor. It holds:
/// the object is never read nor handed out, only asked for being there, and the reference never changes but
/// to nil.
final class Holding: @unchecked Sendable {
    /// What tells holdings apart while they live.
    enum Key: Hashable {
        case slot(ObjectIdentifier)
        case line(ObjectIdentifier, String)
    }

    let property: UseTally.Property
    /// The names of the services that it was filled with: one, or all that it takes.
    let names: [String]
    let request: CellRequest
    /// The object that it belongs to; nil for a struct's.
    let object: ObjectIdentifier?
    /// The slot that was filled; nil for a table's line, and once it is gone.
    weak let slot: Slot?
    /// What the slot was filled with, if anything still holds it; weak, so that tracking keeps no service
    /// alive.
    weak let cell: AnyCell?
    /// Whether a table's line was filled, and not a slot.
    let isLine: Bool
    private weak let owner: AnyObject?
    let key: Key

    /// Notes a slot.
    init(
        _ slot: Slot, _ cell: AnyCell, of property: UseTally.Property, names: [String], request: CellRequest,
        object: ObjectIdentifier?
    ) {
        self.slot = slot
        self.cell = cell
        self.property = property
        self.names = names
        self.request = request
        self.object = object
        isLine = false
        owner = nil
        key = .slot(ObjectIdentifier(slot))
    }

    /// Notes a line of an object's table.
    init(lineOf owner: AnyObject, _ property: UseTally.Property, names: [String], request: CellRequest) {
        self.owner = owner
        self.property = property
        self.names = names
        self.request = request
        object = ObjectIdentifier(owner)
        isLine = true
        slot = nil
        cell = nil
        key = .line(ObjectIdentifier(owner), property.name)
    }

    /// Whether the property is alive and, as far as can be told from outside, still holds what it was given.
    var isHeld: Bool {
        if isLine { return owner != nil }
        guard let cell, let slot else { return false }
        return slot.holds(cell)
    }

    /// The same property with another service; nil if it is gone.
    func with(_ cell: AnyCell, names: [String]) -> Holding? {
        slot.map { Holding($0, cell, of: property, names: names, request: request, object: object) }
    }
}

/// What a box keeps of the properties that it fills, if it tracks them.
///
/// Asking a holding whether it is held may be the last to hold its slot or its service for a moment, and end
/// it; so that is never asked under the lock of the box.
struct HolderTable: Sendable {
    private var holdings: [Holding.Key: Holding] = [:]
    private var countToPrune = 64

    /// All that was noted, in no order.
    var all: [Holding] { Array(holdings.values) }

    /// Whether there is so much that what is gone should be looked for.
    var isFull: Bool { holdings.count > countToPrune }

    /// Notes what was filled.
    ///
    /// - Returns: What it replaces, for the caller to let go of when no lock is held.
    mutating func note(_ new: [Holding]) -> [Holding] {
        new.compactMap { holdings.updateValue($0, forKey: $0.key) }
    }

    /// Forgets what is gone.
    mutating func forget(_ gone: [Holding]) {
        for holding in gone where holdings[holding.key] === holding { holdings[holding.key] = nil }
        countToPrune = max(64, 2 * holdings.count)
    }
}
