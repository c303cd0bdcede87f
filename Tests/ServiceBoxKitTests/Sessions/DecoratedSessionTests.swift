// Part of ServiceBox, released under the MIT License.
// Decorations of services that a session, a reset or another registration replaces.

import Foundation
import ServiceBoxKit
import Testing

private struct Owner: ServiceSession { let key: Int }
private final class Mail: Sendable {
    let user: Int
    init(_ user: Int) { self.user = user }
}
private struct NoMail: Error { let user: Int }

/// Creates the inbox of a session's user.
private struct Mails: ServiceSessionFactory {
    let lifetime: Lifetime
    var make: @Sendable (Owner) throws -> Mail = { Mail($0.key) }
    func makeService(for session: Owner) throws -> Mail { try make(session) }
}

@Suite("A decorated service that is replaced underneath", .neverHanging)
struct DecoratedSessionTests {
    private let box = ServiceBox()
    private let inbox = ServiceKey<Mail>("inbox")
    private let mediator = ServiceSessionMediator(Owner(key: 1))

    private func decorate() {
        // A wrapper that doesn't keep what it wraps.
        box.decorate(inbox) { inbox, _ in Mail(inbox.user) }
    }

    @Test(
        "is wrapped anew once another session had its own, though that is released and the old wrapper isn't")
    func weakService() throws {
        let provider = ServiceProvider(Mails(lifetime: .weak), mediator: mediator)
        box.register(provider: provider, as: inbox)
        decorate()
        let screen = try box[inbox]
        #expect(try box[inbox] === screen)
        mediator.update(Owner(key: 2))
        #expect(try provider.resolve().user == 2)
        #expect(try box[inbox].user == 2)
        withExtendedLifetime(screen) {}
    }

    @Test("is wrapped anew once it was created again, though all of it is released but the wrapper")
    func weakAfterReset() throws {
        let count = Counter()
        box.register(as: inbox, lifetime: .weak) { _ in Mail(count.next()) }
        let child = box.makeChild(name: "child")
        child.decorate(inbox) { inbox, _ in Mail(inbox.user) }
        let first = try child[inbox]
        try box.provider(inbox).reset()
        let second = try box[inbox].user
        #expect(second != first.user)
        #expect(try child[inbox].user != first.user)
    }

    @Test(
        "isn't the old session's for a look-up that begins later, while that one is created on another thread"
    )
    func duringCreation() throws {
        let (box, inbox, mediator) = (box, inbox, mediator)
        let (entered, asking) = (Signal(), Signal())
        let provider = ServiceProvider(
            Mails(lifetime: .weak) { user in
                if user.key == 1 {
                    entered.send()
                    asking.wait()
                    // Most often enough for the other thread to begin to wait.
                    for _ in 1...10_000 { sched_yield() }
                }
                return Mail(user.key)
            }, mediator: mediator)
        box.register(provider: provider, as: inbox)
        decorate()
        let found = Locked<Int?>(nil)
        onThreads([
            { _ = try? box[inbox] },
            {
                entered.wait()
                mediator.update(Owner(key: 2))
                asking.send()
                let user = try? box[inbox].user
                found.withLock { $0 = user }
            },
        ])
        #expect(found.withLock { $0 } == 2)
    }

    @Test("fails with the error of the present session, if it is eager")
    func eagerFailure() throws {
        let provider = ServiceProvider(
            Mails(lifetime: .eager) { throw NoMail(user: $0.key) }, mediator: mediator)
        box.register(provider: provider, as: inbox)
        decorate()
        func failedUser() -> Int? { (box.failure(of: inbox)?.root.underlying as? NoMail)?.user }
        #expect(failedUser() == 1)
        mediator.update(Owner(key: 2))
        #expect(failedUser() == 2)
    }

    @Test("is known to fail once its factory did, however often it is decorated", arguments: 0...2)
    func validation(decorations: Int) throws {
        let isFailing = Locked(true)
        let provider = ServiceProvider(.eager) {
            if isFailing.withLock({ $0 }) { throw Broken() }
            return Mail(1)
        }
        box.register(provider: provider, as: inbox)
        for _ in 0..<decorations { decorate() }
        let decorated = try box.provider(inbox)
        #expect(box.failure(of: inbox)?.code == .factoryFailed)
        let error = #expect(throws: ServiceBoxError.self) { try decorated.validate() }
        #expect(error?.root.underlying is Broken)
        isFailing.withLock { $0 = false }
        provider.reset()
        try decorated.validate()
    }

    @Test("has the error of its decoration kept, if it is eager")
    func eagerDecoration() {
        let count = Counter()
        box.register(as: inbox, lifetime: .eager) { _ in Mail(1) }
        box.decorate(inbox) { _, _ -> Mail in
            count.next()
            throw Broken()
        }
        for _ in 1...3 { #expect(box.failure(of: inbox)?.code == .factoryFailed) }
        #expect(count.value == 1)
    }

    @Test("isn't made once what it wraps was reset")
    func isMade() throws {
        let provider = ServiceProvider(.lazy) { Mail(1) }
        box.register(provider: provider, as: inbox)
        decorate()
        let wrapper = try box.provider(inbox)
        _ = try wrapper.resolve()
        #expect(wrapper.isMade)
        provider.reset()
        #expect(!wrapper.isMade)
    }

    @Test("is created once for a box, whatever its ancestors decorate later")
    func decoratedLater() throws {
        let count = Counter()
        box.register(as: inbox, per: .box) { _ in Mail(count.next()) }
        let area = box.makeChild(name: "area")
        area.decorate(inbox) { inbox, _ in inbox }
        let page = area.makeChild(name: "page")
        let first = try page[inbox]
        box.decorate(inbox) { inbox, _ in inbox }
        #expect(try page[inbox] === first)
        #expect(count.value == 1)
    }

    @Test("is created once for a child, if the module that decorates it fails")
    func failedModule() throws {
        struct Decorating: ServiceModule {
            let child: ServiceBox
            func register(in box: ServiceBox) throws {
                box.decorate(ServiceKey<Mail>("inbox")) { inbox, _ in inbox }
                _ = try child.resolve(ServiceKey<Mail>("inbox"))
                throw Broken()
            }
        }
        let count = Counter()
        box.register(as: inbox, per: .box) { _ in Mail(count.next()) }
        let child = box.makeChild(name: "child")
        #expect(throws: ServiceBoxError.self) { try box.add(Decorating(child: child)) }
        _ = try child[inbox]
        #expect(count.value == 1)
    }
}
