// Part of ServiceBox, released under the MIT License.
// Services under names that are registered again so often that the box no longer keeps what may come back.

import ServiceBoxKit
import Testing

private final class Ticket: Sendable {
    let number: Int
    private let whenGone: @Sendable () -> Void

    init(_ number: Int, whenGone: @escaping @Sendable () -> Void = {}) {
        self.number = number
        self.whenGone = whenGone
    }

    deinit { whenGone() }
}

private struct Clearing: ServiceModule {
    struct Failure: Error {}

    func register(in box: ServiceBox) throws {
        box.clear()
        throw Failure()
    }
}

private struct Replacing: ServiceModule {
    struct Failure: Error {}

    func register(in box: ServiceBox) throws {
        for number in 1..<20 { box.register(Ticket(number), as: "ticket") }
        throw Failure()
    }
}

@Suite("A name that is registered twenty times")
struct OftenReplacedTests {
    private let box = ServiceBox()
    private let stopped = Locked<[Int]>([])

    private func registerTickets(_ numbers: Range<Int>) {
        for number in numbers {
            box.register(Ticket(number), as: "ticket") { [stopped] ticket in
                stopped.withLock { $0.append(ticket.number) }
            }
        }
    }

    @Test("has nothing left to stop once it is removed")
    func removed() async {
        registerTickets(0..<20)
        box.remove("ticket")
        await box.stop()
        #expect(stopped.withLock { $0 }.isEmpty)
    }

    @Test("has all its services stopped, also after a module that cleared the box has failed")
    func cleared() async {
        registerTickets(0..<20)
        #expect(throws: (any Error).self) { try box.add(Clearing()) }
        await box.stop()
        #expect(stopped.withLock { $0 }.sorted() == Array(0..<20))
    }

    @Test("by a module that fails has its service back, and nothing else to stop")
    func undone() async throws {
        registerTickets(0..<1)
        #expect(throws: (any Error).self) { try box.add(Replacing()) }
        let ticket: Ticket = try box["ticket"]
        #expect(ticket.number == 0)
        box.remove("ticket")
        await box.stop()
        #expect(stopped.withLock { $0 }.isEmpty)
    }

    @Test("in a parent has its services released while a child that has seen all can be asked")
    func childAsked() throws {
        let (child, answers) = (box.makeChild(), Counter())
        for number in 0..<20 {
            box.register(as: "ticket" as ServiceKey<Ticket>, per: .box) { [weak child] asked in
                guard asked !== child else { return Ticket(number) }
                return Ticket(number) { [weak child] in
                    if child?.isRegistered("ticket") == true { answers.next() }
                }
            }
            _ = try box.resolve("ticket" as ServiceKey<Ticket>)
            _ = try child.resolve("ticket" as ServiceKey<Ticket>)
        }
        #expect(answers.value > 0)
    }

    @Test("in a parent has all that a child has of it stopped, though the child removes one of its own")
    func removedInChild() async throws {
        let child = box.makeChild()
        for number in 0..<20 {
            box.register(
                as: "ticket", per: .box,
                onStop: { [stopped] (ticket: Ticket) in stopped.withLock { $0.append(ticket.number) } }
            ) { _ in Ticket(number) }
            _ = try child.resolve("ticket" as ServiceKey<Ticket>)
        }
        child.register(Ticket(20), as: "ticket")
        child.remove("ticket")
        await child.stop()
        #expect(stopped.withLock { $0.sorted() } == Array(0..<20))
    }

    @Test("and decorated is removed by the token of its last registration after the box has stopped")
    func tokenOfStopped() async {
        box.decorate("ticket" as ServiceKey<Ticket>) { ticket, _ in Ticket(-ticket.number) }
        let token = box.register(Ticket(1), as: "ticket")
        await box.stop()
        #expect(token.remove())
    }
}
