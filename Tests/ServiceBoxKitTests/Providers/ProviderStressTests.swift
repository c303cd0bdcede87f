// Part of ServiceBox, released under the MIT License.
// Services that many ask for at a time.

import ServiceBoxKit
import Testing

private final class Shop: Sendable {}
private final class Numbered: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }
}

@Suite("Services under load", .neverHanging)
struct ProviderStressTests {
    private static let rounds = 20
    private static let tasks = 8

    /// Asks from many tasks at a time.
    private func ask(_ body: @escaping @Sendable () throws -> Shop) async throws -> [Shop] {
        try await withThrowingTaskGroup(of: Shop.self) { group in
            for _ in 0..<Self.tasks { group.addTask { try body() } }
            var stores: [Shop] = []
            for try await store in group { stores.append(store) }
            return stores
        }
    }

    @Test("a lazy service is created once")
    func lazy() async throws {
        for _ in 0..<Self.rounds {
            let makes = Counter()
            let provider = ServiceProvider {
                makes.next()
                return Shop()
            }
            let stores = try await ask { try provider.resolve() }
            #expect(makes.value == 1)
            #expect(Set(stores.map(ObjectIdentifier.init)).count == 1)
        }
    }

    @Test("a weak service is created once while it is held")
    func weak() async throws {
        let makes = Counter()
        let provider = ServiceProvider(.weak) {
            makes.next()
            return Shop()
        }
        for round in 1...Self.rounds {
            let holder = try provider.resolve()
            let stores = try await ask { try provider.resolve() }
            #expect(stores.allSatisfy { $0 === holder })
            #expect(makes.value == round)
            withExtendedLifetime(holder) {}
        }
    }

    @Test("a weak service that comes and goes is alive whenever it is returned")
    func comingAndGoing() async throws {
        let provider = ServiceProvider(.weak) { Numbered(7) }
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<Self.tasks {
                group.addTask {
                    (0..<Self.rounds * 10).count { _ in (try? provider.resolve().number) == 7 }
                }
            }
            for await count in group { #expect(count == Self.rounds * 10) }
        }
        #expect(!provider.isMade)
    }

    @Test("a service of a session is created once for each key")
    func session() async throws {
        struct Factory: ServiceSessionFactory {
            let lifetime = Lifetime.lazy
            let makes = Counter()
            func makeService(for session: UserSession) -> Shop {
                makes.next()
                return Shop()
            }
        }
        let factory = Factory()
        let mediator = ServiceSessionMediator(UserSession(0))
        let provider = ServiceProvider(factory, mediator: mediator, inactiveLimit: Self.rounds)
        for round in 1...Self.rounds {
            mediator.update(UserSession(round))
            let stores = try await ask { try provider.resolve() }
            #expect(Set(stores.map(ObjectIdentifier.init)).count == 1)
            #expect(factory.makes.value == round)
        }
    }

    @Test("a service of a session is of a session that was current during its resolve")
    func sessionChanges() async throws {
        let mediator = ServiceSessionMediator(UserSession(0))
        let provider = ServiceProvider(NumberFactory(), mediator: mediator)
        let failures = Counter()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for key in 1...200 { mediator.update(UserSession(key)) } }
            for _ in 1..<Self.tasks {
                group.addTask {
                    for _ in 0..<200 {
                        let before = mediator.session.key
                        guard let number = try? provider.resolve().number else {
                            failures.next()
                            continue
                        }
                        // A provider adopts a session just after the mediator shows it.
                        if number < before - 1 || number > mediator.session.key { failures.next() }
                    }
                }
            }
        }
        #expect(failures.value == 0)
        #expect(try provider.resolve().number == 200)
    }

    @Test("all who wait get the error of the one attempt that failed")
    func failingMaker() throws {
        for _ in 0..<Self.rounds {
            let makes = Counter()
            let (inMake, asked) = (Signal(), Counter())
            let provider = ServiceProvider<Shop> {
                if makes.next() == 1 { inMake.send() }
                throw Broken()
            }
            let errors = Counter()
            onThreads([
                { if failure(of: provider)?.underlying is Broken { errors.next() } },
                {
                    inMake.wait()
                    asked.next()
                    if failure(of: provider)?.underlying is Broken { errors.next() }
                },
            ])
            #expect(errors.value == 2)
        }
    }

    @Test("a provider works after resets and resolves at once")
    func resets() async throws {
        let provider = ServiceProvider { Shop() }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<Self.tasks {
                group.addTask {
                    for _ in 0..<200 {
                        if task == 0 { provider.reset() } else { _ = try? provider.resolve() }
                    }
                }
            }
        }
        #expect(try provider.resolve() === provider.resolve())
    }
}

private struct NumberFactory: ServiceSessionFactory {
    let lifetime = Lifetime.lazy
    func makeService(for session: UserSession) -> Inbox { Inbox(number: session.key) }
}
