// Part of ServiceBox, released under the MIT License.
// What few slots have to remember.

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
        let old = lastReason.withLock { last in
            defer { last = reason }
            return last
        }
        // The error that a factory threw goes when the lock is free.
        withExtendedLifetime(old) {}
    }

    /// Notes how the slot is filled when it is read, unless that is known and isn't to be replaced.
    func note(_ lookUp: SlotLookUp, isReplacing: Bool) {
        let old = latestLookUp.withLock { latest in
            defer { if isReplacing || latest == nil { latest = lookUp } }
            return latest
        }
        withExtendedLifetime(old) {}
    }
}
