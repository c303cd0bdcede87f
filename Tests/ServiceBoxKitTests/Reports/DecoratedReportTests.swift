// Part of ServiceBox, released under the MIT License.
// Tests of what audits and graphs say of decorated services.

import ServiceBoxKit
import Testing

private protocol Shelf: AnyObject, Sendable {}

private final class Reader: Shelf, @unchecked Sendable {
    @Injected var clock: Clock?
    @Injected var reader: (any Shelf)?
}

private final class Copier: Shelf, @unchecked Sendable { @Injected var clock: Clock }

private final class Copyist: Shelf, @unchecked Sendable { @Injected var clock: Clock }

private final class Plain: Shelf {}

private final class Library: @unchecked Sendable { @Injected("reader") var shelf: any Shelf }

private final class Named: @unchecked Sendable {
    @Injected var clock: Clock?

    init(_ name: String) { _clock = Injected(ServiceKey(name)) }
}

@Suite("Reports on decorated services")
struct DecoratedReportTests {
    private let box = ServiceBox()
    private let key: ServiceKey<any Shelf> = "reader"

    private var findings: [String] { box.audit().findings.map { "\($0.subject) \($0.kind)" } }

    @Test("list the properties of a service once that its decorations return as it is", arguments: [0, 1, 2])
    func same(count: Int) throws {
        box.register(5, as: "clock")
        box.register(as: key) { _ in Reader() }
        for _ in 0..<count { box.decorate(key) { reader, _ in reader } }
        _ = try box[key]
        #expect(findings == ["Reader.clock typeMismatch", "Reader.reader strongCycle", "clock unused"])
        let edges = box.graph().edges.filter { !$0.isDecoration }
        #expect(edges.map(\.property).sorted() == ["clock", "reader"])
        #expect(Set(edges.map(\.source)) == ["service:reader"])
    }

    @Test("list those of a wrapper of the same type as what it wraps, each with its own")
    func wrapper() throws {
        box.register(5, as: "clock")
        box.register(as: key) { _ in Reader() }
        box.decorate(key) { _, _ in Reader() }
        _ = try box[key]
        #expect(box.graph().edges.filter { $0.property == "clock" }.count == 2)
    }

    @Test("list those of a wrapper of another type, though they are the same")
    func otherWrapper() throws {
        box.register(Clock())
        box.register(as: key, lifetime: .transient) { _ in Copier() }
        box.decorate(key) { _, _ in Copyist() }
        _ = try box[key]
        #expect(box.graph().edges.filter { $0.property == "clock" }.count == 2)
    }

    @Test(
        "list those of a wrapper whose service isn't kept, unless it has the same services",
        arguments: [Lifetime.transient, .weak], [false, true])
    func wrapperOfUnkept(lifetime: Lifetime, isWiredAlike: Bool) throws {
        box.register(Clock(), as: "wall")
        box.register(Clock(), as: "tower")
        box.register(as: "named", lifetime: lifetime) { _ in Named("wall") }
        box.decorate("named") { (_: Named, _) in Named(isWiredAlike ? "wall" : "tower") }
        let named = try box.resolve(Named.self)
        let edges = box.graph().edges.filter { !$0.isDecoration }
        #expect(edges.map(\.serviceName) == (isWiredAlike ? ["wall"] : ["tower", "wall"]))
        withExtendedLifetime(named) {}
    }

    @Test("list those of a ready-made service once, also after its decoration's result was reset")
    func reset() throws {
        box.register(5, as: "clock")
        box.register(Reader(), as: key)
        box.decorate(key) { reader, _ in reader }
        _ = try box[key]
        try box.provider(key).reset()
        #expect(findings.filter { $0 == "Reader.clock typeMismatch" }.count == 1)
    }

    @Test("list those of a parent's service that a child's decoration returns as it is")
    func inChild() throws {
        box.register(5, as: "clock")
        box.register(as: "named") { _ in Named("clock") }
        let child = box.makeChild()
        child.decorate("named") { (named: Named, _) in named }
        _ = try child.resolve(Named.self)
        #expect(child.audit().findings.map(\.subject) == ["Named.clock"])
    }

    @Test(
        "find what a service lacks that was never wrapped, though only children share it",
        arguments: [false, true])
    func unwrapped(isPerBox: Bool) {
        box.register(as: key, lifetime: .transient, per: isPerBox ? .box : .family) { _ in Copier() }
        box.decorate(key) { copier, _ in copier }
        box.register { _ in Library() }
        #expect(throws: ServiceBoxError.self) { try box.resolve(Library.self) }
        #expect(findings.filter { $0 == "Copier.clock missing" }.count == 1)
    }

    @Test("find what a wrapper lacks, though only children share it")
    func lackingWrapper() {
        box.register(as: key, lifetime: .transient, per: .box) { _ in Plain() }
        box.decorate(key) { _, _ in Copier() }
        box.register { _ in Library() }
        #expect(throws: ServiceBoxError.self) { try box.resolve(Library.self) }
        #expect(findings.contains("Copier.clock missing"))
    }

    @Test("don't take other objects of a decorated service's type for its wrapper")
    func otherObjects() {
        box.register(as: "copier") { _ in Copier() }
        box.decorate("copier") { (copier: Copier, _) in copier }
        box.fill(Copier())
        #expect(findings.filter { $0 == "Copier.clock missing" }.count == 1)
        #expect(box.audit().unexamined == ["copier"])
        box.register(Clock())
        let edges = box.graph(planned: true).edges.filter { !$0.isDecoration }
        #expect(edges.map(\.source) == ["service#2:copier"])
    }
}
