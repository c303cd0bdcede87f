// Part of ServiceBox, released under the MIT License.
// What the field records of a class or a struct come to.

extension TypePlan {
    /// Reads the field records of a class and its superclasses, or of a struct; fails for any other type.
    ///
    /// Slots are found by *declared* type: directly in the type, and in structs inside it. What lies in an optional,
    /// an enum, a tuple or behind an interface may be there or not, and isn't looked for. A field of a noncopyable
    /// type is recorded as an empty tuple.
    ///
    /// - Parameter type: The type.
    /// - Complexity: O(*n*) for *n* properties.
    init?(reading type: Any.Type) {
        switch MetadataKind(of: type) {
        case .structure: self.init(readingStruct: type)
        case .class:
            guard let type = type as? AnyClass else { return nil }
            self.init(readingClass: type)
        default: return nil
        }
    }

    private init(readingStruct type: Any.Type) {
        self.init(type, .structure, offsets: [])
        let count = FieldRecords.count(of: type)
        for index in 0..<count { add(FieldRecords.field(index, of: type), owner: type) }
        if count == 0, TypeMetadata.size(of: type) > 0 { hiddenLayers = [type] }
    }

    private init(readingClass type: AnyClass) {
        let isActor = TypeMetadata.isActor(type)
        self.init(type, isActor ? .actor : .object, offsets: [])
        var seen = 0
        var size = TypeMetadata.headerSize
        for owner in owners {
            let count = FieldRecords.count(of: owner)
            let ownSize = TypeMetadata.size(of: owner)
            let isBareActor = isActor && ownSize == size + TypeMetadata.actorStorageSize
            let isNative = (owner as? AnyClass).map(TypeMetadata.isNative) ?? false
            if count == seen, ownSize > size, !isBareActor, isNative { hiddenLayers.append(owner) }
            for index in seen..<max(seen, count) {
                let field = FieldRecords.field(index, of: type)
                // What an actor has in front of its own fields isn't a property.
                if isActor, index == 0, MetadataKind(of: field.type) == .opaque {
                    mayBeRemote = true
                } else {
                    add(field, owner: owner)
                }
            }
            (seen, size) = (count, ownSize)
        }
    }

    private mutating func add(_ field: FieldRecords.Field, owner: Any.Type) {
        let name = PropertyName.inSource(field.label)
        if TypeMetadata.isSlotHolder(field.type), let holder = field.type as? any SlotHolder.Type {
            addSlot(of: holder, storedAs: name, owner: owner, at: field.offset)
        } else if let inner = Self.slotted(field.type) {
            add(inner, named: name, owner: owner, at: field.offset)
        } else if Self.isOptionalWithSlots(field.type) {
            add(name, .optionalWithSlots(field.type, offset: field.offset), owner: owner)
        } else {
            add(name, .plain(field.type), owner: owner)
        }
    }

    private static func isOptionalWithSlots(_ type: Any.Type) -> Bool {
        guard MetadataKind(of: type) == .optional else { return false }
        let wrapped = unwrapped(type)
        return TypeMetadata.isSlotHolder(wrapped) || slotted(wrapped) != nil
    }

    /// The structs that were met inside others; nil stands for those without slots.
    private static let innerStructs = Guarded<[ObjectIdentifier: TypePlan?]>([:])

    /// The plan of a struct that has something to fill and lets others look inside.
    private static func slotted(_ type: Any.Type) -> TypePlan? {
        guard MetadataKind(of: type) == .structure else { return nil }
        let key = ObjectIdentifier(type)
        if let known = innerStructs.withLock({ $0[key] }) { return known }
        let plan = TypePlan(readingStruct: type)
        // Most have no slots, and a cast that fails is dear.
        let slotted = plan.hasSlots && !(type is any CustomReflectable.Type) ? plan : nil
        innerStructs.withLock { $0[key] = .some(slotted) }
        return slotted
    }
}

/// The names that the source gives properties, behind those that they are stored under.
enum PropertyName {
    /// The name in the source behind the name of a stored property.
    ///
    /// A raw identifier is stored with its backticks, and with no-break spaces for its spaces; a lazy property as
    /// `$__lazy_storage_$_name`.
    static func inSource(_ label: String) -> String {
        var name = label.unicodeScalars[...]
        if name.first == "`", name.last == "`", name.count > 1 {
            name = name.dropFirst().dropLast()
            if name.contains("\u{A0}") {
                name = String.UnicodeScalarView(name.map { $0 == "\u{A0}" ? " " : $0 })[...]
            }
        }
        let lazyPrefix = "$__lazy_storage_$_"
        let source = String(name)
        return source.hasPrefix(lazyPrefix) ? String(source.dropFirst(lazyPrefix.count)) : source
    }

    /// The name of the property behind the name of its wrapper, which has an underscore in front.
    ///
    /// Scalars and not characters are compared: the property's name may begin with one that joins.
    static func withoutUnderscore(_ name: String) -> String {
        name.unicodeScalars.first == "_" ? String(name.unicodeScalars.dropFirst()) : name
    }
}
