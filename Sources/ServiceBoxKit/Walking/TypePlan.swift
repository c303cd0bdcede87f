// Part of ServiceBox, released under the MIT License.
// What is learnt of a type, once.

/// What is known of a type: its properties, which of them are slots and where they lie, and its table.
final class TypePlan: Sendable {
    /// How the type can be filled.
    enum Shape: Equatable {
        case object
        case actor
        case structure
        /// A distributed actor that lives elsewhere and has no storage here.
        case remote
        /// An enum, a tuple or anything else that has no stored properties to fill; the word for messages.
        case unfillable(String)
        /// Known by its instances alone: it reflects itself, or its field records can't be trusted.
        case needsInstance

        /// The shape of a type whose field records are not read.
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
        /// The class or struct that declares it, or the struct property that it lies in.
        let owner: Any.Type
        /// Its name in the source; of a property inside a struct property the path, `settings.theme`.
        var name: String
        /// The last part of its name, which services are looked up by; empty if the build shows none.
        let lookupName: String
        var kind: Kind

        enum Kind {
            case slot(CellRequest, explicitName: String?)
            /// No slot; its declared type, or what a mirror of the type's own shows.
            case plain(Any.Type)
            /// A property of a given type that wraps a struct with slots, which a fill does not look for
            /// there.
            /// A nil has nothing to look for; where the property lies, if that is known.
            case outOfReach(Any.Type, offset: Int?)
        }
    }

    /// One line of a table that the type lists, or that a box was taught.
    ///
    /// `Sendable` is unchecked because of the key paths in `injection` and of its closures, whose types hide
    /// that they are `Sendable` or belong to an actor: a box uses both on the actor that made them only, or
    /// anywhere if none did.
    struct TableLine: @unchecked Sendable {
        let name: String
        let injection: Injection
    }

    /// The table that the type's own conformance lists.
    enum Table: Sendable {
        case lines([TableLine])
        /// The conformance belongs to an actor on which the walker did not run.
        case elsewhere
    }

    let type: Any.Type
    let shape: Shape
    /// The classes from the root to the type; of a struct itself alone.
    let owners: [Any.Type]
    /// Superclass first, each class in the order of its source.
    let properties: [Property]
    /// The indices in `properties` that are slots, in their order.
    let slotIndices: [Int]
    let table: Table
    /// Where the slots lie in an instance, in the order of `slotIndices`; nil if each has to be walked.
    let offsets: [Int]?
    /// Whether the plan stands for the type, and not for one instance alone.
    ///
    /// False for a custom mirror, and for an instance whose slots name other services than those of the first one
    /// met.
    let isStable: Bool
    let hasCustomMirror: Bool
    /// The classes, or the struct, that have room for properties and show none.
    let hiddenLayers: [Any.Type]
    /// Whether any property shows no name.
    let hidesNames: Bool
    /// How many properties would need a name to be filled and show none.
    let namelessCount: Int

    /// Makes a plan of what is known of a type and of the slots of its first instance.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - layout: Its properties.
    ///   - slots: The slots of an instance, in their order, which may name their services.
    ///   - isWalked: Whether the layout was read from one instance, and the next one may show another.
    ///   - table: Its table.
    init(_ type: Any.Type, _ layout: TypeLayout, slots: [Slot], isWalked: Bool, table: Table) {
        self.type = type
        shape = layout.shape
        owners = layout.owners
        slotIndices = layout.properties.indices.filter { layout.properties[$0].isSlot }
        var properties = layout.properties
        for (index, slot) in zip(slotIndices, slots) { properties[index].take(slot) }
        self.properties = properties
        self.table = table
        offsets = isWalked ? nil : layout.offsets
        hasCustomMirror = layout.reflectsItself
        isStable = !layout.reflectsItself
        hiddenLayers = layout.hiddenLayers
        hidesNames = layout.hidesNames
        namelessCount =
            layout.namelessCount + slotIndices.count { properties[$0].needsName }
    }

    /// Makes a plan like another one.
    ///
    /// - Parameters:
    ///   - plan: The other one.
    ///   - properties: Properties in the place of its own, which then stand for one instance alone.
    ///   - table: A table in the place of its own.
    init(_ plan: TypePlan, properties: [Property]? = nil, table: Table? = nil) {
        type = plan.type
        shape = plan.shape
        owners = plan.owners
        self.properties = properties ?? plan.properties
        slotIndices = plan.slotIndices
        self.table = table ?? plan.table
        offsets = plan.offsets
        isStable = properties == nil && plan.isStable
        hasCustomMirror = plan.hasCustomMirror
        hiddenLayers = plan.hiddenLayers
        hidesNames = plan.hidesNames
        namelessCount = plan.namelessCount
    }
}

// MARK: - Instances that differ

extension TypePlan {
    /// Whether the slots of another instance name the same services.
    func names(_ slots: [Slot]) -> Bool {
        zip(slotIndices, slots).allSatisfy { index, slot in
            guard case .slot(_, let name) = properties[index].kind else { return false }
            return name == slot.explicitName
        }
    }

    /// This plan, or one for a single instance if its slots name other services than those of the first one
    /// met.
    ///
    /// - Parameter slots: The slots of the instance, in the order of `slotIndices`.
    /// - Returns: The plan.
    func naming(as slots: [Slot]) -> TypePlan {
        if names(slots) { return self }
        var renamed = properties
        for (index, slot) in zip(slotIndices, slots) { renamed[index].take(slot) }
        return TypePlan(self, properties: renamed)
    }
}

extension TypePlan {
    /// Whether the type has a property that takes all services of a type.
    var takesAllServices: Bool {
        slotIndices.contains { index in
            if case .slot(let request, _) = properties[index].kind { request.element != nil } else { false }
        }
    }
}

extension TypePlan.Property {
    /// The name that the source gives an `@Observable` property, which is stored under an underscore.
    var observedName: String {
        TypeLayout.wrappedName(of: name)
    }

    var isPlain: Bool {
        if case .plain = kind { true } else { false }
    }

    var isSlot: Bool {
        if case .slot = kind { true } else { false }
    }

    /// Whether the property is a slot that only its name could match with a service, and shows none.
    fileprivate var needsName: Bool {
        if case .slot(let request, nil) = kind { lookupName.isEmpty && request.element == nil } else { false }
    }

    /// Takes over what an instance's slot says: which service it names, and where it is declared if that is all
    /// there is to call it by.
    fileprivate mutating func take(_ slot: Slot) {
        guard case .slot(let request, _) = kind else { return }
        kind = .slot(request, explicitName: slot.explicitName)
        if lookupName.isEmpty { name = slot.declaration }
    }

    /// The name that a service for this property is registered under.
    var serviceName: String {
        if case .slot(_, let name?) = kind { name } else { lookupName }
    }
}
