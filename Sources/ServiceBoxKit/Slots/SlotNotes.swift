// Part of ServiceBox, released under the MIT License.
// Data that few slots need.

import Synchronization

/// Data that few slots need: the cells that a slot held before, each once; why it is empty; its look-up on
/// read; and the tasks that wait for it.
final class SlotNotes: Sendable {
    private let cells = Guarded(AddressTable<AnyCell>())
    private let lastReason = Guarded<EmptySlotReason?>(nil)
    private let latestLookUp = Guarded<SlotLookUp?>(nil)
    /// The tasks that wait until the slot is filled: true if it was, false if they were cancelled before.
    let waiters = Guarded<[ObjectIdentifier: Answer<Bool>]>([:])

    var reason: EmptySlotReason? { lastReason.withLock { $0 } }
    var lookUp: SlotLookUp? { latestLookUp.withLock { $0 } }

    /// Keeps a cell until the slot is deinitialised.
    ///
    /// The caller's reference isn't the last one, so nothing is released under the lock.
    func retire(_ cell: AnyCell) {
        cells.withLock { _ = $0.updateValue(cell, at: UInt(bitPattern: ObjectIdentifier(cell))) }
    }

    func note(_ reason: EmptySlotReason) {
        lastReason.letGo { exchange(&$0, with: reason) }
    }

    /// Notes how the slot is filled when it is read; keeps an earlier look-up unless it is to be replaced.
    func note(_ lookUp: @escaping SlotLookUp, isReplacing: Bool) {
        latestLookUp.letGo { isReplacing || $0 == nil ? exchange(&$0, with: lookUp) : nil }
    }
}

// MARK: - Tasks that wait until a slot is filled

extension SlotNotes {
    /// Tells all who wait that the slot was filled, under no lock.
    func tellWaiters() {
        for waiter in waiters.withLock({ $0 }).values { waiter.give(true) }
    }
}

extension Slot {
    /// Waits until the slot is filled or set; the caller keeps the slot alive.
    ///
    /// ## Why no wake-up is missed
    ///
    /// `current` changes only by read-modify-write operations, which have one order and each of which sees
    /// the previous value. The waiter is noted first, and then exchanges nil for nil:
    ///
    /// - If a filler's exchange comes first, the waiter finds the new cell, and doesn't wait.
    /// - Otherwise the filler's exchange acquires what the waiter's has released, perhaps through others in
    ///   between: the filler, which looks for waiters afterwards, finds the waiter.
    ///
    /// - Returns: Whether it is; false if the task was cancelled before.
    final nonisolated(nonsending) func filled() async -> Bool {
        if unsafe current.load(ordering: .acquiring) != nil { return true }
        let (notes, waiter) = (notes, Answer<Bool>())
        notes.waiters.withLock { $0[ObjectIdentifier(waiter)] = waiter }
        defer { notes.waiters.withLock { $0[ObjectIdentifier(waiter)] = nil } }
        let seen = unsafe current.compareExchange(
            expected: nil, desired: nil, ordering: .acquiringAndReleasing)
        if unsafe seen.original != nil { waiter.give(true) }
        return await waiter.value { waiter.give(false) }
    }
}
