// Part of ServiceBox, released under the MIT License.
// Services of providers that the box did not make, taken by way of their provider.

import ServiceBoxKit
import Testing

private final class Mailbox: @unchecked Sendable { @Injected var clock: Clock? }
private struct MailboxFactory: ServiceSessionFactory {
    let lifetime = Lifetime.lazy
    func makeService(for session: UserSession) throws -> Mailbox { Mailbox() }
}
private final class Screen {
    @Injected var mailbox: ServiceProvider<Mailbox>
    @Injected("mailbox") var service: Mailbox?
}
private final class Panel { @Injected var mailbox: ServiceProvider<Mailbox>? }

@Suite("A service of a foreign provider")
struct SeenProviderTests {
    private let box = ServiceBox()
    private let clock = Clock()

    init() { box.register(clock) }

    @Test(
        "is filled before it is returned, through a property and through a look-up",
        arguments: [false, true])
    func filled(isLookUp: Bool) throws {
        box.register(provider: ServiceProvider { Mailbox() }, as: "mailbox")
        let screen = Panel()
        box.fill(screen)
        let provider = try isLookUp ? box.provider(ServiceKey<Mailbox>("mailbox")) : #require(screen.mailbox)
        #expect(!provider.isMade)
        #expect(try provider.resolve().clock === clock)
        #expect(provider.isMade)
    }

    @Test("is filled again for each session and after each reset")
    func sessions() throws {
        let mediator = ServiceSessionMediator(UserSession(1))
        box.register(provider: ServiceProvider(MailboxFactory(), mediator: mediator), as: "mailbox")
        let panel = Panel()
        box.fill(panel)
        let provider = try #require(panel.mailbox)
        let first = try provider.resolve()
        #expect(first.clock === clock)
        #expect(try provider.resolve() === first)
        mediator.update(UserSession(2))
        #expect(try provider.resolve() !== first)
        #expect(try provider.resolve().clock === clock)
        let second = try provider.resolve()
        provider.reset()
        #expect(!provider.isMade)
        #expect(try provider.resolve() !== second)
        #expect(try provider.resolve().clock === clock)
    }

    @Test("is the one that other properties get, and so is the provider")
    func shared() throws {
        let own = ServiceProvider { Mailbox() }
        box.register(provider: own, as: "mailbox")
        let (screen, panel) = (Screen(), Panel())
        box.fill(panel)
        box.fill(screen)
        #expect(screen.mailbox === panel.mailbox)
        #expect(try screen.mailbox === box.provider(ServiceKey<Mailbox>("mailbox")))
        #expect(try screen.mailbox.resolve() === screen.service)
        #expect(try own.resolve() === screen.service)
    }

    @Test("is reported once, when it is first seen")
    func told() throws {
        let makes = Counter()
        let observation = box.observe { if $0.kind == .made { makes.next() } }
        box.register(provider: ServiceProvider { Mailbox() }, as: "mailbox")
        let panel = Panel()
        box.fill(panel)
        #expect(makes.value == 0)
        for _ in 0..<3 { _ = try panel.mailbox?.resolve() }
        #expect(makes.value == 1)
        observation.cancel()
    }

    @Test("is the provider's error if it can't be created")
    func failing() throws {
        struct Broken: Error {}
        box.register(provider: ServiceProvider { () -> Mailbox in throw Broken() }, as: "mailbox")
        let panel = Panel()
        box.fill(panel)
        let error = #expect(throws: ServiceBoxError.self) { try panel.mailbox?.resolve() }
        #expect(error?.code == .factoryFailed)
        #expect(error?.path == ["Mailbox"])
    }

    @Test("is returned to nobody before it is filled, whichever thread saw it first")
    func filledOnThreads() throws {
        let (isFilling, goOn) = (Signal(), Signal())
        box.register(as: "clock") { _ in
            isFilling.send()
            goOn.wait()
            return Clock()
        }
        box.register(provider: ServiceProvider { Mailbox() }, as: "mailbox")
        let isFilled = Locked<[Bool]>([])
        let ask: @Sendable () -> Void = { [box] in
            let mailbox = try? box.resolve(ServiceKey<Mailbox>("mailbox"))
            isFilled.withLock { $0.append(mailbox?.clock != nil) }
        }
        onThreads([
            ask,
            {
                isFilling.wait()
                onThreads([ask, ask, { goOn.send() }])
            },
        ])
        #expect(isFilled.withLock { $0 } == [true, true, true])
    }

    @Test("is reported once, however many threads see it first at the same moment")
    func toldOnThreads() {
        for _ in 0..<Sanitizer.rounds(200) {
            let (makes, arrivals, mailbox) = (Counter(), Counter(), Mailbox())
            let box = ServiceBox()
            let observation = box.observe { if $0.kind == .made { makes.next() } }
            let provider = ServiceProvider(.transient) {
                arrivals.next()
                while arrivals.value < 2 {}
                return mailbox
            }
            box.register(provider: provider, as: "mailbox")
            onThreads(2) { _ = try? box.resolve(ServiceKey<Mailbox>("mailbox")) }
            #expect(makes.value == 1)
            observation.cancel()
        }
    }

    @Test("is injected into services of the box that lacked it")
    func latecomers() throws {
        struct Broken: Error {}
        final class Desk: @unchecked Sendable { @Injected var mailbox: Mailbox? }
        let isBroken = Locked(true)
        let provider = ServiceProvider {
            if isBroken.withLock({ $0 }) { throw Broken() }
            return Mailbox()
        }
        box.register(provider: provider, as: "mailbox")
        box.register(as: "desk") { _ in Desk() }
        let desk: Desk = try box.resolve("desk")
        #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceKey<Mailbox>("mailbox")) }
        isBroken.withLock { $0 = false }
        let mailbox: Mailbox = try box.resolve("mailbox")
        #expect(try box.resolve(ServiceKey<Desk>("desk")) === desk)
        #expect(desk.mailbox === mailbox)
    }
}
