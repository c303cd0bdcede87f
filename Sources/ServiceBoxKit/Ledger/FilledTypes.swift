// Part of ServiceBox, released under the MIT License.
// The types whose objects a box has filled.

import Synchronization

/// Counts what a box and its copies fill, from one; used under the locks of several boxes.
final class FillCounter: Sendable {
    private let last = Atomic(0)

    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

/// What a box has filled, type by type, in the order in which it met them.
struct FilledTypes: Sendable {
    struct Entry: Sendable {
        let plan: TypePlan
        /// What the latest fill came to.
        let record: FillRecord
        /// The place of the first fill among all that the box and its copies have filled.
        let order: Int
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The types in the order in which they were filled first.
    var inOrder: [Entry] { entries.values.sorted { $0.order < $1.order } }

    /// Notes that objects of a type are filled by a program.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - counter: Counts the types that were not filled before.
    /// - Returns: The record that this one replaces, for the caller to let go of.
    mutating func note(_ program: FillProgram, counting counter: FillCounter) -> FillRecord? {
        let key = ObjectIdentifier(program.plan.type)
        let old = entries[key]
        let order = old?.order ?? counter.next()
        entries[key] = Entry(plan: program.plan, record: program.record, order: order)
        return old?.record
    }
}
