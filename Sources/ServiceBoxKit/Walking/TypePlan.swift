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

        /// The shape of all instances of a type.
        init(of type: Any.Type) {
            let metadata = Metadata(type)
            self =
                switch metadata.kind {
                case .class: metadata.isActor ? .actor : .object
                case .structure: .structure
                case .enumeration: .unfillable("an enum")
                case .optional: .unfillable("an optional")
                case .tuple: .unfillable("a tuple")
                case .existential, .extendedExistential: .unfillable("a protocol")
                default: .unfillable("a function or a metatype")
                }
        }
    }

    struct Property {
        enum Kind {
            case slot(CellRequest, explicitName: String?)
            /// Its declared type, or what a mirror of the type's own shows; nil of one that is certainly not optional.
            case plain(Any.Type?)
            /// An optional that wraps a struct with slots, which a fill doesn't look for there; a nil has nothing
            /// to look for.
            case optionalWithSlots(Any.Type)
        }

        /// The class or struct that declares it, or that has the struct in which it lies.
        var owner: Any.Type
        /// Its name in the source; of a property inside a struct property the path, `settings.theme`.
        var name: String
        /// The last part of its name; empty if the build carries none.
        let baseName: String
        var kind: Kind
        /// What the declaration of its slot says; nil as long as no object was seen.
        var declared: Slot.Traits?
        /// Where it lies in an instance, in bytes; nil where `Mirror` has shown it.
        var offset: Int?
    }

    let type: Any.Type
    let shape: Shape
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
    var table: [TableLine]?
    /// Counts what every instance of the type shares: 2 if its table could be read, 1 before that.
    ///
    /// Nil for a plan of one instance alone, which has a mirror of its own or names other services than the first
    /// one met; and for a plan of a type with slots that no instance was met of.
    var revision: Int?
    /// Whether the type is an actor with the storage of one that may be remote, and then has none.
    var mayBeRemote = false
    var hasCustomMirror = false
    /// Whether the type conforms to `Injectable`, if on an actor alone.
    var isInjectable = false
    /// The struct, or the classes of the chain, that declare properties and show none.
    var hiddenLayers: [Any.Type] = []

    init(_ type: Any.Type, _ shape: Shape, table: [TableLine]? = [], offsets: [Int]? = nil) {
        self.type = type
        self.shape = shape
        self.table = table
        self.offsets = offsets
        var owners = [type]
        while let superclass = (owners[0] as? AnyClass).flatMap(_getSuperclass) {
            owners.insert(superclass, at: 0)
        }
        self.owners = owners
    }
}

/// A plan that many share: copying one counts references to all that it has.
final class SharedPlan: Sendable {
    let plan: TypePlan
    /// See ``TypePlan/requiresAny``.
    let requiresAny: Bool
    /// See ``TypePlan/takesAllServices``.
    let takesAllServices: Bool

    init(_ plan: consuming TypePlan) {
        requiresAny = plan.requiresAny
        takesAllServices = plan.takesAllServices
        self.plan = plan
    }

    /// See ``TypePlan/names(_:)``; the plan isn't copied for it.
    func names(_ slots: [Slot]) -> Bool { plan.names(slots) }

    /// The plan of one instance alone.
    func named(by slots: [Slot]) -> SharedPlan {
        var plan = plan
        plan.takeNames(of: slots)
        plan.revision = nil
        return SharedPlan(plan)
    }
}

// MARK: - Adding properties

extension TypePlan {
    /// Makes room for so many properties.
    mutating func reserveCapacity(_ count: Int) {
        properties.reserveCapacity(count)
        slotIndices.reserveCapacity(count)
        offsets?.reserveCapacity(count)
    }

    /// Adds a property.
    ///
    /// - Parameters:
    ///   - name: Its name, of a slot that of the wrapper's storage; empty if the build carries none.
    ///   - kind: What is known of it.
    ///   - owner: Who declares it.
    ///   - offset: Where it lies; nil if that isn't known.
    mutating func add(_ name: String, _ kind: Property.Kind, owner: Any.Type, at offset: Int? = nil) {
        var name = name
        if case .slot = kind { name = PropertyName.withoutUnderscore(name) }
        add(Property(owner: owner, name: name, baseName: name, kind: kind, offset: offset))
    }

    /// Adds the properties of a struct that lies in a property.
    mutating func add(_ inner: TypePlan, named name: String, owner: Any.Type, at offset: Int? = nil) {
        for var property in inner.properties {
            property.owner = owner
            property.name = "\(name).\(property.name)"
            property.offset? += offset ?? 0
            add(property)
        }
    }

    private mutating func add(_ property: Property) {
        if property.request != nil {
            slotIndices.append(properties.count)
            if let offset = property.offset { offsets?.append(offset) }
        }
        properties.append(property)
    }
}

// MARK: - What slots say

extension TypePlan {
    /// Whether the slots of an instance, in the order of `slotIndices`, say what the plan says: which services they
    /// name, and whether they have values of their own.
    @inline(__always)
    func names(_ slots: [Slot]) -> Bool {
        for (index, slot) in zip(slotIndices, slots) {
            guard case .slot(_, let name) = properties[index].kind, name == slot.explicitName,
                properties[index].declared == slot.traits
            else { return false }
        }
        return true
    }

    /// The name of the service that a slot asks for, by its position among the slots.
    func serviceName(ofSlotAt position: Int) -> String { properties[slotIndices[position]].serviceName }

    /// Takes over what the slots of an instance say: which services they name, and where they are declared if that
    /// is all there is to call them by.
    mutating func takeNames(of slots: [Slot]) {
        for (index, slot) in zip(slotIndices, slots) {
            guard let request = properties[index].request else { continue }
            properties[index].kind = .slot(request, explicitName: slot.explicitName)
            properties[index].declared = slot.traits
            if properties[index].baseName.isEmpty { properties[index].name = slot.declaration }
        }
    }

    /// Whether the type has a property that takes all services of a type.
    var takesAllServices: Bool {
        properties.contains { $0.request?.element != nil }
    }

    /// Whether a slot can't be left empty, unless it has a value of its own.
    var requiresAny: Bool {
        properties.contains { $0.request?.isOptional == false && !$0.isOnRead }
    }

    /// Whether the type has a property that is looked up when it is read.
    var looksUpOnRead: Bool { properties.contains(where: \.isOnRead) }

    /// Whether a property that only its name could match with a service shows none.
    var lacksNames: Bool {
        properties.contains { $0.serviceName.isEmpty && $0.request?.element == nil }
    }

    /// Whether no instance has anything that a box could fill without being taught, as by far most services have not.
    var isBare: Bool {
        switch shape {
        case .object, .actor, .structure: break
        case .unfillable: return true
        case .remote, .needsInstance: return false
        }
        return !isInjectable && !hasCustomMirror && !mayBeRemote && hiddenLayers.isEmpty
            && properties.allSatisfy { if case .plain(nil) = $0.kind { true } else { false } }
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

    /// Whether the property can do without a service.
    var need: PropertyRecord.Need {
        switch (request?.isOptional ?? false, declared?.contains(.defaulted)) {
        case (false, false?): .required
        case (false, nil): .requiredUnlessDefaulted
        default: .optional
        }
    }

    /// Whether it is known to be looked up when it is read.
    var isOnRead: Bool { declared?.contains(.onRead) == true }

    /// What the property asks for, if it is a slot.
    var request: CellRequest? {
        if case .slot(let request, _) = kind { request } else { nil }
    }
}

// MARK: - Tables

extension TypePlan {
    /// Whether the type's own table could be read, if it has one.
    var tableIsKnown: Bool { table != nil }

    /// The lines of the type's own table and those that a box was taught, of which the latter win a name; but for key
    /// paths to slots.
    ///
    /// To write through a key path reads first what is there. A slot may be empty, and is filled without.
    func lines(with taught: [TableLine]) -> [TableLine] {
        (table ?? []).replacing(with: taught).filter {
            !$0.injection.isKeyPath || property(of: $0)?.request == nil
        }
    }

    /// What keeps a line of a table from being used.
    ///
    /// It is meant for another type, or is a key path that isn't named after one of the type's properties.
    func problem(with line: TableLine) -> Finding? {
        let root = line.injection.root
        if !Conformance.isType(type, orInherits: root) { return .wrongRoot(root) }
        let showsNames =
            !properties.isEmpty && !hasCustomMirror && properties.allSatisfy { !$0.baseName.isEmpty }
        guard line.injection.isKeyPath, showsNames, index(of: line) == nil else { return nil }
        return .noSuchProperty(properties.map(\.nameWithoutUnderscore))
    }

    /// The index of the stored property that a line of a table writes, if one has its name: the last that the line's type
    /// declares or inherits, since a class may have a private one of the name of another class's.
    func index(of line: TableLine) -> Int? {
        let inherited = owners.firstIndex { $0 == line.injection.root }.map { owners[...$0] } ?? owners[...]
        return properties.lastIndex { property in
            (property.name == line.name || property.nameWithoutUnderscore == line.name)
                && inherited.contains { $0 == property.owner }
        }
    }

    func property(of line: TableLine) -> Property? { index(of: line).map { properties[$0] } }
}
