// Part of ServiceBox, released under the MIT License.
// The quick way to a service that is made.

/// A second place for a made service, which is read without knowing its type.
///
/// The phase of a source depends on the type of its service, so reading it takes several look-ups in the
/// runtime: asking for a made service took more than twice as long (measured). A source sets its cell
/// whenever it changes its phase, under the lock of the phase; the provider reads it first.
///
/// It holds what the phase holds, counted: an uncounted reference was read after its end in release. Whoever
/// changes the phase holds what was in it until both are set, so nothing ends under the lock of the cell.
@usableFromInline
final class MadeCell: Sendable {
    @usableFromInline let made = Guarded<AnyMade?>(nil)
    /// Whether what is stored holds its service weakly.
    @usableFromInline let isWeak: Bool

    init(_ lifetime: Lifetime) {
        isWeak = lifetime == .weak
    }

    /// Returns the service that was stored.
    ///
    /// - Parameter type: The type of the one provider that the cell belongs to, and of what its source
    ///   stores.
    /// - Returns: The service, or nil if none is stored, or it is gone.
    @inlinable @inline(__always)
    func load<Service>(_ type: Service.Type) -> Service? {
        if isWeak {
            // Unwrapped first: Swift 6.3.1 specialises a cast of an optional object without looking for nil.
            guard let object = loadWeakly() else { return nil }
            return object as? Service
        }
        return made.withLock { made in
            made.map { unsafeDowncast($0, to: Made<Service>.self).service }
        }
    }

    /// Returns the service that was stored weakly; it is read, and perhaps let go of, outside the lock.
    @usableFromInline
    func loadWeakly() -> AnyObject? {
        let made = made.withLock { $0 }
        return made.flatMap { unsafeDowncast($0, to: WeaklyMade.self).object }
    }

    /// Takes over what a phase holds.
    func store(_ new: AnyMade?) {
        made.withLock { $0 = new }
    }
}

/// A made service, seen without its type.
///
/// `Sendable` is unchecked because the class is not final. It holds: it has two subclasses: one with a
/// constant that ``Held`` takes of a `Sendable` type, and one that says for itself why it may be sent.
@usableFromInline
class AnyMade: @unchecked Sendable {
    init() {}
}

/// A made service that is held strongly; of a `Sendable` type, which a reader need not know.
@usableFromInline
final class Made<Service>: AnyMade, @unchecked Sendable {
    @usableFromInline let service: Service

    init(_ service: Service) where Service: Sendable {
        self.service = service
        super.init()
    }
}

/// A made class instance that is held weakly.
///
/// `Sendable` is unchecked because the reference is typed as any object. It holds: the object is a service,
/// whose type is `Sendable`, and the reference never changes but to nil, which the runtime does safely.
final class WeaklyMade: AnyMade, @unchecked Sendable {
    weak let object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
        super.init()
    }
}
