// Part of ServiceBox, released under the MIT License.
// Services whose tables the box can't write.

import ServiceBoxKit
import Testing

private actor Den: Injectable {
    private(set) var clock: Clock?
    static var injections: InjectionTable {
        ["clock": .setter { (den: isolated Den, clock: Clock) in den.clock = clock }]
    }
}

private struct Note: Injectable, Sendable {
    var clock: Clock?
    static var injections: InjectionTable { ["clock": .keyPath(\Note.clock)] }
}

private struct Strict: Injectable, Sendable {
    private(set) var clock: Clock?
    static var injections: InjectionTable {
        ["clock": .setter { (strict: inout Strict, clock: Clock) in strict.clock = clock }]
    }
}

@MainActor
private final class Panel: Injectable {
    private(set) var clock: Clock?
    nonisolated init() {}
    nonisolated static var injections: InjectionTable {
        ["clock": .setter { @MainActor (panel: Panel, clock: Clock) in panel.clock = clock }]
    }
}

private final class Alarm: Injectable, @unchecked Sendable {
    private(set) var isSet = false
    static var injections: InjectionTable {
        ["clock": .setter { (alarm: Alarm, _: Clock) in alarm.isSet = true }]
    }
}

@Suite("A service whose table the box can't write")
struct UnwrittenServiceTests {
    private let box = ServiceBox()

    init() { box.register(Clock()) }

    private func findings(makingServices: Bool = false) -> [String] {
        let audit = box.audit(makingServices: makingServices)
        return audit.findings.filter { $0.kind != .unused }.map { "\($0.kind) \($0.subject)" }
    }

    @Test("is found by an audit, if it is an actor", arguments: [true, false])
    func actor(isReadyMade: Bool) {
        if isReadyMade { box.register(Den()) } else { box.register { _ in Den() } }
        #expect(findings(makingServices: !isReadyMade) == ["wrongIsolation Den.clock"])
    }

    @Test(
        "is found by an audit, if it is a struct, though the property is optional", arguments: [true, false])
    func value(isReadyMade: Bool) {
        if isReadyMade { box.register(Note()) } else { box.register { _ in Note() } }
        #expect(findings(makingServices: !isReadyMade) == ["constant Note.clock"])
        #expect(box.audit().findings.first?.isWarning == true)
    }

    @Test("is found by an audit, if its slots are in a struct that was replaced since")
    func replacedStruct() {
        final class Watch: @unchecked Sendable {
            struct Parts { @Injected var clock: Clock }
            var parts = Parts()
        }
        let watch = Watch()
        box.register(watch)
        watch.parts = Watch.Parts()
        #expect(findings() == ["notWalkable Watch.parts.clock"])
    }

    @Test("asks for what it can't be given")
    func asks() {
        box.register(Den())
        #expect(box.audit().findings.filter { $0.kind == .unused }.map(\.subject) == ["den"])
    }

    @Test("isn't found, if the box writes it as soon as the main actor uses it")
    func mainActor() async {
        let panel = Panel()
        box.register(panel)
        box.crossFill()
        #expect(findings().isEmpty)
        await MainActor.run {
            box.crossFill()
            #expect(panel.clock != nil)
        }
    }

    @Test("says that an actor must be filled once it is registered; then it is handed out")
    func readyMadeActor() async throws {
        let den = Den()
        box.register(den)
        let lack = box.crossFill().first?.holes.first?.explanation
        #expect(
            lack == """
                Can't fill 'clock' of Den: its table belongs to an actor on which this fill did not run.
                  Property: Den.clock, a Clock
                To fix, fill the object on its actor once it is registered; an actor itself with 'await box.fill(actor)'.
                """)
        await box.fill(den)
        #expect(try box.resolve(Den.self) === den)
        #expect(findings().isEmpty)
    }

    @Test("says that its factory must fill an actor; then it is handed out")
    func createdActor() async throws {
        box.register { _ in Den() }
        #expect(
            box.failure(of: ServiceKey<Den>("den"))?.description == """
                Can't hand out 'den': it needs 'clock' of Den, but its table belongs to an actor on which this fill \
                did not run.
                  Property: Den.clock, a Clock
                To fix, register it with fills: false and fill it in its factory.
                """)
        box.register(fills: false) { box in
            let den = Den()
            await box.fill(den)
            return den
        }
        #expect(try await box.prepare(Den.self).clock != nil)
        #expect(findings().isEmpty)
    }

    @Test("says that a variable of a struct must be filled and registered; then it is handed out")
    func readyMadeValue() throws {
        box.register(Strict())
        #expect(
            box.failure(of: ServiceKey<Strict>("strict"))?.description == """
                Can't hand out 'strict': it needs 'clock' of Strict, but a constant can't be written through a table.
                  Property: Strict.clock, a Clock
                To fix, fill a variable of the struct's own type, fill(&value), and register that with fills: false.
                """)
        var strict = Strict()
        box.fill(&strict)
        box.register(strict, fills: false)
        #expect(try box.resolve(Strict.self).clock != nil)
        #expect(!findings().contains("constant Strict.clock"))
    }

    @Test("says that its factory must fill a struct; then it is handed out")
    func createdValue() throws {
        box.register { _ in Strict() }
        #expect(
            box.failure(of: ServiceKey<Strict>("strict"))?.description == """
                Can't hand out 'strict': it needs 'clock' of Strict, but a constant can't be written through a table.
                  Property: Strict.clock, a Clock
                To fix, register it with fills: false and fill it in its factory.
                """)
        box.register(fills: false) { box in
            var strict = Strict()
            box.fill(&strict)
            return strict
        }
        #expect(try box.resolve(Strict.self).clock != nil)
        #expect(findings().isEmpty)
    }

    @Test(
        "says that a provider's service has a table that the box leaves alone",
        arguments: [Lifetime.lazy, .transient])
    func provided(_ lifetime: Lifetime) throws {
        box.register(provider: ServiceProvider(lifetime) { Alarm() }, as: "alarm")
        let audit = box.audit(makingServices: true)
        #expect(try !box.resolve(ServiceKey<Alarm>("alarm")).isSet)
        #expect(
            audit.findings.first { $0.kind == .wrongIsolation }?.explanation == """
                Can't fill 'clock' of Alarm: others may be using what a provider creates, so its table isn't written.
                  Property: Alarm.clock, a Clock
                To fix, declare the property with @Injected, or let a factory of the box create the service.
                """)
    }
}
