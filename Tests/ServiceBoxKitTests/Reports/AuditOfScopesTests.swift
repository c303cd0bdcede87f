// Part of ServiceBox, released under the MIT License.
// Tests of audits: services that all boxes share, and that take what each child creates for itself.

import ServiceBoxKit
import Testing

private protocol Part: Sendable {}

private final class Login: Part {}

private final class Desk: @unchecked Sendable { @Injected var login: Login }

@Suite("Audits of what all boxes share")
struct AuditOfScopesTests {
    private let box = ServiceBox()

    init() {
        box.register(as: "login", per: .box) { _ in Login() }
    }

    private var captives: [String] {
        let audit = box.audit(makingServices: true)
        return audit.findings.filter { $0.kind == .captive }.map(\.subject)
    }

    @Test("find a service that takes what each child creates for itself")
    func captive() {
        final class Asker: @unchecked Sendable { @Injected var login: ServiceProvider<Login>? }
        final class Lister: @unchecked Sendable { @InjectedAll var parts: [any Part] }
        box.register(Desk(), as: "ready")
        box.register(as: "desk") { _ in Desk() }
        box.register(as: "transient", lifetime: .transient) { _ in Desk() }
        box.register(as: "maker") { box in
            _ = try box["login"] as Login
            return Cache()
        }
        box.register(as: "asker") { _ in Asker() }
        box.register(as: "lister") { _ in Lister() }
        box.decorate("asker") { (asker: Asker, _) in asker }
        #expect(captives == ["asker", "desk", "lister", "maker", "ready", "transient"])
    }

    @Test("leave out what each box creates for itself, what only one box has, and other objects")
    func own() {
        box.register(as: "desk", per: .box) { _ in Desk() }
        let child = box.makeChild()
        child.register(as: "own") { _ in Desk() }
        let kinds = child.audit(makingServices: true).findings.map(\.kind)
        #expect(!kinds.contains(.captive))
        box.fill(Desk())
        #expect(captives == [])
    }

    @Test("examine what each box creates for itself in the assumed child, decorated or not")
    func decorated() {
        box.register(as: "desk", per: .box) { _ in Desk() }
        box.decorate("desk") { (desk: Desk, _) in desk }
        #expect(box.audit().unexamined == ["desk", "login"])
        let audit = box.audit { _ in }
        #expect(audit.unexamined == [])
        #expect(audit.findings.isEmpty)
    }

    @Test("examine in a child what that decorates, and leave it to the children in a scope, as the base does")
    func decoratedInChild() {
        let (child, scope) = (box.makeChild(), ServiceBox.makeScope(of: box, name: "scope"))
        for box in [child, scope] { box.decorate("login") { (login: Login, _) in login } }
        #expect(child.audit(makingServices: true).unexamined == [])
        #expect(scope.audit(makingServices: true).unexamined == ["login"])
    }

    @Test("warn of an optional property of a parent's service that only the child could fill")
    func optional() {
        final class Greeter: @unchecked Sendable {
            @Injected var clock: Clock?
            @Injected var cache: Cache?
        }
        box.register(Greeter())
        let child = box.makeChild(name: "request")
        child.register(Clock())
        let warnings = child.audit().findings.filter(\.isWarning)
        #expect(warnings.map(\.subject) == ["Greeter.clock"])
        #expect(warnings.first?.explanation.contains("which has no 'clock'") == true)
        #expect(box.audit().findings.filter(\.isWarning).isEmpty)
    }

    @Test("leave a preference alone that holds in the assumed child, and find one that holds nowhere")
    func preferences() {
        box.prefer("user", for: Cache.self)
        func findings(_ name: String) -> [String] {
            box.audit { $0.register(Cache(), as: ServiceKey(name)) }.findings.map(\.subject)
        }
        #expect(!findings("user").contains("Cache"))
        #expect(findings("guest").contains("Cache"))
    }

    @Test("say which service it is, and what to do")
    func message() throws {
        box.register(Desk())
        let line: UInt = #line - 1
        let finding = try #require(box.audit().findings.first)
        #expect(
            finding.explanation == """
                Can't share 'desk' with the children: it takes this box's 'login', and each child creates its own.
                  Service:    'desk' (Desk)
                  Registered: ServiceBoxKitTests/AuditOfScopesTests.swift:\(line)
                To fix, register 'desk' with a factory and per: .box, register 'login' without per: .box, or pass 'login' \
                as an argument.
                """)
        try box.audit().requireClean(allowing: ["desk"])
    }

    @Test("tell to register a function instead of a service that is made from parameters")
    func fromParameters() throws {
        box.register(as: "page") { (box, number: Int) in
            _ = try box["login"] as Login
            return Page()
        }
        _ = try box.resolve("page", with: 1) as Page
        let finding = try #require(box.audit().findings.first { $0.kind == .captive })
        let way =
            "To fix, register a function that makes it, with per: .box, register 'login' without per: .box"
        #expect(finding.explanation.contains(way))
    }
}
