// Part of ServiceBox, released under the MIT License.
// The plans of all types that any box has met.

import Synchronization

/// The plans of all types met so far, shared by every box in the process.
enum PlanStore {
    private static let plans = Guarded<[ObjectIdentifier: TypePlan]>([:])
    private static let changeCount = Atomic(0)

    /// How often a plan was put in.
    static var changes: Int { changeCount.load(ordering: .acquiring) }

    /// The plan of a type, if an instance of it was walked before.
    static func plan(of type: Any.Type) -> TypePlan? {
        plans.withLock { $0[ObjectIdentifier(type)] }
    }

    /// Walks a value, and remembers the plan of its type.
    ///
    /// A table that was out of reach when the type was first met is read now if it can be; where an object's
    /// slots lie is learnt from the first object that can show it.
    ///
    /// - Parameters:
    ///   - subject: A value of the caller's own isolation.
    ///   - isActor: Whether it is an actor, if that is known.
    /// - Returns: The plan, and the value's slots in the order of the plan's `slotIndices`.
    static func learn(_ subject: Any, isActor: Bool? = nil) -> (plan: TypePlan, slots: [Slot]) {
        var walk = Walker.walk(subject, isActor: isActor)
        let new = TypePlan(
            type: type(of: subject), walk: walk, table: table(of: subject, owners: walk.owners))
        guard new.isStable else { return (new, walk.slots) }
        let plan = remember(new)
        // Cells are made for the plan's slots, so they must never get into others.
        guard plan.hasSameSlots(as: new) else { return (new.forOneInstance, walk.slots) }
        guard new.canLearnOffsets, plan.offsets == nil else { return (plan, walk.slots) }
        let object = subject as AnyObject
        let addresses = zip(walk.slots, walk.holderTypes).map { slot, holder in
            SlotOffsets.Address(
                slot: UInt(bitPattern: Unmanaged.passUnretained(slot).toOpaque()),
                holder: UInt(bitPattern: unsafeBitCast(holder, to: UnsafeRawPointer.self)))
        }
        // The search asks that nobody but the object holds its slots.
        walk.slots = []
        guard let offsets = SlotOffsets.find(addresses, in: object) else {
            return (plan, Walker.walk(subject, isActor: isActor).slots)
        }
        plan.learn(offsets)
        return (plan, offsets.slots(of: object))
    }

    /// Puts a table into a plan that lacks it, since the first object was not met where the table may be
    /// read.
    ///
    /// - Parameters:
    ///   - plan: The plan of a type.
    ///   - lines: Reads the table; called if it is wanted.
    /// - Returns: The plan with its table.
    static func completing(_ plan: TypePlan, with lines: () -> [TypePlan.TableLine]) -> TypePlan {
        plan.tableIsKnown ? plan : remember(TypePlan(plan, table: .lines(lines())))
    }

    private static func remember(_ plan: TypePlan) -> TypePlan {
        let key = ObjectIdentifier(plan.type)
        return plans.withLock { plans in
            if let known = plans[key], !plan.improves(on: known) || !plan.hasSameSlots(as: known) {
                return known
            }
            plans[key] = plan
            changeCount.add(1, ordering: .releasing)
            return plan
        }
    }

    private static func table(of subject: Any, owners: [Any.Type]) -> TypePlan.Table {
        // What cannot be filled has no owners.
        guard !owners.isEmpty, let type = type(of: subject) as? any Injectable.Type else { return .lines([]) }
        // True only where the conformance may be used: on its actor, or anywhere if it has none.
        guard subject is any Injectable else { return .elsewhere }
        return .lines(TypePlan.Table.lines(type.injections, after: owners.dropLast()))
    }
}

extension TypePlan {
    /// Whether this plan knows a table that was out of reach for the other.
    fileprivate func improves(on other: TypePlan) -> Bool {
        if case (.elsewhere, .lines) = (other.table, table) { true } else { false }
    }
}
