// Part of ServiceBox, released under the MIT License.
// @Injected: a property that a box fills.

/// A property that a box fills by name and type.
///
/// Declare it optional, or give it a value, to manage without the service. Any other property is required: a
/// box never hands out a service that it fills with an empty one, and reading an empty one traps with a
/// message that says why.
///
/// ```swift
/// final class ProfileScreen {
///     @Injected var analytics: (any Analytics)?       // the service registered as "analytics"
///     @Injected var storageManager: StorageManager    // required
///     @Injected("userCache") var cache: Cache?        // the service registered as "userCache"
/// }
/// ```
///
/// The property works in classes, subclasses, actors, structs and private declarations. It can be set by
/// hand, which is what tests do; setting an optional one to nil empties it.
///
/// The wrapper is a reference to its storage: copies of a struct share it, and a `let` struct can be filled.
/// Reading costs about what reading a stored property costs.
///
/// Use it from the isolation of the object it belongs to, like any property. It is `Sendable` where its value
/// is, so a `final class` that is `Sendable` can hold a `let` struct of injected properties. Filling never
/// frees a value that another thread may be reading: a value that a *fill* replaces lives as long as the
/// property. A property that is filled with *n* services one after the other keeps all *n* of them alive,
/// each once, until it is deinitialised; set by hand, it frees its previous value.
///
/// - Important: Set the property; don't replace the wrapper itself, as `_analytics = Injected()` would. A box
///   doesn't know the new wrapper until it fills the object again; and if an object of a global actor is
///   filled off its actor at that moment, which is a mistake too, the box may read the old one while it is
///   being deinitialised. Never `consume` a wrapper, or a struct that has one, out of an object that others
///   may use: until another one is stored there, the box would read freed memory.
@frozen
@propertyWrapper
public struct Injected<Value> {
    // The only stored property: with library evolution, clients' inlined code initialises and reads it.
    @usableFromInline var slot: Slot

    /// Creates an empty property.
    ///
    /// - Parameters:
    ///   - key: The service's name; without a key, that of the property.
    ///   - time: When the service is looked up.
    ///   - fileID: The file of the declaration, for messages.
    ///   - line: The line of the declaration, for messages.
    @inlinable
    public init(
        _ key: ServiceKey<Value>? = nil, when time: InjectionTime = .fill, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        slot = Slot.make(key?.name, file: fileID, line: line, isOnRead: time.isRead)
    }

    /// Creates a property with a value of its own, which a fill replaces and a cross-fill keeps.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value until a fill; nil leaves the property empty.
    ///   - key: The service's name; without a key, that of the property.
    ///   - time: When the service is looked up; at a read only if the property is empty.
    ///   - fileID: The file of the declaration, for messages.
    ///   - line: The line of the declaration, for messages.
    public init(
        wrappedValue: Value, _ key: ServiceKey<Value>? = nil, when time: InjectionTime = .fill,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        slot = Slot.make(key?.name, file: fileID, line: line, isDefaulted: true, isOnRead: time.isRead)
        self.wrappedValue = wrappedValue
    }

    // Disfavoured because a literal is a key of the property's own type too.
    /// Creates an optional property that takes the service of a key.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value until a fill; nil leaves the property empty.
    ///   - key: The service's name; its type is what the property wraps.
    ///   - time: When the service is looked up; at a read only if the property is empty.
    ///   - fileID: The file of the declaration, for messages.
    ///   - line: The line of the declaration, for messages.
    @_disfavoredOverload
    public init<Service>(
        wrappedValue: Value = nil, _ key: ServiceKey<Service>, when time: InjectionTime = .fill,
        fileID: StaticString = #fileID, line: UInt = #line
    ) where Value == Service? {
        self.init(ServiceKey(key.name), when: time, fileID: fileID, line: line)
        if wrappedValue != nil { self.wrappedValue = wrappedValue }
    }

    // Disfavoured because a property without a type is one of the key's.
    /// Creates a property for the provider of a key's service.
    ///
    /// - Parameters:
    ///   - key: The service's name; its type is what the provider creates.
    ///   - time: When the provider is looked up.
    ///   - fileID: The file of the declaration, for messages.
    ///   - line: The line of the declaration, for messages.
    @_disfavoredOverload
    public init<Service>(
        _ key: ServiceKey<Service>, when time: InjectionTime = .fill, fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Value == ServiceProvider<Service> {
        self.init(ServiceKey<Value>(key.name), when: time, fileID: fileID, line: line)
    }

    /// Creates a property for the provider of a key's service, which is created from parameters.
    ///
    /// - Parameters:
    ///   - key: The service's name; its type is what the provider creates.
    ///   - time: When the provider is looked up.
    ///   - fileID: The file of the declaration, for messages.
    ///   - line: The line of the declaration, for messages.
    public init<Service, Parameters>(
        _ key: ServiceKey<Service>, when time: InjectionTime = .fill, fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Value == ServiceParametersProvider<Service, Parameters> {
        self.init(ServiceKey<Value>(key.name), when: time, fileID: fileID, line: line)
    }

    /// A key whose service can't be the property's value.
    @available(
        *, unavailable,
        message:
            "the key is of another type than the property: declare the key's type, or give the name alone"
    )
    @_disfavoredOverload
    public init<Service>(_ key: ServiceKey<Service>, when time: InjectionTime = .fill) {
        preconditionFailure("unavailable")
    }

    /// The service, or the value set by hand.
    ///
    /// Reading an empty property returns nil if it is optional, and otherwise traps with a message that says
    /// why the last fill left it empty, or that none has seen it. A property with ``InjectionTime/read`` is
    /// looked up first.
    public var wrappedValue: Value {
        @inlinable get {
            // A slot belongs to one wrapper, which sets `Cell<Value>` alone; a fill asks for one too.
            let slot = slot
            guard let cell = unsafe slot.loaded ?? emptyCell else { return readLate() }
            // The slot keeps the cell alive, so it must outlive the copy: the property's owner may be a
            // temporary.
            return withExtendedLifetime(slot) {
                unsafe cell._withUnsafeGuaranteedRef { unsafe $0.value(as: Value.self) }
            }
        }
        set {
            // A property that isn't optional may hold an interface that nil conforms to, which doesn't empty it.
            let isEmptied = Metadata(Value.self).wrapped != nil && isNil(newValue)
            unsafe Slot.assign(isEmptied ? nil : Cell(newValue), to: &slot)
        }
    }

    /// The property itself, to ask whether it is filled: `$analytics.isFilled`.
    public var projectedValue: Self { self }

    /// Whether the property holds a value, from a fill or set by hand.
    @inlinable
    public var isFilled: Bool { !slot.isEmpty }

    /// Waits until the property holds a value, from a fill or set by hand.
    ///
    /// ```swift
    /// final class Editor {
    ///     @Injected var store: (any Store)?
    ///     func whenReady() async { await $store.filled() }
    /// }
    /// ```
    ///
    /// Use it for a property that is filled later than its object: by `fill(_:waiting:)`, or because the
    /// object is a registered service. It doesn't look up the service itself. The property is kept alive
    /// meanwhile, so cancel a task that may wait for a service that never comes.
    ///
    /// - Returns: True once it does, at once if it does already; false if the task is cancelled before.
    @discardableResult
    public nonisolated(nonsending) func filled() async -> Bool { await slot.filled() }

    /// The cell for an empty property; nil if its type isn't optional or the property is looked up on read.
    ///
    /// `readonly` lets the optimiser drop or move calls, for the reason given at ``Slot/loaded``.
    @usableFromInline var emptyCell: Unmanaged<AnyCell>? {
        @inline(never) @_effects(readonly) get {
            let cell = slot.traits.contains(.onRead) ? nil : EmptyCells.cell(of: Value.self)
            return unsafe cell.map(Unmanaged.passUnretained)
        }
    }

    /// Reads a property that is looked up on read, or traps because it is empty.
    ///
    /// It has no effects attribute, since a look-up runs factories.
    @inline(never)
    @usableFromInline
    func readLate() -> Value {
        slot.lookUp()
        if let cell = slot.cell ?? EmptyCells.cell(of: Value.self) {
            return unsafe cell.value(as: Value.self)
        }
        let declaration = slot.declaration
        fatalError(
            Message.unfilledRead(
                of: Value.self, declaration: declaration, slot.lazyNotes.object?.reason,
                isStripped: StrippedModules.have(declaration)
            ).text)
    }
}

extension Injected: Sendable where Value: Sendable {}

extension Injected: SlotHolder {}
