// Part of ServiceBox, released under the MIT License.
// A type of one's own that makes a service for a session.

/// A type that creates a service for each key of a session.
///
/// ```swift
/// struct UserSession: ServiceSession {
///     let userID: Int
///     var key: Int { userID }
/// }
///
/// struct InboxFactory: ServiceSessionFactory {
///     let lifetime = Lifetime.lazy
///     func makeService(for session: UserSession) throws -> String { "inbox of \(session.userID)" }
/// }
///
/// let mediator = ServiceSessionMediator(UserSession(userID: 1))
/// let inbox = ServiceProvider(InboxFactory(), mediator: mediator)
/// mediator.update(UserSession(userID: 2))
/// print(try inbox.resolve())                   // "inbox of 2"
/// ```
///
/// A service is active from the moment it is created. When the session's key changes, the service of the old key
/// is deactivated with the session it was last created or activated for, and then kept or dropped as the factory
/// answers; the service of the new key, if one was kept, is activated with the new session. An update with an
/// unchanged key activates the current service with the new session, so that it always knows the latest
/// payload.
///
/// A service that is overtaken while it is created, because the key changes meanwhile or the provider is reset, serves
/// those who wait for it, is deactivated and dropped.
///
/// Providers call these functions under no lock; what an update calls runs on the thread that applies the
/// update.
public protocol ServiceSessionFactory<Service, Session>: Sendable {
    /// The type of the service, which may be a protocol.
    associatedtype Service: Sendable
    /// The type of the session.
    associatedtype Session: ServiceSession

    /// When services are created, and how long they are kept: ``Lifetime/eager``, ``Lifetime/lazy`` or
    /// ``Lifetime/weak``.
    ///
    /// It is read once, when a provider is made; ``Lifetime/transient`` traps there.
    var lifetime: Lifetime { get }

    /// Creates a service, which is active for the session.
    ///
    /// - Parameter session: The session that the service is for.
    /// - Returns: The service.
    /// - Throws: Anything, as ``ServiceFactory/makeService()`` does.
    func makeService(for session: Session) throws -> Service

    /// Makes a kept service active again, or hands an active one a new payload; does nothing if not
    /// implemented.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - session: The session that it is for from now on.
    func activate(_ service: Service, for session: Session)

    /// Makes an active service rest; answers true if not implemented.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - session: The session that it was last made or activated for.
    /// - Returns: Whether it may be kept until its session comes back.
    func deactivate(_ service: Service, from session: Session) -> Bool
}

extension ServiceSessionFactory {
    /// Does nothing.
    public func activate(_ service: Service, for session: Session) {}

    /// Lets every service be kept.
    public func deactivate(_ service: Service, from session: Session) -> Bool { true }
}

extension ServiceProvider {
    /// Makes a provider whose service changes with a session.
    ///
    /// ``reset()`` deactivates the current service and drops the services of all keys; the next resolve
    /// creates the current one again. An eager service that failed is tried again with every update.
    ///
    /// - Parameters:
    ///   - factory: Makes the services.
    ///   - mediator: Says which session is the current one. It does not keep the provider alive.
    ///   - inactiveLimit: How many services of other keys are kept at most. Of more, the least recently used
    ///     are dropped; they were deactivated when their session went. Services with the weak lifetime do not
    ///     count.
    public convenience init<Factory: ServiceSessionFactory>(
        _ factory: Factory, mediator: ServiceSessionMediator<Factory.Session>, inactiveLimit: Int = 16
    ) where Factory.Service == Service {
        let lifetime = factory.lifetime
        guard lifetime != .transient else { fatalError(Message.transientSession(Service.self)) }
        if let refused = Self.refused(lifetime) {
            self.init(refused)
        } else {
            self.init(SessionSource(factory, lifetime, mediator: mediator, inactiveLimit: inactiveLimit))
        }
    }
}
