// Part of ServiceBox, released under the MIT License.
// Registrations that cross-fills haven't seen yet.

/// Something numbered upwards.
protocol Numbered: AnyObject, Sendable {
    var number: Int { get }
}

/// The registrations that cross-fills haven't seen yet, in order.
struct News<Registration: Numbered>: Sendable {
    /// Ascending by number; those that were removed leave gaps, until half of the entries are gaps.
    private var entries: [Registration?] = []
    private var gapCount = 0

    var all: [Registration] { entries.compactMap(\.self) }

    /// Adds a registration, whose number is the highest so far.
    mutating func append(_ registration: Registration) {
        // One allocation is enough for a few.
        if entries.isEmpty { entries.reserveCapacity(4) }
        entries.append(registration)
    }

    /// Removes a registration, if it is there; the caller keeps it until no lock is held.
    ///
    /// - Complexity: O(log *n* + *g*) for *n* registrations and *g* gaps.
    mutating func remove(_ registration: Registration) {
        var (start, end) = (0, entries.count)
        while start < end {
            let middle = (start + end) / 2
            guard let index = entries[middle..<end].firstIndex(where: { $0 != nil }),
                let found = entries[index], found.number <= registration.number
            else {
                end = middle
                continue
            }
            start = index + 1
            if found !== registration { continue }
            entries[index] = nil
            gapCount += 1
            if gapCount > entries.count / 2 { removeAll(upTo: 0) }
            return
        }
    }

    /// Removes all registrations up to a number.
    mutating func removeAll(upTo number: Int) {
        // A new array, which takes no more room than it needs.
        entries = entries.filter { $0.map { $0.number > number } ?? false }
        gapCount = 0
    }
}
