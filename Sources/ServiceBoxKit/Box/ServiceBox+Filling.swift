// Part of ServiceBox, released under the MIT License.
// Filling objects and values.

extension ServiceBox {
    /// Fills an object: its own and its inherited injectable properties, matched by name and type.
    ///
    /// What is there is overwritten, unless `keepingExisting` says otherwise. Of plain properties,
    /// `keepingExisting` leaves those that are not optional, since they always hold something; setter
    /// closures cannot tell and run.
    ///
    /// Call it in the object's own isolation. An actor is filled by ``fill(_:keepingExisting:)-(Subject,_)``; one
    /// that comes here as any object, from code that does not know its type, gets its empty slots filled and
    /// nothing else. So does a local distributed actor; of a remote one the report says what it is. What a fill
    /// replaces in a slot lives as long as the object: filled with *n* services one after the other it keeps *n*,
    /// each once.
    ///
    /// - Important: An object of a global actor must not be filled off that actor while its owner puts another
    ///   wrapper into a property, as `_clock = Injected()` does: the box may be reading the one that is going.
    ///
    /// - Parameters:
    ///   - object: Any class instance.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    /// - Returns: What each property got, or why it got nothing.
    /// - Complexity: O(*n*) for *n* properties to fill, after the first object of the type.
    @discardableResult
    public func fill<Object: AnyObject>(_ object: Object, keepingExisting: Bool = false) -> FillReport {
        fill(object: object, mode: keepingExisting ? .keeping : .overwriting, .owned)
    }

    /// Fills an actor: all of it, in its own isolation.
    ///
    /// In an initialiser, where an actor is not isolated yet, it calls
    /// ``Injectable/fillWithDependencies(from:keepingExisting:isolation:)``.
    ///
    /// ```swift
    /// await box.fill(store)
    /// ```
    ///
    /// - Parameters:
    ///   - actor: The actor.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    /// - Returns: What each property got, or why it got nothing.
    /// - Complexity: O(*n*) for *n* properties to fill, after the first actor of the type.
    @discardableResult
    public func fill<Subject: Actor>(_ actor: isolated Subject, keepingExisting: Bool = false) -> FillReport {
        fill(
            object: actor, mode: keepingExisting ? .keeping : .overwriting, .owned, isOnActor: true)
    }

    /// Fills a struct: its slots and its table.
    ///
    /// An enum or a tuple cannot be filled, and the report says so; an
    /// object passed as `Any` is filled as an object.
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
            return fill(object: subject as AnyObject, mode: mode, .owned)
        }
        let (program, slots) = program(for: subject, .owned)
        var report = program.run(slots: slots, of: nil, mode: mode)
        if type(of: subject) == Value.self, !program.lineWrites.isEmpty {
            report.deviations += withUnsafeMutablePointer(to: &value) {
                program.writeLines(toValueAt: UnsafeMutableRawPointer($0), reading: subject, mode: mode)
            }
        } else {
            report.deviations += program.notInoutDeviations
        }
        report.deviations += program.nilDeviations(in: subject)
        return told(report, of: program, slots: slots, object: nil, mode: mode)
    }

    /// Fills the slots of a struct that is a constant.
    ///
    /// Slots are references, so a `let` struct can be filled, and so can a copy. Its table cannot be written;
    /// the report says so. Pass a variable with `&` to fill all of it. An enum or a tuple cannot be filled,
    /// and the report says so; an object passed as `Any` is filled as an object.
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
            return fill(object: subject as AnyObject, mode: mode, .owned)
        }
        return fill(slotsOf: subject, mode: mode)
    }
}

extension ServiceBox {
    /// Fills what can be filled of a struct that is a constant.
    func fill(slotsOf subject: Any, mode: FillProgram.Mode) -> FillReport {
        let (program, slots) = program(for: subject, .owned)
        var report = program.run(slots: slots, of: nil, mode: mode)
        report.deviations += program.notInoutDeviations + program.nilDeviations(in: subject)
        return told(report, of: program, slots: slots, object: nil, mode: mode)
    }
}
