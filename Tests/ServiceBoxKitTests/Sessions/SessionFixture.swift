// Part of ServiceBox, released under the MIT License.
// A session, and a factory that writes down what is asked of it.

import ServiceBoxKit

/// The session of a user.
struct UserSession: ServiceSession {
    let key: Int
    var token = ""

    init(_ key: Int, _ token: String = "") {
        self.key = key
        self.token = token
    }
}

/// A service of a session; it has the number of its making.
final class Inbox: Sendable {
    let number: Int

    init(number: Int) { self.number = number }
}

/// Makes inboxes and writes down what is asked of it.
final class InboxFactory: ServiceSessionFactory {
    let lifetime: Lifetime
    let journal = Journal()
    let makes = Counter()
    let keepsInactive: Bool
    private let isBroken = Locked(false)

    struct Broken: Error {}

    init(_ lifetime: Lifetime, keepsInactive: Bool = true) {
        self.lifetime = lifetime
        self.keepsInactive = keepsInactive
    }

    /// Lets the making fail from now on.
    func breakDown() { isBroken.withLock { $0 = true } }

    /// Lets the making succeed again.
    func recover() { isBroken.withLock { $0 = false } }

    func makeService(for session: UserSession) throws -> Inbox {
        journal.add("make \(session.key)\(session.token)")
        if isBroken.withLock({ $0 }) { throw Broken() }
        return Inbox(number: makes.next())
    }

    func activate(_ service: Inbox, for session: UserSession) {
        journal.add("activate \(service.number) for \(session.key)\(session.token)")
    }

    func deactivate(_ service: Inbox, from session: UserSession) -> Bool {
        journal.add("deactivate \(service.number) from \(session.key)\(session.token)")
        return keepsInactive
    }
}

/// A factory, its mediator and its provider.
struct SessionFixture {
    let factory: InboxFactory
    let mediator = ServiceSessionMediator(UserSession(1, "a"))
    let provider: ServiceProvider<Inbox>

    init(_ lifetime: Lifetime, keepsInactive: Bool = true, inactiveLimit: Int = 16) {
        factory = InboxFactory(lifetime, keepsInactive: keepsInactive)
        provider = ServiceProvider(factory, mediator: mediator, inactiveLimit: inactiveLimit)
    }

    func number() throws -> Int { try provider.resolve().number }
}
