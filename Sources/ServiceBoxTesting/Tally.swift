// Part of ServiceBox, released under the MIT License.
// A counter for several threads.

import Synchronization

/// A counter that threads may share.
final class Tally: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .acquiring) }

    /// Adds one.
    func add() {
        value.add(1, ordering: .acquiringAndReleasing)
    }
}
