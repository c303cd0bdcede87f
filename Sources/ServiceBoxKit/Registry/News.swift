// Part of ServiceBox, released under the MIT License.
// What has come to a registry and wasn't looked at yet.

/// The registrations that cross-fills haven't taken in yet, in their order.
///
/// Generic since it needs to know nothing of them but their numbers.
struct News<Registration: AnyObject & Sendable>: Sendable {
    /// By number, upwards; what was taken out leaves its number until half of them are gone.
    private struct Entry {
        let number: Int
        var registration: Registration?
    }

    private var entries: [Entry] = []
    private var goneCount = 0

    var all: [Registration] { entries.compactMap(\.registration) }

    /// Adds a registration, whose number is the highest so far.
    mutating func append(_ registration: Registration, number: Int) {
        // In one block, where there are few.
        if entries.isEmpty { entries.reserveCapacity(4) }
        entries.append(Entry(number: number, registration: registration))
    }

    /// Takes a registration out, if it is there; its caller keeps it until no lock is held.
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

    /// Takes everything out up to a number.
    mutating func removeAll(upTo number: Int) {
        // A new list, which takes no more room than it needs.
        entries = entries.filter { $0.number > number && $0.registration != nil }
        goneCount = 0
    }
}
