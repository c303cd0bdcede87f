// Part of ServiceBox, released under the MIT License.
// Registrations that cross-fills haven't seen yet.

/// The registrations that cross-fills haven't seen yet, in order.
///
/// Generic because it needs to know only their numbers.
struct News<Registration: AnyObject & Sendable>: Sendable {
    /// Ascending by number; a removed entry keeps its number until half of them are removed.
    private struct Entry {
        let number: Int
        var registration: Registration?
    }

    private var entries: [Entry] = []
    private var goneCount = 0

    var all: [Registration] { entries.compactMap(\.registration) }

    /// Adds a registration, whose number is the highest so far.
    mutating func append(_ registration: Registration, number: Int) {
        // One allocation is enough for a few.
        if entries.isEmpty { entries.reserveCapacity(4) }
        entries.append(Entry(number: number, registration: registration))
    }

    /// Removes a registration, if it is there; the caller keeps it until no lock is held.
    ///
    /// - Complexity: O(log *n*)
    mutating func remove(_ registration: Registration, number: Int) {
        var (index, end) = (0, entries.count)
        while index < end {
            let middle = (index + end) / 2
            if entries[middle].number < number { index = middle + 1 } else { end = middle }
        }
        guard index < entries.count, entries[index].registration === registration else { return }
        entries[index].registration = nil
        goneCount += 1
        if goneCount > entries.count / 2 { removeAll(upTo: 0) }
    }

    /// Removes all registrations up to a number.
    mutating func removeAll(upTo number: Int) {
        // A new array, which takes no more room than it needs.
        entries = entries.filter { $0.number > number && $0.registration != nil }
        goneCount = 0
    }
}
