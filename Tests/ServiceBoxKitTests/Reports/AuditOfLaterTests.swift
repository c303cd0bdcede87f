// Part of ServiceBox, released under the MIT License.
// Tests of audits of what hasn't run yet: decorations, and look-ups of properties when they are read.

import ServiceBoxKit
import Testing

private final class ClockReader {
    @Injected var clock: Clock
}

private final class LateReader {
    @Injected("clock", when: .read) var cache: Cache?
}

@Suite("Audits of what hasn't run yet")
struct AuditOfLaterTests {
    private func facts(_ audit: ServiceAudit) -> [String] {
        audit.findings.map { "\($0.kind) \($0.subject)" }
    }

    @Test("find a property that is looked up when it is read and takes another type")
    func mistypedOnRead() {
        let box = ServiceBox()
        box.register(Clock())
        let mistyped = "typeMismatch LateReader.cache"
        #expect(facts(box.audit(including: [LateReader()])) == [mistyped])
        box.fill(LateReader())
        #expect(facts(box.audit()) == [mistyped])
        box.register(Cache(), as: "clock")
        #expect(facts(box.audit()).contains(mistyped) == false)
    }

    @Test("report no unused service while a decoration of a ready-made one hasn't run, since it might use it")
    func decorationThatHasNotRun() throws {
        let box = ServiceBox()
        box.register(Cache())
        box.register(Clock())
        box.decorate("clock") { (clock: Clock, box) in
            let _: Cache = try box["cache"]
            return clock
        }
        #expect(box.audit(including: [ClockReader.self]).unexamined == ["clock"])
        #expect(box.audit(including: [ClockReader.self]).findings.isEmpty)
        #expect(box.audit(including: [ClockReader.self], makingServices: true).findings.isEmpty)
    }
}
