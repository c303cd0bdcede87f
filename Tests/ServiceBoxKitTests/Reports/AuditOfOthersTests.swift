// Part of ServiceBox, released under the MIT License.
// Tests of audits: what services get from others, and what an audit leaves alone.

import ServiceBoxKit
import Testing

private final class Caller: @unchecked Sendable { @Injected var maker: ServiceProvider<Callee>? }

private final class Callee: @unchecked Sendable { @Injected var caller: Caller? }

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

    @Test("name a service as unused that is created from parameters, though its type can be started")
    func parameters() {
        final class Worker: ServiceLifecycle {}
        box.register(as: "worker") { (_, _: Int) in Worker() }
        #expect(box.audit().findings.map { "\($0.kind) \($0.subject)" } == ["unused worker"])
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
}
