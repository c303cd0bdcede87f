// Part of ServiceBox, released under the MIT License.
// What a fill would do.

extension ServiceBox {
    /// Says what a fill would do, without filling and without making anything.
    ///
    /// ```swift
    /// try box.plan(for: SettingsScreen()).requireComplete()
    /// ```
    ///
    /// What the object holds already does not matter, and a service that is not made yet counts by the type
    /// that it is registered as. Call it in the object's own isolation; an actor may be passed from
    /// anywhere.
    ///
    /// - Parameter subject: A class instance, an actor or a struct; or a type, in an `Any.Type`.
    /// - Returns: What each property would get, or why it would get nothing.
    /// - Complexity: O(*n*) for *n* properties, after the first object of the type.
    public func plan<Subject>(for subject: Subject) -> FillReport {
        let value: Any = subject
        // A type known at run time only is a value of `Any.Type`.
        if let type = value as? Any.Type { return plan(knownOrUnseen: type) }
        return plan(PlanStore.learn(value, Access(of: value)).plan)
    }

    /// Says what a fill of an object of a type would do, as far as the type is known.
    ///
    /// Once any box has seen an object of the type, all of it is. Before that, what this box or an ancestor
    /// was taught of the type and its superclasses is; a note then says that its slots are not, and the lines
    /// of key paths are not compared with its stored properties.
    ///
    /// May be called from anywhere.
    ///
    /// - Parameter type: A class, an actor or a struct.
    /// - Returns: What each property would get, or why it would get nothing; of a type that is not known at
    ///   all, that.
    /// - Complexity: O(*n*) for *n* properties.
    public func plan<Subject>(for type: Subject.Type) -> FillReport {
        plan(knownOrUnseen: type)
    }

    /// Says what a fill of an object of a type that lists a table would do.
    ///
    /// As for any other type, but before any box has seen an object, the table of the type is known too, with
    /// those of its superclasses, of which the nearest wins a name, as in a fill.
    ///
    /// ```swift
    /// try box.plan(for: SettingsScreen.self).requireComplete()
    /// ```
    ///
    /// Call it where the conformance may be used: on its actor, if it belongs to one, otherwise from
    /// anywhere. From elsewhere pass `SettingsScreen.self as Any.Type`, which leaves the table out.
    ///
    /// - Parameter type: A class, an actor or a struct.
    /// - Returns: What each property would get, or why it would get nothing.
    /// - Complexity: O(*n*) for *n* properties.
    public func plan<Subject: Injectable>(for type: Subject.Type) -> FillReport {
        plan(knownOrUnseen: type)
    }

    private func plan(_ plan: TypePlan) -> FillReport { FillReport(plannedProgram(for: plan).program.record) }

    private func plan(knownOrUnseen type: Any.Type) -> FillReport {
        plan(PlanStore.plan(of: type))
    }

}
