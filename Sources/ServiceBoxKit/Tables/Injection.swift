// Part of ServiceBox, released under the MIT License.
// One line of an injection table: how a service gets into a property that isn't a slot.

/// How a box writes one property of a type: through a key path or a setter closure.
///
/// Create it with `keyPath(_:)` or `setter(_:)` inside an ``InjectionTable``. It remembers the actor that it
/// was created on: a box uses it on that actor only, and reports it as out of reach elsewhere.
@frozen
@safe public struct Injection {
    @usableFromInline let root: Any.Type
    @usableFromInline let value: Any.Type
    /// The actor on which the line may be used; nil for any.
    @usableFromInline let isolation: (any Actor)?
    /// Whether the line runs in the isolation of the actor that it writes.
    @usableFromInline var isForActor: Bool
    /// Whether the subject can do without the service; nil if its property's type decides.
    @usableFromInline let optional: Bool?
    /// Whether the subject's property holds a value; nil for a setter, which can't tell.
    @usableFromInline let isSet: ((Any) -> Bool)?
    /// Writes a cell of `value` to a pointer to a `root`; if that is a class, to a pointer to a reference.
    ///
    /// The caller guarantees both types.
    @usableFromInline let write: (UnsafeMutableRawPointer, AnyCell) -> Void

    /// Creates a line, whose body hands the service to the subject.
    @inlinable
    init<Root, Value>(
        isolation: (any Actor)?, isForActor: Bool = false, optional: Bool?,
        isSet: ((Any) -> Bool)? = nil,
        _ body: @escaping (inout Root, Value) -> Void
    ) {
        root = Root.self
        value = Value.self
        self.isolation = isolation
        self.isForActor = isForActor
        self.optional = optional
        self.isSet = isSet
        unsafe write = { subject, cell in
            unsafe body(
                &subject.assumingMemoryBound(to: Root.self).pointee,
                cell.value(as: Value.self))
        }
    }

    /// Whether it writes through a key path; only a key path can tell whether the property has a value.
    var isKeyPath: Bool { isSet != nil }

    /// Whether it may be written on an actor only.
    var isIsolated: Bool { isolation != nil || isForActor }

    /// Whether the line was created on the main actor.
    var isForMainActor: Bool { isolation.map { $0 === MainActor.shared } ?? false }

    /// Whether the line was created on an actor other than the main one.
    var isForOtherActor: Bool { isolation.map { $0 !== MainActor.shared } ?? false }

    var request: CellRequest { CellRequest(type: value) }

    /// Whether the subject can't do without the service.
    var isRequired: Bool { !(optional ?? request.isOptional) }

    /// Whether the property holds a value to keep, if the line is usable here; `always` includes one that isn't
    /// optional, and so always holds a value.
    func keepsValue(of subject: Any, always: Bool = false) -> Bool {
        (always || request.isOptional) && isSet?(subject) == true
    }

    /// Whether the line may be used on a subject here.
    ///
    /// A line of an actor other than the main one comes from an isolated conformance, whose cast checks for
    /// that actor, or from a closure isolated to it, where only the runtime can tell. If it can't, the line
    /// isn't used.
    ///
    /// - Parameters:
    ///   - subject: The object or value to write to.
    ///   - isOnActor: Whether the subject is an actor and the caller runs in its isolation.
    /// - Returns: Whether it may.
    func isUsable(on subject: Any, isOnActor: Bool = false) -> Bool {
        if isForActor, !isOnActor { return false }
        guard let isolation else { return true }
        return Isolation.isCurrent(isolation)
            ?? (Conformance.isIsolated(type(of: subject), to: (any Injectable).self)
                && subject is any Injectable)
    }

    /// Writes a cell of `value` to an instance of `root`, a class.
    @unsafe func write(to object: AnyObject, _ cell: AnyCell) {
        var reference = object
        unsafe withUnsafeMutablePointer(to: &reference) { unsafe write(UnsafeMutableRawPointer($0), cell) }
    }
}

@available(*, unavailable)
extension Injection: Sendable {}

extension Injection {
    /// Writes a property through its key path.
    ///
    /// ```swift
    /// let table: InjectionTable = ["analytics": .keyPath(\SettingsScreen.analytics)]
    /// ```
    ///
    /// - Parameters:
    ///   - path: The property of a class or a struct. Its type decides which services fit, and whether the property
    ///     can do without one: where it is optional.
    ///   - isolation: The actor that the table belongs to; leave it to the compiler.
    /// - Returns: A line for an ``InjectionTable``.
    @inlinable
    public static func keyPath<Root, Value>(
        _ path: WritableKeyPath<Root, Value>, isolation: (any Actor)? = #isolation
    ) -> Injection {
        Injection(
            isolation: isolation, optional: nil,
            isSet: { subject in
                guard let subject = subject as? Root else { return false }
                return !isNil(subject[keyPath: path])
            },
            { (root: inout Root, value: Value) in root[keyPath: path] = value })
    }

    /// Hands the service and the class instance to a closure.
    ///
    /// ```swift
    /// let table: InjectionTable = [
    ///     "theme": .setter { (screen: SettingsScreen, theme: Theme) in screen.apply(theme) }
    /// ]
    /// ```
    ///
    /// The closure runs under no lock and may use the box, but must not wait for another thread that does, since that
    /// may have to wait for the service. Written on a global actor, it runs on that actor only
    /// and may capture what belongs there. Written anywhere else, it runs wherever the box is used, on several
    /// threads at once too, so the compiler lets it capture only `Sendable` values. One that writes an actor, such as a
    /// distributed one, runs in that actor's isolation only.
    ///
    /// - Parameters:
    ///   - optional: Whether the object can do without the service.
    ///   - body: Takes the object and the service; the service's type decides which services fit.
    /// - Returns: A line for an ``InjectionTable``.
    @inlinable
    public static func setter<Root: AnyObject, Value>(
        optional: Bool = false,
        @_inheritActorContext _ body: @escaping @isolated(any) @Sendable (Root, Value) -> Void
    ) -> Injection {
        // The isolation of an `@isolated(any)` function lies beside its captures (SE-0431); called, it is a function
        // like any other. The compiler wants it awaited because it can't know where the call is made. This line is
        // used only in the `isolation` that it carries, so the closure may be called directly.
        let run = unsafe unsafeBitCast(body, to: (@Sendable (Root, Value) -> Void).self)
        return Injection(isolation: body.isolation, optional: optional) {
            (root: inout Root, value: Value) in run(root, value)
        }
    }

    /// Hands the service and the actor to a closure.
    ///
    /// ```swift
    /// actor Vault: Injectable {
    ///     var cache: Cache?
    ///
    ///     static var injections: InjectionTable {
    ///         ["cache": .setter { (vault: isolated Vault, cache: Cache) in vault.cache = cache }]
    ///     }
    /// }
    /// ```
    ///
    /// The closure runs in the actor's isolation, in `await box.fill(vault)` and in `fillWithDependencies()` called
    /// by the actor's own methods or an asynchronous initialiser. Any other fill reports the property as out of
    /// reach, as does one in a synchronous initialiser, which isn't isolated.
    ///
    /// - Parameters:
    ///   - optional: Whether the actor can do without the service.
    ///   - body: Takes the actor and the service; the service's type decides which services fit.
    /// - Returns: A line for an ``InjectionTable``.
    @inlinable
    public static func setter<Root: Actor, Value>(
        optional: Bool = false, _ body: @escaping @Sendable (isolated Root, Value) -> Void
    ) -> Injection {
        Injection(isolation: nil, isForActor: true, optional: optional) {
            (root: inout Root, value: Value) in
            // It comes from a cell, so it may be sent into the actor.
            nonisolated(unsafe) let value = value
            root.assumeIsolated { actor in unsafe body(actor, value) }
        }
    }

    /// Hands the service and the struct to a closure.
    ///
    /// The closure runs and captures as one for a class instance does.
    ///
    /// - Parameters:
    ///   - optional: Whether the struct can do without the service.
    ///   - body: Takes the struct and the service; the service's type decides which services fit.
    /// - Returns: A line for an ``InjectionTable``.
    @inlinable
    public static func setter<Root, Value>(
        optional: Bool = false,
        @_inheritActorContext _ body: @escaping @isolated(any) @Sendable (inout Root, Value) -> Void
    ) -> Injection {
        // As for a class instance.
        let run = unsafe unsafeBitCast(body, to: (@Sendable (inout Root, Value) -> Void).self)
        return Injection(isolation: body.isolation, optional: optional, run)
    }
}
