// Part of ServiceBox, released under the MIT License.
// What services may depend on that changes while the program runs, and what a change does to them.

/// Something that services belong to and that changes while the program runs: the user who is signed in, a
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
/// Two sessions with equal keys share services; what else they carry is the payload, which services are
/// handed again.
public protocol ServiceSession: Sendable {
    /// The type of the key.
    associatedtype Key: Hashable & Sendable

    /// What tells the services of one session from those of another.
    var key: Key { get }
}

/// A session that stays the same, for services that belong to nobody and can be cleared all at once.
///
/// Its mediator is made without arguments, see ``ServiceSessionMediator/init()``.
///
/// Thread-safe.
public struct ServiceConstantSession: ServiceSession, Hashable {
    /// The one key.
    public struct Key: Hashable, Sendable {}

    /// The one key.
    public var key: Key { Key() }

    /// Makes the session.
    public init() {}
}

/// What becomes of the services that were made for a session when it is updated.
///
/// Thread-safe.
public struct ServiceSessionPolicy: Hashable, Sendable, CustomStringConvertible {
    /// The policy's name.
    public let description: String

    /// Services stay with their keys: the new key's service comes back if it is there, and with an unchanged
    /// key it is handed the new payload.
    public static let keep = ServiceSessionPolicy(description: "keep")
    /// The new key's service is dropped and created again; those of other keys stay.
    public static let force = ServiceSessionPolicy(description: "force")
    /// The services of all keys are dropped.
    public static let clearAll = ServiceSessionPolicy(description: "clearAll")
}
