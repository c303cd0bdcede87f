// Part of ServiceBox, released under the MIT License.
// Filling objects and values.

extension ServiceBox {
    /// Fills an object: its own and its inherited injectable properties, matched by name and type.
    ///
    /// Existing values are overwritten, unless `keepingExisting` is true or the property is looked up when it
    /// is read. `keepingExisting` leaves plain properties that aren't optional alone, since they always hold a
    /// value; setter closures can't tell, and run.
    ///
    /// Call it in the object's own isolation. An actor is filled by
    /// ``fill(_:keepingExisting:waiting:)-(Subject,_,_)``; one that is passed as any object, by code that
    /// doesn't know its type, gets only its empty slots filled. So does a local distributed actor; for a
    /// remote one the report says what it is. A value that a fill replaces in a slot lives as long as the
    /// object: filled with *n* services one after the other, it keeps *n*, each once. <doc:LateArrivals>
    /// explains how an object waits for later registrations.
    ///
    /// - Important: An object of a global actor must not be filled off that actor while its owner replaces a
    ///   wrapper, as `_clock = Injected()` does: the box may be reading the one that is being deinitialised.
    ///
    /// - Parameters:
    ///   - object: Any class instance.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    ///   - waiting: Whether the slots that stay empty are filled later, by the call that registers their service.
    /// - Returns: What each property got, or why it got nothing.
    /// - Complexity: O(*n*) for *n* properties to fill, after the first object of the type.
    @discardableResult
    public func fill<Object: AnyObject>(
        _ object: Object, keepingExisting: Bool = false, waiting: Bool = false
    ) -> FillReport {
        let report = fill(object: object, keepingExisting ? .keeping : .overwriting, .owned)
        if waiting { waitForMissing(report, in: object) }
        return report
    }

    /// Fills an actor, completely and in its own isolation.
    ///
    /// In an initialiser, which isn't isolated if it is synchronous, an actor calls
    /// ``Injectable/fillWithDependencies(from:keepingExisting:waiting:isolation:)``.
    ///
    /// ```swift
    /// await box.fill(store)
    /// ```
    ///
    /// - Parameters:
    ///   - actor: The actor.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    ///   - waiting: Whether the slots that stay empty are filled later, by the call that registers their service.
    /// - Returns: What each property got, or why it got nothing.
    /// - Complexity: O(*n*) for *n* properties to fill, after the first actor of the type.
    @discardableResult
    public func fill<Subject: Actor>(
        _ actor: isolated Subject, keepingExisting: Bool = false, waiting: Bool = false
    ) -> FillReport {
        let report = fill(
            object: actor, keepingExisting ? .keeping : .overwriting, .owned, isOnActor: true)
        if waiting { waitForMissing(report, in: actor, .owned) }
        return report
    }

    /// Fills a struct: its slots and its table.
    ///
    /// An enum or a tuple can't be filled, and the report says so; an
    /// object passed as `Any` is filled as an object.
    ///
    /// - Parameters:
    ///   - value: The struct.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    ///   - waiting: Whether the slots that stay empty are filled later, by the call that registers their service.
    /// - Returns: What each property got, or why it got nothing.
    /// - Complexity: O(*n*) for *n* properties of the struct and of the structs inside.
    @inlinable
    @discardableResult
    public func fill<Value>(
        _ value: inout Value, keepingExisting: Bool = false, waiting: Bool = false
    ) -> FillReport {
        let quick = unsafe withUnsafePointer(to: &value) {
            unsafe fillQuickly(UnsafeRawPointer($0), of: Value.self, keepingExisting: keepingExisting)
        }
        let report = quick ?? fillSlowly(&value, keepingExisting: keepingExisting)
        if waiting { waitForMissing(report, in: value) }
        return report
    }

    /// Fills the slots of a constant struct.
    ///
    /// Slots are references, so a `let` struct can be filled, and so can a copy. Its table can't be written;
    /// the report says so. Pass a variable with `&` to fill all of it. An enum or a tuple can't be filled,
    /// and the report says so; an object passed as `Any` is filled as an object.
    ///
    /// - Parameters:
    ///   - value: The struct.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    ///   - waiting: Whether the slots that stay empty are filled later, by the call that registers their service.
    /// - Returns: What each property got, or why it got nothing.
    /// - Complexity: O(*n*) for *n* properties of the struct and of the structs inside.
    @inlinable
    @discardableResult
    public func fill<Value>(
        _ value: Value, keepingExisting: Bool = false, waiting: Bool = false
    ) -> FillReport {
        let quick = unsafe withUnsafePointer(to: value) {
            unsafe fillQuickly(UnsafeRawPointer($0), of: Value.self, keepingExisting: keepingExisting)
        }
        let report = quick ?? fillSlowly(value, keepingExisting: keepingExisting)
        if waiting { waitForMissing(report, in: value) }
        return report
    }

    /// Fills a struct whose type was filled before, if it has only slots; nil if there is more to do.
    ///
    /// The pointer is to a value of the type in the caller's code: here the value would have to be copied.
    @usableFromInline
    func fillQuickly(_ pointer: UnsafeRawPointer, of type: Any.Type, keepingExisting: Bool) -> FillReport? {
        let mode: FillProgram.Mode = keepingExisting ? .keeping : .overwriting
        guard !ledger.isWatched, let generation = crossFiller.filledGeneration,
            let report = unsafe filler.fillQuickly(pointer, of: type, mode, for: generation)
        else { return nil }
        noteAsks(report, mode)
        return report
    }

    @usableFromInline
    func fillSlowly<Value>(_ value: inout Value, keepingExisting: Bool) -> FillReport {
        let subject: Any = value
        // An object, or an existential's contents, can't be written through a pointer to it.
        if type(of: subject) != Value.self || Value.self is AnyClass {
            return fillSlowly(value, keepingExisting: keepingExisting)
        }
        return unsafe withUnsafeMutablePointer(to: &value) {
            unsafe fill(
                subject, .value(UnsafeMutableRawPointer($0), before: subject),
                keepingExisting ? .keeping : .overwriting, .owned)
        }
    }

    /// Makes the empty slots of a value wait, unless the caller is inside its actor.
    @inline(never)
    @usableFromInline
    func waitForMissing<Value>(_ report: FillReport, in value: Value) {
        let subject: Any = value
        waitForMissing(report, in: classInstance(subject) ?? subject, Access(of: subject))
    }

    @usableFromInline
    func fillSlowly<Value>(_ value: Value, keepingExisting: Bool) -> FillReport {
        fill(value, keepingExisting ? .keeping : .overwriting, .owned)
    }

    /// Fills an object; `isOnActor` says that it is an actor, and this its isolation.
    func fill(
        object: AnyObject, _ mode: FillProgram.Mode, _ access: Access, isOnActor: Bool = false
    ) -> FillReport {
        if !ledger.isWatched, let generation = crossFiller.filledGeneration,
            let report = filler.fillQuickly(object, mode, access, isOnActor: isOnActor, for: generation)
        {
            noteTable(of: object, report, access)
            noteAsks(report, mode)
            return report
        }
        // An actor that is passed as any object is filled from outside.
        if access == .owned, !isOnActor, Access(of: object) == .shared {
            let report = fill(object, .object(object, isOnActor: false), .outside, .shared)
            noteAsks(report, mode)
            return report
        }
        let report = fill(object, .object(object, isOnActor: isOnActor), mode, access)
        noteTable(of: object, report, access)
        return report
    }

    /// Notes the lines that a fill wrote in a registered service that lacked something.
    @inline(__always)
    private func noteTable(of object: AnyObject, _ report: FillReport, _ access: Access) {
        if report.record.traits.hasLines, access == .owned, crossFiller.hasLacking {
            crossFiller.noteFill(of: object, report)
        }
    }

    /// Notes what a factory of the box has filled something with, as if it had looked that up; what the box
    /// fills by itself has another mode.
    @inline(__always)
    private func noteAsks(_ report: FillReport, _ mode: FillProgram.Mode) {
        if RunningFactories.areRunning, mode == .overwriting || mode == .keeping { noteAsks(report) }
    }

    @inline(never)
    private func noteAsks(_ report: FillReport) {
        let record = report.deviations.isEmpty ? report.record : nil
        guard RunningFactories.history?.habits.isNewsToFill(record) == true else { return }
        report.findings.flatMap(\.takenNames).compactMap(registry.registration).forEach(ledger.noteAsk)
    }

    /// Fills an object or a value of a new type, or of one whose instances have to be inspected each time.
    ///
    /// The target is what its table writes to; nil for a struct that can't be changed.
    private func fill(
        _ subject: Any, _ target: FillProgram.Target?, _ mode: FillProgram.Mode, _ access: Access
    ) -> FillReport {
        // A service is read by its field records: a property hidden by a custom mirror would otherwise be
        // left empty.
        let (shared, slots) = PlanStore.learn(subject, mode == .fresh ? .shared : access)
        let program = upToDate { filler.program(for: shared) }.0
        let report = filler.fill(subject, slots, by: program, target, mode, access)
        noteAsks(report, mode)
        if access == .owned, mode == .overwriting || mode == .keeping { report.tell(subject) }
        return report
    }

    /// Fills an object, or the slots of a struct that can't be changed.
    func fill(_ subject: Any, _ mode: FillProgram.Mode, _ access: Access) -> FillReport {
        guard let object = classInstance(subject) else { return fill(subject, nil, mode, .owned) }
        return fill(object: object, mode, access)
    }

    /// Fills a service that nobody else has yet and that is kept.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - cell: Its cell; nil if it is held weakly.
    /// - Returns: The report, and the wiring that cross-fills need when others may see the service.
    func fill(_ service: Any, keptIn cell: AnyCell?) -> (FillReport, Wiring?) {
        let (wiring, slots) = Wiring.look(at: service) {
            cell.map { .created(WeakReference($0)) } ?? .weak(WeakCell($0))
        }
        crossFiller.fillCollections(of: wiring, by: .early)
        return (crossFiller.correct(fill(service, slots, of: wiring, .fresh), wiring), wiring)
    }

    /// Fills the slots of a service's wiring, and its table, and notes there what they were filled with.
    func fill(_ service: Any, _ slots: [Slot], of wiring: Wiring, _ mode: FillProgram.Mode) -> FillReport {
        let object = wiring.object
        let program = upToDate { filler.program(for: wiring.current) }.0
        return filler.fill(
            object ?? service, slots, by: program, object.map { .object($0, isOnActor: false) }, mode,
            object == nil ? .owned : .shared
        ) { wiring.noteFilled(with: $0, from: $1, at: $2) }
    }
}

extension FillReport {
    /// Tells the filled object, if it observes fills; the cast checks for its actor.
    func tell(_ subject: @autoclosure () -> Any?) {
        if record.traits.observesFills { (subject() as? any FillObserving)?.didFill(by: self) }
    }
}

// MARK: - Before any use

extension ServiceBox {
    /// Reads registrations after all services have been filled with each other.
    ///
    /// Services registered meanwhile are filled too, but only once: registrations made by filling must not
    /// keep it going.
    ///
    /// - Parameter read: Reads; called again if anything is registered meanwhile.
    /// - Returns: The result, and the generation of the registry that it holds for.
    func upToDate<Result>(_ read: () -> Result) -> (Result, generation: Int) {
        let isDone = crossFiller.fillServices()
        crossFiller.fillPending()
        let (result, generation) = registry.consistently(read)
        if !isDone || crossFiller.isFilled(for: generation) { return (result, generation) }
        crossFiller.fillServices()
        return registry.consistently(read)
    }

    /// Fills the registered services whose tables wait for the main actor.
    nonisolated(nonsending) func fillOnMainActor() async {
        if crossFiller.waitsForMainActor { await MainActor.run { _ = upToDate {} } }
    }
}

// MARK: - Objects that fill themselves

extension Injectable where Self: AnyObject {
    /// Fills this object from the default box, or from another.
    ///
    /// Call it from inside: at the end of an initialiser, or in the object's own isolation. In a superclass's
    /// initialiser it fills the properties of the subclass too, which the rest of the subclass's initialiser
    /// may still set.
    ///
    /// An actor calls it in a synchronous initialiser, where it fills its slots, or in an asynchronous one or its
    /// own methods, where it also writes its table. From outside use
    /// ``ServiceBox/fill(_:keepingExisting:waiting:)-(Subject,_,_)``.
    ///
    /// ```swift
    /// final class ProfileScreen: Injectable {
    ///     @Injected var analytics: (any Analytics)?
    ///     init() { fillWithDependencies() }
    /// }
    /// ```
    ///
    /// To read the report later, store it in a property that has a value before: `var report: FillReport?`.
    ///
    /// - Parameters:
    ///   - box: The box to fill from.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    ///   - waiting: Whether the slots that stay empty are filled later, by the call that registers their service.
    ///   - isolation: The isolation of the call; leave it to the compiler.
    /// - Returns: What each property got, or why it got nothing.
    @discardableResult
    public func fillWithDependencies(
        from box: ServiceBox = .default, keepingExisting: Bool = false, waiting: Bool = false,
        isolation: (any Actor)? = #isolation
    ) -> FillReport {
        // In an initialiser an actor isn't isolated yet, and code that it has started may be using it
        // already. In Swift 5 mode the compiler passes the actor even there, as any caller can, so the
        // runtime is asked too.
        let isOnActor = isolation.map { $0 === self && Isolation.isCurrent($0) ?? true } ?? false
        let access = isOnActor ? .owned : Access(of: self)
        let report = box.fill(
            object: self, keepingExisting ? .keeping : .overwriting, access, isOnActor: isOnActor)
        if waiting { box.waitForMissing(report, in: self, access) }
        return report
    }
}

extension Injectable {
    /// Fills this struct from the default box, or from another.
    ///
    /// - Parameters:
    ///   - box: The box to fill from.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    ///   - waiting: Whether the slots that stay empty are filled later, by the call that registers their service.
    /// - Returns: What each property got, or why it got nothing.
    @discardableResult
    public mutating func fillWithDependencies(
        from box: ServiceBox = .default, keepingExisting: Bool = false, waiting: Bool = false
    ) -> FillReport {
        box.fill(&self, keepingExisting: keepingExisting, waiting: waiting)
    }
}
