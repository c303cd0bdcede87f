// Part of ServiceBox, released under the MIT License.
// The writes of a fill: a type's plan matched with a registry.

/// The writes of a fill, resolved once for a type and a generation of a registry.
///
/// Thread-safe. Most types are filled once in a box, or again and again: a program is *prepared* when its type is filled a
/// second time, and at once if it writes a table. Running one that is prepared is the hot path: it allocates nothing,
/// reflects nothing and casts nothing.
final class FillProgram: Sendable {
    /// A line of a table to write.
    ///
    /// `Sendable` is unchecked because of `write`, which is part of the line.
    final class LineWrite: @unchecked Sendable {
        let line: TableLine
        /// The index in the record.
        let index: Int
        let source: CellSource
        /// Whether the line has to be asked where it may be used; asking boxes the subject.
        let isIsolated: Bool
        /// The line's function: to read it here copies nothing else.
        private let write: (UnsafeMutableRawPointer, AnyCell) -> Void
        /// The source's cell if it is always the same, borrowed.
        private let fixedCell: Unmanaged<AnyCell>?

        fileprivate init(_ pattern: FillPattern.Line, _ source: CellSource) {
            line = pattern.line
            index = pattern.index
            self.source = source
            isIsolated = line.injection.isolation != nil || line.injection.isForActor
            write = line.injection.write
            fixedCell = isIsolated ? nil : source.fixedCell.map(Unmanaged.passUnretained)
        }

        /// Writes the cell that is always the same to where a subject, or the reference to an object, lies.
        ///
        /// Not inlined, so that no reference is counted for what belongs to the line.
        ///
        /// - Returns: Whether there is one.
        @inline(never)
        func writeFixedCell(to pointer: UnsafeMutableRawPointer) -> Bool {
            guard let fixedCell else { return false }
            fixedCell._withUnsafeGuaranteedRef { write(pointer, $0) }
            return true
        }
    }

    /// What the hot path needs of a slot, borrowed from the program.
    ///
    /// Going through the pattern and the sources counts references to all that each holds, which costs several times
    /// what the writing does.
    struct HotSlot: Sendable {
        let offset: Int
        /// Nil where there is more to do than writing a cell.
        let cell: Unmanaged<AnyCell>?
        let traits: Slot.Traits
    }

    let pattern: FillPattern
    /// The generation of the registry that the program was made for.
    let generation: Int
    /// What the registry answered to each ask of the pattern.
    let answers: [Registration?]
    /// What supplies the slots that take all services of a type, by their positions.
    private let collections: [Int: CellSource]
    let record: FillRecord
    /// Whether it was made from a pattern, whose uses the ancestors' ledgers have.
    let isBound: Bool
    /// What fills the slots that are looked up when they are read, by their positions.
    let lookUps: [Int: SlotLookUp]

    let isPrepared: Bool
    /// Whether it is prepared, and an object can be filled without looking at it first.
    let isQuick: Bool
    /// What supplies each slot, in their order, once it is prepared.
    private let sources: [CellSource?]
    /// What the hot path needs of each slot, in their order.
    let hotSlots: [HotSlot]
    private let lineWrites: [LineWrite]
    /// The line writes once more, borrowed.
    let hotLines: [Unmanaged<LineWrite>]

    private init(
        _ pattern: FillPattern, _ answers: [Registration?], _ providers: [FillRecord.Provider] = [],
        collections: [Int: CellSource] = [:], isBound: Bool, generation: Int, in weakBox: WeakSupplier?
    ) {
        self.pattern = pattern
        self.answers = answers
        self.collections = collections
        self.isBound = isBound
        self.generation = generation
        record = FillRecord(
            type: pattern.plan.type, pattern.properties, providers, pattern.traits, in: weakBox)
        lookUps = record.lookUps(of: pattern.slots)
        (isPrepared, isQuick) = (false, false)
        (sources, hotSlots, lineWrites, hotLines) = ([], [], [], [])
    }

    /// Prepares a program.
    init(preparing program: FillProgram) {
        pattern = program.pattern
        answers = program.answers
        collections = program.collections
        isBound = program.isBound
        generation = program.generation
        record = program.record
        lookUps = program.lookUps
        isPrepared = true
        isQuick =
            pattern.plan.offsets != nil && pattern.plan.tableIsKnown && !pattern.traits.observesFills
        sources = pattern.slots.indices.map(program.source)
        hotSlots = zip(pattern.slots, sources).map { slot, source in
            HotSlot(
                offset: slot.offset, cell: (source?.fixedCell).map(Unmanaged.passUnretained),
                traits: slot.traits)
        }
        lineWrites = pattern.lines.compactMap { line in
            program.source(of: line.ask, line.line.injection.request).map { LineWrite(line, $0) }
        }
        hotLines = lineWrites.map(Unmanaged.passUnretained)
    }

    var plan: TypePlan { pattern.plan }

    /// The cell of a slot, by its position, if it is always the same.
    func fixedCell(at position: Int) -> AnyCell? {
        if isPrepared { return hotSlots[position].cell?.takeUnretainedValue() }
        let slot = pattern.slots[position]
        guard let ask = slot.ask else { return collections[position]?.fixedCell }
        return answers[ask]?.supplier.fixedCell(for: slot.request)
    }

    /// What supplies a slot, by its position; nil if there is nothing to write.
    func source(at position: Int) -> CellSource? {
        if isPrepared { return sources[position] }
        let slot = pattern.slots[position]
        return slot.ask.flatMap { source(of: $0, slot.request) } ?? collections[position]
    }

    private func source(of ask: Int, _ request: CellRequest) -> CellSource? {
        answers[ask].map { CellSource($0, for: request) }
    }

    /// Matches a plan with what is registered.
    ///
    /// - Parameters:
    ///   - plan: The type to fill.
    ///   - registry: What is registered.
    /// - Returns: The program.
    static func make(for plan: TypePlan, _ registry: Registry) -> FillProgram {
        let (matching, generation) = registry.consistently { Matching(plan: plan, registry) }
        return FillProgram(
            FillPattern(matching, registry), matching.answers, collections: matching.collections,
            isBound: false, generation: generation, in: registry.weakBox
        ).withTable
    }

    /// Makes the program of a pattern for another registry.
    ///
    /// - Returns: The program; nil if the registry gives other answers.
    static func bind(_ pattern: FillPattern, to registry: Registry) -> FillProgram? {
        let (answers, generation) = registry.consistently { pattern.answers(of: registry) }
        guard let answers else { return nil }
        // What constructs a service is another one in each box.
        let providers = pattern.uses.compactMap { use -> FillRecord.Provider? in
            let provider = answers[use.ask]?.supplier.step?.provider
            return provider == pattern.asks[use.ask].service?.provider ? nil : (use.index, provider)
        }
        return FillProgram(
            pattern, answers, providers, isBound: true, generation: generation, in: registry.weakBox
        ).withTable
    }

    /// The program, prepared if it writes a table.
    private var withTable: FillProgram { pattern.lines.isEmpty ? self : FillProgram(preparing: self) }
}

// MARK: - Matching

/// The making of a program, property by property.
struct Matching {
    let plan: TypePlan
    private let registry: Registry
    /// The names that were asked for, and what was found under each.
    private(set) var names: [String] = []
    private(set) var answers: [Registration?] = []
    /// The properties that get one of those.
    private(set) var uses: [FillPattern.Use] = []
    private(set) var slots: [FillPattern.SlotWrite] = []
    /// What supplies the slots that take all services of a type, by their positions.
    private(set) var collections: [Int: CellSource] = [:]
    private(set) var lines: [FillPattern.Line] = []
    private(set) var records: [PropertyRecord] = []
    private(set) var optionals: [FillPattern.OptionalStruct] = []
    /// Whether another actor would see other services that fit.
    private(set) var dependsOnActor = false
    /// All services, asked for once.
    private lazy var services = registry.services

    init(plan: TypePlan, _ registry: Registry) {
        self.plan = plan
        self.registry = registry
        let lines = plan.lines(with: registry.taughtLines(of: plan.owners))
        let count = plan.properties.count + lines.count
        names.reserveCapacity(count)
        answers.reserveCapacity(count)
        uses.reserveCapacity(count)
        records.reserveCapacity(count)
        slots.reserveCapacity(plan.slotIndices.count)
        matchProperties(except: Set(lines.compactMap(plan.index)))
        for line in lines { match(line) }
        describeSubject()
    }

    /// What is registered under a name; a box that answers the same fills the type in the same way.
    private mutating func find(_ name: String) -> Registration? {
        let found = registry.registration(named: name)
        names.append(name)
        answers.append(found)
        return found
    }

    /// Notes a property that gets what was found last.
    private mutating func noteUse(by property: String) {
        uses.append(
            FillPattern.Use(
                property: PropertyID(type: plan.type, name: property), index: records.count,
                ask: answers.count - 1))
    }

    /// - Parameter written: The indices of the properties that lines write.
    private mutating func matchProperties(except written: Set<Int>) {
        for (index, property) in plan.properties.enumerated() {
            switch property.kind {
            case .slot(let request, let explicitName):
                match(
                    property, request, explicitName: explicitName,
                    isInTable: written.contains(index))
            case .optionalWithSlots(let type):
                if let offset = property.offset {
                    optionals.append(
                        FillPattern.OptionalStruct(type: type, offset: offset, index: records.count))
                }
                add(.plain, property, property.baseName, CellRequest(type: type), .outOfReach(isHole: false))
            case .plain(nil): continue
            case .plain(let type?):
                let name = property.nameWithoutUnderscore
                let request = CellRequest(type: type)
                // One that isn't optional has a value, and a table that can't be read may have a line for it.
                guard request.isOptional, plan.tableIsKnown, !written.contains(index), let found = find(name),
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
        let position = slots.count
        let name = property.serviceName
        var slot = FillPattern.SlotWrite(
            index: records.count, offset: plan.offsets?[position] ?? -1, request: request,
            traits: property.declared ?? [], isInTable: isInTable)
        defer { slots.append(slot) }
        if isInTable { return }
        let finding: Finding
        if let element = request.element {
            let all = ServiceCollection(of: element, among: services)
            dependsOnActor = dependsOnActor || all.dependsOnActor
            collections[position] = CellSource(all)
            finding = .gathered(all.services.map(ServiceDescription.init))
        } else if explicitName?.isEmpty == true {
            finding = .emptyName
        } else if name.isEmpty {
            // Without an object there is not even the place of the declaration to name.
            if property.name.isEmpty { return add(.strippedBuild(isHole: true)) }
            finding = plan.hasCustomMirror ? .hiddenByMirror : .strippedBuild(isHole: true)
        } else if property.isOnRead {
            finding = .onRead
        } else {
            let found = find(name)
            finding = self.finding(for: request, found)
            if found != nil, !finding.isOpen { slot.ask = answers.count - 1 }
            if case .filled = finding { noteUse(by: property.name) }
        }
        add(.slot(position), property, name, request, finding)
    }

    private mutating func match(_ line: TableLine) {
        let request = line.injection.request
        let found = find(line.name)
        let finding = plan.problem(with: line) ?? finding(for: request, found)
        if case .filled = finding {
            lines.append(FillPattern.Line(line: line, index: records.count, ask: answers.count - 1))
            noteUse(by: line.name)
        }
        let property = plan.property(of: line)
        // Of a slot, its declaration may say so too.
        let isRequired = line.injection.isRequired || property?.need == .required
        records.append(
            PropertyRecord(
                source: .line, owner: property?.owner ?? plan.type, name: line.name,
                serviceName: line.name, request: request,
                need: isRequired ? .required : .optional, finding: finding))
    }

    /// What is to be said of a property that is to get a service.
    private mutating func finding(for request: CellRequest, _ found: Registration?) -> Finding {
        guard let found else { return .missing }
        let service = ServiceDescription(found)
        let fit = found.fit(request)
        dependsOnActor = dependsOnActor || fit.dependsOnActor
        if !fit.isPossible { return .typeMismatch(service) }
        if let refusal = found.refusal { return .failed(service, refusal) }
        return found.isDropped(by: request) ? .notKept(service) : .filled(service)
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
            let isOfLibrary = TypeName.module(of: plan.type) == "Swift"
            add(isOfLibrary ? .unfillable("a value of the standard library") : .hiddenByMirror)
        } else if plan.lacksNames {
            add(.strippedBuild(isHole: true))
        }
    }

    private mutating func add(_ finding: Finding) { records.append(PropertyRecord(plan.type, finding)) }
}
