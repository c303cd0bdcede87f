// Part of ServiceBox, released under the MIT License.
// @InjectedAll: a property that a box fills with every service of a type.

/// A property that a box fills with every registered service of a type: those of ancestors first, otherwise in
/// the order of their registration.
///
/// Neither the name of the property nor the names of its services matter. It is empty until it is filled. A
/// service that is registered later is added when the box is next used, if the property belongs to a
/// registered service that isn't transient; otherwise, or if you have filled the service yourself, by the next
/// fill. A property of such a service includes that service too if its type fits, and so keeps it alive. A
/// service is judged by the type that it is registered as, an instance also by its own type. One that can't be
/// created is a hole in the report; the property gets the others. The box itself isn't among them.
///
/// Whether a type conforms to an interface such as `any Store<Int>` can't be told before an instance exists:
/// register its factory as an `any Store<Int>`.
///
/// ```swift
/// final class Editor {
///     @InjectedAll var plugins: [any Analytics]
/// }
/// ```
///
/// When a *fill* replaces the array, the old one lives as long as the property, with its services. The
/// property of a registered service, which changes as services come and go, keeps only its current services. What
/// has replaced one, after a reset or in another session, is among them once it is created.
///
/// Use it from the isolation of the object it belongs to. It is `Sendable` where its services are.
@frozen
@propertyWrapper
public struct InjectedAll<Service> {
    // The only stored property, as in ``Injected``.
    @usableFromInline var slot: Slot

    /// Creates an empty property.
    ///
    /// - Parameters:
    ///   - fileID: The file of the declaration, for messages.
    ///   - line: The line of the declaration, for messages.
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        slot = Slot.make(file: fileID, line: line)
    }

    /// The services, or those set by hand.
    public var wrappedValue: [Service] {
        @inlinable get { unsafe slot.read(ListCell<Service>.self) { $0.elements } ?? [] }
        set { unsafe Slot.assign(ListCell(newValue), to: &slot) }
    }

    /// The property itself, to ask whether it is filled: `$plugins.isFilled`.
    public var projectedValue: Self { self }

    /// Whether the property was filled or set by hand, if only with an empty array.
    public var isFilled: Bool { !slot.isEmpty }
}

extension InjectedAll: Sendable where Service: Sendable {}

extension InjectedAll: SlotHolder {}
