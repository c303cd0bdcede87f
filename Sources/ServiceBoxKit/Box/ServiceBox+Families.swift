// Part of ServiceBox, released under the MIT License.
// Boxes that build on others: children, scopes and copies; and boxes that can be reached from anywhere.

extension ServiceBox {
    /// Creates a box that sees this one's services and overrides them by name.
    ///
    /// A service that the child doesn't have itself is its parent's: the same object for all children. Only
    /// services registered with ``ServiceScope/box`` are created separately in each child. A parent never
    /// sees its child's registrations, and a parent's service is never filled with a child's. A child keeps
    /// its parent alive.
    ///
    /// ```swift
    /// let request = box.makeChild(name: "request")
    /// request.register(Logger(), as: "logger")    // for this request alone
    /// ```
    ///
    /// At most 256 boxes may build on a first one, each as a child or a copy of the one before; one more traps
    /// with a message.
    ///
    /// - Parameter name: A name for messages.
    /// - Returns: The child, empty.
    public func makeChild(name: String = "child") -> ServiceBox { ServiceBox(parent: self, name: name) }

    /// Creates a box for a scope, such as a test, in which some services are replaced.
    ///
    /// Like a child, but it creates its own services from all of its base's factories, so that the
    /// replacements reach every service that is created in the scope, and nothing that is created there is
    /// seen outside. Ready-made instances and registered providers are shared, with everything that the
    /// providers create.
    ///
    /// - Parameters:
    ///   - base: The box to build on; nil for none.
    ///   - name: A name for messages.
    /// - Returns: The box, empty.
    package static func makeScope(of base: ServiceBox?, name: String) -> ServiceBox {
        let scope = ServiceBox(parent: base, name: name, isScope: true)
        scope.registry.modules.areOverrides = true
        return scope
    }

    /// Creates a box with the same registrations; later changes of either affect only its own.
    ///
    /// The services are shared, including those that are created later: a lazy service is the same object in
    /// both boxes, created and filled by the original with what that has then, and never with a service that only
    /// the copy has. The copy has the same parent, decorations, taught tables, marks, preferences and added
    /// modules, but isn't sealed. It keeps the original alive; when that stops, the copy refuses the original's
    /// services and their wrappers. For copies of copies, the limit of ``makeChild(name:)`` holds.
    ///
    /// - Returns: The copy.
    /// - Complexity: O(*n*) for *n* services.
    public func copy() -> ServiceBox {
        crossFiller.fillServices()
        return ServiceBox(parent: parent, name: name, original: self, isScope: registry.isScope)
    }

    /// The boxes that fill this one's services: itself, its originals and ancestors.
    package var family: some Sequence<ServiceBox> { sequence(first: self) { $0.original ?? $0.parent } }

    /// The box of the family that fills a service.
    func box(filling service: Registration) -> ServiceBox {
        family.first { service.isFilled(by: $0.registry) } ?? self
    }
}

// MARK: - The default box and named ones

extension ServiceBox {
    private static let namedBoxes = Guarded<[String: ServiceBox]>([:])

    /// The replacement of the default box for the current task, if there is one.
    package static var scopedDefault: ServiceBox? {
        // Only `withDefault` sets it, to a box.
        Inherited.defaultBox.map { unsafe unsafeDowncast($0, to: ServiceBox.self) }
    }

    /// The one box with a name in this process, created on first use and never dropped.
    ///
    /// The default box is the one named `default`.
    ///
    /// - Parameter name: Any string; equal strings give the same box.
    /// - Returns: The box.
    public static func named(_ name: String) -> ServiceBox {
        namedBoxes.withLock { $0.value(for: name, orInsert: ServiceBox(name: name)) }
    }

    /// The box that objects fill themselves from: the one named `default`, unless `withDefault(_:operation:)`
    /// has replaced it for the current task.
    public static var `default`: ServiceBox { scopedDefault ?? processDefault }

    private static let processDefault = named("default")

    /// Replaces the default box while an operation runs.
    ///
    /// The replacement holds for the current task and the tasks that it starts, except detached ones; not for
    /// threads and dispatch queues. Scopes may nest.
    ///
    /// - Parameters:
    ///   - box: The default box for the operation.
    ///   - operation: Runs at once.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public static func withDefault<Result, Failure: Error>(
        _ box: ServiceBox, operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Inherited.$defaultBox.withValue(box) { Swift.Result(catching: operation) }.get()
    }

    /// Replaces the default box while an asynchronous operation runs.
    ///
    /// The replacement holds for the current task and the tasks that it starts, except detached ones; not for
    /// threads and dispatch queues. Scopes may nest. The operation runs in the caller's isolation.
    ///
    /// - Parameters:
    ///   - box: The default box for the operation.
    ///   - operation: Runs at once.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public static nonisolated(nonsending) func withDefault<Result, Failure: Error>(
        _ box: ServiceBox, operation: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await Inherited.$defaultBox.withValue(box) { await outcome(of: operation) }.get()
    }
}
