// Part of ServiceBox, released under the MIT License.
// Wirings that are as they should be: nothing is said of them.

import ServiceBoxKit
import Testing

private actor TableVault: Injectable {
    var clock: Clock?
    static var injections: InjectionTable {
        ["clock": .setter { (vault: isolated TableVault, clock: Clock) in vault.clock = clock }]
    }
}

private final class VaultOwner { @Injected var tableVault: TableVault }

@Suite("A wiring in which nothing is wrong")
struct SilentWiringTests {
    @Test(
        "is clean before its first fill and after, and no report, event or line of the box complains",
        arguments: SilentWiring.all)
    func silent(_ wiring: SilentWiring) throws {
        var box = ServiceBox()
        let others = try wiring.wire(&box)
        expectSilence(of: box, others, unexamined: wiring.unexamined, assuming: wiring.assume)
    }

    @Test("is so on the main actor, too", arguments: SilentMainActorWiring.all)
    @MainActor func silentOnMainActor(_ wiring: SilentMainActorWiring) throws {
        var box = ServiceBox()
        let others = try wiring.wire(&box)
        expectSilence(of: box, others)
    }

    @Test("is so with an actor that is filled on itself")
    func actor() async throws {
        let (box, vault) = (ServiceBox(), TableVault())
        box.register(Clock())
        box.register(vault)
        await box.fill(vault)
        expectSilence(of: box, [VaultOwner()])
    }

    @Test("is one of many")
    func count() {
        #expect(SilentWiring.all.count + SilentMainActorWiring.all.count >= 40)
    }

    private func expectSilence(
        of box: ServiceBox, _ others: [Any], unexamined: [String] = [],
        assuming assume: ((ServiceBox) -> Void)? = nil
    ) {
        let complaints = Journal()
        let observation = box.observe(includingChildren: true) { event in
            let isRequiredHole = event.hole?.isRequired ?? false
            if isRequiredHole || event.kind == .failed { complaints.add("\(event)") }
        }
        expectClean(box, others, unexamined, assuming: assume)
        let filler = assume.map { assume in
            let child = box.makeChild(name: "request")
            assume(child)
            return child
        }
        for other in others where !(other is Any.Type) { expectSilence(of: (filler ?? box).fill(other)) }
        for report in box.crossFill() { expectSilence(of: report) }
        expectClean(box, others, unexamined, assuming: assume)
        #expect(!"\(box)".contains("Unfilled:"))
        observation.cancel()
        #expect(complaints.all == [])
    }

    private func expectClean(
        _ box: ServiceBox, _ others: [Any], _ unexamined: [String], assuming assume: ((ServiceBox) -> Void)?
    ) {
        let audit = box.audit(including: others, makingServices: true, assuming: assume)
        #expect(audit.findings.map(\.explanation) == [])
        #expect(audit.unexamined == unexamined)
    }

    private func expectSilence(of report: FillReport) {
        #expect(report.isComplete && report.notes.isEmpty, "\(report)")
    }
}
