// Part of ServiceBox, released under the MIT License.
// Sessions that services belong to, and the factories that create services for them.

/// Something that services belong to and that changes while the program runs, such as the signed-in user or a
/// theme.
///
/// ```swift
/// struct UserSession: ServiceSession {
///     let userID: Int
///     var token: String
///     var key: Int { userID }
/// }
/// ```
///
/// Sessions with equal keys share services; whatever else a session carries is its payload, which services
/// are handed again on each update.
public protocol ServiceSession: Sendable {
    /// The type of the key.
    associatedtype Key: Hashable & Sendable

    /// Distinguishes the services of one session from those of another.
    var key: Key { get }
}

/// A session that never changes, for services that belong to nobody and can be cleared all at once.
///
/// Its mediator is created without arguments, see ``ServiceSessionMediator/init()``.
///
/// Thread-safe.
public struct ServiceConstantSession: ServiceSession, Hashable {
    /// The one key.
    public struct Key: Hashable, Sendable {}

    /// The one key.
    public var key: Key { Key() }

    /// Creates the session.
    public init() {}
}

/// What happens to the services of a session when it is updated.
///
/// Thread-safe.
public struct ServiceSessionPolicy: Hashable, Sendable, CustomStringConvertible {
    /// The policy's name.
    public let description: String

    /// Services stay with their keys: the new key's service comes back if it exists; with an unchanged key it
    /// is handed the new payload.
    public static let keep = ServiceSessionPolicy(description: "keep")
    /// The new key's service is dropped and created again; those of other keys stay.
    public static let force = ServiceSessionPolicy(description: "force")
    /// The services of all keys are dropped.
    public static let clearAll = ServiceSessionPolicy(description: "clearAll")
}

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
/// A service is active from the moment it is created. When the session's key changes, the old key's service
/// is deactivated with the session that it was last created or activated for, and then kept or dropped as the
/// factory decides; the new key's service, if one was kept, is activated with the new session. An update with
/// an unchanged key activates the current service with the new session, so that it always knows the latest
/// payload.
///
/// If the key changes or the provider is reset while a service is being created, that service serves those
/// who wait for it, and is then deactivated and dropped.
///
/// Providers call these functions under no lock; calls made for an update run on the thread that applies it.
public protocol ServiceSessionFactory<Service, Session>: Sendable {
    /// The type of the service, which may be a protocol.
    associatedtype Service: Sendable
    /// The type of the session.
    associatedtype Session: ServiceSession

    /// When services are created, and how long they are kept: ``Lifetime/eager``, ``Lifetime/lazy`` or
    /// ``Lifetime/weak``.
    ///
    /// It is read once, when a provider is created; ``Lifetime/transient`` traps there.
    var lifetime: Lifetime { get }

    /// Creates a service, which is active for the session.
    ///
    /// - Parameter session: The session that the service is for.
    /// - Returns: The service.
    /// - Throws: Anything, as ``ServiceFactory/makeService()`` does.
    func makeService(for session: Session) throws -> Service

    /// Reactivates a kept service, or hands an active one a new payload; does nothing by default.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - session: The session that it belongs to from now on.
    func activate(_ service: Service, for session: Session)

    /// Deactivates an active service; keeps it by default.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - session: The session that it was last created or activated for.
    /// - Returns: Whether it may be kept until its session comes back.
    func deactivate(_ service: Service, from session: Session) -> Bool
}

extension ServiceSessionFactory {
    /// Does nothing.
    public func activate(_ service: Service, for session: Session) {}

    /// Keeps every service.
    public func deactivate(_ service: Service, from session: Session) -> Bool { true }
}

extension ServiceProvider {
    /// Creates a provider whose service changes with a session.
    ///
    /// ``reset()`` deactivates the current service and drops the services of all keys; the next resolve
    /// creates the current one again. An eager service that failed is retried on every update. A transient
    /// lifetime traps with a message.
    ///
    /// - Parameters:
    ///   - factory: Creates the services.
    ///   - mediator: Knows the current session. It doesn't keep the provider alive.
    ///   - inactiveLimit: How many services of other keys are kept at most. Beyond that, the least recently
    ///     used are dropped; they were deactivated when their session ended. Services with the weak lifetime
    ///     don't count.
    public convenience init<Factory: ServiceSessionFactory>(
        _ factory: Factory, mediator: ServiceSessionMediator<Factory.Session>, inactiveLimit: Int = 16
    ) where Factory.Service == Service {
        let lifetime = factory.lifetime
        guard lifetime != .transient else { fatalError(Message.transientSession(Service.self).text) }
        self.init(
            FixedSource(refusing: lifetime, of: Service.self)
                ?? SessionSource(factory, lifetime, mediator: mediator, inactiveLimit: inactiveLimit))
    }
}
