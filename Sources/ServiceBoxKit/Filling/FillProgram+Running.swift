// Part of ServiceBox, released under the MIT License.
// Running a program on an object or a value.

extension FillProgram {
    /// How a fill treats existing values.
    enum Mode {
        case overwriting
        case keeping
        /// Keeps existing values, for a service that a factory has returned; a table also overwrites values
        /// of properties that aren't optional.
        case fresh
        /// Keeps existing values and skips tables: others may be using the object.
        case outside
    }

    /// The subject that a table writes to.
    @safe enum Target {
        /// A class instance, and whether it is an actor and this its isolation.
        case object(AnyObject, isOnActor: Bool)
        /// The address of a struct, and the struct as it was before.
        indirect case value(UnsafeMutableRawPointer, before: Any)
    }

    /// Fills an object of a class whose slots are found by offsets.
    ///
    /// - Parameters:
    ///   - object: An instance of exactly the plan's class, which the caller's isolation owns.
    ///   - mode: How to treat existing values.
    ///   - isOnActor: Whether the object is an actor and this its isolation.
    /// - Returns: The report; nil if this instance names its slots differently from the plan and has to be
    ///   inspected itself. Writes made until then do no harm.
    func run(on object: AnyObject, _ mode: Mode, isOnActor: Bool) -> FillReport? {
        // The values borrowed below belong to these two.
        defer { withExtendedLifetime((self, object)) {} }
        var deviations: [Deviation] = []
        let base = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        let postponed = postponedCount(mode)
        guard unsafe fillSlots(at: base, mode, &deviations) else { return nil }
        if !hotLines.isEmpty {
            writeLines(of: object, isOnActor: isOnActor, mode, after: postponed, &deviations)
        }
        if !pattern.optionals.isEmpty { noteUnreached(in: object, &deviations) }
        return record.report(deviations)
    }

    /// Fills a struct that has only slots.
    ///
    /// - Parameters:
    ///   - pointer: The address of a struct of exactly the plan's type, which the caller's isolation owns.
    ///   - mode: How to treat existing values.
    /// - Returns: The report; nil if there is more to do, or if this instance names its slots differently
    ///   from the plan.
    func run(on pointer: UnsafeRawPointer, _ mode: Mode) -> FillReport? {
        guard pattern.plan.shape == .structure, pattern.lines.isEmpty, pattern.optionals.isEmpty else {
            return nil
        }
        defer { withExtendedLifetime(self) {} }
        var deviations: [Deviation] = []
        guard unsafe fillSlots(at: pointer, mode, &deviations) else { return nil }
        return record.report(deviations)
    }

    /// Fills the slots of the instance or value at an address.
    ///
    /// - Returns: Whether its slots agree with the plan.
    @inline(__always)
    private func fillSlots(at base: UnsafeRawPointer, _ mode: Mode, _ deviations: inout [Deviation]) -> Bool {
        for hot in hotSlots {
            let position = hot.position
            let borrowed = unsafe base.slot(at: hot.offset)
            let isAsPlanned = unsafe borrowed._withUnsafeGuaranteedRef { slot in
                guard slot.traits == hot.traits,
                    !hot.traits.contains(.named)
                        || slot.explicitName == pattern.plan.serviceName(ofSlotAt: position)
                else { return false }
                if let cell = unsafe hot.cell {
                    _ = unsafe cell._withUnsafeGuaranteedRef {
                        put($0, into: slot, at: position, mode, &deviations)
                    }
                }
                return true
            }
            if !isAsPlanned { return false }
            if unsafe hot.cell == nil {
                // Retained: a factory may run, and put another wrapper there.
                let slot = unsafe borrowed.takeUnretainedValue()
                withExtendedLifetime(slot) {
                    if let service = unsafe hot.service,
                        let kept = unsafe service._withUnsafeGuaranteedRef({
                            $0.keptCell(for: pattern.slots[position].request)
                        })
                    {
                        _ = put(kept, into: slot, at: position, mode, &deviations)
                    } else {
                        _ = fill(slot, from: source(at: position), at: position, mode, &deviations)
                    }
                }
            }
        }
        return true
    }

    /// Fills an object that others may be using, of a class whose slots are found by offsets.
    ///
    /// - Returns: The report; nil if the slots of this instance name other services.
    func run(onShared object: AnyObject, _ mode: Mode) -> FillReport? {
        guard let offsets = pattern.plan.offsets else { return nil }
        let slots = unsafe SlotReaders.slots(of: object, at: offsets)
        return pattern.plan.names(slots) ? run(on: slots, .object(object, isOnActor: false), mode) : nil
    }

    /// Called with each cell that a slot gets, its service (nil for all of a type), and the slot's position.
    typealias DidFill = (AnyCell, ServiceDescription?, Int) -> Void

    /// Fills slots that were found in an instance, and writes its table.
    ///
    /// - Parameters:
    ///   - slots: The slots, in the order of the plan's.
    ///   - target: The subject that the table writes to; nil for a struct that can't be changed.
    ///   - mode: How to treat existing values.
    ///   - didFill: Called when a slot is filled, except with a list that is fixed.
    /// - Returns: The report.
    func run(
        on slots: [Slot], _ target: Target?, _ mode: Mode,
        didFill: DidFill? = nil
    ) -> FillReport {
        var deviations: [Deviation] = []
        let postponed = postponedCount(mode)
        for position in pattern.order {
            let slot = slots[position]
            if let cell = fixedCell(at: position) {
                if put(cell, into: slot, at: position, mode, &deviations), let didFill,
                    let service = service(at: position)
                {
                    didFill(cell, service, position)
                }
                continue
            }
            let source = source(at: position)
            if let cell = fill(slot, from: source, at: position, mode, &deviations) {
                didFill?(cell, source?.service, position)
            }
        }
        switch target {
        case .object(let object, let isOnActor)?:
            writeLines(of: object, isOnActor: isOnActor, mode, after: postponed, &deviations)
        case .value(let pointer, let before)?:
            unsafe writeLines(at: pointer, mode, after: postponed, &deviations, (before, isOnActor: false))
        case nil:
            let written = pattern.lines.filter { $0.ask != nil }
            deviations += written.map { Deviation(index: $0.index, finding: .notInout) }
        }
        return record.report(deviations)
    }

    /// Notes the optionals that contain slots; reads them, so the caller must own the subject.
    func noteUnreached(in subject: Any, _ deviations: inout [Deviation]) {
        unsafe Access.withBase(of: subject) { base in
            for optional in pattern.optionals {
                func value<Value>(of _: Value.Type) -> Any {
                    unsafe (base + optional.offset).assumingMemoryBound(to: Value.self).pointee
                }
                if !isNil(_openExistential(optional.type, do: value)) {
                    deviations.append(Deviation(index: optional.index, finding: .outOfReach(isHole: true)))
                }
            }
        }
    }

    /// Puts a cell into a slot, if the mode allows it.
    ///
    /// - Returns: Whether the slot holds it.
    @inline(__always)
    private func put(
        _ cell: AnyCell, into slot: Slot, at position: Int, _ mode: Mode, _ deviations: inout [Deviation]
    ) -> Bool {
        if mode == .overwriting {
            unsafe slot.fill(with: cell)
            return true
        }
        if unsafe slot.fillIfEmpty(with: cell) { return true }
        // A service that filled itself during creation, or an actor that was filled before, already has this
        // cell.
        if mode != .keeping, slot.holds(cell) { return true }
        if mode == .keeping, hasLost(slot, at: position) {
            unsafe slot.fill(with: cell)
            return true
        }
        deviations.append(Deviation(index: pattern.slots[position].index, finding: .kept))
        return false
    }

    /// Whether a weak slot has lost its service; only the owner may ask.
    @inline(never)
    private func hasLost(_ slot: Slot, at position: Int) -> Bool {
        pattern.slots[position].request.isWeak && slot.lostCell != nil
    }

    /// Fills a slot from a source that may have to create a service.
    ///
    /// If a required slot stays empty, the reason is noted for the message of a read. An incomplete service
    /// is assigned once it is complete: a slot keeps every cell that it has held, so a service that fails
    /// would be kept alive, with the cycle that it is in.
    ///
    /// - Returns: The cell that the slot holds or will get; nil if there is none, or the slot keeps its
    ///   value.
    @inline(never)
    private func fill(
        _ slot: Slot, from source: CellSource?, at position: Int, _ mode: Mode,
        _ deviations: inout [Deviation]
    ) -> AnyCell? {
        let pattern = pattern.slots[position]
        if pattern.isInTable { return nil }
        let (count, stack) = (deviations.count, ConstructionStack.here)
        let taken = stack.value.taken.count
        let depth =
            pattern.request.isOptional ? stack.value.beginOptional() : stack.value.optionalDepth
        defer { stack.value.optionalDepth = depth }
        guard let cell = supply(slot, pattern, from: source, at: position, mode, &deviations) else {
            if slot.isEmpty, !pattern.request.isOptional, !pattern.traits.contains(.onRead) {
                let planned = record.property(at: pattern.index)
                let property = deviations.count > count ? planned.with(deviations[count].finding) : planned
                record.note(property, in: slot)
            }
            return nil
        }
        // A list can be emptied again, so it is assigned at once.
        if mode == .fresh, pattern.request.element == nil, stack.value.taken.count > taken {
            stack.value.postponed.append(
                PostponedWrite(
                    index: pattern.index, pass: pattern.request.isOptional ? .optional : .requiredOfNew,
                    write: { _ = unsafe slot.fillIfEmpty(with: cell) },
                    undo: { if slot.holds(cell) { slot.empty() } }))
            return cell
        }
        return put(cell, into: slot, at: position, mode, &deviations) ? cell : nil
    }

    private func supply(
        _ slot: Slot, _ pattern: FillPattern.SlotWrite, from source: CellSource?, at position: Int,
        _ mode: Mode, _ deviations: inout [Deviation]
    ) -> AnyCell? {
        guard let source else {
            // There is nothing to write, but perhaps a value to keep.
            if let lookUp = lookUps[position] { slot.notes.note(lookUp, isReplacing: mode == .overwriting) }
            let hasValue = !slot.isEmpty && (mode == .outside || !hasLost(slot, at: position))
            if hasValue { deviations.append(kept(pattern.index, mode)) }
            return nil
        }
        // Nothing is created for a property that keeps its value.
        if mode != .overwriting, !slot.isEmpty, mode != .keeping || !hasLost(slot, at: position) {
            if mode != .keeping, let cell = source.presentCell, slot.holds(cell) { return nil }
            deviations.append(Deviation(index: pattern.index, finding: .kept))
            return nil
        }
        return supply(
            from: source, mode == .fresh ? .early : .code, at: pattern.index, hasValue: !slot.isEmpty,
            &deviations)
    }

    /// The services that, as only a fill would find out, don't fit.
    var misfits: [Deviation] {
        pattern.uses.compactMap { use in
            guard let service = answers[use.ask],
                service.isMisfit(for: record.property(at: use.index).request)
            else { return nil }
            return Deviation(index: use.index, finding: .typeMismatch(ServiceDescription(service)))
        }
    }

    /// The values of an object or a value for whose properties there is nothing to write.
    func kept(in slots: [Slot], of subject: Any) -> [Deviation] {
        let valued = slots.indices.filter { position in
            let slot = pattern.slots[position]
            return slot.ask == nil && slot.request.element == nil && !slot.isInTable
                && !slots[position].isEmpty && !hasLost(slots[position], at: position)
        }
        let lines = pattern.lines.filter {
            $0.ask == nil && $0.line.injection.isUsable(on: subject)
                && $0.line.injection.keepsValue(of: subject)
        }
        return (valued.map { pattern.slots[$0].index } + lines.map(\.index)).map {
            kept($0, .overwriting)
        }
    }

    private func kept(_ index: Int, _ mode: Mode) -> Deviation {
        let finding = record.property(at: index).finding
        let isKept = finding.isOnRead || finding.isOpen && (mode != .overwriting || !finding.isTypeMismatch)
        return Deviation(index: index, finding: isKept ? .kept : finding, hasValue: true)
    }

    private func supply(
        from source: CellSource, _ asker: Asker, at index: Int, hasValue: @autoclosure () -> Bool,
        _ deviations: inout [Deviation]
    ) -> AnyCell? {
        let supply = source.supply(for: asker)
        let isWeak = pattern.properties[index].request.isWeak
        let finding = supply.finding ?? (isWeak ? record.property(at: index).finding.ifKept : nil)
        if let finding { deviations.append(Deviation(index: index, finding: finding, hasValue: hasValue())) }
        return supply.cell
    }

    /// The number of writes postponed so far; zero if none can be.
    private func postponedCount(_ mode: Mode) -> Int {
        mode == .fresh && !hotLines.isEmpty ? ConstructionStack.here.value.postponed.count : 0
    }

    @inline(__always)
    private func writeLines(
        of object: AnyObject, isOnActor: Bool, _ mode: Mode, after postponed: Int,
        _ deviations: inout [Deviation]
    ) {
        // A separate reference, which a setter may replace, even with an object of a superclass of the next
        // line's root.
        var reference = object
        unsafe withUnsafeMutablePointer(to: &reference) { pointer in
            unsafe writeLines(
                at: UnsafeMutableRawPointer(pointer), mode, after: postponed, &deviations,
                (object, isOnActor),
                thenRestore: { if unsafe pointer.pointee !== object { unsafe pointer.pointee = object } })
        }
    }

    /// Writes the table.
    ///
    /// - Parameters:
    ///   - pointer: The address of the subject: of a struct, or of the reference to an object.
    ///   - mode: How to treat existing values.
    ///   - postponed: How many writes were postponed before the subject's slots were filled.
    ///   - deviations: The deviations from the record.
    ///   - subject: The subject as it was before, and whether it is an actor and this its isolation.
    ///   - restore: Called after each line.
    @inline(__always)
    private func writeLines(
        at pointer: UnsafeMutableRawPointer, _ mode: Mode, after postponed: Int,
        _ deviations: inout [Deviation], _ subject: @autoclosure () -> (value: Any, isOnActor: Bool),
        thenRestore restore: () -> Void = {}
    ) {
        // A setter may use its service together with those in the slots.
        let isLate = postponedCount(mode) > postponed
        // A setter may make the box release this program, whose cells and lines are borrowed below.
        defer { withExtendedLifetime(self) {} }
        for hot in hotLines {
            unsafe hot.line._withUnsafeGuaranteedRef { line in
                if mode == .overwriting, unsafe line.writeFixedCell(to: pointer) { return }
                let (subject, isOnActor) = subject()
                let cell = supply(line, subject, isOnActor: isOnActor, mode, isLate: isLate, &deviations)
                guard let cell else { return }
                // The service isn't complete here, so the setter's look-ups must get complete ones.
                ConstructionStack.crossFilling { unsafe line.line.injection.write(pointer, cell) }
            }
            restore()
        }
    }

    /// The cell for a line without a fixed one, or that may keep its value; nil if there is nothing to write.
    @inline(never)
    private func supply(
        _ line: LineWrite, _ subject: Any, isOnActor: Bool, _ mode: Mode, isLate: Bool,
        _ deviations: inout [Deviation]
    ) -> AnyCell? {
        let injection = line.line.injection
        let isUsable = mode != .outside && injection.isUsable(on: subject, isOnActor: isOnActor)
        if isUsable, mode != .overwriting || line.source == nil,
            injection.keepsValue(of: subject, always: mode == .keeping)
        {
            deviations.append(
                line.source == nil ? kept(line.index, mode) : Deviation(index: line.index, finding: .kept))
            return nil
        }
        guard let source = line.source else { return nil }
        if !isUsable {
            deviations.append(Deviation(index: line.index, finding: .wrongIsolation))
            return nil
        }
        let stack = ConstructionStack.here
        let taken = stack.value.taken.count
        let isOptional = pattern.properties[line.index].need == .optional
        let depth = isOptional ? stack.value.beginOptional() : stack.value.optionalDepth
        defer { stack.value.optionalDepth = depth }
        let cell = supply(
            from: source, mode == .fresh ? .filling : .code, at: line.index,
            hasValue: injection.keepsValue(of: subject), &deviations)
        guard let cell, isLate || mode == .fresh && stack.value.taken.count > taken,
            let owner = classInstance(subject).map(Cell.init)
        else { return cell }
        // A setter may use the service, and its effect can't be undone.
        stack.value.postponed.append(
            PostponedWrite(
                index: line.index, isUsable: { line.line.injection.isUsable(on: owner.value) },
                write: { unsafe line.line.injection.write(to: owner.value, cell) }))
        return nil
    }
}
