// Part of ServiceBox, released under the MIT License.
// What is said of the wiring: of holders, audits and graphs.

import ServiceBoxKit
import Testing

private final class Keeper: @unchecked Sendable { @Injected var cache: Cache? }
private struct Damage: Error {}

@Suite("The wiring in words")
struct WiringMessageTests {
    private let box = ServiceBox()

    @Test("a box that does not track its holders says so where it is asked for them")
    func notTracking() throws {
        let telling = #expect(throws: ServiceBoxError.self) { try box.holders(of: "cache") }
        #expect(
            telling?.description == """
                Can't list the holders of 'cache': the box does not track who holds its services.
                To fix, call trackHolders() before filling.
                """)
        let refilling = #expect(throws: ServiceBoxError.self) { try box.refill("cache") }
        #expect(
            refilling?.description == """
                Can't refill the holders of 'cache': the box does not track who holds its services.
                To fix, call trackHolders() before filling.
                """)
        #expect(refilling?.path == ["cache"])
    }

    @Test("a registered service's property that was emptied says what there would be for it")
    func emptied() throws {
        let keeper = Keeper()
        box.register(Cache())
        box.register(Cache(), as: "caches")
        box.register(keeper)
        box.crossFill()
        keeper.cache = nil
        let hole = try #require(box.crossFill().first?.holes.first)
        #expect(hole.outcome == .empty)
        #expect(
            hole.explanation == """
                Can't fill 'cache' of Keeper: nothing has filled it since it became empty.
                  Property: Keeper.cache, a Cache?
                  Found:    'cache' (Cache)
                To fix, use the box after registering the service; if the service has emptied the property itself, \
                let it set the property again, or fill it in its own isolation.
                """)
    }

    @Test("an audit says of a service that cannot be made what its factory threw")
    func failedMaking() throws {
        box.register(as: ServiceKey<Cache>("cache")) { _ in throw Damage() }
        let finding = try #require(box.audit(makingServices: true).findings.first)
        #expect(finding.description == "'cache': its factory failed: Damage() (Damage)")
        #expect(
            finding.explanation == """
                Can't make a Cache: its factory failed.
                  Service: 'cache' (Cache)
                  Error:   Damage() (Damage)
                To fix, correct what the factory of Cache reports, then ask again.
                """)
    }

    @Test("an audit says of a service that nothing asks for which plain property has its name")
    func unusedBesidePlain() throws {
        final class Screen { var cache: Cache? }
        box.register(Cache(), fileID: "App/Main.swift", line: 7)
        let finding = try #require(box.audit(including: [Screen.self]).findings.first)
        #expect(
            finding.explanation == """
                Can't find a use for 'cache': nothing asks for it.
                  Service:    'cache' (Cache)
                  Registered: App/Main.swift:7
                  Screen.cache has its name, but is a plain property.
                To fix, declare that property with @Injected, or list it in an injection table.
                """)
    }

    /// What an audit says of the cache that nothing takes.
    private func unused(_ box: ServiceBox, including others: [Any] = []) -> String? {
        box.audit(including: others).findings.first { $0.kind == .unused }?.explanation
    }

    @Test("an audit says of a service that nothing takes which property keeps a value of its own instead")
    func unusedBesideValue() throws {
        final class Screen: @unchecked Sendable { @Injected var cache = Cache() }
        box.register(Cache(), fileID: "App/Main.swift", line: 7)
        box.register(as: "screen") { _ in Screen() }
        _ = try box["screen"] as Screen
        #expect(
            unused(box) == """
                Can't find a use for 'cache': nothing takes it.
                  Service:    'cache' (Cache)
                  Registered: App/Main.swift:7
                  Screen.cache asks for it, but keeps a value of its own.
                To fix, let nothing but the box set that property.
                """)
    }

    @Test("an audit says of a service that nothing takes which property has another type")
    func unusedBesideMisfit() {
        final class Screen { @Injected var cache: Page? }
        box.register(Cache(), fileID: "App/Main.swift", line: 7)
        #expect(
            unused(box, including: [Screen.self]) == """
                Can't find a use for 'cache': nothing takes it.
                  Service:    'cache' (Cache)
                  Registered: App/Main.swift:7
                  Screen.cache, a Page?, asks for it.
                To fix, correct the type of that property, or the type that the service is registered as.
                """)
    }

    @Test("an audit says of a service that nothing takes which property is filled by the parent")
    func unusedBelowTaker() throws {
        box.register(as: "keeper") { _ in Keeper() }
        let child = box.makeChild(name: "child")
        child.register(Cache(), fileID: "App/Main.swift", line: 7)
        _ = try child["keeper"] as Keeper
        #expect(
            unused(child) == """
                Can't find a use for 'cache': nothing takes it.
                  Service:    'cache' (Cache)
                  Registered: App/Main.swift:7
                  Keeper.cache asks for it, but another box fills that property.
                To fix, let this box create what has that property, such as with per: .box.
                """)
    }

    @Test("an audit names what it has not examined, and what would examine it")
    func unexamined() {
        box.register { _ in Cache() }
        box.register(per: .box) { _ in Page() }
        #expect(
            "\(box.audit())" == """
                Audit of 2 services and 0 types: clean.
                  Never made, so not examined: 'cache'; examine it with makingServices: true
                  Never made, so not examined: 'page'; examine it with assuming: { child in … }
                """)
        box.register { _ -> Clock in throw Broken() }
        #expect(
            "\(box.audit(makingServices: true) { _ in })" == """
                Audit of 3 services and 0 types: 1 finding.
                  'clock': its factory failed: Broken() (Broken)
                  Never made, so not examined: 'clock'
                """)
    }

    @Test("an error of one finding is that finding's text")
    func oneFinding() throws {
        box.register(Cache(), fileID: "App/Main.swift", line: 7)
        let error = #expect(throws: ServiceBoxError.self) { try box.audit().requireClean() }
        #expect(
            error?.description == """
                Can't find a use for 'cache': nothing asks for it.
                  Service:    'cache' (Cache)
                  Registered: App/Main.swift:7
                To fix, remove the registration, include the types that take it in the audit, or allow it, if only the \
                program itself asks for it: requireClean(allowing: ["cache"]).
                """)
    }

    @Test("a graph counts in the English way")
    func ordinals() {
        for number in 10..<33 { box.register(Cache(), as: "cache\(number)") }
        box.crossFill()
        let ordinals = box.graph().description.split(separator: "\n").dropFirst().compactMap {
            $0.split(separator: " ").last
        }
        #expect(
            ordinals == [
                "1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th", "11th", "12th", "13th",
                "14th", "15th", "16th", "17th", "18th", "19th", "20th", "21st", "22nd", "23rd",
            ])
    }
}
