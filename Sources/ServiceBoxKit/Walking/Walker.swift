// Part of ServiceBox, released under the MIT License.
// The one place that names Mirror: it reads the objects that the field records do not tell enough about.

/// Reads the properties of types that reflect themselves, and of all where the field records cannot be trusted.
///
/// A walk copies every stored property it passes, so it belongs to the isolation of the subject's owner. Like
/// any read, it ends the process at an `unowned` reference whose object is gone. It never writes and takes no
/// lock. A type's own `customMirror` is user code and runs here.
enum Walker {
    /// What a walk saw: the properties, as far as there is a layout of them, and the slots in their order.
    typealias Walk = (layout: TypeLayout, slots: [Slot])

    /// Reads a value.
    static func walk(_ subject: Any) -> Walk {
        let mirror = Mirror(reflecting: subject)
        var walk: Walk = (TypeLayout(shape: shape(of: subject, mirror: mirror)), [])
        walk.layout.reflectsItself = subject is any CustomReflectable
        if case .unfillable = walk.layout.shape { return walk }
        var layers = [mirror]
        while let layer = layers.last?.superclassMirror { layers.append(layer) }
        for layer in layers.reversed() {
            walk.layout.owners.append(layer.subjectType)
            visit(layer, owner: layer.subjectType, path: "", walk: &walk)
        }
        return walk
    }

    private static func shape(of subject: Any, mirror: Mirror) -> TypePlan.Shape {
        if let type = type(of: subject) as? AnyClass { return TypeMetadata.isActor(type) ? .actor : .object }
        return switch mirror.displayStyle {
        case .struct: .structure
        case .enum: .unfillable("an enum")
        case .optional: .unfillable("an optional")
        case .tuple: .unfillable("a tuple")
        case .collection, .dictionary, .set: .unfillable("a collection")
        default: subject is any CustomReflectable ? .structure : .unfillable("a function or a metatype")
        }
    }

    /// Visits the properties that one mirror shows.
    ///
    /// - Parameters:
    ///   - layer: The mirror of a class, or of a struct.
    ///   - owner: The class or struct that the properties are reported under.
    ///   - path: What stands before their names, for a struct in a property.
    ///   - walk: What was seen so far.
    private static func visit(_ layer: Mirror, owner: Any.Type, path: String, walk: inout Walk) {
        for child in layer.children {
            let childType = type(of: child.value)
            let name = child.label.map(TypeLayout.sourceName)
            if let type = childType as? any SlotHolder.Type, let holder = child.value as? any SlotHolder {
                let slotName = name.map(TypeLayout.wrappedName)
                if slotName == nil { walk.layout.hidesNames = true }
                walk.layout.properties.append(
                    TypePlan.Property(
                        owner: owner, name: slotName.map { path + $0 } ?? "", lookupName: slotName ?? "",
                        kind: .slot(type.request, explicitName: nil)))
                walk.slots.append(holder.slot)
                continue
            }
            guard let name else {
                walk.layout.hidesNames = true
                walk.layout.namelessCount += 1
                continue
            }
            let kind: TypePlan.Property.Kind
            if let wrapped = wrappedValue(of: child.value, type: childType), holdsSlots(wrapped) {
                kind = .outOfReach(childType, offset: nil)
            } else if visit(
                insideOf: child.value, type: childType, owner: owner, path: "\(path)\(name).", walk: &walk)
            {
                continue
            } else {
                kind = .plain(childType)
            }
            walk.layout.properties.append(
                TypePlan.Property(owner: owner, name: path + name, lookupName: name, kind: kind))
        }
    }

    /// Walks a struct inside a property if it has slots.
    ///
    /// - Returns: Whether it has any.
    private static func visit(
        insideOf value: Any, type: Any.Type, owner: Any.Type, path: String, walk: inout Walk
    ) -> Bool {
        if MetadataKind(of: type) != .structure || value is any CustomReflectable { return false }
        var inner: Walk = (TypeLayout(shape: .structure), [])
        visit(Mirror(reflecting: value), owner: owner, path: path, walk: &inner)
        guard inner.layout.properties.contains(where: { !$0.isPlain }) else { return false }
        walk.layout.hidesNames = walk.layout.hidesNames || inner.layout.hidesNames
        walk.layout.namelessCount += inner.layout.namelessCount
        walk.layout.properties += inner.layout.properties
        walk.slots += inner.slots
        return true
    }

    /// Whether a value is a slot's wrapper or a struct with slots.
    private static func holdsSlots(_ value: Any) -> Bool {
        if value is any SlotHolder { return true }
        var walk: Walk = (TypeLayout(shape: .structure), [])
        return visit(insideOf: value, type: type(of: value), owner: type(of: value), path: "", walk: &walk)
    }

    /// What an optional wraps, unless that is an object or nothing.
    private static func wrappedValue(of value: Any, type: Any.Type) -> Any? {
        guard MetadataKind(of: type) == .optional, let optional = value as? any OptionalValue,
            !(Swift.type(of: optional).wrappedType is AnyClass)
        else { return nil }
        return optional.wrapped
    }
}
