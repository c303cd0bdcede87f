// Part of ServiceBox, released under the MIT License.
// The types whose objects a box has filled.

/// What a box has filled, type by type, in the order in which it met them.
struct FilledTypes: Sendable {
    struct Entry: Sendable {
        let plan: TypePlan
        /// What the latest fill came to.
        let record: FillRecord
        /// Counts the types and services that the box has filled, from one.
        let order: Int
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var lastOrder = 0

    /// The place of a registered service that is filled for the first time.
    mutating func nextOrder() -> Int {
        lastOrder += 1
        return lastOrder
    }

    /// The types in the order in which they were filled first.
    var inOrder: [Entry] { entries.values.sorted { $0.order < $1.order } }

    /// Notes that objects of a type are filled by a program.
    ///
    /// - Returns: The record that this one replaces, for the caller to let go of.
    mutating func note(_ program: FillProgram) -> FillRecord? {
        let key = ObjectIdentifier(program.plan.type)
        let old = entries[key]
        let order = old?.order ?? nextOrder()
        entries[key] = Entry(plan: program.plan, record: program.record, order: order)
        return old?.record
    }
}
