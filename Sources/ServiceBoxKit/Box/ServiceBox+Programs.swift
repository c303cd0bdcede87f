// Part of ServiceBox, released under the MIT License.
// How a fill runs: from the program that the box keeps for a type, or by way of a walk.

extension ServiceBox {
    /// Fills an object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - mode: How to treat what is there.
    ///   - isOwner: Whether an actor may be read here: in its own isolation, or as long as nobody else has
    ///     it.
    ///   - isOnActor: Whether the object is an actor and this its isolation.
    /// - Returns: The report.
    func fill(
        object: AnyObject, mode: FillProgram.Mode, isOwner: Bool, isOnActor: Bool = false
    ) -> FillReport {
        let key = ObjectIdentifier(type(of: object))
        if let version = settledVersion,
            let program = state.withLock({ $0.isWatched ? nil : $0.programs[key] }),
            program.familyVersion == version, program.hasOffsets, !program.lacksTable,
            isOwner || !program.isForActor,
            let report = program.run(on: object, mode: mode, isOnActor: isOnActor)
        {
            return report
        }
        return fillSlowly(object, mode: mode, isOwner: isOwner, isOnActor: isOnActor)
    }

    /// Fills an object of a type that is new, or that has to be walked each time.
    private func fillSlowly(
        _ object: AnyObject, mode: FillProgram.Mode, isOwner: Bool, isOnActor: Bool
    ) -> FillReport {
        let known = PlanStore.plan(of: type(of: object))
        let isActor = known.map { $0.shape == .actor } ?? (object is any Actor)
        if isActor, !isOwner {
            guard let known, known.offsets != nil || known.slotIndices.isEmpty else {
                return notWalkedReport(of: type(of: object))
            }
            settle()
            let slots = known.offsets?.slots(of: object) ?? []
            let program = program(for: known.naming(as: slots.map(\.explicitName)))
            let report = program.run(slots: slots, of: object, mode: .outside)
            return told(report, of: program, slots: slots, object: object, mode: .outside)
        }
        if let known, known.offsets != nil, known.tableIsKnown || !(object is any Injectable) {
            settle()
            let program = program(for: known)
            if let report = program.run(on: object, mode: mode, isOnActor: isOnActor) {
                return told(report, of: program, slots: program.slots(of: object), object: object, mode: mode)
            }
        }
        let (program, slots) = walkedProgram(for: object, isActor: isActor)
        let report = program.run(slots: slots, of: object, mode: mode, isOnActor: isOnActor)
        return told(report, of: program, slots: slots, object: object, mode: mode)
    }

    /// Tells whoever wants to know of a fill.
    ///
    /// - Parameters:
    ///   - report: The fill.
    ///   - program: What was filled.
    ///   - slots: The slots, in the order of the plan's `slotIndices`.
    ///   - object: The object, or nil for a struct.
    ///   - mode: How it was filled; of a service that is made its maker tells.
    /// - Returns: The report.
    func told(
        _ report: FillReport, of program: FillProgram, slots: @autoclosure () -> [Slot], object: AnyObject?,
        mode: FillProgram.Mode
    ) -> FillReport {
        guard state.withLock({ $0.isWatched }) else { return report }
        track(program.holdings(after: report, slots: slots(), object: object, mode: mode))
        if mode != .fresh { tell(report.events) }
        return report
    }

    /// Walks a subject and matches what it shows with what is registered.
    func walkedProgram(for subject: Any, isActor: Bool? = nil) -> (FillProgram, [Slot]) {
        let (plan, slots) = PlanStore.learn(subject, isActor: isActor)
        settle()
        return (program(for: plan), slots)
    }

    /// The program for a plan that is used to fill; made, and noted, if this box has none that still holds.
    func program(for plan: TypePlan) -> FillProgram {
        let (program, isKept) = plannedProgram(for: plan)
        if isKept { return program }
        note(program)
        guard plan.isStable, program.holdsAnywhere else { return program }
        let key = ObjectIdentifier(plan.type)
        let version = program.familyVersion
        let replaced = state.withLock { state -> FillProgram? in
            guard familyVersion == version else { return nil }
            return state.programs.updateValue(program, forKey: key)
        }
        withExtendedLifetime(replaced) {}
        return program
    }

    /// The program for a plan, and whether it is the one that the box keeps.
    func plannedProgram(for plan: TypePlan) -> (program: FillProgram, isKept: Bool) {
        let key = ObjectIdentifier(plan.type)
        let (kept, version) = state.withLock { ($0.programs[key], familyVersion) }
        if let kept, kept.familyVersion == version, kept.plan === plan,
            kept.hasOffsets == (plan.offsets != nil)
        {
            return (kept, true)
        }
        let lines = plan.lines(with: taughtLines(of: plan.owners))
        return (FillProgram(plan: plan, lines: lines, familyVersion: version, box: self), false)
    }

    /// What the box was taught of a type and its superclasses, of which the nearest wins a name.
    ///
    /// - Parameter owners: The classes from the root to the type, or a struct alone.
    /// - Returns: The lines.
    func taughtLines(of owners: [Any.Type]) -> [TypePlan.TableLine] {
        var lines = parent?.taughtLines(of: owners) ?? []
        state.withLock { state in
            guard !state.taughtLines.isEmpty else { return }
            for owner in owners { lines.replace(with: state.taughtLines[ObjectIdentifier(owner)] ?? []) }
        }
        return lines
    }

    /// Whether this box or an ancestor was taught anything.
    var hasTaught: Bool { state.withLock { !$0.taughtLines.isEmpty } || parent?.hasTaught == true }

    /// The report on an actor that could not be looked into from outside.
    func notWalkedReport(of type: Any.Type, serviceName: String? = nil) -> FillReport {
        let properties = PropertyRecord.onBuild(type) + [PropertyRecord(type, .notWalked)]
        return FillReport(FillRecord(type: type, serviceName: serviceName, properties: properties, box: self))
    }
}
