// Part of ServiceBox, released under the MIT License.
// The result of a match, reusable in every box with similar services, such as the children of one parent.

/// The result of matching a plan with a registry, without the services.
///
/// Boxes with similar services have similar programs. Instead of matching a type again, a child reuses a
/// pattern from another child of its parent: the pattern holds if each name that the match looked up leads to
/// a similar service, or to none as before. This is like the inline cache of script engines, with the answers
/// in place of hidden classes, so registering needs no bookkeeping.
///
/// Thread-safe. It keeps no service alive.
final class FillPattern: Sendable {
    /// A slot and how it is filled; a trivial type, since every request iterates over slots.
    struct SlotWrite: Sendable {
        /// The index in the record.
        let index: Int
        /// Its offset in an instance in bytes; -1 if each instance has to be walked.
        let offset: Int
        let request: CellRequest
        let traits: Slot.Traits
        /// Whether a table writes the property, so that the slot is left alone.
        let isInTable: Bool
        /// The index of the ask that fills it; nil if it isn't filled, or takes all services of a type.
        var ask: Int?
    }

    /// A line of a table to write.
    struct Line: Sendable {
        let line: TableLine
        /// The index in the record.
        let index: Int
        /// The index of the ask that supplies the service; nil if none fits.
        let ask: Int?
    }

    /// An optional that may contain slots; a hole unless it is nil.
    struct OptionalStruct: Sendable {
        let type: Any.Type
        /// Its offset in an instance in bytes.
        let offset: Int
        /// The index in the record.
        let index: Int
    }

    /// A name that the match looked up, and what the match depends on in the service found; a class, since
    /// every request iterates over asks.
    final class Ask: Sendable {
        let name: String
        /// Nil if none was found.
        let service: ServiceDescription?
        private let kind: Registration.Kind?
        /// Whether it is the asking box's own.
        private let isOwn: Bool?

        init(_ name: String, _ answer: Registration?, in registry: Registry) {
            self.name = name
            service = answer.map(ServiceDescription.init)
            kind = answer?.kind
            isOwn = answer?.isFilled(by: registry)
        }

        /// Whether another box's answer makes no difference to the match.
        ///
        /// A child's own service is a new one in each child, with the same number and type.
        func isAnswered(by other: Registration?, in registry: Registry) -> Bool {
            guard let service, let other else { return service == nil && other == nil }
            return service.number == other.number && service.type == other.serviceType && kind == other.kind
                && service.implementation == other.implementation
                && service.module == other.innermost.module && isOwn == other.isFilled(by: registry)
        }

        /// Whether a list that has another box's answer reads the same.
        fileprivate func isElement(_ other: Registration, in registry: Registry) -> Bool {
            name == other.name && isAnswered(by: other, in: registry)
                && service?.provider == other.step?.provider
        }
    }

    /// A slot that takes all services of a type.
    struct List: Sendable {
        let position: Int
        /// The request for one of them.
        let request: CellRequest
        let services: [Ask]

        fileprivate init?(_ position: Int, _ source: CellSource, in registry: Registry) {
            guard case .all(let all) = source.origin else { return nil }
            self.position = position
            request = all.request
            services = all.services.map { Ask($0.name, $0, in: registry) }
        }

        /// The services of another box; nil if they differ.
        fileprivate func services(of registry: Registry) -> ServiceCollection? {
            let all = registry.services(fitting: request)
            let isSame =
                !all.dependsOnActor && all.services.count == services.count
                && zip(services, all.services).allSatisfy { $0.isElement($1, in: registry) }
            return isSame ? all : nil
        }
    }

    /// A property that gets a service.
    struct Use: Sendable {
        let property: PropertyID
        /// The index in the record.
        let index: Int
        let ask: Int
    }

    let shared: SharedPlan
    var plan: TypePlan { shared.plan }
    /// Empty if the pattern holds for one box only.
    let asks: [Ask]
    /// Empty if the pattern holds for one box only.
    let lists: [List]
    let uses: [Use]
    /// One for each slot of the plan, in order.
    let slots: [SlotWrite]
    /// The positions of the slots in the order of filling: weak ones last, since others may keep their services.
    let order: [Int]
    let lines: [Line]
    let optionals: [OptionalStruct]
    let properties: [PropertyRecord]
    /// The properties whose uses the ancestors' ledgers don't have.
    let untaken: UntakenProperties
    let traits: FillRecord.Traits
    /// Whether the type is an actor, which is filled by offsets only in its own isolation.
    let isForActor: Bool
    /// Whether the match is the same in every isolation: an isolated conformance is visible only on its
    /// actor.
    let holdsAnywhere: Bool
    /// Whether it may hold for other boxes: it depends on the answers and on the ancestors' tables alone.
    let isShareable: Bool
    /// Counts the tables that were taught until then.
    private let teachings: Int

    init(_ matching: Matching, _ registry: Registry) {
        shared = matching.shared
        slots = matching.slots
        var order = slots.indices.filter { [slots] in !slots[$0].request.isWeak }
        if order.count < slots.count { order += slots.indices.filter { [slots] in slots[$0].request.isWeak } }
        self.order = order
        lines = matching.lines
        optionals = matching.optionals
        properties = matching.records
        untaken = UntakenProperties(properties.count)
        var uses: [Use] = []
        uses.reserveCapacity(slots.count + lines.count)
        func note(_ ask: Int?, at index: Int) {
            guard let ask, case .filled = matching.records[index].finding else { return }
            let property = PropertyID(type: matching.plan.type, name: matching.records[index].name)
            uses.append(Use(property: property, index: index, ask: ask))
        }
        for slot in slots { note(slot.ask, at: slot.index) }
        for line in lines { note(line.ask, at: line.index) }
        self.uses = uses
        traits = FillRecord.Traits(properties, observesFills: shared.plan.observesFills)
        isForActor = shared.plan.shape == .actor
        holdsAnywhere = !matching.dependsOnActor
        teachings = matching.teachings
        isShareable =
            registry.parent != nil && registry.ownTeachingCount == 0
            && properties.allSatisfy {
                switch $0.finding {
                case .filled, .gathered, .missing, .onRead: true
                default: false
                }
            }
            // What a box creates for a list is in the record, and no other box's list has it.
            && matching.collections.values.lazy.flatMap(\.services)
                .allSatisfy { $0.step == nil || !$0.isFilled(by: registry) }
        asks =
            isShareable ? zip(matching.names, matching.answers).map { Ask($0, $1, in: registry) } : []
        lists =
            isShareable ? matching.collections.compactMap { List($0, $1, in: registry) } : []
    }

    /// The registry's answers to the asks, and its services for the lists, by position; nil if they differ from the
    /// pattern's.
    func answers(of registry: Registry) -> (services: [Registration?], lists: [Int: CellSource])? {
        if registry.teachings != teachings { return nil }
        var answers: [Registration?] = []
        answers.reserveCapacity(asks.count)
        for ask in asks {
            let answer = registry.registration(named: ask.name)
            guard ask.isAnswered(by: answer, in: registry) else { return nil }
            answers.append(answer)
        }
        var collections: [Int: CellSource] = [:]
        for list in lists {
            guard let all = list.services(of: registry) else { return nil }
            collections[list.position] = CellSource(all)
        }
        return (answers, collections)
    }
}
