// Part of ServiceBox, released under the MIT License.
// A plan matched with the registrations of a box: what a fill of a type has to write.

/// The writes of a fill, resolved once for a type and a set of registrations.
///
/// Running a program is the hot path: it allocates nothing, reflects nothing and casts nothing.
final class FillProgram: Sendable {
    let plan: TypePlan
    /// The version of the box and its ancestors that the program is made for.
    let familyVersion: Int
    let slotWrites: [SlotWrite]
    let lineWrites: [LineWrite]
    /// The slot writes once more, in the same order.
    private let hotSlots: [HotSlot]
    /// The line writes once more, in the same order.
    private let hotLines: [HotLine]
    let hasOffsets: Bool
    /// Whether the type is an actor, which is filled by offsets in its own isolation only.
    let isForActor: Bool
    /// Whether any table line was out of reach when the program was made.
    let lacksTable: Bool
    /// Whether the match would be the same wherever it is made.
    ///
    /// A cast that failed here may succeed on the actor that a conformance belongs to.
    let holdsAnywhere: Bool
    let record: FillRecord
    private let openSlots: [OpenSlot]
    private let optionals: [OptionalStruct]

    init(
        plan: TypePlan, familyVersion: Int, slotWrites: [SlotWrite], lineWrites: [LineWrite],
        optionals: [OptionalStruct], leavesIsolated: Bool, record: FillRecord
    ) {
        self.plan = plan
        self.familyVersion = familyVersion
        self.slotWrites = slotWrites
        hotSlots = slotWrites.map(HotSlot.init)
        hotLines = lineWrites.map(HotLine.init)
        self.lineWrites = lineWrites
        self.record = record
        self.optionals = optionals
        openSlots = record.properties.enumerated().compactMap { index, property in
            guard case .slot(let position) = property.source, property.finding.isOpen else { return nil }
            return OpenSlot(
                position: position, offset: plan.offsets?[position] ?? -1, index: index,
                isMismatch: property.finding.isTypeMismatch)
        }
        hasOffsets = plan.offsets != nil
        isForActor = plan.shape == .actor
        lacksTable = !plan.tableIsKnown
        holdsAnywhere =
            !leavesIsolated
            && !record.properties.contains {
                $0.finding.isTypeMismatch && TypeName.isProtocol($0.request.type)
            }
    }
}

extension FillProgram {
    /// How a fill treats what is there.
    enum Mode {
        /// Replaces what is there.
        case overwriting
        /// Leaves what is there.
        case keeping
        /// Leaves what is there, for a service that a factory has returned: only a value in an optional is there
        /// for a table.
        case fresh
        /// Leaves what is there, and leaves tables alone: others may be using the object.
        case outside
    }

    /// Fills an object of a class whose slots are found by offsets.
    ///
    /// - Parameters:
    ///   - object: An instance of exactly the plan's class.
    ///   - mode: How to treat what is there.
    ///   - isOnActor: Whether the object is an actor and this its isolation.
    /// - Returns: The report, or nil if this instance names its slots differently from the one that was
    ///   learnt and has to be walked; nothing is lost by what was written until then.
    func run(on object: AnyObject, mode: Mode, isOnActor: Bool = false) -> FillReport? {
        // What is borrowed below belongs to these two.
        defer { withExtendedLifetime((self, object)) {} }
        var deviations: [Deviation] = []
        let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        for (index, write) in hotSlots.enumerated() {
            let slot = base.slot(at: write.offset)
            let isAsPlanned = slot._withUnsafeGuaranteedRef { slot in
                guard slot.isNamed == write.isNamed,
                    !write.isNamed || slot.explicitName == slotWrites[index].explicitName
                else { return false }
                if let cell = write.fixedCell {
                    cell._withUnsafeGuaranteedRef { cell in
                        put(cell, into: slot, of: slotWrites[index], mode: mode, deviations: &deviations)
                    }
                } else {
                    run(slotWrites[index], on: slot, mode: mode, deviations: &deviations)
                }
                return true
            }
            if !isAsPlanned { return nil }
        }
        if !lineWrites.isEmpty {
            writeLines(to: object, mode: mode, isOnActor: isOnActor, deviations: &deviations)
        }
        for open in openSlots {
            base.slot(at: open.offset)._withUnsafeGuaranteedRef {
                note(open, $0, mode: mode, deviations: &deviations)
            }
        }
        if !optionals.isEmpty { deviations += nilDeviations(in: object) }
        return FillReport(record, deviations: deviations)
    }

    /// Fills an object that others may be using, of a class whose slots are found by offsets.
    ///
    /// - Returns: The report, or nil if the slots of this instance name other services.
    func run(onShared object: AnyObject, mode: Mode) -> FillReport? {
        guard let offsets = plan.offsets else { return nil }
        let slots = SlotReaders.slots(of: object, at: offsets)
        return plan.names(slots) ? run(slots: slots, of: object, mode: mode) : nil
    }

    /// Fills slots that a walk has found, and an object's table.
    ///
    /// - Parameters:
    ///   - slots: The slots, in the order of the plan's `slotIndices`.
    ///   - object: The object, or nil for a struct, whose table is written by `writeLines(toValueAt:)`.
    ///   - mode: How to treat what is there.
    ///   - isOnActor: Whether the object is an actor and this its isolation.
    /// - Returns: The report.
    func run(slots: [Slot], of object: AnyObject?, mode: Mode, isOnActor: Bool = false) -> FillReport {
        var deviations: [Deviation] = []
        for write in slotWrites {
            run(write, on: slots[write.position], mode: mode, deviations: &deviations)
        }
        if let object {
            writeLines(to: object, mode: mode, isOnActor: isOnActor, deviations: &deviations)
        }
        for open in openSlots { note(open, slots[open.position], mode: mode, deviations: &deviations) }
        return FillReport(record, deviations: deviations)
    }

    /// Says of a slot for which there is nothing that it holds something all the same: something to keep, or what
    /// another box has filled it with.
    private func note(_ open: OpenSlot, _ slot: Slot, mode: Mode, deviations: inout [Deviation]) {
        if slot.isEmpty || mode == .overwriting && open.isMismatch { return }
        deviations.append(Deviation(index: open.index, finding: .kept))
    }

    /// Says of optionals with slots inside that they are nil; they are read, which is up to their owner.
    func nilDeviations(in subject: @autoclosure () -> Any) -> [Deviation] {
        if optionals.isEmpty { return [] }
        return Access.withBase(of: subject()) { base in
            optionals.compactMap { optional in
                func isNil<Value>(_: Value.Type) -> Bool {
                    let value = (base + optional.offset).assumingMemoryBound(to: Value.self).pointee
                    return (value as? any OptionalValue)?.isNone ?? false
                }
                return _openExistential(optional.type, do: isNil)
                    ? Deviation(index: optional.index, finding: .kept) : nil
            }
        }
    }

    private func run(_ write: SlotWrite, on slot: Slot, mode: Mode, deviations: inout [Deviation]) {
        guard let cell = write.fixedCell ?? supply(write, for: slot, mode: mode, deviations: &deviations)
        else {
            return
        }
        put(cell, into: slot, of: write, mode: mode, deviations: &deviations)
    }

    @inline(__always)
    private func put(
        _ cell: AnyCell, into slot: Slot, of write: @autoclosure () -> SlotWrite, mode: Mode,
        deviations: inout [Deviation]
    ) {
        switch mode {
        case .overwriting:
            slot.fill(with: cell)
        case .keeping, .fresh, .outside:
            if slot.fillIfEmpty(with: cell) { return }
            // A service that filled itself while it was made, or an actor that was filled before, has got
            // what it gets here.
            if mode != .keeping, slot.holds(cell) { return }
            deviations.append(Deviation(index: write().index, finding: .kept))
        }
    }

    /// Asks for the service of a slot, which may make it.
    @inline(never)
    private func supply(
        _ write: SlotWrite, for slot: Slot, mode: Mode, deviations: inout [Deviation]
    ) -> AnyCell? {
        // Nothing is made for a property that keeps what it has.
        if mode != .overwriting, !slot.isEmpty {
            if mode != .keeping, let cell = write.source.present(write.request), slot.holds(cell) {
                return nil
            }
            deviations.append(Deviation(index: write.index, finding: .kept))
            return nil
        }
        return supply(
            write.source, write.request, index: write.index, isEarly: mode == .fresh, deviations: &deviations)
    }

    private func supply(_ write: LineWrite, deviations: inout [Deviation]) -> AnyCell? {
        write.fixedCell
            ?? supply(
                write.source, write.line.injection.request, index: write.index, isEarly: false,
                deviations: &deviations)
    }

    private func supply(
        _ source: Registration, _ request: CellRequest, index: Int, isEarly: Bool,
        deviations: inout [Deviation]
    ) -> AnyCell? {
        let supply = source.supply(request, isEarly: isEarly)
        let finding =
            supply.finding(from: source)
            ?? (request.isWeak ? record.properties[index].finding.ifKept : nil)
        record.note(finding, at: index)
        if let finding { deviations.append(Deviation(index: index, finding: finding)) }
        return supply.cell
    }

    private func writeLines(
        to object: AnyObject, mode: Mode, isOnActor: Bool, deviations: inout [Deviation]
    ) {
        // A setter may make the box drop this program, whose cells and lines are borrowed below.
        defer { withExtendedLifetime(self) {} }
        for hot in hotLines {
            hot.line._withUnsafeGuaranteedRef { write in
                if mode == .outside || !write.isUsable(on: object, isOnActor: isOnActor) {
                    deviations.append(Deviation(index: write.index, finding: .wrongIsolation))
                } else if mode == .keeping && write.line.injection.isSet?(object) == true
                    || mode == .fresh && write.line.injection.holdsService(in: object)
                {
                    deviations.append(Deviation(index: write.index, finding: .kept))
                } else if let cell = hot.fixedCell {
                    cell._withUnsafeGuaranteedRef { write.line.injection.write(to: object, $0) }
                } else if let cell = supply(write, deviations: &deviations) {
                    write.line.injection.write(to: object, cell)
                }
            }
        }
    }

    /// Writes the table of a struct.
    ///
    /// - Parameters:
    ///   - pointer: Where the struct lies, initialised and of the plan's type.
    ///   - subject: The struct as it was before.
    ///   - mode: How to treat what is there.
    /// - Returns: Where this differed from the record.
    func writeLines(
        toValueAt pointer: UnsafeMutableRawPointer, reading subject: Any, mode: Mode
    ) -> [Deviation] {
        var deviations: [Deviation] = []
        for write in lineWrites {
            let injection = write.line.injection
            if !write.isUsable(on: subject) {
                deviations.append(Deviation(index: write.index, finding: .wrongIsolation))
            } else if mode == .keeping, injection.isSet?(subject) == true {
                deviations.append(Deviation(index: write.index, finding: .kept))
            } else if let cell = supply(write, deviations: &deviations) {
                injection.write(toValueAt: pointer, cell)
            }
        }
        return deviations
    }

    /// The findings for a struct's table where the struct cannot be changed.
    var notInoutDeviations: [Deviation] {
        lineWrites.map { Deviation(index: $0.index, finding: .notInout) }
    }
}
