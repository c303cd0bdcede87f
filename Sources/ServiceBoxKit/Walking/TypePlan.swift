// Part of ServiceBox, released under the MIT License.
// What is known of a type: the one description that matching and filling work from.

/// What is known of a type: its properties, which of them are slots and where they lie, and its table.
struct TypePlan: Sendable {
    /// How the type can be filled.
    enum Shape: Equatable {
        case object
        case actor
        case structure
        /// A distributed actor that lives elsewhere and has no storage here.
        case remote
        /// An enum, a tuple or anything else without stored properties to fill; the word for messages.
        case unfillable(String)
        /// Known by its instances alone: it reflects itself, or its field records can't be trusted.
        case needsInstance

        /// The shape of a type whose field records aren't read.
        init(ofUnread type: Any.Type) {
            self =
                switch MetadataKind(of: type) {
                case .class, .structure: .needsInstance
                case .enumeration: .unfillable("an enum")
                case .optional: .unfillable("an optional")
                case .tuple: .unfillable("a tuple")
                case .existential, .extendedExistential: .unfillable("a protocol")
                default: .unfillable("a function or a metatype")
                }
        }
    }

    /// A stored property.
    struct Property {
        /// The class or struct that declares it, or that has the struct in which it lies.
        var owner: Any.Type
        /// Its name in the source; of a property inside a struct property the path, `settings.theme`.
        var name: String
        /// The last part of its name; empty if the build carries none.
        let baseName: String
        var kind: Kind

        enum Kind {
            case slot(CellRequest, explicitName: String?)
            /// Its declared type, or what a mirror of the type's own shows.
            case plain(Any.Type)
            /// An optional that wraps a struct with slots, which a fill doesn't look for there; a nil has nothing
            /// to look for. The offset is nil where `Mirror` has shown the property.
            case optionalWithSlots(Any.Type, offset: Int?)
        }
    }

    let type: Any.Type
    var shape: Shape
    /// The classes from the root to the type; of anything else itself alone.
    let owners: [Any.Type]
    /// Superclass first, each class in the order of its source.
    private(set) var properties: [Property] = []
    /// The indices in `properties` that are slots, in their order.
    private(set) var slotIndices: [Int] = []
    /// Where the slots lie in an instance, in the order of `slotIndices`; nil if each instance has to be walked.
    private(set) var offsets: [Int]?
    /// The lines that the type and its superclasses list; nil if they belong to an actor where nobody has read
    /// them yet.
    var table: [TableLine]? = []
    /// Counts what every instance of the type shares: 1 at first, 2 once its table could be read.
    ///
    /// Nil for a plan of one instance alone, which has a mirror of its own or names other services than the first
    /// one met; and for a plan of a type that no instance was met of.
    var revision: Int?
    /// Whether the type is an actor with the storage of one that may be remote, and then has none.
    var mayBeRemote = false
    var hasCustomMirror = false
    /// The struct, or the classes of the chain, that have room for properties and show none.
    var hiddenLayers: [Any.Type] = []
    /// Whether a property that isn't a slot shows no name.
    private var hidesPlainNames = false

    init(_ type: Any.Type, _ shape: Shape, offsets: [Int]? = nil) {
        self.type = type
        self.shape = shape
        self.offsets = offsets
        owners = TypeMetadata.classChain(of: type)
    }
}

// MARK: - Adding properties

extension TypePlan {
    /// Adds a slot.
    ///
    /// - Parameters:
    ///   - holder: The property wrapper.
    ///   - name: The name that the wrapper is stored under; empty if the build carries none.
    ///   - owner: Who declares it.
    ///   - offset: Where it lies; nil if that isn't known.
    mutating func addSlot(
        of holder: any SlotHolder.Type, storedAs name: String, owner: Any.Type, at offset: Int?
    ) {
        let name = PropertyName.withoutUnderscore(name)
        slotIndices.append(properties.count)
        properties.append(
            Property(
                owner: owner, name: name, baseName: name, kind: .slot(holder.request, explicitName: nil)))
        if let offset { offsets?.append(offset) }
    }

    /// Adds a property that isn't a slot; nothing can be said of a plain one without a name.
    mutating func add(_ name: String, _ kind: Property.Kind, owner: Any.Type) {
        if name.isEmpty, case .plain = kind {
            hidesPlainNames = true
        } else {
            properties.append(Property(owner: owner, name: name, baseName: name, kind: kind))
        }
    }

    /// Adds the properties of a struct that lies in a property.
    mutating func add(_ inner: TypePlan, named name: String, owner: Any.Type, at offset: Int?) {
        slotIndices += inner.slotIndices.map { properties.count + $0 }
        properties += inner.properties.map { property in
            var property = property
            property.owner = owner
            property.name = "\(name).\(property.name)"
            if let offset, case .optionalWithSlots(let type, let own?) = property.kind {
                property.kind = .optionalWithSlots(type, offset: offset + own)
            }
            return property
        }
        if let offset, let own = inner.offsets { offsets?.append(contentsOf: own.map { offset + $0 }) }
        hidesPlainNames = hidesPlainNames || inner.hidesPlainNames
    }
}

// MARK: - What slots say

extension TypePlan {
    /// Whether the slots of an instance, in the order of `slotIndices`, name the services that the plan names.
    func names(_ slots: [Slot]) -> Bool {
        zip(slotIndices, slots).allSatisfy { index, slot in
            guard case .slot(_, let name) = properties[index].kind else { return false }
            return name == slot.explicitName
        }
    }

    /// Takes over what the slots of an instance say: which services they name, and where they are declared if that
    /// is all there is to call them by.
    mutating func takeNames(of slots: [Slot]) {
        for (index, slot) in zip(slotIndices, slots) {
            guard let request = properties[index].request else { continue }
            properties[index].kind = .slot(request, explicitName: slot.explicitName)
            if properties[index].baseName.isEmpty { properties[index].name = slot.declaration }
        }
    }

    /// Whether the type has a property that takes all services of a type.
    var takesAllServices: Bool {
        properties.contains { $0.request?.element != nil }
    }

    /// Whether a property that only its name could match with a service shows none.
    var lacksNames: Bool {
        hidesPlainNames
            || properties.contains { property in
                guard case .slot(let request, nil) = property.kind else { return false }
                return property.baseName.isEmpty && request.element == nil
            }
    }

    /// Whether any property has something to fill.
    var hasSlots: Bool {
        properties.contains { if case .plain = $0.kind { false } else { true } }
    }
}

extension TypePlan.Property {
    /// The name that a service for this property is registered under.
    var serviceName: String {
        if case .slot(_, let name?) = kind { name } else { baseName }
    }

    /// The name that the source gives an `@Observable` property, which is stored under an underscore.
    var nameWithoutUnderscore: String { PropertyName.withoutUnderscore(name) }

    /// What the property asks for, if it is a slot.
    var request: CellRequest? {
        if case .slot(let request, _) = kind { request } else { nil }
    }

    var isSlot: Bool { request != nil }
}

// MARK: - Tables

extension TypePlan {
    /// Whether the type's own table could be read, if it has one.
    var tableIsKnown: Bool { table != nil }

    /// The lines of the type's own table and those that a box was taught, of which the latter win a name.
    func lines(with taught: [TableLine]) -> [TableLine] {
        (table ?? []).replacing(with: taught)
    }

    enum LineProblem {
        case wrongRoot
        case noSuchProperty
    }

    /// Whether a table line is meant for this type and, if it is a key path, named after one of its properties.
    func problem(with line: TableLine) -> LineProblem? {
        if !Conformance.isType(type, orInherits: line.injection.root) { return .wrongRoot }
        let showsNames =
            !properties.isEmpty && !hasCustomMirror && !hidesPlainNames
            && properties.allSatisfy { !$0.baseName.isEmpty }
        guard line.injection.isKeyPath, showsNames else { return nil }
        return property(for: line) == nil ? .noSuchProperty : nil
    }

    /// The stored property that a line of a table writes, if one has its name.
    func property(for line: TableLine) -> Property? {
        properties.first { $0.name == line.name || $0.nameWithoutUnderscore == line.name }
    }
}
