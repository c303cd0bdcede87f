// Part of ServiceBox, released under the MIT License.
// Services that come and go while their box runs.

import ServiceBoxKit
import Testing

@Suite("Services that come and go while their box runs")
struct RemovedLifeTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()

    @Test("starts each value that comes, also under a name that another one had")
    func values() async throws {
        struct Part: ServiceLifecycle {
            let journal: Journal
            func start() { journal.add("start") }
        }
        try await box.start()
        for _ in 0..<20 {
            let token = box.register(Part(journal: journal), as: "part")
            try await box.start()
            token.remove()
        }
        #expect(journal.all.count == 20)
        box.register(as: "made") { _ in Part(journal: journal) }
        try await box.start()
        try box.provider(ServiceKey<Part>("made")).reset()
        try await box.start()
        #expect(journal.all.count == 22)
    }

    @Test("starts nothing that was removed while it was prepared", .neverHanging)
    func removedMeanwhile() async throws {
        let (box, gate, journal) = (box, Gate(), journal)
        try await box.start()
        box.register(as: "part") { _ in
            await gate.pass()
            return LifePart("part", journal)
        }
        let preparing = Task { try await box.prepare("part") as LifePart }
        await gate.arrivals()
        box.remove("part")
        gate.open()
        _ = try await preparing.value
        #expect(journal.all.isEmpty)
    }

    @Test("starts nothing that its factory has removed, though another one has yet to be started")
    func removedByFactory() async throws {
        try await box.start()
        box.register(LifePart("other", journal), as: "other")
        box.register(as: "part") { [journal] box in
            box.remove("part")
            return LifePart("part", journal)
        }
        _ = try await box.prepare("part") as LifePart
        #expect(!journal.all.contains("start part"))
    }

    @Test("stops what a child has of a parent's service, which is gone there, after its users")
    func removedInParent() async throws {
        final class User: @unchecked Sendable { @Injected var part: Part }
        final class Part: LifePart, @unchecked Sendable { @Injected var user: User? }
        let journal = journal
        let token = box.register(as: "part", per: .box) { _ in Part("part", journal) }
        let child = box.makeChild()
        child.register(as: "user", onStop: { _ in journal.add("stop user") }) { _ in User() }
        _ = try child["part"] as Part
        token.remove()
        await child.stop()
        #expect(journal.all == ["stop user", "stop part"])
    }

    @Test("starts nothing twice, however many services run")
    func many() async throws {
        for number in 0..<100 { box.register(LifePart("part", journal), as: ServiceKey("part\(number)")) }
        try await box.start()
        #expect(journal.take().count == 100)
        box.register(LifePart("last", journal), as: "last")
        try await box.start()
        #expect(journal.all == ["start last"])
    }

    @Test("keeps no service that was removed, however many come and go")
    func removed() async throws {
        final class Part: ServiceLifecycle {}
        try await box.start()
        var parts: [() -> Part?] = []
        for _ in 0..<Sanitizer.rounds(200) {
            let part = Part()
            parts.append { [weak part] in part }
            let token = box.register(part)
            try await box.start()
            token.remove()
        }
        #expect(parts.allSatisfy { $0() == nil })
    }
}
