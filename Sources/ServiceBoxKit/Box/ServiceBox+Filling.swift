// Part of ServiceBox, released under the MIT License.
// Filling objects and values.

import Synchronization

extension ServiceBox {
    /// Fills an object: its own and its inherited injectable properties, matched by name and type.
    ///
    /// What is there is overwritten, unless `keepingExisting` says otherwise. Of plain properties, `keepingExisting`
    /// leaves those that are not optional, since they always hold something; setter closures cannot tell and run.
    ///
    /// Call it in the object's own isolation: the first object of a type is read property by property. An actor is
    /// filled from anywhere once its type is known, but then its empty slots alone; use
    /// ``fill(on:keepingExisting:)`` to fill all of it. What a fill replaces in a slot lives as long as the object.
    ///
    /// - Parameters:
    ///   - object: Any class instance or actor.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    /// - Returns: What each property got, or why it got nothing.
    /// - Complexity: O(*n*) for *n* properties to fill, after the first object of the type.
    @discardableResult
    public func fill<Object: AnyObject>(_ object: Object, keepingExisting: Bool = false) -> FillReport {
        fill(object: object, mode: keepingExisting ? .keeping : .overwriting, isOwner: false)
    }

    /// Fills an actor: all of it, in its own isolation.
    ///
    /// ```swift
    /// await box.fill(on: store)
    /// ```
    ///
    /// - Parameters:
    ///   - actor: The actor.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    /// - Returns: What each property got, or why it got nothing.
    /// - Complexity: O(*n*) for *n* properties to fill, after the first actor of the type.
    @discardableResult
    public func fill<Subject: Actor>(on actor: isolated Subject, keepingExisting: Bool = false) -> FillReport
    {
        fill(object: actor, mode: keepingExisting ? .keeping : .overwriting, isOwner: true)
    }

    /// Fills each object of a sequence.
    ///
    /// Call it in the objects' own isolation.
    ///
    /// - Parameters:
    ///   - objects: The objects; one that stands there twice is filled twice.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    /// - Returns: A report for each object, in their order.
    @discardableResult
    public func fill<Objects: Sequence>(
        contentsOf objects: Objects, keepingExisting: Bool = false
    ) -> [FillReport] where Objects.Element: AnyObject {
        objects.map { fill($0, keepingExisting: keepingExisting) }
    }

    /// Fills a struct: its slots and its table.
    ///
    /// The struct is read at each fill. An enum or a tuple cannot be filled, and the report says so; an object
    /// passed as `Any` is filled as an object.
    ///
    /// - Parameters:
    ///   - value: The struct.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    /// - Returns: What each property got, or why it got nothing.
    /// - Complexity: O(*n*) for *n* properties of the struct and of the structs inside.
    @discardableResult
    public func fill<Value>(_ value: inout Value, keepingExisting: Bool = false) -> FillReport {
        let mode: FillProgram.Mode = keepingExisting ? .keeping : .overwriting
        let subject: Any = value
        if type(of: subject) is AnyClass {
            return fill(object: subject as AnyObject, mode: mode, isOwner: false)
        }
        let (program, slots) = walkedProgram(for: subject)
        let report = program.run(slots: slots, of: nil, mode: mode)
        guard !program.lineWrites.isEmpty else { return report }
        guard type(of: subject) == Value.self else {
            return FillReport(report.record, deviations: report.deviations + program.notInoutDeviations)
        }
        let deviations = withUnsafeMutablePointer(to: &value) {
            program.writeLines(toValueAt: UnsafeMutableRawPointer($0), reading: subject, mode: mode)
        }
        return FillReport(report.record, deviations: report.deviations + deviations)
    }

    /// Fills the slots of a struct that is a constant.
    ///
    /// Slots are references, so a `let` struct can be filled, and so can a copy. Its table cannot be written; the
    /// report says so. Pass a variable with `&` to fill all of it. An enum or a tuple cannot be filled, and the
    /// report says so; an object passed as `Any` is filled as an object.
    ///
    /// - Parameters:
    ///   - value: The struct.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    /// - Returns: What each property got, or why it got nothing.
    /// - Complexity: O(*n*) for *n* properties of the struct and of the structs inside.
    @discardableResult
    public func fill<Value>(_ value: Value, keepingExisting: Bool = false) -> FillReport {
        let mode: FillProgram.Mode = keepingExisting ? .keeping : .overwriting
        let subject: Any = value
        if type(of: subject) is AnyClass {
            return fill(object: subject as AnyObject, mode: mode, isOwner: false)
        }
        let (program, slots) = walkedProgram(for: subject)
        let report = program.run(slots: slots, of: nil, mode: mode)
        guard !program.lineWrites.isEmpty else { return report }
        return FillReport(report.record, deviations: report.deviations + program.notInoutDeviations)
    }
}

extension ServiceBox {
    /// Fills an object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - mode: How to treat what is there.
    ///   - isOwner: Whether an actor is filled in its own isolation.
    /// - Returns: The report.
    func fill(object: AnyObject, mode: FillProgram.Mode, isOwner: Bool) -> FillReport {
        let key = ObjectIdentifier(type(of: object))
        let program = state.withLock { $0.crossFill.isSettled ? $0.programs[key] : nil }
        if let program, program.hasOffsets, !program.lacksTable, isOwner || !program.isForActor,
            let report = program.run(on: object, mode: mode)
        {
            return report
        }
        return fillSlowly(object, mode: mode, isOwner: isOwner)
    }

    /// Fills an object of a type that is new, or that has to be walked each time.
    private func fillSlowly(_ object: AnyObject, mode: FillProgram.Mode, isOwner: Bool) -> FillReport {
        let known = PlanStore.plan(of: type(of: object))
        if object is any Actor, !isOwner {
            guard let known, known.offsets != nil || known.slotIndices.isEmpty else {
                return notWalkedReport(of: type(of: object))
            }
            settle()
            let slots = known.offsets?.slots(of: object) ?? []
            return program(for: known.naming(as: slots)).run(slots: slots, of: object, mode: .outside)
        }
        if let known, known.offsets != nil, known.tableIsKnown || !(object is any Injectable) {
            settle()
            if let report = program(for: known).run(on: object, mode: mode) { return report }
        }
        let (program, slots) = walkedProgram(for: object)
        return program.run(slots: slots, of: object, mode: mode)
    }

    /// Walks a subject and matches what it shows with what is registered.
    private func walkedProgram(for subject: Any) -> (FillProgram, [Slot]) {
        let (plan, slots) = PlanStore.learn(subject)
        settle()
        return (program(for: plan), slots)
    }

    /// The program for a plan, made if this box has none that still holds.
    func program(for plan: TypePlan) -> FillProgram {
        let key = ObjectIdentifier(plan.type)
        let (kept, version) = state.withLock { ($0.programs[key], $0.version) }
        if let kept, kept.plan === plan, kept.hasOffsets == (plan.offsets != nil) { return kept }
        let lines = plan.lines(with: taughtLines(of: plan))
        let names = FillProgram.serviceNames(of: plan, lines: lines)
        let registrations = self.registrations(named: names)
        let program = FillProgram(plan: plan, lines: lines, registrations: registrations, box: self)
        guard plan.isStable, program.holdsAnywhere else { return program }
        let replaced = state.withLock { state -> FillProgram? in
            guard state.version == version else { return nil }
            return state.programs.updateValue(program, forKey: key)
        }
        withExtendedLifetime(replaced) {}
        return program
    }

    private func registrations(named names: Set<String>) -> [String: Registration] {
        var found = state.withLock { state in
            names.reduce(into: [String: Registration]()) { $0[$1] = state.registrations[$1] }
        }
        if names.contains(SelfRegistration.reservedName) {
            found[SelfRegistration.reservedName] = selfRegistration
        }
        return found
    }

    /// What the box was taught of a type and its superclasses, of which the nearest wins a name.
    func taughtLines(of plan: TypePlan) -> [TypePlan.TableLine] {
        state.withLock { state in
            guard !state.taughtLines.isEmpty else { return [] }
            return plan.owners.reduce(into: []) { lines, owner in
                lines.replace(with: state.taughtLines[ObjectIdentifier(owner)] ?? [])
            }
        }
    }

    /// The report on an actor that could not be looked into from outside.
    func notWalkedReport(of type: Any.Type, serviceName: String? = nil) -> FillReport {
        let property = PropertyRecord(type, .notWalked)
        return FillReport(FillRecord(type: type, serviceName: serviceName, properties: [property], box: self))
    }
}
