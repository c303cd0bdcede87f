// Part of ServiceBox, released under the MIT License.
// When the service of a property is looked up: by the fill, or at the first read.

/// When an injected property gets its service.
///
/// ```swift
/// final class Editor {
///     @Injected var store: any Store                       // by the fill
///     @Injected(when: .read) var analytics: any Analytics  // when the property is first read
/// }
/// ```
@frozen
public struct InjectionTime: Hashable, Sendable {
    @usableFromInline let isRead: Bool

    @inlinable
    init(isRead: Bool) { self.isRead = isRead }

    /// A fill puts the service into the property: it must be registered by then.
    public static var fill: Self { @inlinable get { Self(isRead: false) } }

    /// The first read looks up the service, in the box that filled the object, and the property keeps it: a
    /// later fill doesn't replace it, nor a value that was set by hand.
    ///
    /// The service may be registered after the fill, and isn't created before it is needed. Fills and plans
    /// report such a property as a note, so it doesn't prevent a service from being handed out. If the
    /// look-up fails, an optional property reads nil, and the next read looks it up again; any other traps
    /// with the reason.
    public static var read: Self { @inlinable get { Self(isRead: true) } }
}

/// Fills an empty slot when it is read, or notes why it stays empty; shared by all slots of a property that a box has filled.
typealias SlotLookUp = @Sendable (Slot) -> Void

extension Slot {
    /// Whether the slot needs no filling: it holds a cell, or is looked up on read.
    final var isSettled: Bool { !isEmpty || lazyNotes.object?.lookUp != nil }

    /// Fills the slot if a box has noted how; runs user code.
    final func lookUp() { lazyNotes.object?.lookUp?(self) }
}
