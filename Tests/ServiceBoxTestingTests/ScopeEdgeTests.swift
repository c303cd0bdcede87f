// Part of ServiceBox, released under the MIT License.
// Tests of rarely met scopes.

import ServiceBoxKit
import ServiceBoxTesting
import Testing

private protocol Probe: Sendable {}

private struct Heat: Probe {}

private final class Panel {
    @InjectedAll var probes: [any Probe]
}

private final class Cache: Sendable {}

private struct Unavailable: Error {}

private final class LateReader {
    @Injected(when: .read) var cache: Cache?
}

private final class Stubborn {
    @Injected var cache: Cache?
}

private final class Ticker { @Injected var clock: Clock? }

private final class Engine: ServiceLifecycle {
    func start() async throws {}
    func stop() async throws {}
}

@Suite("Rare scopes")
struct ScopeEdgeTests {
    private let base = ServiceBox()

    /// What a scope says whose override of a cache is unused after some fills.
    private func instruction(filling objects: [AnyObject]) throws -> String {
        let error = #expect(throws: ServiceOverrideError.self) {
            try withOverrides(of: base, requiring: .everyOverrideIsUsed) {
                $0.register(Cache())
            } operation: {
                for object in objects { ServiceBox.default.fill(object, keepingExisting: true) }
            }
        }
        return try #require(error).description.split(separator: "\n").last.map(String.init) ?? ""
    }

    @Test("a live service is used in a list of which another one fails")
    func liveInPartialList() {
        base.register(Heat(), as: "heat")
        base.markLive("heat")
        base.register(as: "broken") { _ -> Heat in throw Unavailable() }
        let error = #expect(throws: ServiceOverrideError.self) {
            try withServiceBox(basedOn: base, requiring: .nothingLiveIsUsed) { _ in
            } operation: {
                _ = base.fill(Panel())
            }
        }
        #expect(error?.usedLiveServices == ["heat"])
    }

    @Test("a service that is looked up and then overridden counts only if it is live")
    func overriddenLater() {
        base.register(Clock())
        #expect(throws: Never.self) {
            try withServiceBox(basedOn: base, requiring: .nothingLiveIsUsed) { _ in
            } operation: {
                let box = ServiceBox.default
                _ = try box.resolve(Clock.self)
                box.register(Clock())
            }
        }
    }

    @Test("an override that is looked up on read only is to be read; one that is also refused is to be taken")
    func overrideOnRead() throws {
        let reading = try instruction(filling: [LateReader()])
        #expect(reading == "To fix, read the property that asks for an override, or drop it.")
        let stubborn = Stubborn()
        stubborn.cache = Cache()
        let both = try instruction(filling: [LateReader(), stubborn])
        #expect(both == "To fix, let the property that asks for an override take it.")
    }

    @Test("an override of a base's service was not misspelled, though similar names are asked for")
    func unmisspelled() throws {
        base.register(Clock(), as: "wall")
        base.register(Clock(), as: "walls")
        let error = #expect(throws: ServiceOverrideError.self) {
            try withOverrides(of: base, requiring: .everyOverrideIsUsed) {
                $0.register(Clock(), as: "wall")
            } operation: {
                _ = try ServiceBox.default.resolve("walls" as ServiceKey<Clock>)
            }
        }
        #expect(try #require(error).description.contains("did you mean") == false)
    }

    @Test("a live service that is used in two boxes is said once")
    func liveTwice() throws {
        base.register(as: "clock") { _ in Clock() }
        base.markLive("clock")
        let error = #expect(throws: ServiceOverrideError.self) {
            try withServiceBox(basedOn: base, requiring: .nothingLiveIsUsed) { _ in
            } operation: {
                _ = try ServiceBox.default.resolve(Clock.self)
                _ = try base.resolve(Clock.self)
            }
        }
        #expect(error?.usedLiveServices == ["clock"])
    }

    @Test("an override isn't taken for a misspelling of itself")
    func itself() throws {
        let error = #expect(throws: ServiceOverrideError.self) {
            try withOverrides(of: base, requiring: .everyOverrideIsUsed) { overrides in
                overrides.fill(Stubborn())
                overrides.clear()
                overrides.register(Cache(), as: "cache")
            } operation: {
            }
        }
        #expect(try #require(error).description.contains("nothing asks for it"))
    }

    @Test("a live service is said to have been started, if that was its use")
    func started() async {
        let error = await #expect(throws: ServiceOverrideError.self) {
            try await withServiceBox(requiring: .nothingLiveIsUsed) {
                $0.register(Engine())
                $0.markLive("engine")
            } operation: {
                try await ServiceBox.default.start()
                await ServiceBox.default.stop()
            }
        }
        #expect(error?.description.contains("  Live: 'engine' (Engine); started\n") == true)
    }

    @Test("a service of the base that isn't live may be used")
    func notLive() {
        let base = ServiceBox()
        base.register(Clock())
        #expect(throws: Never.self) {
            try withServiceBox(basedOn: base, requiring: .nothingLiveIsUsed) { _ in
            } operation: {
                _ = base.fill(Ticker())
            }
        }
    }
}
