// Part of ServiceBox, released under the MIT License.
// What a fill would do.

extension ServiceBox {
    /// Says what a fill would do, without filling and without making anything.
    ///
    /// ```swift
    /// try box.plan(for: SettingsScreen()).requireComplete()
    /// ```
    ///
    /// What the object holds already does not matter, and a service that is not made yet counts by the type that it is
    /// registered as. Call it in the object's own isolation: the first object of a type is read property by property. An
    /// actor of a type not seen before is not read, and the report says so.
    ///
    /// - Parameter subject: A class instance, an actor or a struct.
    /// - Returns: What each property would get, or why it would get nothing.
    /// - Complexity: O(*n*) for *n* properties, after the first object of the type.
    public func plan<Subject>(for subject: Subject) -> FillReport {
        let value: Any = subject
        guard value is any Actor else { return plan(PlanStore.learn(value).plan) }
        return PlanStore.plan(of: type(of: value)).map(plan) ?? notWalkedReport(of: type(of: value))
    }

    /// Says what a fill of an object of a type would do, if any box has seen one before.
    ///
    /// May be called from anywhere.
    ///
    /// - Parameter type: A class, an actor or a struct.
    /// - Returns: What each property would get, or why it would get nothing; of a type not seen before, that.
    /// - Complexity: O(*n*) for *n* properties.
    public func plan<Subject>(for type: Subject.Type) -> FillReport {
        if let known = PlanStore.plan(of: type) { return plan(known) }
        let properties = PropertyRecord.onBuild(type) + [PropertyRecord(type, .notSeen)]
        return FillReport(FillRecord(type: type, properties: properties, box: self))
    }

    private func plan(_ plan: TypePlan) -> FillReport { FillReport(plannedProgram(for: plan).program.record) }
}
