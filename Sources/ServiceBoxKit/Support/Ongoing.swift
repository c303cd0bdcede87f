// Part of ServiceBox, released under the MIT License.
// A value that holds for a while.

import Synchronization

/// A value that holds until something is over, for those who may outlive that: the tasks that a task has started, or who
/// is about to tell an observer.
///
/// Thread-safe.
final class Ongoing<Value: Sendable>: Sendable {
    private let known: Value
    private let isOver = Atomic(false)

    init(_ value: Value) {
        known = value
    }

    /// Nil once it is over.
    var value: Value? { isOver.load(ordering: .acquiring) ? nil : known }

    func end() { isOver.store(true, ordering: .releasing) }
}
