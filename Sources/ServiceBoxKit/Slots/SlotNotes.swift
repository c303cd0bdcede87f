// Part of ServiceBox, released under the MIT License.
// What few slots have to remember.

import Synchronization

/// What few slots have to remember: the cells that a slot held before, each once, why it is empty, what is done about that
/// when it is read, and who waits for it.
final class SlotNotes: Sendable {
    private let cells = Guarded<[ObjectIdentifier: AnyCell]>([:])
    private let lastReason = Guarded<EmptySlotReason?>(nil)
    private let latestLookUp = Guarded<SlotLookUp?>(nil)
    /// The tasks that wait until the slot is filled, and are told whether it was: not where they are cancelled before.
    fileprivate let waiters = Guarded<[ObjectIdentifier: Answer<Bool>]>([:])

    var reason: EmptySlotReason? { lastReason.withLock { $0 } }
    var lookUp: SlotLookUp? { latestLookUp.withLock { $0 } }

    /// Keeps a cell until the slot goes.
    ///
    /// The caller's reference is not the last one, so nothing goes under the lock.
    func retire(_ cell: AnyCell) {
        cells.withLock { $0[ObjectIdentifier(cell)] = cell }
    }

    func note(_ reason: EmptySlotReason) {
        lastReason.letGo { exchange(&$0, with: reason) }
    }

    /// Notes how the slot is filled when it is read, unless that is known and isn't to be replaced.
    func note(_ lookUp: SlotLookUp, isReplacing: Bool) {
        latestLookUp.letGo { isReplacing || $0 == nil ? exchange(&$0, with: lookUp) : nil }
    }
}

// MARK: - Tasks that wait until a slot is filled

extension SlotNotes {
    /// Tells all who wait that the slot was filled, under no lock.
    func tellWaiters() {
        let told = waiters.withLock { exchange(&$0, with: [:]) }
        for waiter in told.values { waiter.give(true) }
    }
}

extension Slot {
    /// Waits until the slot is filled or set; its caller holds it until then.
    ///
    /// ## Why nobody waits for what has come already
    ///
    /// `current` changes by read-modify-write operations alone, which have one order and each of which sees what came
    /// before. The waiter is noted first, and then exchanges nil for nil:
    ///
    /// - Where a filler's exchange comes before that, the waiter finds what it has put there, and doesn't wait.
    /// - Otherwise the filler's exchange acquires what the waiter's has released, if by way of others between the two:
    ///   the filler, which looks for waiters afterwards, finds the waiter.
    ///
    /// - Returns: Whether it is; false if the task was cancelled before.
    final nonisolated(nonsending) func filled() async -> Bool {
        if current.load(ordering: .acquiring) != nil { return true }
        let (notes, waiter) = (notes, Answer<Bool>())
        notes.waiters.withLock { $0[ObjectIdentifier(waiter)] = waiter }
        defer { notes.waiters.withLock { $0[ObjectIdentifier(waiter)] = nil } }
        let seen = current.compareExchange(expected: nil, desired: nil, ordering: .acquiringAndReleasing)
        if seen.original != nil { waiter.give(true) }
        return await waiter.value { waiter.give(false) }
    }
}
