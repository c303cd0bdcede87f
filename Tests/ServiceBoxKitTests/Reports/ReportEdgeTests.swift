// Part of ServiceBox, released under the MIT License.
// Tests of rarely met findings of reports, plans and audits.

import ServiceBoxKit
import Testing

private final class Visitor: Sendable {}

private final class Login: Sendable {
    init(_ user: Visitor) {}
}

private final class Shelf {
    @InjectedAll var stores: [any Store]
    var cache: Cache?
}

private final class Buzzer {
    @Injected var clock: Clock?
}

private class Pool: @unchecked Sendable {}

private final class Disk: Pool, @unchecked Sendable {}

private final class Bucket: @unchecked Sendable {
    @Injected var cache: Pool?
}

private final class Timer: @unchecked Sendable {
    @Injected var clock: Clock?
}

private struct Core {
    @Injected var clock: Clock?
}

private final class Whole {
    var part: Core?
}

@Suite("Rare findings")
struct ReportEdgeTests {
    private let box = ServiceBox()

    private func property(_ name: String) -> PropertyReport? {
        box.fill(Shelf()).properties.first { $0.name == name }
    }

    @Test("a list has no found type of its own, a plain property that of its service")
    func foundTypes() {
        box.register(FileStore())
        box.register(DiskCache(), as: "cache")
        #expect(property("stores")?.outcome == .filled)
        #expect(isSame(property("stores")?.foundType, nil))
        #expect(isSame(property("cache")?.foundType, DiskCache.self))
    }

    @Test("a list that was filled in part has the error of the first service that it lacks")
    func listError() {
        box.register(FileStore())
        box.register(as: "broken") { _ -> MemoryStore in throw Broken() }
        #expect(property("stores")?.error?.code == .factoryFailed)
    }

    @Test("an audit counts the types that the assumed child was asked about")
    func typeCount() {
        let audit = box.audit(including: [Buzzer()], assuming: { $0.register(Clock()) })
        #expect(audit.description.contains(" and 1 type:"))
    }

    @Test("a transient service that could not be created wasn't handed out, however often it was asked for")
    func failedTransient() throws {
        box.register(as: "session", lifetime: .transient) { _ -> Login in throw Broken() }
        box.register(as: "cache") { box -> Cache in
            _ = try? box["session"] as Login
            return Cache()
        }
        for _ in 1...40 { _ = try box.provider("session" as ServiceKey<Login>) }
        _ = try box.resolve("cache" as ServiceKey<Cache>)
        box.register(as: "session", lifetime: .transient) { _ in Login(Visitor()) }
        #expect(!box.audit().findings.contains { $0.kind == .replaced })
    }

    @Test("a value that a shared service keeps is no finding though an assumed child has a service for it")
    func keptBesideChild() {
        let holder = Bucket()
        holder.cache = Pool()
        box.register(holder, as: "holder")
        let audit = box.audit(assuming: { $0.register(Disk() as Pool, as: "cache") })
        #expect(!audit.findings.contains { $0.subject == "Bucket.cache" })
    }

    @Test("what an object takes that the assumed child was asked about is used")
    func usedByAssumed() {
        box.register(Clock())
        let audit = box.audit(including: [Buzzer()], assuming: { _ in })
        #expect(!audit.findings.contains { $0.subject == "clock" })
    }

    @Test("a graph shows a service as asked for only if no property shows it")
    func askedAndTaken() throws {
        box.register(Clock())
        box.register(as: "timer") { box in
            _ = try box["clock"] as Clock
            return Timer()
        }
        _ = try box["timer"] as Timer
        #expect(!box.graph().edges.contains { $0.isAskedFor })
    }

    @Test("an audit of a copy leaves its original's services to the original's")
    func copiedCaptive() {
        box.register(as: "cache", per: .box) { _ in Pool() }
        box.register(as: "holder") { _ in Bucket() }
        #expect(box.audit(makingServices: true).findings.contains { $0.kind == .captive })
        #expect(!box.copy().audit(makingServices: true).findings.contains { $0.kind == .captive })
    }

    @Test("a copy reports on no service that its original fills")
    func copyReports() {
        box.register(Bucket(), as: "holder")
        #expect(box.crossFill().count == 1)
        #expect(box.copy().crossFill().isEmpty)
    }

    @Test("a plan says that the struct in an optional is out of reach")
    func plannedOptional() {
        let whole = Whole()
        whole.part = Core()
        #expect(box.plan(for: whole).holes.map(\.name) == ["part"])
    }

    @Test("a child's service is told which property of the parent's takes the parent's in its place")
    func overriddenInVain() throws {
        box.register(as: "clock") { _ in Clock() }
        box.register { _ in Timer() }
        let child = box.makeChild(name: "request")
        child.register(Clock())
        _ = try child.resolve(Timer.self)
        let unused = child.audit().findings.first { $0.subject == "clock" }
        #expect(
            unused?.explanation.contains("Timer.clock asks for it, but another box fills that property")
                == true)
    }
}
