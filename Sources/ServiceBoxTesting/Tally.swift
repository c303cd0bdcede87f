// Part of ServiceBox, released under the MIT License.
// A number that many threads count up.

import Synchronization

/// Counts, from any thread.
final class Tally: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .acquiring) }

    /// Adds one.
    func add() {
        value.add(1, ordering: .acquiringAndReleasing)
    }
}
