// Part of ServiceBox, released under the MIT License.
// Objects that fill themselves.

extension Injectable where Self: AnyObject {
    /// Fills this object from the default box, or from another.
    ///
    /// Call it from inside: at the end of an initialiser, or in the object's own isolation. In a superclass's
    /// initialiser it fills the properties of the subclass too, which the rest of the subclass's initialiser
    /// may still set.
    ///
    /// An actor calls it in its initialiser, which fills its slots, or in its own methods, which writes its table
    /// too. From outside use ``ServiceBox/fill(_:keepingExisting:)-(Subject,_)``.
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
    ///   - isolation: Where the call stands; leave it to the compiler.
    /// - Returns: What each property got, or why it got nothing.
    @discardableResult
    public func fillWithDependencies(
        from box: ServiceBox = .default, keepingExisting: Bool = false,
        isolation: (any Actor)? = #isolation
    ) -> FillReport {
        // In an initialiser an actor is not isolated yet, and what it has started may be using it already. There the
        // compiler names the actor all the same in Swift 5 mode, as any caller can, so the runtime is asked too.
        let isOnActor = isolation.map { $0 === self && Isolation.isCurrent($0) ?? true } ?? false
        return box.fill(
            object: self, keepingExisting ? .keeping : .overwriting,
            isOnActor ? .owned : Access(of: self), isOnActor: isOnActor)
    }
}

extension Injectable {
    /// Fills this struct from the default box, or from another.
    ///
    /// - Parameters:
    ///   - box: The box to fill from.
    ///   - keepingExisting: Whether to leave properties that hold a value.
    /// - Returns: What each property got, or why it got nothing.
    @discardableResult
    public mutating func fillWithDependencies(
        from box: ServiceBox = .default, keepingExisting: Bool = false
    ) -> FillReport {
        box.fill(&self, keepingExisting: keepingExisting)
    }
}
