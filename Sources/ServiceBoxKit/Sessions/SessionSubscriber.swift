// Part of ServiceBox, released under the MIT License.
// Whom a session's mediator tells of updates before any observer.

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
