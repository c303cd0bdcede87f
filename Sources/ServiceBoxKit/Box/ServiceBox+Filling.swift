// Part of ServiceBox, released under the MIT License.
// Filling objects and values.

extension ServiceBox {
    /// Fills an object: its own and its inherited injectable properties, matched by name and type.
    ///
    /// What is there is overwritten, unless `keepingExisting` says otherwise. Of plain properties,
    /// `keepingExisting` leaves those that aren't optional, since they always hold something; setter
    /// closures can't tell, and run.
    ///
    /// Call it in the object's own isolation. An actor is filled by ``fill(_:keepingExisting:waiting:)-(Subject,_,_)``; one
    /// that comes here as any object, from code that doesn't know its type, gets its empty slots filled and
    /// nothing else. So does a local distributed actor; of a remote one the report says what it is. What a fill
    /// replaces in a slot lives as long as the object: filled with *n* services one after the other it keeps *n*,
    /// each once. How an object waits for what is registered later, <doc:LateArrivals> tells.
    ///
    /// - Important: An object of a global actor must not be filled off that actor while its owner puts another
    ///   wrapper into a property, as `_clock = Injected()` does: the box may be reading the one that is going.
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

    /// Fills an actor: all of it, in its own isolation.
    ///
    /// In an initialiser, where an actor isn't isolated yet, it calls
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
        let quick = withUnsafePointer(to: &value) {
            fillQuickly(UnsafeRawPointer($0), of: Value.self, keepingExisting: keepingExisting)
        }
        let report = quick ?? fillSlowly(&value, keepingExisting: keepingExisting)
        if waiting { waitForMissing(report, in: value) }
        return report
    }

    /// Fills the slots of a struct that is a constant.
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
        let quick = withUnsafePointer(to: value) {
            fillQuickly(UnsafeRawPointer($0), of: Value.self, keepingExisting: keepingExisting)
        }
        let report = quick ?? fillSlowly(value, keepingExisting: keepingExisting)
        if waiting { waitForMissing(report, in: value) }
        return report
    }

    /// Fills a struct whose type was filled before, if it has slots alone; nil if there is more to do.
    ///
    /// The pointer is to a value of the type, in the caller's code: here a copy would have to be made.
    @usableFromInline
    func fillQuickly(_ pointer: UnsafeRawPointer, of type: Any.Type, keepingExisting: Bool) -> FillReport? {
        guard !ledger.isWatched, let generation = crossFiller.filledGeneration else { return nil }
        return filler.quickProgram(for: type, generation)?
            .run(on: pointer, keepingExisting ? .keeping : .overwriting)
    }

    @usableFromInline
    func fillSlowly<Value>(_ value: inout Value, keepingExisting: Bool) -> FillReport {
        let subject: Any = value
        // An object, and what is in an existential, can't be written through a pointer to it.
        if type(of: subject) != Value.self || Value.self is AnyClass {
            return fillSlowly(value, keepingExisting: keepingExisting)
        }
        return withUnsafeMutablePointer(to: &value) {
            fill(
                subject, .value(UnsafeMutableRawPointer($0), before: subject),
                keepingExisting ? .keeping : .overwriting, .owned)
        }
    }

    /// Has the slots of what was filled from outside an actor wait.
    @inline(never)
    @usableFromInline
    func waitForMissing<Value>(_ report: FillReport, in value: Value) {
        let subject: Any = value
        waitForMissing(report, in: classInstance(subject) ?? subject, Access(of: subject))
    }

    @usableFromInline
    func fillSlowly<Value>(_ value: Value, keepingExisting: Bool) -> FillReport {
        let mode: FillProgram.Mode = keepingExisting ? .keeping : .overwriting
        let subject: Any = value
        if let object = classInstance(subject) { return fill(object: object, mode, .owned) }
        return fill(subject, nil, mode, .owned)
    }

    /// Fills an object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - mode: How to treat what is there.
    ///   - access: Who else may have it.
    ///   - isOnActor: Whether the object is an actor and this its isolation.
    /// - Returns: The report.
    func fill(
        object: AnyObject, _ mode: FillProgram.Mode, _ access: Access, isOnActor: Bool = false
    ) -> FillReport {
        if !ledger.isWatched, let generation = crossFiller.filledGeneration,
            let report = filler.fillQuickly(object, mode, access, isOnActor: isOnActor, for: generation)
        {
            noteTable(of: object, report, access)
            return report
        }
        // An actor that is handed over as any object is seen from outside.
        if access == .owned, !isOnActor, Access(of: object) == .shared {
            return fill(object, .object(object, isOnActor: false), .outside, .shared)
        }
        let report = fill(object, .object(object, isOnActor: isOnActor), mode, access)
        noteTable(of: object, report, access)
        return report
    }

    /// Notes what a fill has done with the table of a registered service that lacked something.
    @inline(__always)
    private func noteTable(of object: AnyObject, _ report: FillReport, _ access: Access) {
        if report.record.traits.hasLines, access == .owned, crossFiller.hasLacking {
            crossFiller.noteFill(of: object, report)
        }
    }

    /// Fills an object or a value of a type that is new, or that has to be looked at each time.
    ///
    /// - Parameters:
    ///   - subject: The object or the value.
    ///   - target: What its table is written to; nil for a struct that can't be changed.
    ///   - mode: How to treat what is there.
    ///   - access: Who else may have it.
    /// - Returns: The report.
    private func fill(
        _ subject: Any, _ target: FillProgram.Target?, _ mode: FillProgram.Mode, _ access: Access
    ) -> FillReport {
        // A service by its field records: what a mirror of its own hides would be handed out empty.
        let (shared, slots) = PlanStore.learn(subject, mode == .fresh ? .shared : access)
        let program = upToDate { filler.program(for: shared) }.0
        let report = filler.fill(subject, slots, by: program, target, mode, access)
        if access == .owned, mode == .overwriting || mode == .keeping { report.tell(subject) }
        return report
    }

    /// Fills a service that nobody else has yet, or the empty slots of one that others may be using.
    func fill(service: Any, _ mode: FillProgram.Mode) -> FillReport {
        guard let object = classInstance(in: service) else { return fill(service, nil, mode, .owned) }
        return fill(object: object, mode, .shared)
    }

    /// Fills a service that nobody else has yet and that is kept.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - cell: What it is kept in.
    /// - Returns: The report, and what cross-fills have to know when others may see the service.
    func fill(_ service: Any, keptIn cell: AnyCell) -> (FillReport, Wiring?) {
        let (wiring, slots) = Wiring.look(at: service) { _ in .created(WeakReference(cell)) }
        fillCollections(of: wiring, by: .early)
        let object = wiring.object
        let program = upToDate { filler.program(for: wiring.current) }.0
        let report = filler.fill(
            object ?? service, slots, by: program, object.map { .object($0, isOnActor: false) }, .fresh,
            object == nil ? .owned : .shared
        ) { wiring.noteFilled(with: $0, from: $1, at: $2) }
        return (report, wiring)
    }

    /// Fills the empty slots of a kept service that take all services of a type, and are kept up to date.
    func fillCollections(of wiring: Wiring, by asker: Asker) {
        guard wiring.current.takesAllServices else { return }
        crossFiller.fillServices()
        crossFiller.fillCollections(of: wiring, by: asker)
    }
}

extension FillReport {
    /// Tells what was filled, if it wants to know; the cast asks whether this is its actor.
    func tell(_ subject: Any) {
        if record.traits.observesFills { (subject as? any FillObserving)?.didFill(by: self) }
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
    /// An actor calls it in its initialiser, which fills its slots, or in its own methods, which writes its table
    /// too. From outside use ``ServiceBox/fill(_:keepingExisting:waiting:)-(Subject,_,_)``.
    ///
    /// ```swift
    /// final class ProfileScreen: Injectable {
    ///     @Injected var analytics: (any Analytics)?
    ///     init() { fillWithDependencies() }
    /// }
    /// ```
    ///
    /// To look at the report later, keep it in a property that has a value before: `var report: FillReport?`.
    ///
    /// - Parameters:
    ///   - box: The box to fill from.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    ///   - waiting: Whether the slots that stay empty are filled later, by the call that registers their service.
    ///   - isolation: Where the call stands; leave it to the compiler.
    /// - Returns: What each property got, or why it got nothing.
    @discardableResult
    public func fillWithDependencies(
        from box: ServiceBox = .default, keepingExisting: Bool = false, waiting: Bool = false,
        isolation: (any Actor)? = #isolation
    ) -> FillReport {
        // In an initialiser an actor isn't isolated yet, and what it has started may be using it already. There the
        // compiler names the actor all the same in Swift 5 mode, as any caller can, so the runtime is asked too.
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
