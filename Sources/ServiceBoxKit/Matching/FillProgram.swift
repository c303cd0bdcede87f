// Part of ServiceBox, released under the MIT License.
// The writes of a fill: a type's plan matched with a registry.

/// The writes of a fill, resolved once for a type and a generation of a registry.
///
/// Thread-safe. Running a program is the hot path: it allocates nothing, reflects nothing and casts nothing.
final class FillProgram: Sendable {
    /// A slot, and what there is for it.
    struct SlotWrite: Sendable {
        /// The index in the record.
        let index: Int
        /// Where it lies in an instance, in bytes; -1 where each instance has to be walked.
        let offset: Int
        let request: CellRequest
        let explicitName: String?
        let traits: Slot.Traits
        /// Nil if there is nothing to write.
        var source: CellSource?
        /// Whether a table writes the property, and the slot is left alone.
        var isInTable = false
    }

    /// A line of a table to write.
    ///
    /// `Sendable` is unchecked because of `write`, which is part of the line.
    final class LineWrite: @unchecked Sendable {
        let line: TableLine
        /// Writes a cell to where a subject, or the reference to an object, lies.
        let write: (UnsafeMutableRawPointer, AnyCell) -> Void
        /// The index in the record.
        let index: Int
        let source: CellSource
        /// The source's cell, if it is always the same: reading it here copies nothing else.
        let fixedCell: AnyCell?
        /// Whether the line has to be asked where it may be used; asking boxes the subject.
        let isIsolated: Bool

        init(_ line: TableLine, index: Int, _ source: CellSource) {
            self.line = line
            write = line.injection.write
            self.index = index
            self.source = source
            fixedCell = source.fixedCell
            isIsolated = line.injection.isolation != nil || line.injection.isForActor
        }
    }

    /// An optional with slots inside, a hole unless it is nil.
    struct OptionalStruct: Sendable {
        let type: Any.Type
        /// Where it lies in an instance, in bytes.
        let offset: Int
        /// The index in the record.
        let index: Int
    }

    /// What the hot path needs of a `SlotWrite`, borrowed from the program.
    ///
    /// Going through the writes themselves counts references to all that each holds, which costs several times what
    /// the writing does.
    struct HotSlot: Sendable {
        let offset: Int
        /// Nil where there is more to do than writing a cell.
        let cell: Unmanaged<AnyCell>?
        let traits: Slot.Traits

        fileprivate init(_ write: SlotWrite) {
            offset = write.offset
            cell = (write.source?.fixedCell).map(Unmanaged.passUnretained)
            traits = write.traits
        }
    }

    let plan: TypePlan
    /// The generation of the registry that the program was made for.
    let generation: Int
    /// One for each slot of the plan, in their order.
    let slotWrites: [SlotWrite]
    let lineWrites: [LineWrite]
    let optionals: [OptionalStruct]
    let record: FillRecord
    /// The slot writes once more, in the same order.
    let hotSlots: [HotSlot]
    /// The line writes once more, borrowed.
    let hotLines: [Unmanaged<LineWrite>]
    /// Whether an object can be filled without looking at it first.
    let isQuick: Bool
    /// Whether the type is an actor, which is filled by offsets in its own isolation only.
    let isForActor: Bool
    /// Whether the match would be the same wherever it is made: a conformance that belongs to an actor is seen
    /// there alone.
    let holdsAnywhere: Bool

    fileprivate init(_ matching: Matching, generation: Int, registry: Registry) {
        plan = matching.plan
        self.generation = generation
        slotWrites = matching.slotWrites
        lineWrites = matching.lineWrites
        optionals = matching.optionals
        record = FillRecord(
            type: plan.type, properties: matching.records, registry: registry,
            observesFills: plan.observesFills)
        hotSlots = slotWrites.map(HotSlot.init)
        hotLines = lineWrites.map(Unmanaged.passUnretained)
        isQuick = plan.offsets != nil && plan.tableIsKnown && !record.observesFills
        isForActor = plan.shape == .actor
        holdsAnywhere = !matching.leavesIsolated
    }

    /// Matches a plan with what is registered.
    ///
    /// - Parameters:
    ///   - plan: The type to fill.
    ///   - registry: What is registered.
    /// - Returns: The program.
    static func make(for plan: TypePlan, _ registry: Registry) -> FillProgram {
        let (matching, generation) = registry.consistently { Matching(plan: plan, registry) }
        return FillProgram(matching, generation: generation, registry: registry)
    }
}

// MARK: - Matching

/// The making of a program, property by property.
private struct Matching {
    let plan: TypePlan
    let registry: Registry
    var slotWrites: [FillProgram.SlotWrite] = []
    var lineWrites: [FillProgram.LineWrite] = []
    var records: [PropertyRecord] = []
    var optionals: [FillProgram.OptionalStruct] = []
    /// Whether another actor would see more services that fit.
    var leavesIsolated = false
    /// All services, asked for once.
    private lazy var services = registry.services

    init(plan: TypePlan, _ registry: Registry) {
        self.plan = plan
        self.registry = registry
        let lines = plan.lines(with: registry.taughtLines(of: plan.owners))
        matchProperties(except: Set(lines.map(\.name)))
        for line in lines { match(line) }
        describeSubject()
    }

    private mutating func matchProperties(except lineNames: Set<String>) {
        for property in plan.properties {
            switch property.kind {
            case .slot(let request, let explicitName):
                match(
                    property, request, explicitName: explicitName,
                    isInTable: lineNames.contains(property.name))
            case .optionalWithSlots(let type):
                if let offset = property.offset {
                    optionals.append(.init(type: type, offset: offset, index: records.count))
                }
                add(.plain, property, property.baseName, CellRequest(type: type), .outOfReach)
            case .plain(let type):
                let name = property.nameWithoutUnderscore
                let request = CellRequest(type: type)
                // One that isn't optional has a value, and a table that can't be read may have a line for it.
                guard request.isOptional, plan.tableIsKnown, !lineNames.contains(property.name),
                    !lineNames.contains(name), let found = registry.registration(named: name),
                    found.fit(request).isPossible
                else { continue }
                records.append(
                    PropertyRecord(
                        source: .plain, owner: property.owner, name: name, serviceName: name,
                        request: request, finding: .noChannel(ServiceDescription(found))))
            }
        }
    }

    private mutating func match(
        _ property: TypePlan.Property, _ request: CellRequest, explicitName: String?, isInTable: Bool
    ) {
        let position = slotWrites.count
        let name = property.serviceName
        var write = FillProgram.SlotWrite(
            index: records.count, offset: plan.offsets?[position] ?? -1, request: request,
            explicitName: explicitName, traits: property.traits, isInTable: isInTable)
        defer { slotWrites.append(write) }
        if isInTable { return }
        let finding: Finding
        if let element = request.element {
            let all = ServiceCollection(of: element, among: services)
            leavesIsolated = leavesIsolated || all.leavesIsolated
            write.source = CellSource(all)
            finding = .gathered(all.services.map(ServiceDescription.init))
        } else if explicitName?.isEmpty == true {
            finding = .emptyName
        } else if name.isEmpty {
            // Without an object there is not even the place of the declaration to name.
            if property.name.isEmpty { return add(.strippedBuild(isHole: true)) }
            finding = plan.hasCustomMirror ? .hiddenByMirror : .strippedBuild(isHole: true)
        } else {
            let found = registry.registration(named: name)
            finding = self.finding(for: request, found)
            if let found, !finding.isOpen { write.source = CellSource(found, for: request) }
        }
        add(.slot(position), property, name, request, finding)
    }

    private mutating func match(_ line: TableLine) {
        let request = line.injection.request
        let found = registry.registration(named: line.name)
        let finding: Finding
        if let problem = plan.problem(with: line) {
            finding = problem
        } else {
            finding = self.finding(for: request, found)
        }
        if let found, case .filled = finding {
            let source = CellSource(found, for: request)
            lineWrites.append(FillProgram.LineWrite(line, index: records.count, source))
        }
        records.append(
            PropertyRecord(
                source: .line, owner: plan.property(for: line)?.owner ?? plan.type, name: line.name,
                serviceName: line.name, request: request,
                need: line.injection.isRequired ? .required : .optional, finding: finding))
    }

    /// What is to be said of a property that is to get a service.
    private mutating func finding(for request: CellRequest, _ found: Registration?) -> Finding {
        guard let found else { return .missing }
        let service = ServiceDescription(found)
        switch found.fit(request) {
        case .exact, .fits, .unknown:
            return found.isDropped(by: request) ? .notKept(service) : .filled(service)
        case .isolated:
            leavesIsolated = true
            return .typeMismatch(service)
        case .no: return .typeMismatch(service)
        }
    }

    private mutating func add(
        _ source: PropertyRecord.Source, _ property: TypePlan.Property, _ serviceName: String,
        _ request: CellRequest, _ finding: Finding
    ) {
        records.append(
            PropertyRecord(
                source: source, owner: property.owner, name: property.name, serviceName: serviceName,
                request: request, need: source == .plain ? .required : property.need, finding: finding))
    }

    /// Says what is to be said of the subject as a whole.
    private mutating func describeSubject() {
        if case .unfillable(let word) = plan.shape { return add(.unfillable(word)) }
        if plan.shape == .remote { return add(.remote) }
        if plan.shape == .needsInstance { add(.needsInstance) }
        let hasLines = records.contains { $0.source == .line }
        for layer in plan.hiddenLayers {
            records.append(PropertyRecord(layer, .strippedBuild(isHole: !hasLines)))
        }
        if !plan.tableIsKnown { return add(.wrongIsolation) }
        // A slot, a line or even a plain property under a registered name: the type has been looked into.
        if !records.isEmpty { return }
        if plan.hasCustomMirror {
            add(.hiddenByMirror)
        } else if plan.lacksNames {
            add(.strippedBuild(isHole: true))
        }
    }

    private mutating func add(_ finding: Finding) { records.append(PropertyRecord(plan.type, finding)) }
}
