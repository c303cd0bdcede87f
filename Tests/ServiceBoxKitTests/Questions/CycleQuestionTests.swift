// Part of ServiceBox, released under the MIT License.
// What users ask about cycles and threads, answered by the box alone.

import ServiceBoxKit
import Testing

private final class Hen: @unchecked Sendable { @Injected var chick: Chick }
private final class Chick: @unchecked Sendable { @WeakInjected var hen: Hen? }

private final class Account: Sendable { init(_ bank: Bank) {} }
private final class Bank: Sendable { init(_ vault: Vault) {} }
private final class Vault: Sendable { init(_ bank: Bank) {} }

private final class Screen { @Injected var clock: Clock }

@Suite("Asked about cycles and threads, the box says", .neverHanging)
struct CycleQuestionTests {
    private let box = ServiceBox()

    @Test("that mutual services have each other")
    func mutual() throws {
        box.register { _ in Hen() }
        box.register { _ in Chick() }
        let hen: Hen = try box.resolve()
        #expect(hen.chick.hen === hen)
        #expect(
            box.crossFill().map(\.description) == [
                """
                'chick' (Chick): 1 of 1 filled.
                  Chick.hen: filled with 'hen' (Hen)
                """,
                """
                'hen' (Hen): 1 of 1 filled.
                  Hen.chick: filled with 'chick' (Chick)
                """,
            ])
        #expect("\(box.audit())" == "Audit of 2 services and 0 types: clean.")
    }

    @Test("which factories need each other")
    func whichCycle() {
        box.register { Account(try $0.resolve()) }
        box.register { Bank(try $0.resolve()) }
        box.register { Vault(try $0.resolve()) }
        #expect(
            box.failure(of: ServiceKey<Account>("account"))?.description == """
                Can't make an Account: a Bank is needed to make itself.
                  Path: Account → Bank → Vault → Bank
                To fix, let the services on the path take each other through injected properties, which are filled later, \
                or let one take a provider and resolve that later.
                """)
    }

    @Test("that a service is created once, however many threads fill from it")
    func threads() {
        let journal = Journal()
        let observation = box.observe { journal.add("\($0)") }
        box.register { _ in Clock() }
        onThreads(8) { [box] in box.fill(Screen()) }
        observation.cancel()
        #expect(
            journal.all.sorted() == Array(repeating: "filled Screen: 1 of 1 filled.", count: 8)
                + ["made 'clock' (Clock)", "registered 'clock' (Clock)"])
        #expect(box.uses.map(\.description) == ["'clock' (Clock): 1 property"])
    }

    @Test("of factories that wait for each other on two threads, that they form a cycle")
    func deadlock() {
        let (bankBegins, vaultBegins) = (Signal(), Signal())
        box.register { (box: ServiceBox) throws -> Bank in
            bankBegins.send()
            vaultBegins.wait()
            return Bank(try box.resolve())
        }
        box.register { (box: ServiceBox) throws -> Vault in
            vaultBegins.send()
            bankBegins.wait()
            return Vault(try box.resolve())
        }
        let journal = Journal()
        onThreads([
            { [box] in journal.add("\(box.failure(of: ServiceKey<Bank>("bank")), default: "none")") },
            { [box] in journal.add("\(box.failure(of: ServiceKey<Vault>("vault")), default: "none")") },
        ])
        let fix = """
            To fix, let the services on the path take each other through injected properties, which are filled later, \
            or let one take a provider and resolve that later.
            """
        #expect(
            journal.all.sorted() == [
                """
                Can't make a Bank: it is needed to make itself.
                  Path: Bank → Vault → Bank
                \(fix)
                """,
                """
                Can't make a Vault: it is needed to make itself.
                  Path: Vault → Bank → Vault
                \(fix)
                """,
            ])
    }

    @Test("what a thread asks for that a factory waits for")
    func waitingFactory() throws {
        box.register(Cache())
        box.register { box -> Clock in
            _ = onThread { try? box.resolve(Cache.self) }
            return Clock()
        }
        _ = try box.resolve(Clock.self)
        #expect(
            box.uses.map(\.description) == ["'cache' (Cache): looked up", "'clock' (Clock): looked up"])
    }
}
