// Part of ServiceBox, released under the MIT License.
// Everything that is wrong with the wiring, at once.

import ServiceBoxKit
import Testing

private protocol Logging: Sendable {}
private final class Chicken: @unchecked Sendable { @Injected var egg: Egg? }
private final class Egg: @unchecked Sendable { @Injected var chicken: Chicken? }
private final class Parent: @unchecked Sendable { @InjectedAll var parts: [Part] }
private final class Part: @unchecked Sendable { @Injected var parent: Parent? }
private final class Hen: @unchecked Sendable { @Injected var chick: Chick? }
private final class Chick: @unchecked Sendable { @WeakInjected var hen: Hen? }
private final class First: @unchecked Sendable { @Injected var third: Third? }
private final class Second: @unchecked Sendable { @Injected var first: First? }
private final class Third: @unchecked Sendable { @Injected var second: Second? }
private final class Hub: @unchecked Sendable {
    @Injected var spoke: Spoke?
    @Injected var rim: Rim?
}
private final class Spoke: @unchecked Sendable { @Injected var hub: Hub? }
private final class Rim: @unchecked Sendable { @Injected var spoke: Spoke? }
private struct Options: @unchecked Sendable { @Injected var manager: Manager? }
private final class Manager: @unchecked Sendable { @Injected var options: Options? }
private final class Owner: @unchecked Sendable { @Injected var serviceBox: ServiceBox? }
private final class Reader: @unchecked Sendable { @Injected var clock: Clock }

private final class Screen {
    @Injected var cahce: Cache
    @Injected var clock: Cache
}

private final class Drifted: Injectable {
    var logger: Clock?
    static var injections: InjectionTable { ["loger": .keyPath(\Drifted.logger)] }
}

private actor Vault {
    @Injected var clock: Clock
}

@MainActor
private final class Window {
    var clock: Clock?
}

extension Window: @MainActor Injectable {
    static var injections: InjectionTable { ["clock": .keyPath(\Window.clock)] }
}

private final class Pages {
    @Injected var first: Cache
    @Injected var second: Cache
}

private struct Failure: Error {}

@Suite("Audits")
struct AuditTests {
    private let box = ServiceBox()

    private func facts(_ audit: ServiceAudit) -> [String] {
        audit.findings.map { "\($0.kind) \($0.subject)" }
    }

    @Test("are clean for a box where everything fits")
    func clean() throws {
        box.register(Clock())
        let audit = box.audit(including: [Reader()])
        #expect(audit.findings.isEmpty)
        #expect(audit.unexamined.isEmpty)
        #expect(audit.description == "Audit of 1 service and 1 type: clean.")
        try audit.requireClean()
    }

    @Test("find holes, types that don't fit and outdated tables, all at once")
    func properties() {
        box.register(Clock())
        box.register(Cache())
        let audit = box.audit(including: [Screen(), Drifted()])
        #expect(
            facts(audit) == [
                "tableMismatch Drifted.loger", "missing Screen.cahce", "typeMismatch Screen.clock",
                "unused cache",
                "unused clock",
            ])
    }

    @Test("include registered services and filled types unasked")
    func whatTheBoxKnows() {
        box.register(Reader())
        box.fill(Screen())
        #expect(
            facts(box.audit()) == [
                "missing Reader.clock", "missing Screen.cahce", "missing Screen.clock", "unused reader",
            ])
    }

    @Test("fill nothing and create nothing")
    func dry() {
        box.register(as: "clock") { _ -> Clock in
            Issue.record("made")
            return Clock()
        }
        let reader = Reader()
        box.register(reader)
        let audit = box.audit()
        #expect(!reader.$clock.isFilled)
        #expect(audit.unexamined == ["clock"])
    }

    @Test("report no unused service while one isn't created, since its factory might use it")
    func unexamined() {
        box.register(Clock())
        box.register(as: "reader") { box in
            _ = try box.resolve(ServiceKey<Clock>("clock"))
            return Cache()
        }
        let audit = box.audit()
        #expect(audit.findings.isEmpty)
        #expect(audit.unexamined == ["reader"])
        #expect(
            audit.description == """
                Audit of 2 services and 0 types: clean.
                  Never made, so not examined: 'reader'; examine it with makingServices: true
                """)
        #expect(facts(box.audit(makingServices: true)) == ["unused reader"])
    }

    @Test(
        "that create services examine those too that the box doesn't fill",
        arguments: [Lifetime.transient, .weak])
    func notFilled(lifetime: Lifetime) {
        box.register(as: "cache", lifetime: lifetime, fills: false) { _ in Cache() }
        let audit = box.audit(makingServices: true)
        #expect(audit.unexamined.isEmpty)
        #expect(facts(audit) == ["unused cache"])
    }

    @Test("that create services report which couldn't be created")
    func failing() {
        box.register(as: ServiceKey<Clock>("clock")) { _ in throw Failure() }
        let audit = box.audit(makingServices: true)
        #expect(facts(audit) == ["failed clock"])
        #expect(audit.unexamined == ["clock"])
    }

    @Test("know the properties of a service that isn't created only from an object of its type")
    func knownType() {
        _ = ServiceBox().fill(Reader())
        box.register(as: ServiceKey<Reader>("reader")) { _ in Reader() }
        #expect(facts(box.audit()) == [])
        #expect(facts(box.audit(including: [Reader()])) == ["missing Reader.clock"])
    }

    @Test("name one property for each strong cycle")
    func strongCycle() {
        box.register(Chicken())
        box.register(Egg())
        #expect(facts(box.audit()) == ["strongCycle Egg.chicken"])
    }

    @Test("find no strong cycle where a property is weak")
    func weakCycle() {
        box.register(Hen())
        box.register(Chick())
        #expect(box.audit().findings.isEmpty)
    }

    @Test("name one property of a longer strong cycle")
    func longCycle() {
        box.register(First())
        box.register(Second())
        box.register(Third())
        #expect(facts(box.audit()) == ["strongCycle Second.first"])
    }

    @Test("name no strong cycle that is broken with another one")
    func overlappingCycles() {
        box.register(Hub())
        box.register(Spoke())
        box.register(Rim())
        #expect(facts(box.audit()) == ["strongCycle Spoke.hub"])
    }

    @Test("finds strong cycles through structs")
    func cycleThroughStruct() {
        box.register(Options())
        box.register(Manager())
        #expect(facts(box.audit()) == ["strongCycle Manager.options"])
    }

    @Test("find strong cycles through properties that take all services of a type")
    func gatheredCycle() {
        box.register(Parent())
        box.register(Part(), as: "first")
        box.register(Part(), as: "second")
        #expect(facts(box.audit()) == ["strongCycle Part.parent", "strongCycle Part.parent"])
    }

    @Test("find the strong cycle of a service that keeps its box")
    func boxCycle() {
        box.register(Owner())
        #expect(facts(box.audit()) == ["strongCycle Owner.serviceBox", "unused owner"])
    }

    @Test("find types by which services are resolved and which several fit")
    func ambiguous() throws {
        box.register(Cache(), as: "near")
        _ = try box.resolve(Cache.self)
        #expect(box.audit().findings.isEmpty)
        box.register(Cache(), as: "far")
        let audit = box.audit()
        #expect(facts(audit) == ["ambiguousType Cache", "unused far"])
    }

    @Test("find what an actor lacks that nobody has filled")
    func actor() {
        box.register(Vault())
        #expect(facts(box.audit()) == ["missing Vault.clock", "unused vault"])
    }

    @Test("find tables that only their own actor can write")
    func isolation() async {
        let window = await MainActor.run { Window() }
        box.register(Clock())
        #expect(facts(box.audit(including: [window])) == ["wrongIsolation Window", "unused clock"])
    }

    @Test("don't take the service of one property for what another one requires")
    func hints() {
        box.register(Cache(), as: "first")
        let finding = box.audit(including: [Pages()]).findings.first
        #expect(finding?.description == "Pages.second: no service is registered under that name")
    }

    @Test("knows the properties of a type that no box has seen an object of")
    func unseenType() {
        final class Unseen {
            @Injected var clock: Clock
        }
        #expect(facts(box.audit(including: [Unseen.self])) == ["missing Unseen.clock"])
    }

    @Test("allow findings on request, by what they are about")
    func allowing() throws {
        box.register(Chicken())
        box.register(Egg())
        box.register(Clock())
        try box.audit().requireClean(allowing: ["Egg.chicken", "clock"])
        let error = #expect(throws: ServiceBoxError.self) {
            try box.audit().requireClean(allowing: ["Egg.chicken"])
        }
        #expect(error?.code == .unclean)
        #expect(error?.path == ["clock"])
    }

    @Test("fail on an allowance that nothing needs")
    func needlessAllowance() throws {
        let error = try #require(throws: ServiceBoxError.self) {
            try box.audit().requireClean(allowing: ["Screen.clock"])
        }
        #expect(error.code == .unclean)
        #expect(error.path == ["Screen.clock"])
    }

    @Test("leave an optional property alone that nothing is registered for, and warn of a slip")
    func optional() {
        final class Visitor {
            @Injected var disk: Cache?
            @Injected var cahces: Cache?
            @Injected var clock: Cache?
            @Injected var spare: Cache = Cache()
            @Injected var chaces = Cache()
        }
        box.register(Cache(), as: "caches")
        box.register(Clock())
        let visitor = Visitor()
        box.fill(visitor)
        let audit = box.audit(including: [visitor])
        let slips = audit.findings.filter(\.isWarning)
        #expect(slips.map(\.subject) == ["Visitor.cahces", "Visitor.clock", "Visitor.chaces"])
        #expect(slips.first?.description.hasPrefix("warning: Visitor.cahces: ") == true)
        #expect(audit.findings.filter { !$0.isWarning }.map(\.kind) == [.unused, .unused])
    }

    @Test("find an object that is registered twice as the same type, and none with two interfaces")
    func duplicate() {
        let cache = Cache()
        box.register(cache, as: "first")
        box.register(cache, as: "second")
        let store = FileStore()
        box.register(store)
        box.register(store as any Store, as: "store")
        #expect(box.audit().findings.filter { $0.kind == .duplicate }.map(\.subject) == ["second"])
    }

    @Test("find a service that was registered and removed, and that nothing had asked for")
    func removed() throws {
        func removals() -> [String] { box.audit().findings.filter { $0.kind == .removed }.map(\.subject) }
        box.register(Clock())
        box.register(Cache())
        _ = try box.resolve(Cache.self)
        box.remove("clock")
        box.remove("cache")
        #expect(removals() == ["clock"])
        box.register(Clock())
        #expect(removals() == [])
        box.remove("clock")
        #expect(removals() == ["clock"])
    }

    @Test("leave services of each child to the children, and examine them in one that is assumed")
    func perBox() throws {
        final class User: Sendable {}
        final class Repository: @unchecked Sendable { @Injected var user: User }
        box.register(as: "repository", per: .box) { _ in Repository() }
        try box.audit(makingServices: true).requireClean()
        let hole = box.audit { _ in }
        #expect(facts(hole) == ["missing Repository.user"])
        let whole = box.audit { child in child.register(User()) }
        try whole.requireClean()
        #expect(whole.unexamined == [])
        final class Page { @Injected var repository: Repository }
        try box.audit(including: [Page.self], makingServices: true) { $0.register(User()) }.requireClean()
    }

    @Test("say of a parent's service that only the child has what it lacks")
    func captive() throws {
        box.register(as: "reader") { _ in Reader() }
        let child = box.makeChild(name: "request")
        child.register(Clock())
        let finding = try #require(child.audit(makingServices: true).findings.first)
        #expect(finding.subject == "Reader.clock")
        #expect(finding.explanation.contains("which has no 'clock'; register 'reader' with per: .box"))
    }

    @Test("throw every finding in one error")
    func error() throws {
        box.register(Clock())
        let error = #expect(throws: ServiceBoxError.self) {
            try box.audit(including: [Screen()]).requireClean(allowing: ["clock"])
        }
        #expect(error?.code == .unclean)
        #expect(error?.path == ["Screen.cahce", "Screen.clock"])
        #expect(
            error?.description == """
                Can't pass the audit: 2 findings.

                Can't fill 'cahce' of Screen: no service is registered under that name.
                  Property:   Screen.cahce, a Cache
                  Registered: 'clock' (Clock), 'serviceBox' (ServiceBox)
                To fix, register a Cache as 'cahce' before filling.

                Can't fill 'clock' of Screen: the service under that name is a Clock, not a Cache.
                  Property: Screen.clock, a Cache
                  Found:    'clock' (Clock)
                To fix, register a Cache under that name, or give the property the type of the service.
                """)
    }

    @Test("name the source location of an unused service")
    func unusedText() throws {
        box.register(Clock(), fileID: "App/Services.swift", line: 12)
        let finding = try #require(box.audit().findings.first)
        #expect(finding.description == "'clock': nothing asks for it")
        #expect(
            finding.explanation == """
                Can't find a use for 'clock': nothing asks for it.
                  Service:    'clock' (Clock)
                  Registered: App/Services.swift:12
                To fix, remove the registration, include the types that take it in the audit, or allow it, if only the \
                program itself asks for it: requireClean(allowing: ["clock"]).
                """)
    }

    @Test("names a cycle that a property closes which was looked up when it was read")
    func strongCycleOnceRead() {
        final class Engine: @unchecked Sendable { @Injected(when: .read) var gear: Gear }
        final class Gear: @unchecked Sendable { @Injected var engine: Engine? }
        let engine = Engine()
        box.register(engine)
        box.register(Gear())
        box.crossFill()
        #expect(engine.gear.engine === engine)
        #expect(facts(box.audit()).filter { $0.hasPrefix("strongCycle") }.count == 1)
    }

    @Test("tells of the services that were removed unused last, however many come and go")
    func manyRemovals() {
        let box = ServiceBox()
        for number in 0..<300 {
            box.register(number, as: ServiceKey("number\(number)"))
            box.remove("number\(number)")
        }
        let removed = box.audit().findings.filter { $0.kind == .removed }.map(\.subject)
        #expect(Set(removed) == Set((44..<300).map { "number\($0)" }))
    }
}
