// Part of ServiceBox, released under the MIT License.
// What the walker learns of a type, once.

import Synchronization

/// What is known of a type: its properties, which of them are slots and where the slots lie, and its table.
final class TypePlan: Sendable {
    /// How the type can be filled.
    enum Shape: Equatable {
        case object
        case actor
        case structure
        /// An enum, a tuple or anything else that has no stored properties to fill; the word for messages.
        case unfillable(String)
    }

    /// A stored property as Mirror shows it.
    struct Property {
        /// The class or struct that declares it, or the struct property that it lies in.
        let owner: Any.Type
        /// Its name in the source; of a property inside a struct property the path, `settings.theme`.
        let name: String
        /// The last part of its name, which services are looked up by.
        let lookupName: String
        var kind: Kind

        enum Kind {
            case slot(CellRequest, explicitName: String?)
            /// No slot; the dynamic type of its value, which is not always the declared type.
            case plain(Any.Type)
            /// A property of a given type that wraps a struct with slots, which a fill does not look for
            /// there.
            case outOfReach(Any.Type)
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
    /// The indices in `properties` that are slots, in the order of the walk.
    let slotIndices: [Int]
    let table: Table
    /// Whether the plan stands for the type, and not for one instance alone.
    ///
    /// False for a custom mirror, and for an instance whose slots are not those of the first one met.
    let isStable: Bool
    let hasCustomMirror: Bool
    /// Whether the type has no room for stored properties.
    let isEmpty: Bool
    /// Whether the build shows nothing of a layer that has room for properties.
    let hidesProperties: Bool
    /// Whether any property shows no name.
    let hidesNames: Bool
    /// How many properties would need a name to be filled and show none.
    let namelessCount: Int
    /// Whether slots may be found by their offsets: no custom mirror, no slot inside a struct property.
    let canLearnOffsets: Bool
    private let learntOffsets = AtomicLazyReference<SlotOffsets>()

    init(
        type: Any.Type, walk: Walk, table: Table
    ) {
        self.type = type
        shape = walk.shape
        owners = walk.owners
        properties = walk.properties
        slotIndices = walk.properties.indices.filter { walk.properties[$0].isSlot }
        self.table = table
        isStable = !walk.hasCustomMirror
        hasCustomMirror = walk.hasCustomMirror
        isEmpty = walk.isEmpty
        hidesProperties = walk.hidesProperties
        hidesNames = walk.hidesNames
        namelessCount = walk.namelessCount
        canLearnOffsets = type is AnyClass && !walk.hasCustomMirror && !walk.hasIndirectSlots
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
        slotIndices = self.properties.indices.filter { [properties = self.properties] in properties[$0].isSlot
        }
        self.table = table ?? plan.table
        isStable = properties == nil && plan.isStable
        hasCustomMirror = plan.hasCustomMirror
        isEmpty = plan.isEmpty
        hidesProperties = plan.hidesProperties
        hidesNames = plan.hidesNames
        namelessCount = plan.namelessCount
        canLearnOffsets = properties == nil && plan.canLearnOffsets
        if properties == nil, let offsets = plan.offsets { learn(offsets) }
    }

    /// Where the slots lie in an instance, in the order of `slotIndices`, once an instance has shown it.
    var offsets: SlotOffsets? { learntOffsets.load() }

    func learn(_ offsets: SlotOffsets) {
        _ = learntOffsets.storeIfNil(offsets)
    }
}

// MARK: - Instances that differ

extension TypePlan {
    /// This plan as one for a single instance.
    var forOneInstance: TypePlan { TypePlan(self, properties: properties) }

    /// Whether another instance has shown the same slots, under the same names, in the same order.
    ///
    /// An existential property may hold one struct with slots here and another there, and an initialiser may
    /// name the service of a slot.
    func hasSameSlots(as other: TypePlan) -> Bool {
        slotIndices.count == other.slotIndices.count
            && zip(slotIndices, other.slotIndices).allSatisfy { index, otherIndex in
                properties[index].isSameSlot(as: other.properties[otherIndex])
            }
    }

    /// The names that the slots give, in the order of `slotIndices`.
    var explicitNames: [String?] {
        slotIndices.map { index in
            if case .slot(_, let name) = properties[index].kind { name } else { nil }
        }
    }

    /// This plan, or one for a single instance if its slots name other services than those of the first one
    /// met.
    ///
    /// - Parameter names: The names that the slots of the instance give, in the order of `slotIndices`.
    /// - Returns: The plan.
    func naming(as names: [String?]) -> TypePlan {
        var renamed = properties
        var isSame = true
        for (index, newName) in zip(slotIndices, names) {
            guard case .slot(let request, let name) = renamed[index].kind, name != newName else { continue }
            renamed[index].kind = .slot(request, explicitName: newName)
            isSame = false
        }
        return isSame ? self : TypePlan(self, properties: renamed)
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
        name.first == "_" ? String(name.dropFirst()) : name
    }

    var isSlot: Bool {
        if case .slot = kind { true } else { false }
    }

    fileprivate func isSameSlot(as other: Self) -> Bool {
        guard case .slot(let request, let explicitName) = kind,
            case .slot(request, explicitName) = other.kind
        else { return false }
        return owner == other.owner && name == other.name
    }

    /// The name that a service for this property is registered under.
    var serviceName: String {
        if case .slot(_, let name?) = kind { name } else { lookupName }
    }
}
