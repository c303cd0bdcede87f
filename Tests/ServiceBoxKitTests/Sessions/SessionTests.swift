// Part of ServiceBox, released under the MIT License.
// Services that change with a session.

import ServiceBoxKit
import Testing

@Suite("A service of a session")
struct SessionTests {
    @Test("is created for the current session, at once if it is eager")
    func construction() throws {
        let eager = SessionFixture(.eager)
        #expect(eager.factory.journal.all == ["make 1a"])
        let lazy = SessionFixture(.lazy)
        #expect(lazy.factory.journal.all.isEmpty)
        #expect(try lazy.number() == 1)
        #expect(lazy.factory.journal.all == ["make 1a"])
    }

    @Test("is one for each key")
    func onePerKey() throws {
        let fixture = SessionFixture(.lazy)
        #expect(try fixture.number() == 1)
        fixture.mediator.update(UserSession(2))
        #expect(try fixture.number() == 2)
        fixture.mediator.update(UserSession(1))
        #expect(try fixture.number() == 1)
    }

    @Test("is activated with the new payload when the key stays the same")
    func sameKey() throws {
        let fixture = SessionFixture(.lazy)
        _ = try fixture.number()
        fixture.mediator.update(UserSession(1, "b"))
        #expect(fixture.factory.journal.take() == ["make 1a", "activate 1 for 1b"])
        #expect(fixture.mediator.session.token == "b")
        fixture.mediator.update(UserSession(2, "c"))
        #expect(fixture.factory.journal.take() == ["deactivate 1 from 1b"])
    }

    @Test("is created with the newest payload if it wasn't created before")
    func sameKeyBeforeMaking() throws {
        let fixture = SessionFixture(.lazy)
        fixture.mediator.update(UserSession(1, "b"))
        _ = try fixture.number()
        #expect(fixture.factory.journal.all == ["make 1b"])
    }

    @Test("is deactivated with the old session and activated with the new one")
    func changedKey() throws {
        let fixture = SessionFixture(.eager)
        fixture.mediator.update(UserSession(2, "b"))
        fixture.mediator.update(UserSession(1, "c"))
        #expect(
            fixture.factory.journal.all == [
                "make 1a", "deactivate 1 from 1a", "make 2b", "deactivate 2 from 2b", "activate 1 for 1c",
            ])
    }

    @Test("is created on the next resolve after a change if it is lazy")
    func changedKeyLazy() throws {
        let fixture = SessionFixture(.lazy)
        fixture.mediator.update(UserSession(2, "b"))
        #expect(fixture.factory.journal.all.isEmpty)
        _ = try fixture.number()
        #expect(fixture.factory.journal.all == ["make 2b"])
    }

    @Test("is created again for a forced key, and those of other keys come back")
    func force() throws {
        let fixture = SessionFixture(.lazy)
        _ = try fixture.number()
        fixture.mediator.update(UserSession(2))
        _ = try fixture.number()
        fixture.mediator.update(UserSession(1, "b"), policy: .force)
        #expect(try fixture.number() == 3)
        fixture.mediator.update(UserSession(2, "c"))
        #expect(try fixture.number() == 2)
        #expect(
            fixture.factory.journal.all == [
                "make 1a", "deactivate 1 from 1a", "make 2", "deactivate 2 from 2", "make 1b",
                "deactivate 3 from 1b",
                "activate 2 for 2c",
            ])
    }

    @Test("is created again for a forced key that stays the same, whatever its factory answers")
    func forceSameKey() throws {
        let fixture = SessionFixture(.eager)
        fixture.mediator.update(UserSession(1, "b"), policy: .force)
        #expect(try fixture.number() == 2)
        #expect(fixture.factory.journal.all == ["make 1a", "deactivate 1 from 1a", "make 1b"])
    }

    @Test("comes back as it was created last where its key was forced and stayed the same")
    func forceSameKeyAndReturn() throws {
        let fixture = SessionFixture(.lazy)
        _ = try fixture.number()
        fixture.mediator.update(UserSession(1), policy: .force)
        #expect(try fixture.number() == 2)
        fixture.mediator.update(UserSession(2))
        fixture.mediator.update(UserSession(1))
        #expect(try fixture.number() == 2)
    }

    @Test("is released with those of all keys when all are cleared, and only the current one is deactivated")
    func clearAll() throws {
        let fixture = SessionFixture(.eager)
        fixture.mediator.update(UserSession(2))
        _ = fixture.factory.journal.take()
        fixture.mediator.update(UserSession(2, "b"), policy: .clearAll)
        #expect(fixture.factory.journal.take() == ["deactivate 2 from 2", "make 2b"])
        fixture.mediator.update(UserSession(1))
        #expect(try fixture.number() == 4)
    }

    @Test("is released if its factory says so")
    func deactivateSaysNo() throws {
        let fixture = SessionFixture(.lazy, keepsInactive: false)
        weak let inbox = try fixture.provider.resolve()
        fixture.mediator.update(UserSession(2))
        #expect(inbox == nil)
        fixture.mediator.update(UserSession(1))
        #expect(try fixture.number() == 2)
    }

    @Test("keeps the error of an eager factory until the next update")
    func eagerFailure() throws {
        let fixture = SessionFixture(.eager)
        fixture.factory.breakDown()
        fixture.mediator.update(UserSession(2))
        fixture.factory.recover()
        #expect(failure(of: fixture.provider)?.path == ["Inbox"])
        #expect(failure(of: fixture.provider)?.underlying is InboxFactory.Broken)
        fixture.mediator.update(UserSession(2))
        #expect(try fixture.number() == 2)
        #expect(fixture.factory.journal.all == ["make 1a", "deactivate 1 from 1a", "make 2", "make 2"])
    }

    @Test("doesn't take an eager error to another key")
    func eagerFailureOtherKey() throws {
        let fixture = SessionFixture(.eager)
        fixture.factory.breakDown()
        fixture.mediator.update(UserSession(2))
        fixture.mediator.update(UserSession(1))
        #expect(try fixture.number() == 1)
    }

    @Test("throws the error of an eager factory when its provider is validated")
    func validating() {
        let factory = InboxFactory(.eager)
        factory.breakDown()
        let error = #expect(throws: ServiceBoxError.self) {
            try ServiceProvider(factory, mediator: ServiceSessionMediator(UserSession(1))).validate()
        }
        #expect(error?.code == .factoryFailed)
    }

    @Test("is tried again on every resolve if it is lazy or weak", arguments: [Lifetime.lazy, .weak])
    func lazyFailure(_ lifetime: Lifetime) throws {
        let fixture = SessionFixture(lifetime)
        fixture.factory.breakDown()
        #expect(failure(of: fixture.provider) != nil)
        fixture.factory.recover()
        #expect(try fixture.number() == 1)
        #expect(fixture.factory.journal.all == ["make 1a", "make 1a"])
    }

    @Test("comes back if it is weak and someone holds it, and is deactivated only then")
    func weak() throws {
        let fixture = SessionFixture(.weak)
        let inbox = try fixture.provider.resolve()
        fixture.mediator.update(UserSession(2, "b"))
        _ = try fixture.number()
        fixture.mediator.update(UserSession(1, "c"))
        #expect(try fixture.provider.resolve() === inbox)
        #expect(
            fixture.factory.journal.all == [
                "make 1a", "deactivate 1 from 1a", "make 2b", "activate 1 for 1c",
            ])
    }

    @Test("is released when too many others are inactive, the least recently used first")
    func limit() throws {
        let fixture = SessionFixture(.eager, inactiveLimit: 2)
        for key in [2, 3, 1, 4, 5] { fixture.mediator.update(UserSession(key)) }
        _ = fixture.factory.journal.take()
        // Resting are 4 and 1, as 2 and 3 were used less recently.
        fixture.mediator.update(UserSession(1))
        fixture.mediator.update(UserSession(2))
        #expect(
            fixture.factory.journal.all == [
                "deactivate 5 from 5", "activate 1 for 1", "deactivate 1 from 1", "make 2",
            ])
    }

    @Test("doesn't come back where the limit is below zero, as if it were zero")
    func negativeLimit() throws {
        let fixture = SessionFixture(.eager, inactiveLimit: -1)
        for key in [2, 1] { fixture.mediator.update(UserSession(key)) }
        #expect(try fixture.number() == 3)
    }

    @Test("is what its factory gets that asks for it while it hands it over", .neverHanging)
    func askedInHandover() throws {
        let mediator = ServiceSessionMediator(UserSession(1))
        let factory = AskingFactory()
        let provider = ServiceProvider(factory, mediator: mediator)
        factory.provider.set(provider)
        for key in [2, 1] {
            _ = try provider.resolve()
            mediator.update(UserSession(key))
        }
        #expect(factory.journal.all == ["deactivate 1", "deactivate 2", "activate 1"])
    }

    @Test("doesn't count for the limit if it is weak and someone holds it")
    func limitOfWeak() throws {
        let fixture = SessionFixture(.weak, inactiveLimit: 1)
        let inboxes = try (1...3).map { key in
            fixture.mediator.update(UserSession(key))
            return try fixture.provider.resolve()
        }
        for (key, inbox) in zip(1...3, inboxes) {
            fixture.mediator.update(UserSession(key))
            #expect(try fixture.provider.resolve() === inbox)
        }
    }

    @Test("is forgotten with its key by a later change if it is weak and nobody holds it any more")
    func goneWeak() throws {
        let mediator = ServiceSessionMediator(KeyedSession(key: KeyedSession.Key()))
        let provider = ServiceProvider(KeyedFactory(), mediator: mediator)
        weak let key = mediator.session.key
        var inbox: Inbox? = try provider.resolve()
        mediator.update(KeyedSession(key: KeyedSession.Key()))
        #expect(key != nil && inbox != nil)
        inbox = nil
        let next = try provider.resolve()
        mediator.update(KeyedSession(key: KeyedSession.Key()))
        #expect(key == nil)
        withExtendedLifetime(next) {}
    }

    @Test("is released under no lock when it is dropped", .neverHanging, arguments: [0, 1])
    func dropped(limit: Int) throws {
        let own = Later<ServiceProvider<Farewell>>()
        let mediator = ServiceSessionMediator(UserSession(1))
        let journal = Journal()
        let provider = ServiceProvider(
            FarewellFactory {
                journal.add("\(mediator.session.key) \((try? own.get().isMade) ?? true)")
            }, mediator: mediator, inactiveLimit: limit)
        own.set(provider)
        for key in 2...4 {
            _ = try provider.resolve()
            mediator.update(UserSession(key))
        }
        #expect(journal.all.count == 3 - limit)
        provider.reset()
        #expect(journal.all.count == 3)
    }

    @Test("is deactivated by a reset, which releases those of all keys")
    func reset() throws {
        let fixture = SessionFixture(.lazy)
        _ = try fixture.number()
        fixture.mediator.update(UserSession(2))
        _ = try fixture.number()
        fixture.provider.reset()
        #expect(!fixture.provider.isMade)
        fixture.mediator.update(UserSession(1, "b"))
        #expect(try fixture.number() == 3)
        #expect(
            fixture.factory.journal.all == [
                "make 1a", "deactivate 1 from 1a", "make 2", "deactivate 2 from 2", "make 1b",
            ])
    }

    @Test("of a value type can't be weak")
    func weakValue() {
        struct Factory: ServiceSessionFactory {
            let lifetime = Lifetime.weak
            func makeService(for session: UserSession) -> Int { session.key }
        }
        let provider = ServiceProvider(Factory(), mediator: ServiceSessionMediator(UserSession(1)))
        #expect(failure(of: provider)?.code == .weakValue)
    }

    @Test(
        "whose session ends during its creation is returned to those who wait, deactivated and released",
        .neverHanging)
    func overtaken() throws {
        let journal = Journal()
        let mediator = ServiceSessionMediator(UserSession(1))
        let provider = ServiceProvider(
            OvertakenFactory(journal: journal, mediator: mediator), mediator: mediator)
        #expect(try provider.resolve().number == 1)
        #expect(try provider.resolve().number == 2)
        #expect(journal.all == ["make 1", "deactivate 1 from 1", "make 2"])
    }

    @Test(
        "is activated with a new payload that arrives during its creation, before anyone sees it",
        .neverHanging)
    func outdated() throws {
        let journal = Journal()
        let mediator = ServiceSessionMediator(UserSession(1))
        let provider = ServiceProvider(
            OvertakenFactory(journal: journal, mediator: mediator, next: UserSession(1, "b")),
            mediator: mediator)
        #expect(try provider.resolve().number == 1)
        #expect(provider.isMade)
        #expect(try provider.resolve().number == 1)
        #expect(journal.all == ["make 1", "activate 1 for 1b"])
    }
}

/// A factory that writes down which service its provider has while it activates or deactivates one.
private struct AskingFactory: ServiceSessionFactory {
    let lifetime = Lifetime.lazy
    let provider = Later<ServiceProvider<Inbox>>()
    let journal = Journal()
    private let makes = Counter()

    private func note(_ event: String) {
        journal.add("\(event) \((try? provider.get().resolve().number) ?? 0)")
    }

    func makeService(for session: UserSession) -> Inbox { Inbox(number: makes.next()) }
    func activate(_ service: Inbox, for session: UserSession) { note("activate") }

    func deactivate(_ service: Inbox, from session: UserSession) -> Bool {
        note("deactivate")
        return true
    }
}

/// A factory whose first making updates the session.
private struct OvertakenFactory: ServiceSessionFactory {
    let lifetime = Lifetime.lazy
    let journal: Journal
    let mediator: ServiceSessionMediator<UserSession>
    var next = UserSession(2)
    let makes = Counter()

    func makeService(for session: UserSession) -> Inbox {
        let number = makes.next()
        journal.add("make \(session.key)")
        if number == 1 { mediator.update(next) }
        return Inbox(number: number)
    }

    func activate(_ service: Inbox, for session: UserSession) {
        journal.add("activate \(service.number) for \(session.key)\(session.token)")
    }

    func deactivate(_ service: Inbox, from session: UserSession) -> Bool {
        journal.add("deactivate \(service.number) from \(session.key)\(session.token)")
        return true
    }
}

/// A session whose keys can be seen to go.
private struct KeyedSession: ServiceSession {
    final class Key: Hashable, Sendable {
        static func == (left: Key, right: Key) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    let key: Key
}

private struct KeyedFactory: ServiceSessionFactory {
    let lifetime = Lifetime.weak
    func makeService(for session: KeyedSession) -> Inbox { Inbox(number: 0) }
}

/// A service that uses its provider while it ends.
private final class Farewell: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
}

private struct FarewellFactory: ServiceSessionFactory {
    let lifetime = Lifetime.lazy
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func makeService(for session: UserSession) -> Farewell { Farewell(body) }
}
