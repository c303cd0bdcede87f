// Part of ServiceBox, released under the MIT License.
// What may have been meant is said where it is sure, and not where it is not.

import ServiceBoxKit
import Testing

@Suite("A hint")
struct HintTests {
    @Test("for a name that nobody registered", arguments: HintCase.missing)
    func missing(_ hintCase: HintCase) throws { try check(hintCase) }

    @Test(
        "for a name whose service is of a general type, or asked for in another form",
        arguments: HintCase.kinds)
    func kinds(_ hintCase: HintCase) throws { try check(hintCase) }

    @Test("for a service of another type", arguments: HintCase.mismatched)
    func mismatched(_ hintCase: HintCase) throws { try check(hintCase) }

    @Test("for a look-up", arguments: HintCase.lookUps)
    func lookUps(_ hintCase: HintCase) throws { try check(hintCase) }

    @Test("is not needed by a property that takes what there is")
    func takesAll() {
        struct Shelf {
            @InjectedAll var cache: [any HintCase.Store]
        }
        let box = ServiceBox()
        box.register(HintCase.Cache(), as: "cash")
        #expect(
            box.fill(Shelf()).properties.map(\.description) == [
                "Shelf.cache: filled with no services, none fits"
            ])
    }

    @Test("is looked for among what is registered when the report is read")
    func lateReading() {
        let box = ServiceBox()
        let report = box.fill(HintCase.Wants<HintCase.Cache>())
        #expect(
            report.holes.map(\.description) == [
                "Wants<Cache>.cache: no service is registered under that name"
            ])
        box.register(HintCase.Cache(), as: "caches")
        #expect(
            report.holes.map(\.description) == [
                "Wants<Cache>.cache: no service is registered under that name; did you mean 'caches'?"
            ])
    }

    @Test(
        "does not take a service for a later one that fits where the report is read, and did not where it was made"
    )
    func otherIsolation() async {
        let box = ServiceBox()
        box.register(HintCase.Panel(), as: "cache")
        let report = box.fill(HintCase.Wants<any HintCase.Themed & Sendable>())
        await MainActor.run {
            #expect(
                report.holes.map(\.description) == [
                    "Wants<Themed>.cache: the service under that name is a Panel, not a Themed"
                ])
        }
    }

    /// Compares the hint of both forms of a message with what is expected.
    private func check(_ hintCase: HintCase) throws {
        let told = try #require(hintCase.ask(ServiceBox()))
        let sentence = hintCase.hint.map { hint in
            "  " + hint.prefix(1).uppercased() + hint.dropFirst() + (hint.hasSuffix("?") ? "" : ".")
        }
        #expect(hints(in: told.text) == (sentence.map { [$0] } ?? []))
        if let line = told.line {
            let parts = line.split(separator: "; ").map(String.init)
            #expect(Array(parts.dropFirst()) == (hintCase.hint.map { [$0] } ?? []))
        }
    }

    /// The indented lines of a message that are no facts: a fact begins with its label.
    private func hints(in text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { line in
            line.hasPrefix("  ") && line.split(separator: " ").first?.hasSuffix(":") == false
        }
    }
}
