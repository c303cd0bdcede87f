// Part of ServiceBox, released under the MIT License.
// Who is told of a session's updates, and until when.

/// An observation that ends when this object goes, or when it is cancelled.
///
/// May be used from anywhere.
public final class ServiceSessionObservation: Sendable {
    typealias ID = Int

    private let end: Guarded<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = Guarded(end)
    }

    /// Ends the observation.
    ///
    /// A call that another thread has begun goes on; no new one begins.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    deinit {
        cancel()
    }
}

/// What a mediator tells of updates before any observer.
protocol SessionSubscriber<Session>: AnyObject, Sendable {
    associatedtype Session: ServiceSession

    /// Takes the session there is; runs no code of the user.
    ///
    /// - Returns: The session that it knew, for the caller to let go of.
    func begin(_ session: Session) -> Session
    /// Deactivates, adopts and activates.
    func adopt(_ session: Session, policy: ServiceSessionPolicy)
    /// Makes the service of the current session, if it is eager.
    func makeIfEager()
}

/// A subscriber, not kept alive.
struct WeakSubscriber<Session: ServiceSession> {
    weak var subscriber: (any SessionSubscriber<Session>)?

    init(_ subscriber: any SessionSubscriber<Session>) {
        self.subscriber = subscriber
    }
}
