// Part of ServiceBox, released under the MIT License.
// The one place that names Mirror: it reads what an object is made of.

/// What one walk over a value saw.
struct Walk {
    var shape: TypePlan.Shape
    /// The classes of the subject, superclass first; for a struct itself alone.
    var owners: [Any.Type] = []
    var properties: [TypePlan.Property] = []
    /// The slots, in the order in which `properties` lists them.
    var slots: [Slot] = []
    /// The types of the wrappers around `slots`.
    var holderTypes: [Any.Type] = []
    var hasCustomMirror = false
    /// Whether the subject has no room for properties.
    var isEmpty = false
    /// Whether the build shows nothing of a layer that has room for properties; asked only of a build like
    /// that.
    var hidesProperties = false
    /// Whether any property shows no name.
    var hidesNames = false
    /// How many properties would need a name to be filled and show none.
    var namelessCount = 0
    /// Whether a slot was seen anywhere but directly in the subject.
    var hasIndirectSlots = false
}

extension Walk {
    /// Counts a plain property without a name; what every actor has in front of its own is none.
    fileprivate mutating func noteNameless(_ type: Any.Type) {
        if String(reflecting: type) == "Builtin.DefaultActorStorage" { return }
        hidesNames = true
        namelessCount += 1
    }
}

/// Reads the properties of objects and structs.
///
/// A walk copies every stored property it passes, so it belongs to the isolation of the subject's owner. Like
/// any read, it ends the process at an `unowned` reference whose object is gone. It never writes and takes no
/// lock. A type's own `customMirror` is user code and runs here.
enum Walker {
    /// Reads a value.
    ///
    /// - Parameters:
    ///   - subject: The value.
    ///   - isActor: Whether it is an actor, if that is known: asking a type for a conformance that it does
    ///     not have is what a first walk spends most of its time with (measured).
    /// - Returns: What was seen.
    static func walk(_ subject: Any, isActor: Bool? = nil) -> Walk {
        let mirror = Mirror(reflecting: subject)
        let isObject = type(of: subject) is AnyClass
        let isActor = isObject && (isActor ?? (subject is any Actor))
        var walk = Walk(shape: shape(of: subject, mirror: mirror, isObject: isObject, isActor: isActor))
        if case .unfillable = walk.shape { return walk }
        walk.hasCustomMirror = subject is any CustomReflectable
        var layers = [mirror]
        while let layer = layers.last?.superclassMirror { layers.append(layer) }
        for layer in layers.reversed() {
            walk.owners.append(layer.subjectType)
            visit(layer, owner: layer.subjectType, path: "", isDirect: isObject, walk: &walk)
        }
        walk.isEmpty = walk.properties.isEmpty && InstanceSize.isEmpty(subject, isActor: isActor)
        if BuildReflection.lack == .fields, !walk.hasCustomMirror {
            let shown = layers.reversed().map { (type: $0.subjectType, showsAny: !$0.children.isEmpty) }
            walk.hidesProperties = InstanceSize.hidesProperties(shown, isActor: isActor)
        }
        return walk
    }

    private static func shape(
        of subject: Any, mirror: Mirror, isObject: Bool, isActor: Bool
    ) -> TypePlan.Shape {
        if isObject { return isActor ? .actor : .object }
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
    ///   - isDirect: Whether they lie in the subject itself and the subject is an object.
    ///   - walk: What was seen so far.
    private static func visit(
        _ layer: Mirror, owner: Any.Type, path: String, isDirect: Bool, walk: inout Walk
    ) {
        for child in layer.children {
            let childType = type(of: child.value)
            if let type = childType as? any SlotHolder.Type, let holder = child.value as? any SlotHolder {
                visit(holder, type: type, label: child.label, owner: owner, path: path, walk: &walk)
                if !isDirect || child.label?.first != "_" { walk.hasIndirectSlots = true }
                continue
            }
            guard let label = child.label else {
                walk.noteNameless(childType)
                continue
            }
            let name = sourceName(of: label)
            if let wrapped = wrappedValue(of: child.value, type: childType), holdsSlots(wrapped) {
                walk.properties.append(
                    TypePlan.Property(
                        owner: owner, name: path + name, lookupName: name, kind: .outOfReach(childType)))
                continue
            }
            if visit(
                insideOf: child.value, type: childType, owner: owner, path: "\(path)\(name).", walk: &walk)
            {
                continue
            }
            walk.properties.append(
                TypePlan.Property(
                    owner: owner, name: path + name, lookupName: name, kind: .plain(childType)))
        }
    }

    private static func visit(
        _ holder: any SlotHolder, type: any SlotHolder.Type, label: String?, owner: Any.Type, path: String,
        walk: inout Walk
    ) {
        let slot = holder.slot
        let explicitName = slot.explicitName
        if label == nil {
            walk.hidesNames = true
            if explicitName == nil, type.request.element == nil { walk.namelessCount += 1 }
        }
        // Without names in the build, the declaration still says which property it is.
        let name = label.map { $0.first == "_" ? String($0.dropFirst()) : $0 } ?? slot.declaration
        walk.properties.append(
            TypePlan.Property(
                owner: owner, name: path + name, lookupName: label == nil ? "" : name,
                kind: .slot(type.request, explicitName: explicitName)))
        walk.slots.append(slot)
        walk.holderTypes.append(type)
    }

    /// Walks a struct inside a property if it has slots.
    ///
    /// - Returns: Whether it has any.
    private static func visit(
        insideOf value: Any, type: Any.Type, owner: Any.Type, path: String, walk: inout Walk
    ) -> Bool {
        if type is AnyClass || value is any CustomReflectable { return false }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct, !mirror.children.isEmpty else { return false }
        var inner = Walk(shape: .structure)
        visit(mirror, owner: owner, path: path, isDirect: false, walk: &inner)
        guard !inner.slots.isEmpty else { return false }
        walk.hidesNames = walk.hidesNames || inner.hidesNames
        walk.namelessCount += inner.namelessCount
        walk.properties += inner.properties
        walk.slots += inner.slots
        walk.holderTypes += inner.holderTypes
        walk.hasIndirectSlots = true
        return true
    }

    /// Whether a value is a slot's wrapper or a struct with slots.
    private static func holdsSlots(_ value: Any) -> Bool {
        if value is any SlotHolder { return true }
        var walk = Walk(shape: .structure)
        return visit(insideOf: value, type: type(of: value), owner: type(of: value), path: "", walk: &walk)
    }

    /// What an optional wraps, unless that is an object or nothing.
    private static func wrappedValue(of value: Any, type: Any.Type) -> Any? {
        guard let optional = type as? any OptionalValue.Type, !(optional.wrappedType is AnyClass) else {
            return nil
        }
        return (value as? any OptionalValue)?.wrapped
    }

    /// The name in the source behind a label of Mirror's.
    ///
    /// A lazy property is stored as `$__lazy_storage_$_name`.
    private static func sourceName(of label: String) -> String {
        let lazyPrefix = "$__lazy_storage_$_"
        return label.hasPrefix(lazyPrefix) ? String(label.dropFirst(lazyPrefix.count)) : label
    }
}
