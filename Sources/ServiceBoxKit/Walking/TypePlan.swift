// Part of ServiceBox, released under the MIT License.
// The description of a type that matching and filling work from.

/// The description of a type: its properties, which of them are slots, their offsets, and its table.
struct TypePlan: Sendable {
    /// How the type can be filled.
    enum Shape: Equatable {
        case object
        case actor
        case structure
        /// A distributed actor that lives elsewhere and has no storage here.
        case remote
        /// An enum, a tuple or another type without stored properties to fill; the string is for messages.
        case unfillable(String)
        /// Known only by its instances: it has a custom mirror, or its field records can't be trusted.
        case needsInstance

        /// The shape of all instances of a type.
        init(of type: Any.Type) {
            let metadata = Metadata(type)
            self =
                switch metadata.kind {
                case .class, .foreignClass: metadata.isActor ? .actor : .object
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
            /// What it could take by its declared type, or the one that a custom mirror shows; nil if it certainly
            /// isn't optional.
            case plain(CellRequest?)
            /// An optional that wraps a struct with slots, where a fill doesn't search; a nil has none.
            case optionalWithSlots(Any.Type)
        }

        /// The class or struct that declares it, or that contains the struct with the property.
        var owner: Any.Type
        /// Its source name; the path of a property inside a struct property, `settings.theme`.
        var name: String
        /// The last part of its name; empty if the build has no names.
        let baseName: String
        var kind: Kind
        /// The traits in its slot's declaration; nil until an instance has been seen.
        var declared: Slot.Traits?
        /// Its offset in an instance in bytes; nil if `Mirror` has shown it.
        var offset: Int?
        /// Whether it is known to be declared with `let`.
        var isConstant = false
    }

    let type: Any.Type
    let shape: Shape
    /// The classes from the root to the type; any other type alone.
    let owners: [Any.Type]
    /// Superclasses first, each class in source order.
    private(set) var properties: [Property] = []
    /// The indices in `properties` that are slots, in their order.
    private(set) var slotIndices: [Int] = []
    /// The slots' offsets, in the order of `slotIndices`; nil if each instance has to be walked.
    private(set) var offsets: [Int]?
    /// The lines that the type and its superclasses list; nil if they are isolated to an actor on which
    /// nobody has read them yet.
    var table: [TableLine]?
    /// Distinguishes plans that hold for every instance: 2 with the table, 1 before it could be read.
    ///
    /// Nil for the plan of a single instance, which has a custom mirror or names other services than the
    /// first one seen; and for the plan of a type with slots of which no instance has been seen.
    var revision: Int?
    /// Whether the type is an actor that may be remote, and then has no storage.
    var mayBeRemote = false
    var hasCustomMirror = false
    /// Whether the type conforms to `Injectable`, perhaps only on an actor.
    var isInjectable = false
    /// The struct, or the classes in the chain, that declare properties but have no records for them.
    var hiddenLayers: [Any.Type] = []

    init(_ type: Any.Type, _ shape: Shape, table: [TableLine]? = [], offsets: [Int]? = nil) {
        self.type = type
        self.shape = shape
        self.table = table
        self.offsets = offsets
        owners = lineage(of: type).reversed()
    }
}

/// A shared plan; copying a plan itself would retain everything in it.
final class SharedPlan: Sendable {
    let plan: TypePlan
    /// Whether a slot must not be left empty, unless it has a value of its own.
    let requiresAny: Bool
    /// Whether the type has a property that takes all services of a type.
    let takesAllServices: Bool
    /// Whether the type has a slot that may lose its service.
    let holdsWeakly: Bool

    init(_ plan: consuming TypePlan) {
        requiresAny = plan.properties.contains { $0.request?.isOptional == false && !$0.isOnRead }
        takesAllServices = plan.properties.contains { $0.request?.element != nil }
        holdsWeakly = plan.properties.contains { $0.request?.isWeak == true }
        self.plan = plan
    }

    /// The plan for an instance: this one, if the instance's slots agree with it.
    func named(by slots: [Slot]) -> SharedPlan {
        if plan.names(slots) { return self }
        var plan = plan
        plan.takeNames(of: slots)
        plan.revision = nil
        return SharedPlan(plan)
    }
}

// MARK: - Adding properties

extension TypePlan {
    mutating func reserveCapacity(_ count: Int) {
        properties.reserveCapacity(count)
        slotIndices.reserveCapacity(count)
        offsets?.reserveCapacity(count)
    }

    /// Adds a property.
    ///
    /// - Parameters:
    ///   - name: Its name, for a slot that of the wrapper's storage; empty if the build has no names.
    ///   - kind: Its kind.
    ///   - owner: The type that declares it.
    ///   - offset: Its offset; nil if unknown.
    ///   - isConstant: Whether it is known to be declared with `let`.
    mutating func add(
        _ name: String, _ kind: Property.Kind, owner: Any.Type, at offset: Int? = nil,
        isConstant: Bool = false
    ) {
        var name = name
        if case .slot = kind { name = PropertyName.withoutUnderscore(name) }
        add(
            Property(
                owner: owner, name: name, baseName: name, kind: own(kind), offset: offset,
                isConstant: isConstant))
    }

    /// Adds the properties of a struct that is stored in a property.
    mutating func add(_ inner: TypePlan, named name: String, owner: Any.Type, at offset: Int? = nil) {
        for var property in inner.properties {
            property.owner = owner
            property.name = "\(name).\(property.name)"
            property.offset? += offset ?? 0
            property.kind = own(property.kind)
            add(property)
        }
    }

    /// A kind of property as the type has it: an actor's slot takes only what fits on that actor.
    private func own(_ kind: Property.Kind) -> Property.Kind {
        guard shape == .actor, case .slot(let request, let name) = kind else { return kind }
        return .slot(request.with(actor: type), explicitName: name)
    }

    private mutating func add(_ property: Property) {
        if property.request != nil {
            slotIndices.append(properties.count)
            if let offset = property.offset { offsets?.append(offset) }
        }
        properties.append(property)
    }
}

// MARK: - Slots

extension TypePlan {
    /// Whether the slots of an instance, in the order of `slotIndices`, agree with the plan on the services
    /// that they name and on whether they have values of their own.
    @inline(__always)
    func names(_ slots: [Slot]) -> Bool {
        for (index, slot) in zip(slotIndices, slots) {
            guard case .slot(_, let name) = properties[index].kind, name == slot.explicitName,
                properties[index].declared == slot.traits
            else { return false }
        }
        return true
    }

    /// The name of the service that a slot requests, by its position among the slots.
    func serviceName(ofSlotAt position: Int) -> String { properties[slotIndices[position]].serviceName }

    /// Takes over the names and traits of an instance's slots; a property without a name is called by the
    /// place of its declaration.
    mutating func takeNames(of slots: [Slot]) {
        for (index, slot) in zip(slotIndices, slots) {
            guard let request = properties[index].request else { continue }
            properties[index].kind = .slot(request, explicitName: slot.explicitName)
            properties[index].declared = slot.traits
            if properties[index].baseName.isEmpty { properties[index].name = slot.declaration }
        }
    }

    /// Whether the type has a property that is looked up on read.
    var looksUpOnRead: Bool { properties.contains(where: \.isOnRead) }

    /// Whether instances have nothing that a box could fill without being taught, as most services.
    var isBare: Bool {
        if case .unfillable = shape { return true }
        return shape != .remote && shape != .needsInstance && !isInjectable && !hasCustomMirror
            && !mayBeRemote && hiddenLayers.isEmpty
            && properties.allSatisfy { if case .plain(nil) = $0.kind { true } else { false } }
    }

    /// What a plain property has to become before a box can fill it.
    func plainProperty(_ property: Property) -> PlainProperty {
        if property.isConstant { return .constant }
        let isObserved =
            property.name.utf8.first == UInt8(ascii: "_")
            && properties.contains {
                $0.name == "_$observationRegistrar" && $0.owner == property.owner
            }
        return isObserved ? .observed : .variable
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

    /// The source name of an `@Observable` property, which is stored with an underscore.
    var nameWithoutUnderscore: String { PropertyName.withoutUnderscore(name) }

    /// Whether the property can do without a service.
    var need: PropertyRecord.Need {
        switch (request?.isOptional ?? false, declared?.contains(.defaulted)) {
        case (false, false?): .required
        case (false, nil): .requiredUnlessDefaulted
        default: .optional
        }
    }

    /// Whether it is known to be looked up on read.
    var isOnRead: Bool { declared?.contains(.onRead) == true }

    /// The property's request, if it is a slot.
    var request: CellRequest? {
        if case .slot(let request, _) = kind { request } else { nil }
    }
}

// MARK: - Tables

extension TypePlan {
    /// Whether the type's own table could be read, if it has one.
    var tableIsKnown: Bool { table != nil }
    /// Whether the table may be the main actor's; false if it is certainly another actor's.
    var mayHaveMainActorTable: Bool {
        let actor = Conformance.actor(of: type, to: (any Injectable).self)
        return actor == nil || actor == MainActor.self
    }

    /// The lines of the type's own table and those that a box was taught, which win for each name; without
    /// key paths to slots.
    ///
    /// Writing through a key path reads the old value first. A slot may be empty, and needs no line.
    func lines(with taught: [TableLine]) -> [TableLine] {
        let lines = (table ?? []).replacing(with: taught).filter {
            !$0.injection.isKeyPath || property(of: $0)?.request == nil
        }
        return shape == .actor ? lines.map(\.forActor) : lines
    }

    /// The reason that a line of a table can't be used, if there is one.
    ///
    /// It is for another type, or is a key path that isn't named after one of the type's properties.
    func problem(with line: TableLine) -> Finding? {
        let root = line.injection.root
        if !Conformance.isType(type, orInherits: root) { return .wrongRoot(root) }
        let showsNames =
            !properties.isEmpty && !hasCustomMirror && properties.allSatisfy { !$0.baseName.isEmpty }
        guard line.injection.isKeyPath, showsNames, index(of: line) == nil else { return nil }
        return .noSuchProperty(properties.map(\.nameWithoutUnderscore))
    }

    /// The index of the stored property that a line writes: the last with its name that the line's type
    /// declares or inherits, since several classes may have private properties of one name.
    func index(of line: TableLine) -> Int? {
        let inherited = owners.firstIndex { $0 == line.injection.root }.map { owners[...$0] } ?? owners[...]
        return properties.lastIndex { property in
            (property.name == line.name || property.nameWithoutUnderscore == line.name)
                && inherited.contains { $0 == property.owner }
        }
    }

    func property(of line: TableLine) -> Property? { index(of: line).map { properties[$0] } }
}
