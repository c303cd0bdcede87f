// Part of ServiceBox, released under the MIT License.
// How a session's updates reach those who depend on it.

import Testing

@testable import ServiceBoxKit

/// A factory that asks another provider, and writes down what it does.
private struct Caller: ServiceSessionFactory {
    let name: String
    let lifetime: Lifetime
    let journal: Journal
    var other = Later<ServiceProvider<String>>()
    var then: @Sendable (UserSession) -> Void = { _ in }

    func makeService(for session: UserSession) -> String {
        let heard = (try? other.get()).map { (try? $0.resolve()) ?? "nothing" }
        journal.add("\(name) made for \(session.key)" + (heard.map { " with \($0)" } ?? ""))
        then(session)
        return "\(name)\(session.key)"
    }

    func deactivate(_ service: String, from session: UserSession) -> Bool {
        journal.add("\(name) left \(session.key)")
        return true
    }
}

@Suite("The mediator of a session")
struct SessionMediatorTests {
    private let journal = Journal()
    private let mediator = ServiceSessionMediator(UserSession(1))

    @Test("doesn't tell an observer that one before it has cancelled")
    func cancelledByAnother() {
        let (mediator, journal) = (ServiceSessionMediator(UserSession(1)), Journal())
        let second = Locked<ServiceObservation?>(nil)
        let first = mediator.observe { _ in second.withLock { $0 }?.cancel() }
        second.withLock { $0 = mediator.observe { journal.add("\($0.key)") } }
        mediator.update(UserSession(2))
        #expect(journal.all == [])
        first.cancel()
    }

    @Test("notifies all providers of the change before any of them creates a service")
    func twoPhases() throws {
        let other = Later<ServiceProvider<String>>()
        let first = ServiceProvider(
            Caller(name: "a", lifetime: .eager, journal: journal, other: other), mediator: mediator)
        let second = ServiceProvider(
            Caller(name: "b", lifetime: .eager, journal: journal), mediator: mediator)
        other.set(second)
        _ = journal.take()
        mediator.update(UserSession(2))
        #expect(journal.take() == ["a left 1", "b left 1", "b made for 2", "a made for 2 with b2"])
        #expect(try [first.resolve(), second.resolve()] == ["a2", "b2"])
    }

    @Test("doesn't keep providers alive, and removes released ones")
    func weakProviders() {
        var provider: ServiceProvider? = ServiceProvider(
            Caller(name: "a", lifetime: .eager, journal: journal), mediator: mediator)
        #expect(provider?.isMade == true)
        provider = nil
        mediator.update(UserSession(2))
        #expect(journal.all == ["a made for 1"])
    }

    @Test("notifies observers after all providers, in the order of their registration")
    func observers() {
        let provider = ServiceProvider(
            Caller(name: "a", lifetime: .eager, journal: journal), mediator: mediator)
        let observations = ["x", "y"].map { name in
            mediator.observe { [journal] in journal.add("\(name) saw \($0.key)") }
        }
        mediator.update(UserSession(2))
        #expect(journal.all == ["a made for 1", "a left 1", "a made for 2", "x saw 2", "y saw 2"])
        withExtendedLifetime((provider, observations)) {}
    }

    @Test("notifies an observer no more when its token is cancelled or released")
    func observationEnds() {
        let cancelled = mediator.observe { [journal] _ in journal.add("cancelled") }
        var gone: ServiceObservation? = mediator.observe { [journal] _ in journal.add("gone") }
        #expect(gone != nil)
        cancelled.cancel()
        gone = nil
        mediator.update(UserSession(2))
        #expect(journal.all.isEmpty)
    }

    @Test("notifies the others, whichever observers end", arguments: 0..<32)
    func someObservationsEnd(kept: Int) {
        let isKept = (0..<5).map { kept & 1 << $0 != 0 }
        let observations = isKept.indices.map { number in
            mediator.observe { [journal] _ in journal.add("\(number)") }
        }
        for (observation, isKept) in zip(observations, isKept).reversed() where !isKept {
            observation.cancel()
        }
        mediator.update(UserSession(2))
        #expect(journal.all == isKept.indices.filter { isKept[$0] }.map(String.init))
    }

    @Test(
        "applies an update from inside an observer after the running one", .neverHanging)
    func nestedUpdate() {
        let first = mediator.observe { [mediator, journal] session in
            journal.add("x saw \(session.key)")
            if session.key == 2 { mediator.update(UserSession(3)) }
        }
        let second = mediator.observe { [journal] in journal.add("y saw \($0.key)") }
        mediator.update(UserSession(2))
        #expect(journal.all == ["x saw 2", "y saw 2", "x saw 3", "y saw 3"])
        #expect(mediator.session.key == 3)
        withExtendedLifetime((first, second)) {}
    }

    @Test(
        "applies an update from inside a factory that an update called after that one",
        .neverHanging)
    func updateFromFactory() throws {
        let provider = ServiceProvider(
            Caller(name: "a", lifetime: .eager, journal: journal) { [mediator] session in
                if session.key == 2 { mediator.update(UserSession(3)) }
            }, mediator: mediator)
        mediator.update(UserSession(2))
        #expect(journal.all == ["a made for 1", "a left 1", "a made for 2", "a left 2", "a made for 3"])
        #expect(try provider.resolve() == "a3")
    }

    @Test("applies concurrent updates one after the other, in one order for all")
    func concurrentUpdates() {
        let other = Journal()
        let observations = [
            mediator.observe { [journal] in journal.add("\($0.key)") },
            mediator.observe { other.add("\($0.key)") },
        ]
        let last = Counter()
        onThreads(8) { [mediator] in
            for _ in 0..<20 {
                let key = last.next() + 1
                mediator.update(UserSession(key))
            }
        }
        #expect(journal.all.count == 160)
        #expect(journal.all == other.all)
        #expect(journal.all.last == "\(mediator.session.key)")
        withExtendedLifetime(observations) {}
    }

    @Test(
        "returns from an update that another thread applies only after it is applied",
        .neverHanging)
    func updateWaits() {
        let (entered, go) = (Signal(), Signal())
        let seen = Counter()
        let observation = mediator.observe { session in
            if session.key == 2 {
                entered.send()
                go.wait()
            } else {
                seen.next()
            }
        }
        let counts = Locked<[Int]>([])
        onThreads([
            { [mediator] in mediator.update(UserSession(2)) },
            { [mediator] in
                entered.wait()
                go.send()
                mediator.update(UserSession(3))
                counts.withLock { $0.append(seen.value) }
            },
        ])
        #expect(counts.withLock { $0 } == [1])
        withExtendedLifetime(observation) {}
    }

    @Test(
        "lets a factory update while an update waits for that factory",
        .neverHanging)
    func updateNeverDeadlocks() throws {
        for _ in 0..<20 {
            let mediator = ServiceSessionMediator(UserSession(1))
            let (inMake, inUpdate) = (Signal(), Signal())
            let lazy = ServiceProvider {
                inMake.send()
                inUpdate.wait()
                mediator.update(UserSession(3))
                return "made"
            }
            let observation = mediator.observe { session in
                guard session.key == 2 else { return }
                inUpdate.send()
                _ = try? lazy.resolve()
            }
            onThreads([
                { _ = try? lazy.resolve() },
                {
                    inMake.wait()
                    mediator.update(UserSession(2))
                },
            ])
            #expect(lazy.isMade)
            #expect(mediator.session.key == 3)
            withExtendedLifetime(observation) {}
        }
    }

    @Test("lets a service update while it is activated, and an update waits for its factory", .neverHanging)
    func updateInActivation() {
        for _ in 0..<20 {
            let mediator = ServiceSessionMediator(UserSession(1))
            let (inMake, inUpdate, activations, makes) = (Signal(), Signal(), Counter(), Counter())
            let lazy = ServiceProvider(
                HookedFactory(
                    lifetime: .lazy,
                    make: { _ in
                        inMake.send()
                        inUpdate.wait()
                        mediator.update(UserSession(1, "b"))
                    },
                    activate: { if activations.next() == 1 { mediator.update(UserSession(1, "c")) } }),
                mediator: mediator)
            let eager = ServiceProvider(
                HookedFactory(
                    lifetime: .eager,
                    make: { _ in
                        if makes.next() == 1 { return }
                        inUpdate.send()
                        _ = try? lazy.resolve()
                    }),
                mediator: mediator)
            eager.reset()
            onThreads([
                { _ = try? lazy.resolve() },
                {
                    inMake.wait()
                    mediator.update(UserSession(1, "a"))
                },
            ])
            #expect(lazy.isMade)
            #expect(mediator.session.token == "c")
        }
    }

    @Test("gives the new session's service to a factory that its activation waits for", .neverHanging)
    func askedInActivation() throws {
        for _ in 0..<Sanitizer.rounds(100) {
            let mediator = ServiceSessionMediator(UserSession(1))
            let (isLeaving, asks, other) = (Signal(), Signal(), Later<ServiceProvider<Page>>())
            let provider = ServiceProvider(
                LeavingFactory(
                    deactivate: {
                        guard $0.key == 2 else { return }
                        isLeaving.send()
                        asks.wait()
                    },
                    activate: { _ = try? other.get().resolve() }),
                mediator: mediator)
            let page = ServiceProvider {
                isLeaving.wait()
                asks.send()
                return Page(number: try provider.resolve().number)
            }
            other.set(page)
            for key in 1...2 {
                mediator.update(UserSession(key))
                _ = try provider.resolve()
            }
            onThreads([{ _ = try? page.resolve() }, { mediator.update(UserSession(1)) }])
            #expect(try page.resolve().number == 1)
        }
    }

    @Test("lets a service update as often as it likes while it is activated")
    func endlessActivation() throws {
        let mediator = ServiceSessionMediator(UserSession(1))
        let count = Counter()
        let provider = ServiceProvider(
            HookedFactory(
                lifetime: .lazy, make: { _ in mediator.update(UserSession(1, "made")) },
                activate: { if count.next() < 100_000 { mediator.update(UserSession(1, "active")) } }),
            mediator: mediator)
        _ = try provider.resolve()
        #expect(count.value == 100_000)
    }

    @Test("loses no update between a provider's creation and its subscription")
    func noLostUpdate() throws {
        for _ in 0..<20 {
            let mediator = ServiceSessionMediator(UserSession(1))
            let made = Locked<[ServiceProvider<Inbox>]>([])
            onThreads([
                { for key in 2...20 { mediator.update(UserSession(key)) } },
                {
                    for _ in 0..<20 {
                        let provider = ServiceProvider(KeyFactory(), mediator: mediator)
                        made.withLock { $0.append(provider) }
                    }
                },
            ])
            #expect(try made.withLock { try $0.allSatisfy { try $0.resolve().number == 20 } })
        }
    }

    @Test("has a constant session, whose services can be cleared")
    func constant() throws {
        struct Factory: ServiceSessionFactory {
            let lifetime = Lifetime.lazy
            let makes = Counter()
            func makeService(for session: ServiceConstantSession) -> Int { makes.next() }
        }
        let mediator = ServiceSessionMediator()
        let provider = ServiceProvider(Factory(), mediator: mediator)
        #expect(try [provider.resolve(), provider.resolve()] == [1, 1])
        mediator.update(ServiceConstantSession())
        #expect(try provider.resolve() == 1)
        mediator.clearServices()
        #expect(!provider.isMade)
        #expect(try provider.resolve() == 2)
    }

    @Test("lets no creation begin that a change has overtaken")
    func overtaken() throws {
        let mediator = ServiceSessionMediator(UserSession(1))
        let source = SessionSource(InboxFactory(.lazy), .lazy, mediator: mediator, inactiveLimit: 1)
        var begun: Construction?
        let claim = source.claim(source.step, without: nil, refusal: nil)
        if case .constructing(let new) = claim.phase { begun = new }
        let construction = try #require(begun)
        mediator.update(UserSession(2))
        #expect(source.begin(construction) == nil)
    }

    @Test("has policies that are described by their names")
    func policies() {
        let policies: [ServiceSessionPolicy] = [.keep, .force, .clearAll]
        #expect(policies.map(\.description) == ["keep", "force", "clearAll"])
    }

    @Test("lets an eager service keep no error of a session that was over before it failed")
    func errorOfFormerSession() throws {
        struct Factory: ServiceSessionFactory {
            let mediator: ServiceSessionMediator<UserSession>
            let lifetime = Lifetime.eager

            func makeService(for session: UserSession) throws -> Inbox {
                if session.token.isEmpty {
                    mediator.update(UserSession(session.key, "token"))
                    throw Broken()
                }
                return Inbox(number: session.key)
            }
        }
        let mediator = ServiceSessionMediator(UserSession(1))
        let provider = ServiceProvider(Factory(mediator: mediator), mediator: mediator)
        try provider.validate()
        #expect(try provider.resolve().number == 1)
    }
}

/// Makes inboxes, and does what it is given.
private struct HookedFactory: ServiceSessionFactory {
    let lifetime: Lifetime
    let make: @Sendable (UserSession) -> Void
    var activate: @Sendable () -> Void = {}

    func makeService(for session: UserSession) -> Inbox {
        make(session)
        return Inbox(number: session.key)
    }

    func activate(_ service: Inbox, for session: UserSession) { activate() }
}

/// Makes inboxes that carry their session's key, and does what it is given when they leave and come back.
private struct LeavingFactory: ServiceSessionFactory {
    let lifetime = Lifetime.lazy
    let deactivate: @Sendable (UserSession) -> Void
    let activate: @Sendable () -> Void

    func makeService(for session: UserSession) -> Inbox { Inbox(number: session.key) }
    func activate(_ service: Inbox, for session: UserSession) { activate() }

    func deactivate(_ service: Inbox, from session: UserSession) -> Bool {
        deactivate(session)
        return true
    }
}

/// Makes inboxes that carry their session's key.
private struct KeyFactory: ServiceSessionFactory {
    let lifetime = Lifetime.eager
    func makeService(for session: UserSession) -> Inbox { Inbox(number: session.key) }
}
