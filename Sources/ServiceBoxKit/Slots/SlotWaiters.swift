// Part of ServiceBox, released under the MIT License.
// Tasks that wait until a slot is filled.

import Synchronization

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
        let ended = all.withLock { all in
            defer { if !all.isEmpty { all = [:] } }
            return all
        }
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
