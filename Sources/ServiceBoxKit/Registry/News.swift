// Part of ServiceBox, released under the MIT License.
// Registrations that cross-fills haven't seen yet.

/// Something numbered upwards.
protocol Numbered: AnyObject, Sendable {
    var number: Int { get }
}

/// The registrations that cross-fills haven't seen yet, ascending by number.
struct News<Registration: Numbered>: Sendable {
    private(set) var all: [Registration] = []

    /// Adds a registration, whose number is the highest so far.
    mutating func append(_ registration: Registration) {
        // One allocation is enough for a few.
        if all.isEmpty { all.reserveCapacity(4) }
        all.append(registration)
    }

    /// Removes a registration, if it is there; the caller keeps it until no lock is held.
    ///
    /// - Complexity: O(log *n*) to find it, and O(*n*) to close the gap, for *n* registrations.
    mutating func remove(_ registration: Registration) {
        var (start, end) = (0, all.count)
        while start < end {
            let middle = (start + end) / 2
            if all[middle].number < registration.number { start = middle + 1 } else { end = middle }
        }
        if start < all.count, all[start] === registration { all.remove(at: start) }
    }

    /// Removes all registrations up to a number.
    mutating func removeAll(upTo number: Int) {
        // A new array, which takes no more room than it needs.
        all = all.filter { $0.number > number }
    }
}
