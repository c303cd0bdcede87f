// Part of ServiceBox, released under the MIT License.
// The plans of all types that any box has met, and the slots of what is to be filled.

/// The plans of all types met so far, shared by every box in the process.
///
/// Thread-safe.
enum PlanStore {
    /// The plans by their types; nil for a type of which no instance has anything to fill, whose plan is read again.
    ///
    /// A plan holds for all instances if it has a revision. Otherwise it is what the records say: no instance was met that
    /// has more to say, or each has, since the type reflects itself.
    private static let known = Guarded(AddressTable<SharedPlan?>())

    /// The types that a protocol makes special ones.
    private static let specialTypes = ConformanceRecords(
        of: [(any Injectable).self, (any CustomReflectable).self].flatMap { Interface($0)?.protocols ?? [] })

    /// The plan of a type that an instance was met of before.
    static func seen(_ type: Any.Type) -> SharedPlan? {
        known(type).flatMap { $0.plan.revision == nil ? nil : $0 }
    }

    private static func known(_ type: Any.Type) -> SharedPlan? {
        known.withLock { $0[Metadata(type).address] ?? nil }
    }

    /// Whether instances of a type have nothing to fill, but by a table that a box was taught.
    static func isBare(_ type: Any.Type) -> Bool {
        let isKnownBare = known.withLock { $0[Metadata(type).address].map { $0 == nil } }
        return isKnownBare ?? (isBareAtFirstSight(type) || unseen(type).plan.isBare)
    }

    /// Whether the records of a type say without a plan that it is bare, as those of by far most services do.
    private static func isBareAtFirstSight(_ type: Any.Type) -> Bool {
        guard FieldRecords.ruleOutSlots(in: type), specialTypes.ruleOut(type) else { return false }
        known.withLock { _ = $0.updateValue(nil, at: Metadata(type).address) }
        return true
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
        let plan = current(type).plan
        guard plan.hasCustomMirror, plan.offsets != nil else { return plan }
        return TypePlan(type, .needsInstance, table: plan.table)
    }

    /// Looks at a class instance or a value, and remembers the plan of its type.
    ///
    /// A table that was out of reach when the type was first met is read now if it can be.
    ///
    /// - Parameters:
    ///   - subject: What is to be filled.
    ///   - access: Who else may have it.
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
            var plan = known.plan
            plan.takeNames(of: slots)
            shared = keep(consume plan, isForAll: true)
        }
        return (slots.isEmpty || shared.names(slots) ? shared : shared.named(by: slots), slots)
    }

    /// A plan with the table of its type, if somebody could read that since.
    static func updated(_ shared: SharedPlan) -> SharedPlan {
        guard !shared.plan.tableIsKnown, let seen = seen(shared.plan.type) else { return shared }
        if shared.plan.revision != nil { return seen }
        var updated = shared.plan
        updated.table = seen.plan.table
        return SharedPlan(updated)
    }

    /// The plan of a type, with its table if that may be read here.
    private static func current(_ type: Any.Type) -> SharedPlan {
        let shared = known(type) ?? unseen(type)
        guard !shared.plan.tableIsKnown, let table = table(of: shared.plan) else { return shared }
        var plan = shared.plan
        plan.table = table
        return plan.revision == nil ? SharedPlan(plan) : keep(plan, isForAll: true)
    }

    /// The plan of a type without its table, if it may have one.
    private static func unseen(_ type: Any.Type) -> SharedPlan {
        let shape = TypePlan.Shape(of: type)
        if case .unfillable = shape { return keep(TypePlan(type, shape), isForAll: false) }
        var plan =
            FieldRecords.areTrusted
            ? TypePlan(reading: type, shape) : TypePlan(type, .needsInstance, table: nil)
        // By far most types conform to neither, which one question tells.
        if !specialTypes.ruleOut(type) {
            plan.hasCustomMirror = reflectsItself(type)
            // A cast of a type to a protocol that the compiler knows asks for no actor.
            plan.isInjectable =
                Conformance.isPossible(of: type, to: (any Injectable).self) && type is any Injectable.Type
        }
        // Most types list nothing, and need no other plan to say so.
        if !plan.isInjectable { plan.table = [] }
        // Where there are no slots, an instance has nothing to add.
        let isForAll = plan.shape != .needsInstance && !plan.hasCustomMirror && plan.slotIndices.isEmpty
        return keep(plan, isForAll: isForAll)
    }

    /// The lines that a type and its superclasses list, of which the nearest wins a name; nil if the conformance
    /// belongs to an actor that this doesn't run on.
    ///
    /// A table runs code of the user's.
    private static func table(of plan: TypePlan) -> [TableLine]? {
        guard plan.isInjectable else { return [] }
        guard Conformance.of(plan.type, to: (any Injectable).self) == true else { return nil }
        // A class has the conformance of its superclass and can have no other, so where its own may be used, the
        // superclass's may be.
        return ConstructionStack.crossFilling {
            plan.owners.reduce([]) { lines, owner in
                lines.replacing(with: (owner as? any Injectable.Type)?.injections.lines ?? [])
            }
        }
    }

    /// Keeps a plan for its type, unless another thread has kept one that is as good.
    private static func keep(_ plan: consuming TypePlan, isForAll: Bool) -> SharedPlan {
        if isForAll { plan.revision = plan.tableIsKnown ? 2 : 1 }
        let new = SharedPlan(plan)
        let isBare = new.plan.isBare
        return known.withLock { all in
            let address = Metadata(new.plan.type).address
            if case let known?? = all[address], known.plan.revision ?? 0 >= new.plan.revision ?? 0 {
                return known
            }
            // What goes has no table, and so nothing of the user's.
            all.updateValue(isBare ? nil : new, at: address)
            return new
        }
    }
}

/// Whether a type has a mirror of its own.
func reflectsItself(_ type: Any.Type) -> Bool {
    Conformance.isPossible(of: type, to: (any CustomReflectable).self) && type is any CustomReflectable.Type
}

/// Whether an actor with the storage of one that may be distributed lives elsewhere, and has no other storage here.
@_silgen_name("swift_distributed_actor_is_remote")
private func isRemote(_ actor: AnyObject) -> Bool

/// Whether what is filled may be in use elsewhere.
enum Access {
    /// The caller is in the isolation of the owner.
    case owned
    /// Others may have it and be using it now: what a factory or a provider has returned, a service that was
    /// registered ready-made, an actor seen from outside. Nothing but its slots is touched.
    case shared

    /// Who may have a subject that is handed to a box: of an actor, only itself may say that nobody is using it.
    init(of subject: Any) {
        self = Metadata(type(of: subject)).isActor ? .shared : .owned
    }

    /// The slots of a class instance or a value.
    ///
    /// - Parameters:
    ///   - subject: The instance or the value.
    ///   - offsets: Where the slots lie in instances of its type.
    /// - Returns: The slots, in the order of the offsets.
    func slots(of subject: Any, at offsets: [Int]) -> [Slot] {
        if offsets.isEmpty { return [] }
        // A value is the caller's own copy, whoever else has copies that share its slots.
        if self == .shared, let object = classInstance(subject) {
            return SlotReaders.slots(of: object, at: offsets)
        }
        return Self.withBase(of: subject) { base in offsets.map { base.slot(at: $0).takeUnretainedValue() } }
    }

    /// Runs a body with where an instance or a value begins, which is valid as long as it runs.
    static func withBase<Result>(of subject: Any, _ body: (UnsafeRawPointer) -> Result) -> Result {
        if let object = classInstance(subject) {
            return withExtendedLifetime(object) {
                body(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
            }
        }
        func open<Value>(_ value: Value) -> Result {
            // In generic code an `Any` holds what is behind an interface as that, behind itself.
            if Metadata(Value.self).isExistential {
                return _openExistential(type(of: value as Any), do: read)
            }
            return withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) }
        }
        // swift-format-ignore: NeverForceUnwrap
        func read<Value>(_: Value.Type) -> Result { open(subject as! Value) }
        return _openExistential(subject, do: open)
    }
}
