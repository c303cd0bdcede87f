// Part of ServiceBox, released under the MIT License.
// The plans of all types that any box has seen, and the slots of the objects to fill.

/// The plans of all types seen so far, shared by every box in the process.
///
/// Thread-safe.
enum PlanStore {
    /// The mark of a type with nothing to fill, whose plan is read again when needed.
    private static let bareMark: UInt = 4
    /// The bits of the address of any other type's plan.
    ///
    /// A plan with a revision holds for all instances. Otherwise it is what the records say: either no
    /// instance has been seen that could add to it, or each instance may differ because the type has a custom
    /// mirror.
    private static let planBits: UInt = ~15

    /// The types that conform to `Injectable` or `CustomReflectable`.
    private static let specialTypes = ConformanceRecords(
        of: [(any Injectable).self, (any CustomReflectable).self].flatMap { Interface($0)?.protocols ?? [] })

    /// The plan of a type, if an instance has been seen.
    static func seen(_ type: Any.Type) -> SharedPlan? {
        known(type).flatMap { $0.plan.revision == nil ? nil : $0 }
    }

    private static func known(_ type: Any.Type) -> SharedPlan? { storedPlan(in: TypeTable.shared[type]) }

    /// The plan among the facts about a type; it is never released.
    private static func storedPlan(in facts: UInt) -> SharedPlan? {
        unsafe UnsafeRawPointer(bitPattern: facts & planBits).map {
            unsafe Unmanaged.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Whether instances of a type have nothing to fill, except by a table that a box was taught.
    static func isBare(_ type: Any.Type) -> Bool {
        let facts = TypeTable.shared[type]
        if facts & (bareMark | planBits) != 0 { return facts & bareMark != 0 }
        // For most services the records alone tell.
        guard FieldRecords.ruleOutSlots(in: type), specialTypes.ruleOut(type) else {
            return unseen(type).plan.isBare
        }
        TypeTable.shared.update(type) { $0 | bareMark }
        return true
    }

    /// The plan of a type, whether or not an instance has been seen.
    ///
    /// The name in `@Injected("name")` is stored in the instance: until one has been seen, each slot counts
    /// under its property's name. A type with a custom mirror is known only by its instances, and gets the
    /// shape `needsInstance`, as do all types if the field records can't be trusted.
    ///
    /// - Parameter type: Any type; only classes, actors and structs have anything to fill.
    /// - Returns: The plan, with the table of the type if its conformance may be used here.
    /// - Complexity: O(*n*) for *n* properties.
    static func plan(of type: Any.Type) -> TypePlan {
        let plan = current(type).plan
        guard plan.hasCustomMirror, plan.offsets != nil else { return plan }
        return TypePlan(type, .needsInstance, table: plan.table)
    }

    /// Inspects a class instance or a value, and stores the plan of its type.
    ///
    /// A table that was out of reach when the type was first seen is read now if possible.
    ///
    /// - Parameters:
    ///   - subject: The instance or value to fill.
    ///   - access: Whether others may be using it.
    /// - Returns: The plan, and the slots in the order of the plan's `slotIndices`.
    static func learn(_ subject: Any, _ access: Access) -> (plan: SharedPlan, slots: [Slot]) {
        let type = type(of: subject)
        let known = current(type)
        if known.plan.mayBeRemote, let actor = classInstance(subject), isRemote(actor) {
            return (SharedPlan(TypePlan(type, .remote)), [])
        }
        if access == .owned, known.plan.hasCustomMirror || known.plan.shape == .needsInstance {
            let (plan, slots) = Walker.walk(subject, table: known.plan.table)
            return (SharedPlan(plan), slots)
        }
        guard let offsets = known.plan.offsets else { return (known, []) }
        let slots = access.slots(of: subject, at: offsets)
        var shared = known
        if known.plan.revision == nil, !known.plan.hasCustomMirror {
            shared = keep(changing(known.plan) { $0.takeNames(of: slots) }, isForAll: true)
        }
        return (shared.named(by: slots), slots)
    }

    /// A plan with the table of its type, if that has been read since.
    static func updated(_ shared: SharedPlan) -> SharedPlan {
        guard !shared.plan.tableIsKnown, let known = known(shared.plan.type), known.plan.tableIsKnown else {
            return shared
        }
        if shared.plan.revision != nil { return known }
        return SharedPlan(changing(shared.plan) { $0.table = known.plan.table })
    }

    /// The plan of a type, with its table if that may be read here.
    private static func current(_ type: Any.Type) -> SharedPlan {
        let shared = known(type) ?? unseen(type)
        guard !shared.plan.tableIsKnown, let table = table(of: shared.plan) else { return shared }
        let plan = changing(shared.plan) { $0.table = table }
        let isForAll = plan.revision != nil
        return isForAll || plan.hasCustomMirror ? keep(plan, isForAll: isForAll) : SharedPlan(plan)
    }

    /// The plan of a type, without its table if it may have one.
    private static func unseen(_ type: Any.Type) -> SharedPlan {
        let shape = TypePlan.Shape(of: type)
        if case .unfillable = shape { return keep(TypePlan(type, shape), isForAll: false) }
        var plan =
            FieldRecords.areTrusted
            ? TypePlan(reading: type, shape) : TypePlan(type, .needsInstance, table: nil)
        // Most types conform to neither protocol, which one question tells.
        if !specialTypes.ruleOut(type) {
            plan.hasCustomMirror =
                Conformance.isPossible(of: type, to: (any CustomReflectable).self)
                && type is any CustomReflectable.Type
            // A cast of a metatype to a statically known protocol ignores actors.
            plan.isInjectable =
                Conformance.isPossible(of: type, to: (any Injectable).self) && type is any Injectable.Type
        }
        // Most types have no table, so this plan is final for them.
        if !plan.isInjectable { plan.table = [] }
        // An instance's slots may add names.
        let isWhole = plan.shape != .needsInstance && !plan.hasCustomMirror
        return keep(plan, isForAll: isWhole && plan.slotIndices.isEmpty)
    }

    /// The lines that a type and its superclasses list, where the nearest wins for each name; nil if the
    /// conformance is isolated to an actor that isn't the current one.
    ///
    /// Reading a table runs user code.
    private static func table(of plan: TypePlan) -> [TableLine]? {
        guard Conformance.of(plan.type, to: (any Injectable).self) == true else { return nil }
        // A class inherits its superclass's conformance and can't have another one, so if its own may be used
        // here, the superclass's may too.
        return ConstructionStack.crossFilling {
            plan.owners.reduce([]) { lines, owner in
                lines.replacing(with: (owner as? any Injectable.Type)?.injections.lines ?? [])
            }
        }
    }

    /// Stores a plan for its type, unless another thread has stored one that is as good.
    private static func keep(_ plan: consuming TypePlan, isForAll: Bool) -> SharedPlan {
        if isForAll { plan.revision = plan.tableIsKnown ? 2 : 1 }
        let new = SharedPlan(plan)
        var kept = new
        TypeTable.shared.update(new.plan.type) { facts in
            let known = storedPlan(in: facts)
            if let known, known.plan.revision ?? 0 >= new.plan.revision ?? 0,
                known.plan.tableIsKnown || !new.plan.tableIsKnown
            {
                kept = known
                return facts
            }
            // A replaced plan has no table, and so holds none of the user's objects.
            let mark =
                unsafe new.plan.isBare ? bareMark : UInt(bitPattern: Unmanaged.passRetained(new).toOpaque())
            return facts & ~(planBits | bareMark) | mark
        }
        return kept
    }
}

/// Whether an actor that may be distributed is remote, and so has no other storage here.
@_silgen_name("swift_distributed_actor_is_remote")
private func isRemote(_ actor: AnyObject) -> Bool

/// Whether others may be using the object or value that is filled.
enum Access {
    /// The caller is in the isolation of the owner.
    case owned
    /// Others may have it and be using it now: the result of a factory or a provider, a service that was
    /// registered ready-made, or an actor seen from outside. Only its slots are touched.
    case shared

    /// The access to a subject passed to a box: only an actor itself can say that nobody else uses it.
    init(of subject: Any) {
        self = Metadata(type(of: subject)).isActor ? .shared : .owned
    }

    /// The slots of a class instance or a value, in the order of their offsets in instances of its type.
    func slots(of subject: Any, at offsets: [Int]) -> [Slot] {
        if offsets.isEmpty { return [] }
        // A value is the caller's own copy, even if other copies share its slots.
        if self == .shared, let object = classInstance(subject) {
            return unsafe SlotReaders.slots(of: object, at: offsets)
        }
        return unsafe Self.withBase(of: subject) { base in
            offsets.map { unsafe base.slot(at: $0).takeUnretainedValue() }
        }
    }

    /// Runs a body with the address of an instance or a value, which is valid only inside the body.
    static func withBase<Result>(of subject: Any, _ body: (UnsafeRawPointer) -> Result) -> Result {
        if let object = classInstance(subject) {
            return withExtendedLifetime(object) {
                unsafe body(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
            }
        }
        func open<Value>(_ value: Value) -> Result {
            // In generic code an `Any` keeps an existential wrapped, so it is opened once more.
            if Metadata(Value.self).isExistential {
                return _openExistential(type(of: value as Any), do: read)
            }
            return unsafe withUnsafePointer(to: value) { unsafe body(UnsafeRawPointer($0)) }
        }
        // swift-format-ignore: NeverForceUnwrap
        func read<Value>(_: Value.Type) -> Result { open(subject as! Value) }
        return _openExistential(subject, do: open)
    }
}
