// Part of ServiceBox, released under the MIT License.
// Boxes that run while an operation does, and their children.

import ServiceBoxKit
import Testing

private protocol Metrics: Sendable {}

private final class Exporter: LifePart, Metrics, @unchecked Sendable {}

@Suite("Running for an operation")
struct ScopedLifeTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()

    @Test("starts and stops what is meant for each child only where it was created")
    func perBox() async throws {
        box.register(as: "part", per: .box) { [journal] box in LifePart(box.name ?? "", journal) }
        try await withRunning(box) {
            #expect(journal.take() == [])
            let part: LifePart = try await box.prepare("part")
            #expect(journal.take() == ["start \(part.name)"])
        }
        #expect(journal.take() == ["stop app"])
    }

    @Test("leaves what is meant for each child to the children of a scope too, but not what a child creates")
    func perBoxInScope() async throws {
        box.register(as: "part", per: .box) { [journal] box in LifePart(box.name ?? "", journal) }
        box.decorate("part") { (part: LifePart, _) in part }
        let scope = ServiceBox.makeScope(of: box, name: "scope")
        try await withRunning(ServiceBox.makeScope(of: scope, name: "inner")) {}
        #expect(scope.audit(makingServices: true).unexamined == ["part"])
        #expect(journal.take() == [])
        let child = box.makeChild(name: "child")
        let scopeOfChild = ServiceBox.makeScope(of: child, name: "scope of child")
        for box in [scope.makeChild(name: "child of scope"), scopeOfChild, child] {
            try await withRunning(box) {}
            let name = try #require(box.name)
            #expect(journal.take() == ["start \(name)", "stop \(name)"])
        }
    }

    @Test("creates, starts and stops what is eager, in a child and in a scope too", arguments: [false, true])
    func eager(isScope: Bool) async throws {
        box.register(as: "metrics", lifetime: .eager, per: isScope ? .family : .box) {
            [journal] box -> any Metrics in Exporter(box.name ?? "", journal)
        }
        let child = isScope ? ServiceBox.makeScope(of: box, name: "child") : box.makeChild(name: "child")
        try await withRunning(child) {
            #expect(journal.take() == ["start child"])
        }
        #expect(journal.take() == ["stop child"])
        try await withRunning(box) {}
        #expect(journal.take() == ["start app", "stop app"])
    }

    @Test(
        "starts what is needed by way of a transient service that is meant for each child before what needs it"
    )
    func byTransient() async {
        let part = LifePart("part", journal)
        part.startError = Broken()
        box.register(part, as: "part")
        box.register(lifetime: .transient, per: .box) { box in
            let _: LifePart = try box.resolve("part")
            return Clock()
        }
        box.register { [journal] box in
            let _: Clock = try box.resolve()
            return Exporter("exporter", journal)
        }
        let error = await failure { try await box.start() } as? ServiceBoxError
        #expect(error?.path == ["Exporter", "Clock", "LifePart"])
    }

    @Test("stops when the operation throws, and hands out errors of stopping when it doesn't")
    func runningInVain() async {
        let part = LifePart("part", journal)
        box.register(part, as: "part")
        await #expect(throws: Broken.self) { try await withRunning(box) { throw Broken() } }
        #expect(journal.take() == ["start part", "stop part"])
        let other = ServiceBox()
        for name in ["one", "two"] {
            let part = LifePart(name, journal)
            part.stopError = Broken()
            other.register(part, as: ServiceKey(name))
        }
        let error = await failure { try await withRunning(other) {} } as? ServiceBoxError
        #expect(error?.code == .stopFailed)
        #expect(
            error?.description == """
                Can't stop all services: 2 errors.

                Can't stop a LifePart: its stop failed.
                  Registered: as 'two'
                  Error:      Broken() (Broken)
                To fix, correct what the stop of LifePart reports.

                Can't stop a LifePart: its stop failed.
                  Registered: as 'one'
                  Error:      Broken() (Broken)
                To fix, correct what the stop of LifePart reports.
                """)
    }

    @Test("stops children before their parents")
    func children() async throws {
        box.register(LifePart("parent", journal), as: "part")
        let child = box.makeChild(name: "child")
        child.register(LifePart("child", journal), as: "own")
        try await box.start()
        try await child.start()
        await box.stop()
        #expect(journal.all == ["start parent", "start child", "stop child", "stop parent"])
        #expect(child.failure(of: ServiceKey<LifePart>("own"))?.code == .stopped)
    }

    @Test("refuses the services of an operation's child afterwards, also if they had nothing to end")
    func keptChild() async throws {
        let child = try await box.withChild { child in
            child.register(Clock())
            return child
        }
        #expect(child.failure(of: ServiceKey<Clock>("clock"))?.code == .stopped)
    }

    @Test("gives an operation a child, which stops afterwards")
    func child() async throws {
        box.register(as: "cart", per: .box, onStop: { [journal] (_: Cache) in journal.add("stop cart") }) {
            _ in
            Cache()
        }
        let child = try await box.withChild(name: "request") { child in
            #expect(child.name == "request")
            let _: Cache = try child["cart"]
            return child
        }
        #expect(journal.take() == ["stop cart"])
        #expect(child.failure(of: ServiceKey<Cache>("cart"))?.code == .stopped)
        await #expect(throws: Broken.self) {
            try await box.withChild { child in
                let _: Cache = try child["cart"]
                throw Broken()
            }
        }
        #expect(journal.take() == ["stop cart"])
    }
}
