// Part of ServiceBox, released under the MIT License.
// What few slots have to remember.

import Synchronization

/// What few slots have to remember: the cells that a slot held before, each once, why it is empty, what is done about that
/// when it is read, and who waits for it.
final class SlotNotes: Sendable {
    private let cells = Guarded<[ObjectIdentifier: AnyCell]>([:])
    private let lastReason = Guarded<EmptySlotReason?>(nil)
    private let latestLookUp = Guarded<SlotLookUp?>(nil)
    let lazyWaiters = LazyReference<SlotWaiters>()

    var reason: EmptySlotReason? { lastReason.withLock { $0 } }
    var lookUp: SlotLookUp? { latestLookUp.withLock { $0 } }
    var waiters: SlotWaiters { lazyWaiters.object(orCreate: SlotWaiters()) }

    /// Keeps a cell until the slot goes.
    ///
    /// The caller's reference is not the last one, so nothing goes under the lock.
    func retire(_ cell: AnyCell) {
        cells.withLock { $0[ObjectIdentifier(cell)] = cell }
    }

    func note(_ reason: EmptySlotReason) {
        let old = lastReason.withLock { exchange(&$0, with: reason) }
        // The error that a factory threw goes when the lock is free.
        withExtendedLifetime(old) {}
    }

    /// Notes how the slot is filled when it is read, unless that is known and isn't to be replaced.
    func note(_ lookUp: SlotLookUp, isReplacing: Bool) {
        var lookUp: SlotLookUp? = lookUp
        latestLookUp.withLock { if isReplacing || $0 == nil { swap(&$0, &lookUp) } }
        withExtendedLifetime(lookUp) {}
    }
}

// MARK: - Tasks that wait until a slot is filled

/// The tasks that wait until a slot is filled.
///
/// Thread-safe. Tasks are resumed under no lock.
final class SlotWaiters: Sendable {
    /// Whether the slot was filled, for each task: not where it was cancelled before.
    private let all = Guarded<[ObjectIdentifier: Answer<Bool>]>([:])

    func add(_ waiter: Answer<Bool>) { all.withLock { $0[ObjectIdentifier(waiter)] = waiter } }

    /// Forgets one that its task holds.
    func remove(_ waiter: Answer<Bool>) { all.withLock { $0[ObjectIdentifier(waiter)] = nil } }

    /// Tells all of them that the slot was filled.
    func endAll() {
        let ended = all.withLock { exchange(&$0, with: [:]) }
        for waiter in ended.values { waiter.give(true) }
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
    final func filled() async -> Bool {
        if current.load(ordering: .acquiring) != nil { return true }
        let (waiters, waiter) = (notes.waiters, Answer<Bool>())
        waiters.add(waiter)
        defer { waiters.remove(waiter) }
        let seen = current.compareExchange(expected: nil, desired: nil, ordering: .acquiringAndReleasing)
        if seen.original != nil { waiter.give(true) }
        return await waiter.value { waiter.give(false) }
    }
}
