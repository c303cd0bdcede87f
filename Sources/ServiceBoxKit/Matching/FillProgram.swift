// Part of ServiceBox, released under the MIT License.
// The writes of a fill: a type's plan matched with a registry.

/// The writes of a fill, resolved once for a type and a generation of a registry.
///
/// Thread-safe. Most types are filled either once in a box or again and again: a program is *prepared* when
/// its type is filled a second time, or at once if it writes a table. Running a prepared program is the hot
/// path: it allocates nothing, reflects nothing and casts nothing.
@safe final class FillProgram: Sendable {
    /// A line of a table to write, or whose property may keep a value.
    ///
    /// `Sendable` is unchecked because of `write`, which is part of the line.
    @safe final class LineWrite: @unchecked Sendable {
        let line: TableLine
        /// The index in the record.
        let index: Int
        /// Nil if there is nothing to write.
        let source: CellSource?
        /// The line's function, stored here so that reading it copies nothing else.
        private let write: (UnsafeMutableRawPointer, AnyCell) -> Void
        /// The source's cell if it is always the same, borrowed.
        private let fixedCell: Unmanaged<AnyCell>?

        fileprivate init(_ pattern: FillPattern.Line, _ source: CellSource?) {
            line = pattern.line
            index = pattern.index
            self.source = source
            unsafe write = line.injection.write
            // Such a line must be checked for its actor, and the check boxes the subject.
            unsafe fixedCell =
                line.injection.isIsolated ? nil : (source?.fixedCell).map(Unmanaged.passUnretained)
        }

        /// Writes the source's fixed cell to the address of a subject, or of a reference to an object.
        ///
        /// Not inlined, so that the line's members aren't retained.
        ///
        /// - Returns: Whether there is a fixed cell.
        @inline(never)
        func writeFixedCell(to pointer: UnsafeMutableRawPointer) -> Bool {
            guard let fixedCell = unsafe fixedCell else { return false }
            unsafe fixedCell._withUnsafeGuaranteedRef { unsafe write(pointer, $0) }
            return true
        }
    }

    /// The hot path's view of a slot, borrowed from the program.
    ///
    /// Going through the pattern and the sources would retain everything that each holds, which costs several
    /// times as much as the writing.
    @safe struct HotSlot: Sendable {
        let position: Int
        let offset: Int
        /// Nil if more has to be done than writing a cell.
        let cell: Unmanaged<AnyCell>?
        /// The service whose cell may change, if the slot gets a single one, wherever it is filled.
        let service: Unmanaged<Registration>?
        let traits: Slot.Traits
    }

    /// A line, borrowed from the program.
    @safe struct HotLine: Sendable {
        let line: Unmanaged<LineWrite>
    }

    let pattern: FillPattern
    /// The generation of the registry that the program was created for.
    let generation: Int
    /// The registry's answers to the asks of the pattern.
    let answers: [Registration?]
    /// The sources of the slots that take all services of a type, by position.
    let collections: [Int: CellSource]
    let record: FillRecord
    /// Whether it was created from a pattern, most of whose uses the ancestors' ledgers have.
    let isBound: Bool
    /// The look-ups of the slots that are filled on read, by position.
    let lookUps: [Int: SlotLookUp]

    /// Whether there were properties that had taken no service yet when it was prepared; stored here, since asking the
    /// record costs a fill as much as a slot.
    let hasUntaken: Bool
    let isPrepared: Bool
    /// Whether it is prepared and objects can be filled without being inspected first.
    let isQuick: Bool
    /// The source of each slot, in order, once it is prepared.
    private let sources: [CellSource?]
    /// The hot path's view of each slot, in the order of filling.
    let hotSlots: [HotSlot]
    private let lineWrites: [LineWrite]
    let hotLines: [HotLine]

    private init(
        _ pattern: FillPattern, _ answers: [Registration?], _ providers: [FillRecord.Provider] = [],
        collections: [Int: CellSource] = [:], isBound: Bool, generation: Int, in weakBox: WeakSupplier
    ) {
        self.pattern = pattern
        self.answers = answers
        self.collections = collections
        self.isBound = isBound
        self.generation = generation
        record = FillRecord(
            type: pattern.plan.type, pattern.properties, providers, pattern.traits, in: weakBox)
        lookUps = record.lookUps(of: pattern.slots)
        (hasUntaken, isPrepared, isQuick) = (true, false, false)
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
        hasUntaken = !record.untaken.isEmpty
        isPrepared = true
        isQuick = pattern.plan.tableIsKnown && !pattern.traits.observesFills
        sources = pattern.slots.indices.map(program.source)
        hotSlots = pattern.order.map { [pattern, sources] position in
            unsafe HotSlot(
                position: position, offset: pattern.slots[position].offset,
                cell: (sources[position]?.fixedCell).map(Unmanaged.passUnretained),
                service: (sources[position]?.changingService).map(Unmanaged.passUnretained),
                traits: pattern.slots[position].traits)
        }
        lineWrites = pattern.lines.map { line in
            LineWrite(line, line.ask.flatMap { program.source(of: $0, line.line.injection.request) })
        }
        hotLines = lineWrites.map { unsafe HotLine(line: .passUnretained($0)) }
    }

    /// The fixed cell of a slot, by position, if there is one; read without its source, since threads would
    /// contend for the reference count of the registration.
    func fixedCell(at position: Int) -> AnyCell? {
        if isPrepared { return sources[position]?.fixedCell }
        let slot = pattern.slots[position]
        guard let ask = slot.ask else { return collections[position]?.fixedCell }
        return answers[ask]?.fixedCell(for: slot.request)
    }

    /// The source of a slot, by position; nil if there is nothing to write.
    func source(at position: Int) -> CellSource? {
        if isPrepared { return sources[position] }
        let slot = pattern.slots[position]
        return slot.ask.flatMap { source(of: $0, slot.request) } ?? collections[position]
    }

    /// The service that a slot gets, by position; nil if it gets none, or all of a type.
    func service(at position: Int) -> ServiceDescription? {
        pattern.slots[position].ask.flatMap { answers[$0] }.map(ServiceDescription.init)
    }

    private func source(of ask: Int, _ request: CellRequest) -> CellSource? {
        answers[ask].map { CellSource($0, for: request) }
    }

    /// Matches a plan with a registry.
    static func make(for shared: SharedPlan, _ registry: Registry) -> FillProgram {
        let (matching, generation) = registry.consistently { Matching(of: shared, registry) }
        return FillProgram(
            FillPattern(matching, registry), matching.answers, collections: matching.collections,
            isBound: false, generation: generation, in: registry.weakBox
        ).withTable
    }

    /// Creates a program from a pattern, for another registry.
    ///
    /// - Returns: The program; nil if the registry's answers differ.
    static func bind(_ pattern: FillPattern, to registry: Registry) -> FillProgram? {
        let (answers, generation) = registry.consistently { pattern.answers(of: registry) }
        guard let answers else { return nil }
        // The source that constructs a service differs from box to box.
        let providers = pattern.uses.compactMap { use -> FillRecord.Provider? in
            let provider = answers.services[use.ask]?.step?.provider
            return provider == pattern.asks[use.ask].service?.provider ? nil : (use.index, provider)
        }
        return FillProgram(
            pattern, answers.services, providers, collections: answers.lists, isBound: true,
            generation: generation, in: registry.weakBox
        ).withTable
    }

    /// The program, prepared if it writes a table.
    private var withTable: FillProgram { pattern.lines.isEmpty ? self : FillProgram(preparing: self) }
}

// MARK: - Matching

/// Builds a program, property by property.
struct Matching {
    let shared: SharedPlan
    var plan: TypePlan { shared.plan }
    private let registry: Registry
    /// Counts the tables that were taught until then.
    let teachings: Int
    /// The names that were looked up, and the registration found under each.
    private(set) var names: [String] = []
    private(set) var answers: [Registration?] = []
    private(set) var slots: [FillPattern.SlotWrite] = []
    /// The sources of the slots that take all services of a type, by position.
    private(set) var collections: [Int: CellSource] = [:]
    private(set) var lines: [FillPattern.Line] = []
    private(set) var records: [PropertyRecord] = []
    private(set) var optionals: [FillPattern.OptionalStruct] = []
    /// Whether other services would fit on another actor.
    private(set) var dependsOnActor = false

    init(of shared: SharedPlan, _ registry: Registry) {
        self.shared = shared
        self.registry = registry
        teachings = registry.teachings
        let lines = registry.lines(of: plan)
        let count = plan.properties.count + lines.count
        names.reserveCapacity(count)
        answers.reserveCapacity(count)
        records.reserveCapacity(count)
        slots.reserveCapacity(plan.slotIndices.count)
        matchProperties(except: lines.compactMap(plan.index))
        for line in lines { match(line) }
        describeSubject()
    }

    /// Looks up a name, and notes it; a box with the same answers fills the type in the same way.
    private mutating func find(_ name: String) -> Registration? {
        let found = registry.registration(named: name)
        names.append(name)
        answers.append(found)
        return found
    }

    /// - Parameter written: The indices of the properties that lines write.
    private mutating func matchProperties(except written: [Int]) {
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
                add(
                    .plain, property, property.baseName, CellRequest(type: type), .outOfReach(isHole: false),
                    need: requiresAny(within: unwrapped(type)) ? .required : .optional)
            case .plain(nil): continue
            case .plain(let request?):
                let name = property.nameWithoutUnderscore
                // A non-optional has a value already, and a table that can't be read may have a line for it.
                guard request.isOptional, plan.tableIsKnown, !written.contains(index), let found = find(name),
                    found.fit(request).isPossible
                else { continue }
                add(
                    .plain, changing(property) { $0.name = name }, name, request,
                    .noChannel(ServiceDescription(found), plan.plainProperty(property)), need: .optional)
            }
        }
    }

    /// Whether a slot, or the slots in a struct, require a service.
    private func requiresAny(within type: Any.Type) -> Bool {
        CellRequest(ofWrapper: type).map { !$0.isOptional }
            ?? SharedPlan(PlanStore.plan(of: type)).requiresAny
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
        if let request = request.ofElements {
            let all = registry.services(fitting: request)
            dependsOnActor = dependsOnActor || all.dependsOnActor
            collections[position] = CellSource(all)
            finding = self.finding(for: all, request)
        } else if explicitName?.isEmpty == true {
            finding = .emptyName
        } else if name.isEmpty {
            // Without an instance, not even the place of the declaration is known.
            if property.name.isEmpty { return add(.strippedBuild(isHole: true)) }
            finding = plan.hasCustomMirror ? .hiddenByMirror : .strippedBuild(isHole: true)
        } else if property.isOnRead {
            finding = .onRead
        } else {
            let found = find(name)
            finding = self.finding(for: request, found)
            if !finding.isOpen { slot.ask = answers.count - 1 }
        }
        add(.slot(position), property, name, request, finding)
    }

    private mutating func match(_ line: TableLine) {
        let request = line.injection.request
        let found = find(line.name)
        let problem = plan.problem(with: line)
        let finding = problem ?? finding(for: request, found)
        if problem == nil {
            let ask = finding.isOpen ? nil : answers.count - 1
            lines.append(FillPattern.Line(line: line, index: records.count, ask: ask))
        }
        let property = plan.property(of: line)
        // The declaration of a slot may require it too.
        let isRequired = line.injection.isRequired || property?.need == .required
        records.append(
            PropertyRecord(
                source: .line, owner: property?.owner ?? plan.type, name: line.name,
                serviceName: line.name, request: request,
                need: isRequired ? .required : .optional, finding: finding))
    }

    /// The finding for a property that requests a service.
    private mutating func finding(for request: CellRequest, _ found: Registration?) -> Finding {
        guard let found else { return .missing }
        let service = ServiceDescription(found)
        let fit = found.fit(request)
        dependsOnActor = dependsOnActor || fit.dependsOnActor
        if !fit.isPossible { return .typeMismatch(service) }
        if let refusal = found.refusal(of: request) { return .failed(service, refusal) }
        return found.isDropped(by: request) ? .notKept(service) : .filled(service)
    }

    /// The finding for a list, without the services that it certainly can't have.
    private func finding(for all: ServiceCollection, _ request: CellRequest) -> Finding {
        let all = all.services.map { (service: ServiceDescription($0), error: $0.refusal(of: request)) }
        let services = all.filter { $0.error == nil }.map(\.service)
        let refused = all.compactMap { service, error in
            error.map { FailedService(service: service, error: $0) }
        }
        return refused.isEmpty ? .gathered(services) : .gatheredPartly(services, refused)
    }

    private mutating func add(
        _ source: PropertyRecord.Source, _ property: TypePlan.Property, _ serviceName: String,
        _ request: CellRequest, _ finding: Finding, need: PropertyRecord.Need? = nil
    ) {
        records.append(
            PropertyRecord(
                source: source, owner: property.owner, name: property.name, serviceName: serviceName,
                request: request, need: need ?? property.need, finding: finding, isOnRead: finding.isOnRead))
    }

    /// Adds the findings about the subject as a whole.
    private mutating func describeSubject() {
        if case .unfillable(let word) = plan.shape { return add(.unfillable(word)) }
        if plan.shape == .remote { return add(.remote) }
        if plan.shape == .needsInstance { add(.needsInstance) }
        let hasLines = records.contains { $0.source == .line }
        for layer in plan.hiddenLayers {
            records.append(PropertyRecord(layer, .strippedBuild(isHole: !hasLines)))
        }
        if !plan.tableIsKnown { return add(.wrongIsolation) }
        // A slot, a line or a plain property with a registered name: the properties are known.
        if !records.isEmpty { return }
        if plan.hasCustomMirror {
            let isOfLibrary = TypeName.module(of: plan.type) == "Swift"
            add(isOfLibrary ? .unfillable("a value of the standard library") : .hiddenByMirror)
        } else if plan.properties.contains(where: { $0.serviceName.isEmpty && $0.request?.element == nil }) {
            // The build has no name for a property that needs one to find its service.
            add(.strippedBuild(isHole: true))
        }
    }

    private mutating func add(_ finding: Finding) { records.append(PropertyRecord(plan.type, finding)) }
}
