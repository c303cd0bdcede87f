// Part of ServiceBox, released under the MIT License.
// Parts of providers that cannot be seen whole from outside.

import Testing

@testable import ServiceBoxKit  // for the store of resting services

private final class Mailbox: Sendable {}

@Suite("Inactive services of a session")
struct InactiveServicesTests {
    private let step = ServicePath.Step(provider: ObjectIdentifier(Mailbox.self), type: Mailbox.self)

    @Test("are released with the next change once nobody holds them")
    func deadWeak() throws {
        var services = InactiveServices<Int, Mailbox>(limit: 1)
        for key in 1...10 { _ = services.insert(try Held(Mailbox(), .weak, step: step), for: key) }
        #expect(services.count == 0)
    }

    @Test("don't count for the limit while someone holds them")
    func livingWeak() throws {
        var services = InactiveServices<Int, Mailbox>(limit: 1)
        let mailboxes = (1...3).map { _ in Mailbox() }
        for (key, mailbox) in mailboxes.enumerated() {
            _ = services.insert(try Held(mailbox, .weak, step: step), for: key)
        }
        #expect(services.count == 3)
        #expect(services.remove(1)?.service === mailboxes[1])
    }

    @Test("are returned when they are dropped, to be released outside the lock")
    func dropped() throws {
        var services = InactiveServices<Int, Mailbox>(limit: 1)
        let (first, second) = (Mailbox(), Mailbox())
        #expect(services.insert(try Held(first, .lazy, step: step), for: 1).isEmpty)
        #expect(services.insert(try Held(second, .lazy, step: step), for: 2)[0].service === first)
        #expect(services.removeAll().count == 1)
    }
}
