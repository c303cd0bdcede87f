// Part of ServiceBox, released under the MIT License.
// @WeakInjected: a property that a box fills and that doesn't keep its service alive.

/// A property that a box fills by name and type, without keeping its service alive.
///
/// Use it to break a strong cycle between services. The property is optional and reads nil once the service
/// is gone. A service that isn't a class instance doesn't fit, nor does one that nobody else keeps, such as a
/// transient one, which would be gone at once; the report says so.
///
/// ```swift
/// final class Coordinator {
///     @WeakInjected var router: (any Router)?
/// }
/// ```
///
/// Use it from the isolation of the object it belongs to. Reading costs about what reading a weak property costs.
@frozen
@propertyWrapper
public struct WeakInjected<Value: ExpressibleByNilLiteral> {
    // The only stored property, as in ``Injected``.
    @usableFromInline var slot: Slot

    /// Creates an empty property.
    ///
    /// - Parameters:
    ///   - key: The service's name; without a key, that of the property.
    ///   - fileID: The file of the declaration, for messages.
    ///   - line: The line of the declaration, for messages.
    public init(_ key: ServiceKey<Value>? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
        slot = Slot.make(key?.name, file: fileID, line: line)
    }

    // Disfavoured because a literal is a key of the property's own type too.
    /// Creates an empty property that takes the service of a key.
    ///
    /// - Parameters:
    ///   - key: The service's name; its type is what the property wraps.
    ///   - fileID: The file of the declaration, for messages.
    ///   - line: The line of the declaration, for messages.
    @_disfavoredOverload
    public init<Service>(
        _ key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line
    ) where Value == Service? {
        self.init(ServiceKey(key.name), fileID: fileID, line: line)
    }

    /// The service, or nil while the property is empty or once the service is gone.
    ///
    /// Setting it by hand holds the new object weakly too; setting nil, or a value that isn't a class instance,
    /// empties it.
    public var wrappedValue: Value {
        @inlinable get { unsafe slot.read(WeakCell.self) { unsafe $0.load(Value.self) } ?? nil }
        set { unsafe Slot.assign(WeakCell(holding: newValue), to: &slot) }
    }

    /// The property itself, to ask whether it is filled: `$router.isFilled`.
    public var projectedValue: Self { self }

    /// Whether the property was filled or set, even if its service is gone.
    public var isFilled: Bool { !slot.isEmpty }

    /// Waits until the property is filled or set, as ``Injected/filled()`` does.
    ///
    /// - Returns: True once it is, at once if it is already; false if the task is cancelled before.
    @discardableResult
    public nonisolated(nonsending) func filled() async -> Bool { await slot.filled() }
}

extension WeakInjected: Sendable where Value: Sendable {}

extension WeakInjected: SlotHolder {}
