// Part of ServiceBox, released under the MIT License.
// What a match comes to in every box that has like services: children of one parent are mostly alike.

/// What matching a plan with a registry comes to, without the services.
///
/// Boxes with like services have like programs. Instead of being matched, a type is looked up in what other children of
/// a box have come to: a pattern holds for a box in which each name that the match asked for leads to a like service, or
/// to none as before. This is the inline cache of script engines, with the answers in the place of hidden classes, so
/// that nothing needs to be noted when something is registered.
///
/// Thread-safe. It keeps no service alive.
final class FillPattern: Sendable {
    /// A slot, and what there is for it; plain bits, since slots are gone through for each request.
    struct SlotWrite: Sendable {
        /// The index in the record.
        let index: Int
        /// Where it lies in an instance, in bytes; -1 where each instance has to be walked.
        let offset: Int
        let request: CellRequest
        let traits: Slot.Traits
        /// Whether a table writes the property, and the slot is left alone.
        let isInTable: Bool
        /// The ask whose answer fills it; nil if it isn't filled, or takes all services of a type.
        var ask: Int?
    }

    /// A line of a table to write.
    struct Line: Sendable {
        let line: TableLine
        /// The index in the record.
        let index: Int
        /// The ask whose answer is written.
        let ask: Int
    }

    /// An optional that may have slots inside, a hole unless it is nil.
    struct OptionalStruct: Sendable {
        let type: Any.Type
        /// Where it lies in an instance, in bytes.
        let offset: Int
        /// The index in the record.
        let index: Int
    }

    /// A name that the match asked for, and what it depends on of the service there; an object, since asks are gone
    /// through for each request.
    final class Ask: Sendable {
        let name: String
        /// Nil if there was none.
        let service: ServiceDescription?
        private let kind: Registration.Kind?
        private let hasFixedCells: Bool
        /// Whether it is the child's own of a service that an ancestor has.
        private let isInherited: Bool
        /// Whose it is; nil if the box fills it.
        private let home: ObjectIdentifier?

        init(_ name: String, _ answer: Registration?, in registry: Registry) {
            self.name = name
            service = answer.map(ServiceDescription.init)
            kind = answer?.kind
            hasFixedCells = answer?.supplier.hasFixedCells ?? false
            isInherited = answer?.isInherited ?? false
            home = answer.flatMap { $0.isFilled(by: registry) ? nil : $0.home }
        }

        /// Whether the answer of a box makes no difference to a match.
        ///
        /// A child's own service is another one each time, of the same type and registered at the same place.
        func isAnswered(by other: Registration?, in registry: Registry) -> Bool {
            guard let service, let other else { return service == nil && other == nil }
            return home == (other.isFilled(by: registry) ? nil : other.home) && service.number == other.number
                && service.type == other.serviceType && service.location.isSame(as: other.location)
                && isInherited == other.isInherited && hasFixedCells == other.supplier.hasFixedCells
                && kind == other.kind
                && service.implementation == other.implementation && service.module == other.module
        }
    }

    /// A property that gets a service, of which the answers tell.
    struct Use: Sendable {
        let property: PropertyID
        /// The index in the record.
        let index: Int
        let ask: Int
    }

    let plan: TypePlan
    /// None if it holds for one box alone.
    let asks: [Ask]
    let uses: [Use]
    /// One for each slot of the plan, in their order.
    let slots: [SlotWrite]
    let lines: [Line]
    let optionals: [OptionalStruct]
    let properties: [PropertyRecord]
    let traits: FillRecord.Traits
    /// Whether the type is an actor, which is filled by offsets in its own isolation only.
    let isForActor: Bool
    /// Whether the match would be the same wherever it is made: a conformance that belongs to an actor is seen
    /// there alone.
    let holdsAnywhere: Bool
    /// Whether it may hold for other boxes too: all depends on the answers alone.
    let isShareable: Bool

    init(_ matching: Matching, _ registry: Registry) {
        plan = matching.plan
        uses = matching.uses
        slots = matching.slots
        lines = matching.lines
        optionals = matching.optionals
        properties = matching.records
        traits = FillRecord.Traits(properties, observesFills: plan.observesFills)
        isForActor = plan.shape == .actor
        holdsAnywhere = !matching.dependsOnActor
        isShareable =
            registry.parent != nil && holdsAnywhere && plan.revision != nil && !plan.takesAllServices
            && registry.teachings == 0
            && matching.answers.allSatisfy {
                $0.map { $0.isFilled(by: registry) || registry.hasAncestor($0.home) } ?? true
            }
            && properties.allSatisfy {
                switch $0.finding {
                case .filled, .missing, .onRead: true
                default: false
                }
            }
        asks =
            isShareable
            ? zip(matching.names, matching.answers).map { Ask($0, $1, in: registry) } : []
    }

    /// What a registry answers where the match asked; nil if that isn't alike.
    func answers(of registry: Registry) -> [Registration?]? {
        if registry.teachings != 0 { return nil }
        var answers: [Registration?] = []
        answers.reserveCapacity(asks.count)
        for ask in asks {
            let answer = registry.registration(named: ask.name)
            guard ask.isAnswered(by: answer, in: registry) else { return nil }
            answers.append(answer)
        }
        return answers
    }
}
