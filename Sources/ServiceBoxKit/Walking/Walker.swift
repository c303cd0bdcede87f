// Part of ServiceBox, released under the MIT License.
// The one file that uses Mirror: it reads objects where the field records aren't enough.

/// Reads the properties of types with custom mirrors, and of all types if the field records can't be trusted.
///
/// A walk copies every stored property that it passes, so it belongs in the isolation of the subject's owner.
/// Like any read, it traps at an `unowned` reference whose object is gone. It never writes and takes no lock.
/// A type's own `customMirror` is user code and runs here.
enum Walker {
    /// A plan of one instance, and its slots in the order of the plan's `slotIndices`.
    typealias Walk = (plan: TypePlan, slots: [Slot])

    /// Reads a class instance or a value; the table is that of its type.
    static func walk(_ subject: Any, table: [TableLine]?) -> Walk {
        let mirror = Mirror(reflecting: subject)
        let type = type(of: subject)
        // A struct's custom mirror may claim another display style.
        switch type is AnyClass ? nil : mirror.displayStyle {
        case .collection, .dictionary, .set: return (TypePlan(type, .unfillable("a collection")), [])
        case .enum, .optional, .tuple: return (TypePlan(type, .unfillable("an enum")), [])
        default: break
        }
        var walk: Walk = (TypePlan(type, .init(of: type), table: table), [])
        walk.plan.hasCustomMirror = subject is any CustomReflectable
        walk.plan.isInjectable = type is any Injectable.Type
        for layer in sequence(first: mirror, next: \.superclassMirror).reversed() {
            visit(layer, owner: layer.subjectType, walk: &walk)
        }
        walk.plan.takeNames(of: walk.slots)
        return walk
    }

    /// Visits the properties that one mirror shows of a class, or of a struct.
    private static func visit(_ layer: Mirror, owner: Any.Type, walk: inout Walk) {
        for child in layer.children {
            let type = type(of: child.value)
            let name = PropertyName.inSource(child.label ?? "")
            if let request = CellRequest(ofWrapper: type), let holder = child.value as? any SlotHolder {
                walk.plan.add(name, .slot(request, explicitName: nil), owner: owner)
                walk.slots.append(holder.slot)
            } else if !name.isEmpty, let inner = slotted(child.value) {
                walk.plan.add(inner.plan, named: name, owner: owner)
                walk.slots += inner.slots
            } else {
                let hasSlots = !name.isEmpty && isOptionalWithSlots(child.value, of: type)
                let request = CellRequest(
                    type: PropertyName.isLazy(child.label ?? "") ? unwrapped(type) : type)
                walk.plan.add(name, hasSlots ? .optionalWithSlots(type) : .plain(request), owner: owner)
            }
        }
    }

    /// The walk of a struct that has anything to fill and no custom mirror.
    private static func slotted(_ value: Any) -> Walk? {
        let type = type(of: value)
        if Metadata(type).kind != .structure || value is any CustomReflectable { return nil }
        var walk: Walk = (TypePlan(type, .structure), [])
        visit(Mirror(reflecting: value), owner: type, walk: &walk)
        return walk.plan.hasSlots ? walk : nil
    }

    private static func isOptionalWithSlots(_ value: Any, of type: Any.Type) -> Bool {
        guard Metadata(type).kind == .optional, let wrapped = unwrapped(value: value) else { return false }
        return CellRequest(ofWrapper: Swift.type(of: wrapped)) != nil || slotted(wrapped) != nil
    }
}
