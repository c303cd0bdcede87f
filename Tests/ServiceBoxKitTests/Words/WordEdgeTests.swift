// Part of ServiceBox, released under the MIT License.
// Tests of rarely met words of messages, and derived names.

import Observation
import ServiceBoxKit
import Testing

private final class Low: @unchecked Sendable { @Injected var missing: Clock }

private final class Middle: @unchecked Sendable { @Injected var low: Low }

private final class High: @unchecked Sendable {
    @Injected var low: Low
    @Injected var middle: Middle
}

private struct ǅip: Sendable {}

private class Vault: @unchecked Sendable {}

private final class Listed: Injectable {
    var caches: [Vault]?

    static var injections: InjectionTable { ["caches": .keyPath(\Listed.caches)] }
}

private final class Late: @unchecked Sendable {
    @Injected(when: .read) var cache: Vault
}

private final class Clicker {
    @Injected var click: ((Int) -> Int)?
}

@Observable private class Observed {
    var name = ""
}

private final class View: Observed {
    var _cache: Vault?
}

private struct ÄÖ: Sendable {}

@Suite("Rare words")
struct WordEdgeTests {
    private let box = ServiceBox()

    @Test("what is lacking is said once, by the shortest way to it")
    func detours() {
        box.register(as: "low") { _ in Low() }
        box.register(as: "middle") { _ in Middle() }
        box.register(as: "high") { _ in High() }
        let error = #expect(throws: ServiceBoxError.self) {
            try box.resolve("high" as ServiceKey<High>)
        }
        #expect(error?.path == ["high", "low", "missing"])
        #expect(error?.description.contains("required properties are empty") == false)
    }

    @Test("a line isn't advised to be declared with a wrapper for lists")
    func listedLine() {
        box.register(Vault(), as: "first")
        let hole = box.fill(Listed()).properties.first
        #expect(hole?.outcome == .missing)
        #expect(hole?.explanation.contains("@InjectedAll") == false)
    }

    @Test("a property that is looked up when it is read is told to keep that with another name")
    func nameOnRead() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = ServiceBox()
            box.register(Vault(), as: "cachee")
            let late = Late()
            box.fill(late)
            _ = late.cache
        }
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("@Injected(\"cachee\", when: .read)"))
    }

    @Test("an optional function is in parentheses")
    func optionalFunction() {
        let hole = box.fill(Clicker()).properties.first
        #expect(hole?.explanation.contains("((Int) -> Int)?") == true)
    }

    @Test("an underscored property beside another class's registrar is like any")
    func unobserved() {
        box.register(Vault(), as: "cache")
        let note = box.fill(View()).properties.first { $0.outcome == .plainProperty }
        #expect(note?.explanation.contains("declare it with @Injected") == true)
    }

    @Test("a derived name begins small even if the type's begins with a letter that is half a capital")
    func titlecase() {
        box.register(ǅip())
        #expect(box.isRegistered("ǆip"))
    }

    @Test("a derived name has no capitals of any script at its beginning")
    func capitals() {
        box.register(ÄÖ())
        #expect(box.isRegistered("äö"))
    }

    @Test("a sealed box isn't decorated")
    func sealedDecoration() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = ServiceBox()
            box.register(Clock())
            box.seal()
            box.decorate("clock" as ServiceKey<Clock>) { clock, _ in clock }
        }
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("Can't decorate 'clock' in a sealed box"))
    }
}
