// Part of ServiceBox, released under the MIT License.
// How a fill runs: from the program that the box keeps for a type, or by way of a walk.

extension ServiceBox {
    /// Fills an object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - mode: How to treat what is there.
    ///   - access: Who else may have it.
    ///   - isOnActor: Whether the object is an actor and this its isolation.
    /// - Returns: The report.
    func fill(
        object: AnyObject, mode: FillProgram.Mode, _ access: Access, isOnActor: Bool = false
    ) -> FillReport {
        let key = ObjectIdentifier(type(of: object))
        if let version = settledVersion,
            let program = state.withLock({ $0.isWatched ? nil : $0.programs[key] }),
            program.familyVersion == version, program.hasOffsets, !program.lacksTable,
            isOnActor || !program.isForActor,
            let report = access == .owned
                ? program.run(on: object, mode: mode, isOnActor: isOnActor)
                : program.run(onShared: object, mode: mode)
        {
            return report
        }
        return fillSlowly(object, mode: mode, access, isOnActor: isOnActor)
    }

    /// Fills an object of a type that is new, or that has to be looked at each time.
    private func fillSlowly(
        _ object: AnyObject, mode: FillProgram.Mode, _ access: Access, isOnActor: Bool
    ) -> FillReport {
        // An actor that is handed over as any object is seen from outside.
        let isOutside = access == .owned && !isOnActor && Access(of: object) == .shared
        let access = isOutside ? .shared : access
        let mode = isOutside ? .outside : mode
        let (program, slots) = program(for: object, access)
        var report = program.run(slots: slots, of: object, mode: mode, isOnActor: isOnActor)
        if access == .owned { report.deviations += program.nilDeviations(in: object) }
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

    /// Looks at a subject and matches its properties with what is registered.
    func program(for subject: Any, _ access: Access) -> (FillProgram, [Slot]) {
        let (plan, slots) = PlanStore.learn(subject, access)
        settle()
        return (program(for: plan), slots)
    }

    /// The program for a plan that is used to fill; made, and noted, if this box has none that still holds.
    func program(for plan: TypePlan) -> FillProgram {
        let (program, isKept) = plannedProgram(for: plan)
        if isKept { return program }
        note(program)
        guard plan.revision != nil, program.holdsAnywhere else { return program }
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
        if let kept, kept.familyVersion == version, kept.plan.revision == plan.revision {
            return (kept, true)
        }
        let lines = plan.lines(with: taughtLines(of: plan.owners))
        return (FillProgram(plan: plan, lines: lines, familyVersion: version, box: self), false)
    }

    /// What the box was taught of a type and its superclasses, of which the nearest wins a name.
    ///
    /// - Parameter owners: The classes from the root to the type, or a struct alone.
    /// - Returns: The lines.
    func taughtLines(of owners: [Any.Type]) -> [TableLine] {
        var lines = parent?.taughtLines(of: owners) ?? []
        state.withLock { state in
            guard !state.taughtLines.isEmpty else { return }
            for owner in owners { lines = lines.replacing(with: state.taughtLines[ObjectIdentifier(owner)] ?? []) }
        }
        return lines
    }

    /// Whether this box or an ancestor was taught anything.
    var hasTaught: Bool { state.withLock { !$0.taughtLines.isEmpty } || parent?.hasTaught == true }
}
