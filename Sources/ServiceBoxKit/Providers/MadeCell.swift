// Part of ServiceBox, released under the MIT License.
// The quick way to a service that is made.

/// A second place for a made service that is held strongly, which is read without knowing its type.
///
/// The phase of a source depends on the type of its service, so reading it takes several look-ups in the runtime: asking
/// for a made service took more than twice as long (measured). A source sets its cell whenever it changes its phase,
/// under the lock of the phase; the provider reads it first.
@usableFromInline
final class MadeCell: Sendable {
    @usableFromInline let object = Guarded<AnyMade?>(nil)

    /// Returns what was stored.
    @inlinable
    func load() -> AnyMade? { object.withLock { $0 } }

    /// Takes over what a phase holds.
    ///
    /// The caller holds what was there before, so that it does not go under the lock.
    func store(_ made: AnyMade?) { object.withLock { $0 = made } }
}

/// A made service, seen without its type.
///
/// `Sendable` is unchecked because the class is not final. It holds: it has one subclass, whose one property is a
/// constant of a `Sendable` type.
@usableFromInline
class AnyMade: @unchecked Sendable {
    init() {}
}

/// A made service that is held strongly.
@usableFromInline
final class Made<Service: Sendable>: AnyMade, @unchecked Sendable {
    @usableFromInline let service: Service

    init(_ service: Service) {
        self.service = service
        super.init()
    }
}
