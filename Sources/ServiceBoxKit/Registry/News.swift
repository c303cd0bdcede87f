// Part of ServiceBox, released under the MIT License.
// Registrations that cross-fills haven't seen yet.

/// Something numbered upwards.
protocol Numbered: AnyObject, Sendable {
    var number: Int { get }
}

/// The registrations that cross-fills haven't seen yet, in order.
struct News<Registration: Numbered>: Sendable {
    /// Ascending by number; those that were removed leave gaps, until half of the entries are gaps.
    private var entries: [(number: Int, registration: Registration?)] = []
    private var gapCount = 0

    var all: [Registration] { entries.compactMap(\.registration) }

    /// Adds a registration, whose number is the highest so far.
    mutating func append(_ registration: Registration) {
        // One allocation is enough for a few.
        if entries.isEmpty { entries.reserveCapacity(4) }
        entries.append((registration.number, registration))
    }

    /// Removes a registration, if it is there; the caller keeps it until no lock is held.
    ///
    /// - Complexity: O(log *n*) for *n* registrations, mostly.
    mutating func remove(_ registration: Registration) {
        var (start, end) = (0, entries.count)
        while start < end {
            let middle = (start + end) / 2
            if entries[middle].number < registration.number { start = middle + 1 } else { end = middle }
        }
        guard start < entries.count, entries[start].registration === registration else { return }
        entries[start].registration = nil
        gapCount += 1
        if gapCount > entries.count / 2 { removeAll(upTo: 0) }
    }

    /// Removes all registrations up to a number.
    mutating func removeAll(upTo number: Int) {
        // A new array, which takes no more room than it needs.
        entries = entries.filter { $0.registration != nil && $0.number > number }
        gapCount = 0
    }
}
