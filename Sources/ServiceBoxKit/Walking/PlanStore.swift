// Part of ServiceBox, released under the MIT License.
// The plans of all types that any box has met.

/// The plans of all types met so far, shared by every box in the process.
enum PlanStore {
    private static let plans = Guarded<[ObjectIdentifier: TypePlan]>([:])

    /// The plan of a type that an instance was met of before.
    static func seen(_ type: Any.Type) -> TypePlan? {
        plans.withLock { $0[ObjectIdentifier(type)] }
    }

    /// The plan of a type, whether an instance of it was met before or not.
    ///
    /// The name in `@Injected("name")` lies in the instance: before the first one was met, each slot counts under
    /// the name of its property. A type that reflects itself is known by its instances alone, and has the shape
    /// `needsInstance`; so have all where the field records can't be trusted.
    ///
    /// - Parameter type: Any type; nothing but a class, an actor or a struct has something to fill.
    /// - Returns: The plan, with the table of the type if its conformance may be used here.
    /// - Complexity: O(*n*) for *n* properties.
    static func plan(of type: Any.Type) -> TypePlan {
        if let seen = seen(type), seen.tableIsKnown { return seen }
        let table = table(of: type)
        if let seen = seen(type) { return remember(TypePlan(seen, table: table)) }
        guard let layout = TypeLayout.of(type), !(type is any CustomReflectable.Type) else {
            let owners = TypePlan.owners(of: type)
            let layout = TypeLayout(shape: TypePlan.Shape(ofUnread: type), owners: owners)
            return TypePlan(type, layout, slots: [], isWalked: true, table: table)
        }
        return TypePlan(type, layout, slots: [], isWalked: false, table: table)
    }

    /// Looks at a class instance or a value, and remembers the plan of its type.
    ///
    /// A table that was out of reach when the type was first met is read now if it can be.
    ///
    /// - Parameters:
    ///   - subject: What is to be filled.
    ///   - access: Who else may have it.
    /// - Returns: The plan, and the slots in the order of the plan's `slotIndices`.
    static func learn(_ subject: Any, _ access: Access) -> (plan: TypePlan, slots: [Slot]) {
        let type = type(of: subject)
        var layout = TypeLayout.of(type)
        if layout?.mayBeRemote == true, isRemote(subject as AnyObject) {
            let layout = TypeLayout(shape: .remote)
            return (TypePlan(type, layout, slots: [], isWalked: true, table: .lines([])), [])
        }
        if let known = seen(type), let offsets = known.offsets {
            let slots = access.slots(of: subject, at: offsets)
            if known.tableIsKnown || !(subject is any Injectable) { return (known.naming(as: slots), slots) }
        }
        if layout?.shape == .structure, subject is any CustomReflectable { layout?.reflectsItself = true }
        guard let layout, access == .shared || !layout.reflectsItself else {
            return access == .shared ? unreadable(type) : walked(subject)
        }
        let slots = access.slots(of: subject, at: layout.offsets)
        let new = TypePlan(
            type, layout, slots: slots, isWalked: false, table: table(of: subject, owners: layout.owners))
        return (new.isStable ? remember(new).naming(as: slots) : new, slots)
    }

    /// A plan of what `Mirror` shows.
    private static func walked(_ subject: Any) -> (plan: TypePlan, slots: [Slot]) {
        let (layout, slots) = Walker.walk(subject)
        let new = TypePlan(
            type(of: subject), layout, slots: slots, isWalked: true,
            table: table(of: subject, owners: layout.owners))
        return (new, slots)
    }

    /// A plan of what others may have and of which nothing is known without reading it.
    private static func unreadable(_ type: Any.Type) -> (plan: TypePlan, slots: [Slot]) {
        var layout = TypeLayout(shape: .unfillable("a value"))
        if let type = type as? AnyClass {
            layout = TypeLayout(shape: .object, owners: TypePlan.owners(of: type), hiddenLayers: [type])
        }
        return (TypePlan(type, layout, slots: [], isWalked: true, table: .lines([])), [])
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
        plans.withLock { plans in
            let key = ObjectIdentifier(plan.type)
            if let known = plans[key], !plan.improves(on: known) { return known }
            plans[key] = plan
            return plan
        }
    }

    private static func table(of type: Any.Type) -> TypePlan.Table {
        guard let injectable = type as? any Injectable.Type else { return .lines([]) }
        guard Conformance.of(type, to: (any Injectable).self) == true else { return .elsewhere }
        return .lines(TypePlan.Table.lines(injectable.injections, after: TypePlan.owners(of: type).dropLast()))
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

/// Whether an actor with the storage of one that may be distributed lives elsewhere, and has no other storage here.
@_silgen_name("swift_distributed_actor_is_remote")
private func isRemote(_ actor: AnyObject) -> Bool
