// Part of ServiceBox, released under the MIT License.
// Refills on several threads at a time.

import Testing

@testable import ServiceBoxKit

private protocol Early: Sendable {}
private protocol Late: Sendable {}

private final class Numbered: Early, Late {
    let number: Int
    init(_ number: Int) { self.number = number }
}

private struct EarlyPause: Early {}
private struct LatePause: Late {}

// Refilled in the order of their names.
private final class A { @InjectedAll var pauses: [any Early] }
private final class B { @Injected var numbered: Numbered? }
private final class C { @InjectedAll var pauses: [any Late] }

/// Lets a thread pause at a place, once.
private final class Pause: Sendable {
    @TaskLocal static var ofTask: [String: Pause] = [:]

    private let isDone = Locked(false)
    private let (begun, end) = (Signal(), Signal())

    func pass() {
        let isFirst = isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
        guard isFirst else { return }
        begun.send()
        end.wait()
    }

    func arrival() { begun.wait() }

    func release() { end.send() }
}

@Suite("Refills on two threads", .neverHanging)
struct CompetingRefillTests {
    @Test("don't forget a property that the other one has given a later service")
    func lateNote() throws {
        let box = ServiceBox()
        box.trackHolders()
        box.register(Numbered(0))
        box.register(as: "early", lifetime: .transient) { _ in
            Pause.ofTask["early"]?.pass()
            return EarlyPause()
        }
        box.register(as: "late", lifetime: .transient) { _ in
            Pause.ofTask["late"]?.pass()
            return LatePause()
        }
        let (a, b, c) = (A(), B(), C())
        box.fill(a)
        box.fill(b)
        box.fill(c)
        box.register(Numbered(1))

        let (early, late, other) = (Pause(), Pause(), Pause())
        let (hasEnded, otherHasEnded) = (Signal(), Signal())
        let work: [@Sendable () -> Void] = [
            {
                Pause.$ofTask.withValue(["early": early, "late": late]) { _ = try? box.refill("numbered") }
                hasEnded.send()
            },
            {
                early.arrival()
                Pause.$ofTask.withValue(["early": other]) { _ = try? box.refill("numbered") }
                otherHasEnded.send()
            },
            {
                other.arrival()
                // The first gives the property its service, and notes that at its end.
                early.release()
                late.arrival()
                other.release()
                otherHasEnded.wait()
                box.register(Numbered(2))
                _ = try? box.refill("numbered")
                late.release()
                hasEnded.wait()
            },
        ]
        onThreads(work)

        #expect(b.numbered?.number == 2)
        #expect(try box.holders(of: "numbered").contains { $0.property == "numbered" && !$0.isStale })
        box.register(Numbered(3))
        let (refilled, left) = try box.refill("numbered")
        #expect(refilled.contains { $0.property == "numbered" })
        #expect(left.isEmpty)
        #expect(b.numbered?.number == 3)
    }

    @Test("forget what is gone, and not what the other one has noted for the same property since")
    func forgotten() {
        let (owner, property) = (Counter(), PropertyID(type: Counter.self, name: "clock"))
        func holding() -> Holding {
            Holding(lineOf: owner, property, names: ["clock"], CellRequest(type: Clock.self))
        }
        let (old, new) = (holding(), holding())
        var table = HolderTable(after: 0, untracked: [])
        _ = table.note([old, new].map { HolderTable.Entry(holding: $0, stamp: nil) })
        table.forget([old])
        #expect(table.all.map { $0 === new } == [true])
        table.forget([new])
        #expect(table.all.isEmpty)
    }
}
