// Part of ServiceBox, released under the MIT License.
// What a task says of its work to the tasks that it starts.

import Synchronization

/// A value about work, for the task that does it and those that it starts, which may outlive the work.
///
/// Thread-safe.
final class Ongoing<Value: Sendable>: Sendable {
    private let known: Value
    private let isOver = Atomic(false)

    init(_ value: Value) {
        known = value
    }

    /// Nil once the work is over.
    var value: Value? { isOver.load(ordering: .acquiring) ? nil : known }

    func end() { isOver.store(true, ordering: .releasing) }
}
