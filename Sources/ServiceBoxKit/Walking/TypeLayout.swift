// Part of ServiceBox, released under the MIT License.
// The properties of a type and where its slots lie, known before any object of it is read.

/// What the field records of a class or a struct come to.
///
/// Slots are found by *declared* type: directly in the type, and in structs inside it. What lies in an optional, an
/// enum, a tuple or behind an interface may be there or not, and is not looked for. A field of a noncopyable type is
/// recorded as an empty tuple.
struct TypeLayout: Sendable {
    var shape: TypePlan.Shape
    /// The classes from the root to the type; of a struct itself alone.
    var owners: [Any.Type] = []
    /// Superclass first, each class in the order of its source.
    ///
    /// What slots name their services is not known here.
    var properties: [TypePlan.Property] = []
    /// Where the slots lie, in the order in which `properties` lists them.
    var offsets: [Int] = []
    /// The struct, or the classes of the chain, that have room for properties and show none.
    var hiddenLayers: [Any.Type] = []
    /// Whether any property shows no name.
    var hidesNames = false
    /// How many plain properties show no name.
    var namelessCount = 0
    /// Whether an object of the type can be remote, and then has no storage.
    var mayBeRemote = false
    /// Whether the type has a mirror of its own.
    var reflectsItself = false
}

extension TypeLayout {
    private static let layouts = Guarded<[ObjectIdentifier: TypeLayout]>([:])

    /// The layout of a class or a struct; nil for any other type, and where the runtime's records cannot be
    /// trusted.
    ///
    /// - Complexity: O(*n*) for *n* properties the first time, O(1) later.
    static func of(_ type: Any.Type) -> TypeLayout? { recordsAreTrusted ? known(type) : nil }

    private static func known(_ type: Any.Type) -> TypeLayout? {
        let key = ObjectIdentifier(type)
        if let known = layouts.withLock({ $0[key] }) { return known }
        let new: TypeLayout
        switch MetadataKind(of: type) {
        case .class:
            guard let type = type as? AnyClass else { return nil }
            new = TypeLayout(ofClass: type)
        case .structure: new = TypeLayout(ofStruct: type)
        default: return nil
        }
        layouts.withLock { $0[key] = new }
        return new
    }

    /// Reads the records of a class and its superclasses.
    init(ofClass type: AnyClass) {
        let isActor = TypeMetadata.isActor(type)
        self.init(shape: isActor ? .actor : .object, owners: TypePlan.owners(of: type))
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
                // What an actor has in front of its own is no property.
                if isActor, index == 0, MetadataKind(of: field.type) == .opaque {
                    mayBeRemote = true
                } else {
                    add(field, owner: owner)
                }
            }
            (seen, size) = (count, ownSize)
        }
        reflectsItself = type is any CustomReflectable.Type
    }

    private init(ofStruct type: Any.Type) {
        self.init(shape: .structure, owners: [type])
        let count = FieldRecords.count(of: type)
        for index in 0..<count { add(FieldRecords.field(index, of: type), owner: type) }
        if count == 0, TypeMetadata.size(of: type) > 0 { hiddenLayers = [type] }
    }

    private mutating func add(_ field: FieldRecords.Field, owner: Any.Type) {
        let name = Self.sourceName(of: field.label)
        if TypeMetadata.isSlotHolder(field.type), let holder = field.type as? any SlotHolder.Type {
            // Without names in the build, the declaration says which property it is, once a slot is there.
            hidesNames = hidesNames || name.isEmpty
            let slotName = Self.wrappedName(of: name)
            properties.append(
                TypePlan.Property(
                    owner: owner, name: slotName, lookupName: slotName,
                    kind: .slot(holder.request, explicitName: nil)))
            offsets.append(field.offset)
            return
        }
        switch MetadataKind(of: field.type) {
        case .structure:
            if let inner = Self.slotted(field.type) {
                return add(inner, named: name, at: field.offset, owner: owner)
            }
        case .optional:
            let wrapped = unwrapped(field.type)
            if TypeMetadata.isSlotHolder(wrapped) || Self.slotted(wrapped) != nil {
                return add(name, .outOfReach(field.type, offset: field.offset), owner: owner)
            }
        default: break
        }
        if name.isEmpty {
            hidesNames = true
            namelessCount += 1
        } else {
            add(name, .plain(field.type), owner: owner)
        }
    }

    private mutating func add(_ name: String, _ kind: TypePlan.Property.Kind, owner: Any.Type) {
        properties.append(TypePlan.Property(owner: owner, name: name, lookupName: name, kind: kind))
    }

    /// Adds the properties of a struct inside.
    private mutating func add(_ inner: TypeLayout, named name: String, at offset: Int, owner: Any.Type) {
        for property in inner.properties {
            properties.append(
                TypePlan.Property(
                    owner: owner, name: "\(name).\(property.name)", lookupName: property.lookupName,
                    kind: property.kind.moved(by: offset)))
        }
        offsets += inner.offsets.map { offset + $0 }
        hidesNames = hidesNames || inner.hidesNames
        namelessCount += inner.namelessCount
    }

    /// The layout of a struct that has something to fill and lets others look inside.
    private static func slotted(_ type: Any.Type) -> TypeLayout? {
        guard MetadataKind(of: type) == .structure, let layout = known(type),
            layout.properties.contains(where: { !$0.isPlain }), !(type is any CustomReflectable.Type)
        else { return nil }
        return layout
    }
}

extension TypePlan.Property.Kind {
    /// The same in a struct that lies somewhere in another type.
    fileprivate func moved(by distance: Int) -> Self {
        guard case .outOfReach(let type, let offset?) = self else { return self }
        return .outOfReach(type, offset: offset + distance)
    }
}

// MARK: - Names

extension TypeLayout {
    /// The name in the source behind the name of a stored property.
    ///
    /// A raw identifier is stored with its backticks, and with no-break spaces for its spaces; a lazy property as
    /// `$__lazy_storage_$_name`.
    static func sourceName(of label: String) -> String {
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
    static func wrappedName(of name: String) -> String {
        name.unicodeScalars.first == "_" ? String(name.unicodeScalars.dropFirst()) : name
    }
}
