// Part of ServiceBox, released under the MIT License.
// One line of an injection table: how a service gets into a property that is no slot.

/// How a box writes one property of a type: through a key path or a setter closure.
///
/// Make it with `keyPath(_:)` or `setter(_:)` inside an ``InjectionTable``. It remembers
/// the actor it was made on; a box uses it on that actor only, and its report says so elsewhere.
///
/// It is not `Sendable`: make it where it is used, in a table.
public struct Injection {
    /// The write itself.
    ///
    /// The caller vouches that the subject is a `root` and the cell a `Cell` of `value`.
    @usableFromInline
    enum Write {
        case object((AnyObject, AnyCell) -> Void)
        case value((UnsafeMutableRawPointer, AnyCell) -> Void)
    }

    let root: Any.Type
    let value: Any.Type
    let isolation: (any Actor)?
    /// Whether the line runs in the isolation of the actor that it writes.
    let isForActor: Bool
    let write: Write
    /// Whether the subject's property holds a value; nil for a setter, which cannot tell.
    let isSet: ((Any) -> Bool)?

    @usableFromInline
    init(
        settingWith write: Write, root: Any.Type, value: Any.Type, isolation: (any Actor)?,
        isForActor: Bool = false
    ) {
        self.isForActor = isForActor
        self.root = root
        self.value = value
        self.isolation = isolation
        self.write = write
        isSet = nil
    }

    @usableFromInline
    init<Root, Value>(
        path: KeyPath<Root, Value>, writingWith write: Write, isolation: (any Actor)?
    ) {
        isForActor = false
        root = Root.self
        value = Value.self
        self.isolation = isolation
        self.write = write
        isSet = { subject in
            guard let subject = subject as? Root else { return false }
            guard let optional = subject[keyPath: path] as? any OptionalValue else { return true }
            return !optional.isNone
        }
    }

    /// A setter can't tell whether there is a value; a key path can.
    var isKeyPath: Bool { isSet != nil }

    /// Whether the line was made on an actor other than the main one.
    var isForOtherActor: Bool { isolation.map { $0 !== MainActor.shared } ?? false }

    var request: CellRequest { CellRequest(type: value, isWeak: false) }

    /// Writes to a class instance.
    ///
    /// - Parameters:
    ///   - object: An instance of the root.
    ///   - cell: A cell of the value.
    func write(to object: AnyObject, _ cell: AnyCell) {
        switch write {
        case .object(let body): body(object, cell)
        case .value(let body):
            // A generic line does not know that its root is a class; it gets a reference like any other
            // value.
            var reference = object
            withUnsafeMutablePointer(to: &reference) { body(UnsafeMutableRawPointer($0), cell) }
        }
    }

    /// Writes to a struct, whose lines are all made for values.
    ///
    /// - Parameters:
    ///   - pointer: Where a value of the root lies.
    ///   - cell: A cell of the value.
    func write(toValueAt pointer: UnsafeMutableRawPointer, _ cell: AnyCell) {
        guard case .value(let body) = write else { return }
        body(pointer, cell)
    }

    /// Whether an object has something in the property that is worth keeping.
    ///
    /// What is no optional always holds something; only a value in an optional counts.
    func holdsService(in object: AnyObject) -> Bool {
        value is any OptionalValue.Type && isSet?(object) == true
    }
}

@available(*, unavailable)
extension Injection: Sendable {}

@available(*, unavailable)
extension Injection.Write: Sendable {}

extension Injection {
    /// Writes a property of a class instance through its key path.
    ///
    /// ```swift
    /// let table: InjectionTable = ["analytics": .keyPath(\SettingsScreen.analytics)]
    /// ```
    ///
    /// - Parameters:
    ///   - path: The property. Its type decides which services fit.
    ///   - isolation: The actor that the table belongs to; leave it to the compiler.
    /// - Returns: A line for an ``InjectionTable``.
    @inlinable
    public static func keyPath<Root: AnyObject, Value>(
        _ path: ReferenceWritableKeyPath<Root, Value>, isolation: (any Actor)? = #isolation
    ) -> Injection {
        Injection(
            path: path,
            writingWith: .object { object, cell in
                unsafeDowncast(object, to: Root.self)[keyPath: path] =
                    unsafeDowncast(cell, to: Cell<Value>.self).value
            },
            isolation: isolation)
    }

    /// Writes a property of a struct through its key path.
    ///
    /// - Parameters:
    ///   - path: The property. Its type decides which services fit.
    ///   - isolation: The actor that the table belongs to; leave it to the compiler.
    /// - Returns: A line for an ``InjectionTable``.
    @inlinable
    public static func keyPath<Root, Value>(
        _ path: WritableKeyPath<Root, Value>, isolation: (any Actor)? = #isolation
    ) -> Injection {
        Injection(
            path: path,
            writingWith: .value { subject, cell in
                subject.assumingMemoryBound(to: Root.self).pointee[keyPath: path] =
                    unsafeDowncast(cell, to: Cell<Value>.self).value
            },
            isolation: isolation)
    }

    /// Hands the service to a closure, which does with the class instance what it likes.
    ///
    /// ```swift
    /// let table: InjectionTable = [
    ///     "theme": .setter { (screen: SettingsScreen, theme: Theme) in screen.apply(theme) }
    /// ]
    /// ```
    ///
    /// The closure runs under no lock and may use the box. Written on a global actor it belongs there, runs
    /// there only, and may capture what that actor has. Written anywhere else it runs wherever the box is
    /// used, on several threads at once too, so the compiler lets it capture `Sendable` values alone.
    ///
    /// - Parameter body: Takes the object and the service; the service's type decides which services fit.
    /// - Returns: A line for an ``InjectionTable``.
    @inlinable
    public static func setter<Root: AnyObject, Value>(
        @_inheritActorContext _ body: @escaping @isolated(any) @Sendable (Root, Value) -> Void
    ) -> Injection {
        // What isolation an `@isolated(any)` function has lies beside its captures (SE-0431); called, it is a
        // function as any other. The compiler wants it awaited since it cannot know where the call is made.
        // This line is used in the `isolation` that it carries only, so the closure may be called as what it
        // is.
        let run = unsafeBitCast(body, to: (@Sendable (Root, Value) -> Void).self)
        return Injection(
            settingWith: .object { object, cell in
                run(unsafeDowncast(object, to: Root.self), unsafeDowncast(cell, to: Cell<Value>.self).value)
            },
            root: Root.self, value: Value.self, isolation: body.isolation)
    }

    /// Hands the service to a closure, which does with the actor what it likes.
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
    /// The closure runs in the actor's isolation, so it is run by `await box.fill(vault)`, and by
    /// `fillWithDependencies()` in the actor's own methods. Any other fill reports the property as out of
    /// reach, as does one in an initialiser, which is not isolated yet.
    ///
    /// - Parameter body: Takes the actor and the service; the service's type decides which services fit.
    /// - Returns: A line for an ``InjectionTable``.
    @inlinable
    public static func setter<Root: Actor, Value>(
        _ body: @escaping @Sendable (isolated Root, Value) -> Void
    ) -> Injection {
        Injection(
            settingWith: .object { object, cell in
                unsafeDowncast(object, to: Root.self).assumeIsolated { actor in
                    body(actor, unsafeDowncast(cell, to: Cell<Value>.self).value)
                }
            },
            root: Root.self, value: Value.self, isolation: nil, isForActor: true)
    }

    /// Hands the service to a closure, which does with the struct what it likes.
    ///
    /// Where the closure runs and what it may capture is as for a class instance.
    ///
    /// - Parameter body: Takes the struct and the service; the service's type decides which services fit.
    /// - Returns: A line for an ``InjectionTable``.
    @inlinable
    public static func setter<Root, Value>(
        @_inheritActorContext _ body: @escaping @isolated(any) @Sendable (inout Root, Value) -> Void
    ) -> Injection {
        // As for a class instance.
        let run = unsafeBitCast(body, to: (@Sendable (inout Root, Value) -> Void).self)
        return Injection(
            settingWith: .value { subject, cell in
                run(
                    &subject.assumingMemoryBound(to: Root.self).pointee,
                    unsafeDowncast(cell, to: Cell<Value>.self).value)
            },
            root: Root.self, value: Value.self, isolation: body.isolation)
    }
}
