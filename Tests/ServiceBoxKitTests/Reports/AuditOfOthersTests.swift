// Part of ServiceBox, released under the MIT License.
// Tests of audits: what services get from others, and what an audit leaves alone.

import ServiceBoxKit
import Testing

private final class Caller: @unchecked Sendable { @Injected var maker: ServiceProvider<Callee>? }

private final class Callee: @unchecked Sendable { @Injected var caller: Caller? }

private final class Ping: @unchecked Sendable { @Injected var pong: Pong? }

private final class Pong: @unchecked Sendable { @Injected var ping: Ping? }

private final class Axle: @unchecked Sendable {
    @Injected var left: LeftWheel?
    @Injected var right: RightWheel?
}
private final class LeftWheel: @unchecked Sendable { @Injected var axle: Axle? }
private final class RightWheel: @unchecked Sendable { @Injected("axis") var axle: Axle? }

private final class Dealer: @unchecked Sendable { @Injected var card: ServiceParametersProvider<Card, Int>? }
private final class Card: @unchecked Sendable { @Injected var dealer: Dealer? }

@Suite("Audits of what services get from others")
struct AuditOfOthersTests {
    private let box = ServiceBox()

    @Test("find a strong cycle by way of a provider only if that keeps its service")
    func provider() {
        for (lifetime, isCycle) in [(.lazy, true), (.weak, false), (.transient, false)] as [(Lifetime, Bool)]
        {
            let box = ServiceBox()
            box.register(Caller())
            box.register(as: "maker", lifetime: lifetime) { _ in Callee() }
            let kinds = box.audit(makingServices: true).findings.map(\.kind)
            #expect(kinds.contains(.strongCycle) == isCycle, "\(lifetime)")
        }
    }

    @Test("find no strong cycle of transient services alone: the property that would close it stays empty")
    func transients() {
        for (lifetime, isCycle) in [(.lazy, true), (.transient, false)] as [(Lifetime, Bool)] {
            let box = ServiceBox()
            box.register(as: "ping", lifetime: lifetime) { _ in Ping() }
            box.register(as: "pong", lifetime: .transient) { _ in Pong() }
            let ping: Ping? = try? box["ping"]
            #expect(ping?.pong != nil)
            #expect((ping?.pong?.ping != nil) == isCycle)
            let kinds = box.audit(makingServices: true).findings.map(\.kind)
            #expect(kinds.contains(.strongCycle) == isCycle, "\(lifetime)")
        }
    }

    @Test("name a service as unused that is created from parameters, though its type can be started")
    func parameters() {
        final class Worker: ServiceLifecycle {}
        box.register(as: "worker") { (_, _: Int) in Worker() }
        #expect(box.audit().findings.map { "\($0.kind) \($0.subject)" } == ["unused worker"])
    }

    @Test("examine given types in an assumed child alone")
    func givenToChild() throws {
        final class Form { @Injected var cache: Cache }
        try box.audit(including: [Form.self]) { $0.register(Cache()) }.requireClean()
    }

    @Test("find no mismatch with the name of a property that takes all services of a type")
    func nameOfList() {
        final class Form { @InjectedAll var stores: [any Store] }
        box.register(Clock(), as: "stores")
        #expect(box.audit(including: [Form()]).findings.map(\.kind) == [.unused])
    }

    @Test("find no mismatch of a property that is looked up when it is read, and that has a value")
    func valueOfLater() throws {
        final class Form { @Injected(when: .read) var cache: Cache }
        let form = Form()
        form.cache = Cache()
        box.register(Clock(), as: "cache")
        box.fill(form)
        try box.audit().requireClean()
    }

    @Test("that create services create nothing in place of a ready-made one that was stopped")
    func stopped() async {
        box.register(Clock())
        await box.stop()
        #expect(box.audit(makingServices: true).findings.map(\.kind) == [.unused])
    }

    @Test("that create services tell of one that fails once, and not of those that need it")
    func failedNeed() {
        final class Holder: @unchecked Sendable { @Injected var cache: Cache }
        box.register(as: "cache") { _ -> Cache in throw Broken() }
        box.register(as: "holder") { _ in Holder() }
        let audit = box.audit(makingServices: true)
        #expect(audit.findings.map { "\($0.kind) \($0.subject)" } == ["failed cache"])
    }

    @Test("create no service of a parent for what a child is assumed to have")
    func assuming() {
        let makes = Counter()
        box.register(as: "page") { _ in Page(number: makes.next()) }
        _ = box.audit(assuming: { child in
            child.register(as: "clock") { _ in Clock() }
        })
        #expect(makes.value == 0)
    }

    @Test("doesn't list what was created in the parent for a service of the assumed child")
    func madeForChild() {
        final class Handler: @unchecked Sendable { @Injected var clock: Clock }
        box.register(as: "clock") { _ in Clock() }
        box.register(as: "page") { _ in Page(number: 1) }
        box.register(per: .box) { _ in Handler() }
        #expect(box.audit(assuming: { _ in }).unexamined == ["page"])
    }

    @Test("tell of an unused service that would start, but not with the box")
    func neverStarted() {
        let journal = Journal()
        box.register(provider: ServiceProvider { LifePart("provided", journal) }, as: "provided")
        box.register(as: "held", lifetime: .weak) { _ in LifePart("held", journal) }
        box.register(as: "kept") { _ in LifePart("kept", journal) }
        #expect(box.audit(makingServices: true).findings.map(\.subject) == ["held", "provided"])
    }

    @Test("knows from an object that a service of its type keeps its default")
    func keptDefault() {
        final class View: @unchecked Sendable { @Injected var clock: Clock = Clock() }
        box.register(as: "clock", per: .box) { _ in Clock() }
        box.register(as: "view") { _ in View() }
        #expect(box.audit(including: [View()]).findings.map(\.kind) == [])
    }

    @Test("name the properties that close strong cycles through a service with two names")
    func strongCyclesUnderTwoNames() {
        let axle = Axle()
        box.register(axle, as: "axle")
        box.register(LeftWheel(), as: "left")
        box.register(RightWheel(), as: "right")
        box.register(axle, as: "axis")
        let cycles = box.audit().findings.filter { $0.kind == .strongCycle }
        #expect(cycles.map(\.subject) == ["LeftWheel.axle", "RightWheel.axle"])
    }

    @Test("find no strong cycle by way of a provider with parameters, which keeps no service")
    func parametersProvider() throws {
        box.register { _ in Dealer() }
        box.register(as: "card") { (_, _: Int) in Card() }
        _ = try box.resolve(ServiceKey<Card>("card"), with: 1)
        #expect(!box.audit().findings.contains { $0.kind == .strongCycle })
    }
}
