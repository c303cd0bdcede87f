// Part of ServiceBox, released under the MIT License.
// Audits that create what doesn't exist, and what they leave to children.

import ServiceBoxKit
import Testing

private final class Torch: @unchecked Sendable { @Injected var clock: Clock }
private final class Room { @Injected var torch: Torch }
private final class Egg: @unchecked Sendable { @Injected var hen: Hen }
private final class Hen: @unchecked Sendable { @Injected var egg: Egg }

@Suite("An audit that creates services")
struct AuditMakingTests {
    private let box = ServiceBox()

    private func subjects(_ audit: ServiceAudit) -> [String] { audit.findings.map(\.subject) }

    @Test("creates again what was created before and isn't kept", arguments: [Lifetime.transient, .weak])
    func again(_ lifetime: Lifetime) throws {
        box.register(Clock())
        box.register(as: "page", lifetime: lifetime) { box in
            _ = try box["clock"] as Clock
            return Cache()
        }
        _ = try box["page"] as Cache
        box.remove("clock")
        #expect(subjects(box.audit(makingServices: true)).contains("page"))
    }

    @Test("creates again what was reset")
    func reset() throws {
        box.register(Clock())
        box.register(as: "page") { box in
            _ = try box["clock"] as Clock
            return Cache()
        }
        _ = try box["page"] as Cache
        box.remove("clock")
        #expect(!subjects(box.audit(makingServices: true)).contains("page"))
        try box.provider(ServiceKey<Cache>("page")).reset()
        #expect(subjects(box.audit(makingServices: true)).contains("page"))
    }

    @Test("reports what a box that has stopped refuses")
    func stopped() async {
        box.register { _ in Cache() }
        let child = box.makeChild()
        await box.stop()
        #expect(subjects(child.audit(makingServices: true)) == ["cache"])
    }

    @Test("examines what a provider has ready")
    func readyMade() {
        box.register(provider: ServiceProvider(instance: Torch()))
        box.fill(Room())
        #expect(subjects(box.audit(makingServices: true)).contains("Torch.clock"))
    }

    @Test("creates an eager service that couldn't be created before without being asked, or reports why not")
    func eagerBefore() throws {
        box.register(lifetime: .eager) { box in
            let _: Clock = try box.resolve()
            return Cache()
        }
        #expect(
            box.audit().description == """
                Audit of 1 service and 0 types: 1 finding.
                  'cache': a look-up in its factory failed: Can't find a Clock: no registered service fits
                  Never made, so not examined: 'cache'
                """)
        box.register(Clock())
        #expect(subjects(box.audit()) == ["cache"])
        let isMade = try box.provider("cache" as ServiceKey<Cache>).isMade
        #expect(isMade)
    }

    @Test("doesn't create an eager service for its own factory, or for who hears that it has failed")
    func eagerWithin() {
        let (findings, box) = (Locked<[Int]>([]), ServiceBox())
        let observation = box.observe { [weak box] event in
            guard event.kind == .failed, let box else { return }
            let count = box.audit().findings.count
            findings.withLock { $0.append(count) }
        }
        box.register(lifetime: .eager) { box in
            let count = box.audit().findings.count
            findings.withLock { $0.append(count) }
            let _: Clock = try box.resolve()
            return Cache()
        }
        #expect(findings.withLock { $0 } == [0, 0])
        #expect(box.audit().findings.count == 1)
        #expect(findings.withLock { $0 } == [0, 0, 0, 0])
        withExtendedLifetime(observation) {}
    }

    @Test("says nothing of an eager service that another actor, an await or a child creates")
    func eagerElsewhere() {
        let failures = Counter()
        let observation = box.observe { event in
            if event.kind == .failed { failures.next() }
        }
        box.register(lifetime: .eager) { (_) async in Clock() }
        box.register(lifetime: .eager, per: .box) { box in
            let _: Torch = try box.resolve()
            return Page(number: 1)
        }
        let before = failures.value
        #expect(box.audit().findings.isEmpty)
        #expect(failures.value == before)
        box.register(lifetime: .eager) { @MainActor _ in Cache() }
        #expect(box.audit().findings.isEmpty)
        withExtendedLifetime(observation) {}
    }

    @Test("examines a service of each child that an object of the box takes")
    func perBox() {
        box.register(as: "torch", per: .box) { _ in Torch() }
        box.fill(Room())
        let audit = box.audit(including: [Room()], makingServices: true)
        #expect(subjects(audit).contains("Torch.clock"))
    }

    @Test("reports what lacks a service whose own failure it doesn't report", arguments: [true, false])
    func unreported(_ isReadyMade: Bool) {
        let clock = box.register(as: "clock", per: .box) { _ -> Clock in throw CancellationError() }
        if isReadyMade {
            box.register(Torch())
        } else {
            box.register { _ in Torch() }
        }
        #expect(subjects(box.audit(makingServices: true)) == ["Torch.clock", "torch"])
        clock.remove()
        box.register { _ -> Clock in throw CancellationError() }
        #expect(subjects(box.audit(makingServices: true)) == ["clock"])
        let child = box.makeChild()
        child.register(Clock())
        #expect(subjects(child.audit(makingServices: true)) == ["Torch.clock", "clock"])
    }

    @Test("can't create a service from parameters, and says so until code has")
    func parameters() throws {
        final class Album { @Injected var page: ServiceParametersProvider<Cache, Int> }
        box.register(Clock())
        box.register(as: "page") { (box, _: Int) in
            _ = try box.resolve(Clock.self)
            return Cache()
        }
        box.register(as: "idle") { (_, _: Int) in Cache() }
        let album = Album()
        let audit = box.audit(including: [album], makingServices: true)
        #expect(
            audit.description == """
                Audit of 3 services and 1 type: 1 finding.
                  'idle': nothing asks for it
                  Never made, so not examined: 'idle', 'page'; examine them with resolve(…, with: …) before the audit
                """)
        box.fill(album)
        _ = try album.page.resolve(1)
        box.remove("idle")
        let whole = box.audit(including: [album], makingServices: true)
        #expect(whole.unexamined == [] && subjects(whole) == ["idle"])
        #expect(whole.findings.map(\.kind) == [.removed])
    }

    @Test(
        "says how to examine services that must be awaited, here or in a child, and none for those of each time"
    )
    func awaited() async throws {
        box.register { _ async in Clock() }
        box.register(per: .box) { _ async in Cache() }
        box.register(as: "each", lifetime: .transient) { _ async in Cache() }
        #expect(
            box.audit().description.split(separator: "\n").dropFirst() == [
                "  Never made, so not examined: 'clock'; examine it with start() of the box before the audit",
                "  Never made, so not examined: 'cache'; examine it with an audit of a child after its start()",
                "  Never made, so not examined: 'each'",
            ])
        try await box.start()
        #expect(box.audit().unexamined == ["cache", "each"])
        let unexamined = try await box.withChild { child in
            try await child.start()
            return child.audit().unexamined
        }
        #expect(unexamined == ["each"])
    }

    @Test("finds what a service lacks that an ancestor would create, with the property")
    func lackOfAncestor() throws {
        final class Torch: @unchecked Sendable { @Injected var clock: Clock }
        box.register(provider: ServiceProvider(.lazy) { Torch() })
        for box in [box, box.makeChild()] {
            let finding = box.audit(makingServices: true).findings.first { $0.subject == "Torch.clock" }
            #expect(finding?.property?.outcome == .missing)
            #expect(finding?.property?.explanation == finding?.explanation)
        }
    }

    @Test("reports that a service doesn't fit a property even if it would close a cycle")
    func misfitInCircle() {
        box.register(as: "clock") { _ -> any Sendable in Torch() }
        let audit = box.audit(makingServices: true)
        #expect(audit.findings.contains { $0.subject == "Torch.clock" && $0.kind == .typeMismatch })
    }

    @Test("reports that a property that closes a cycle would get nothing the first time")
    func failingInCycle() {
        let attempts = Counter()
        box.register(as: "hen") { _ in
            if attempts.next() == 1 { throw Broken() }
            return Hen()
        }
        box.register(as: "egg") { _ in Egg() }
        let audit = box.audit(makingServices: true)
        #expect(audit.findings.filter { $0.subject == "Egg.hen" }.map(\.kind) == [.strongCycle, .failed])
    }

    @Test("isn't needed to find the error that an eager service keeps")
    func eager() {
        let calls = Counter()
        box.register(as: "book", lifetime: .eager) { _ -> Clock in
            _ = calls.next()
            throw Broken()
        }
        for audit in [box.audit(), box.audit { _ in }] {
            #expect(audit.findings.filter { $0.kind == .failed }.map(\.subject) == ["book"])
        }
        #expect(calls.next() == 2)
    }

    @Test("reports a circle through a factory and a property")
    func circle() {
        box.register { _ in Torch() }
        box.register { box in
            _ = try box["torch"] as Torch
            return Clock()
        }
        #expect(subjects(box.audit(makingServices: true)) == ["Torch.clock"])
    }
}
