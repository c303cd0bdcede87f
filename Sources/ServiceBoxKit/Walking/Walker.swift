// Part of ServiceBox, released under the MIT License.
// The one place that names Mirror: it reads the objects that the field records don't tell enough about.

/// Reads the properties of types that reflect themselves, and of all where the field records can't be trusted.
///
/// A walk copies every stored property it passes, so it belongs to the isolation of the subject's owner. Like
/// any read, it ends the process at an `unowned` reference whose object is gone. It never writes and takes no
/// lock. A type's own `customMirror` is user code and runs here.
enum Walker {
    /// A plan of one instance, and its slots in the order of the plan's `slotIndices`.
    typealias Walk = (plan: TypePlan, slots: [Slot])

    /// Reads a class instance or a value.
    ///
    /// - Parameters:
    ///   - subject: The instance or the value.
    ///   - table: The table of its type.
    /// - Returns: The plan and the slots.
    static func walk(_ subject: Any, table: [TableLine]?) -> Walk {
        let mirror = Mirror(reflecting: subject)
        var walk: Walk = (TypePlan(type(of: subject), shape(of: subject, mirror: mirror)), [])
        walk.plan.hasCustomMirror = subject is any CustomReflectable
        // What can't be filled has no table.
        if case .unfillable = walk.plan.shape { return walk }
        walk.plan.table = table
        for layer in sequence(first: mirror, next: \.superclassMirror).reversed() {
            visit(layer, owner: layer.subjectType, walk: &walk)
        }
        walk.plan.takeNames(of: walk.slots)
        return walk
    }

    private static func shape(of subject: Any, mirror: Mirror) -> TypePlan.Shape {
        if let type = type(of: subject) as? AnyClass { return TypeMetadata.isActor(type) ? .actor : .object }
        return switch mirror.displayStyle {
        case .collection, .dictionary, .set: .unfillable("a collection")
        case .enum, .optional, .tuple: .unfillable("an enum")
        default: .structure
        }
    }

    /// Visits the properties that one mirror shows of a class, or of a struct.
    private static func visit(_ layer: Mirror, owner: Any.Type, walk: inout Walk) {
        for child in layer.children {
            let type = type(of: child.value)
            let name = PropertyName.inSource(child.label ?? "")
            if let holder = child.value as? any SlotHolder {
                walk.plan.addSlot(of: Swift.type(of: holder), storedAs: name, owner: owner, at: nil)
                walk.slots.append(holder.slot)
            } else if name.isEmpty {
                walk.plan.add("", .plain(type), owner: owner)
            } else if let wrapped = wrappedValue(of: child.value, type: type), holdsSlots(wrapped) {
                walk.plan.add(name, .optionalWithSlots(type, offset: nil), owner: owner)
            } else if let inner = slotted(child.value) {
                walk.plan.add(inner.plan, named: name, owner: owner, at: nil)
                walk.slots += inner.slots
            } else {
                walk.plan.add(name, .plain(type), owner: owner)
            }
        }
    }

    /// What a struct shows that has something to fill and lets others look inside.
    private static func slotted(_ value: Any) -> Walk? {
        let type = type(of: value)
        if MetadataKind(of: type) != .structure || value is any CustomReflectable { return nil }
        var walk: Walk = (TypePlan(type, .structure), [])
        visit(Mirror(reflecting: value), owner: type, walk: &walk)
        return walk.plan.hasSlots ? walk : nil
    }

    /// Whether a value is a slot's wrapper or a struct with slots.
    private static func holdsSlots(_ value: Any) -> Bool { value is any SlotHolder || slotted(value) != nil }

    /// What an optional wraps, unless that is an object or nothing.
    private static func wrappedValue(of value: Any, type: Any.Type) -> Any? {
        guard MetadataKind(of: type) == .optional, let optional = value as? any OptionalValue,
            !(Swift.type(of: optional).wrappedType is AnyClass)
        else { return nil }
        return optional.wrapped
    }
}
