// Part of ServiceBox, released under the MIT License.
// Other services for a scope, and what is required of their use.

import ServiceBoxKit
import ServiceBoxTesting
import Testing

private protocol TimeSource: AnyObject, Sendable {}
private final class WallClock: TimeSource {}
private final class FixedClock: TimeSource {}
private final class Network: Sendable {}
private final class Shop: @unchecked Sendable {
    @Injected var clock: (any TimeSource)?
    @Injected var network: Network?
}
private final class Screen {
    @Injected var clock: (any TimeSource)?
    @Injected var shop: Shop?
}
private final class Form {
    @Injected var validator: Network?
}
private struct Failure: Error {}

/// What an application would have.
private func makeBase() -> ServiceBox {
    let base = ServiceBox()
    base.register(as: ServiceKey<any TimeSource>("clock")) { _ in WallClock() }
    base.register(as: "shop") { _ in Shop() }
    base.register(as: "network") { _ in Network() }
    base.markLive("network")
    return base
}

/// The error of a scope that does not meet its requirements.
private func error<Result>(_ body: () throws -> Result) throws -> ServiceOverrideError {
    try #require(#expect(throws: ServiceOverrideError.self) { _ = try body() })
}

@Suite("Overrides")
struct OverrideTests {
    private let base = makeBase()

    @Test("reach what is created in the scope, in its default box only")
    func reach() throws {
        let fixed = FixedClock()
        let screen = try withOverrides(of: base) { overrides in
            overrides.register(fixed, as: ServiceKey<any TimeSource>("clock"))
        } operation: {
            let screen = Screen()
            ServiceBox.default.fill(screen)
            return screen
        }
        #expect(screen.clock === fixed)
        #expect(screen.shop?.clock === fixed)
        #expect(try base.resolve(Shop.self).clock is WallClock)
        #expect(ServiceBox.default !== base)
    }

    @Test("apply to the default box unless another is named, and nest")
    func nest() throws {
        try ServiceBox.withDefault(base) {
            try withOverrides {
                $0.register(1, as: "one")
            } operation: {
                try withOverrides {
                    $0.register(2, as: "two")
                } operation: {
                    let box = ServiceBox.default
                    #expect(["clock", "one", "two"].allSatisfy(box.isRegistered))
                    #expect(box.name == "nest()")
                }
                #expect(!ServiceBox.default.isRegistered("two"))
            }
        }
        #expect(!base.isRegistered("one"))
    }

    @Test("hold in an asynchronous operation, and in its child tasks")
    func asynchronous() async throws {
        let names = try await withOverrides(of: base, named: "async") { overrides in
            await Task.yield()
            overrides.register(FixedClock(), as: ServiceKey<any TimeSource>("clock"))
        } operation: {
            async let child = ServiceBox.default.name
            await Task.yield()
            let clock: any TimeSource = try ServiceBox.default.resolve()
            #expect(clock is FixedClock)
            return [ServiceBox.default.name, await child]
        }
        #expect(names == ["async", "async"])
    }

    @MainActor
    @Test("run their closures in the caller's isolation")
    func isolation() async throws {
        var steps: [String] = []
        try await withOverrides(of: base) { _ in
            steps.append("set-up")
        } operation: {
            await Task.yield()
            MainActor.assertIsolated()
            steps.append("operation")
        }
        #expect(steps == ["set-up", "operation"])
    }

    @Test("tell where they were used")
    func uses() throws {
        let uses = try withOverrides(of: base) { overrides in
            overrides.register(FixedClock(), as: ServiceKey<any TimeSource>("clock"))
        } operation: {
            ServiceBox.default.fill(Screen())
            return ServiceBox.default.uses
        }
        let clock = try #require(uses.first { $0.name == "clock" })
        #expect(clock.properties == ["Screen.clock", "Shop.clock"])
        #expect(base.uses.first { $0.name == "clock" }?.isUsed == false)
    }

    @Test("have no requirements by default")
    func noRequirements() throws {
        try withOverrides(of: base) {
            $0.register(FixedClock(), as: "clok")
        } operation: {
            _ = try ServiceBox.default.resolve(Network.self)
        }
    }

    @Test("rethrow the errors of the set-up and of the operation, which win over requirements")
    func errors() async throws {
        #expect(throws: Failure.self) {
            try withOverrides(of: base) { _ in
                throw Failure()
            } operation: {
                Issue.record("It ran.")
            }
        }
        #expect(throws: Failure.self) {
            try withOverrides(of: base, requiring: .everyOverrideIsUsed) {
                $0.register(FixedClock(), as: "clock")
            } operation: {
                throw Failure()
            }
        }
        await #expect(throws: Failure.self) {
            try await withOverrides(of: base, requiring: .everyOverrideIsUsed) {
                $0.register(FixedClock(), as: "clock")
            } operation: {
                await Task.yield()
                throw Failure()
            }
        }
    }
}

@Suite("An unused override")
struct UnusedOverrideTests {
    private let base = makeBase()

    @Test("is an error on request, with the name in the base that may have been meant")
    func unused() throws {
        let error = try error {
            try withOverrides(of: base, named: "scope", requiring: .everyOverrideIsUsed) {
                $0.register(FixedClock(), as: "clok")
            } operation: {
                ServiceBox.default.fill(Screen())
            }
        }
        #expect(
            error.description == """
                Can't accept what 'scope' did with its services: 1 override was never used.
                  Unused: 'clok' (FixedClock); did you mean 'clock'?
                To fix, register an unused override under a name that is asked for, or drop it.
                """)
        #expect(error.scopeName == "scope")
        #expect(error.unusedOverrides == ["clok"])
        #expect(error.usedLiveServices.isEmpty)
    }

    @Test("is listed apart from used ones, which tell where they were used")
    func usedOnes() throws {
        let error = try error {
            try withOverrides(of: base, named: "scope", requiring: .everyOverrideIsUsed) { overrides in
                overrides.register(FixedClock(), as: ServiceKey<any TimeSource>("clock"))
                overrides.register(Network(), as: "network")
                overrides.register(Network(), as: "spare")
                overrides.register(Network(), as: "spared")
                overrides.register(as: "validatr") { _ in Network() }
            } operation: {
                let box = ServiceBox.default
                box.fill(Screen())
                box.fill(Form())
                _ = try box.resolve(ServiceKey<Network>("network"))
            }
        }
        #expect(
            error.description == """
                Can't accept what 'scope' did with its services: 3 overrides were never used.
                  Unused: 'spare' (Network); nothing asks for it
                  Unused: 'spared' (Network); nothing asks for it
                  Unused: 'validatr' (Network); did you mean 'validator'?
                  Used:   'clock' (TimeSource); into Screen.clock, Shop.clock
                  Used:   'network' (Network); into Shop.network; looked up
                To fix, register an unused override under a name that is asked for, or drop it.
                """)
    }

    @Test("counts as used in many ways")
    func ways() throws {
        final class Names {
            @InjectedAll var all: [String]
            @Injected var provided: ServiceProvider<Int>
        }
        try withOverrides(of: base, requiring: .everyOverrideIsUsed) { overrides in
            overrides.register("gathered", as: "first")
            overrides.register(as: "provided") { _ in 1 }
            overrides.register(2.5, as: "byType")
            overrides.register(true, as: "byName")
            overrides.register(as: "byProvider") { _ in UInt8(3) }
            overrides.register(as: "byFactory") { _ in Int8(4) }
            overrides.register(
                provider: ServiceParametersProvider { (number: Int) in Int32(number) }, as: "made")
            overrides.register(as: "asking") { box in Int16(try box.resolve(ServiceKey<Int8>("byFactory"))) }
            overrides.register(Float(1), as: "inChild")
        } operation: {
            let box = ServiceBox.default
            box.fill(Names())
            _ = try box.resolve(Double.self)
            _ = try box.resolve(ServiceKey<Bool>("byName"))
            _ = try box.provider(ServiceKey<UInt8>("byProvider"))
            _ = try box.resolve(ServiceKey<Int32>("made"), with: 1)
            _ = try box.resolve(Int16.self)
            _ = try box.makeChild(name: "child").resolve(Float.self)
        }
    }

    @Test("comes from the set-up only, not from what the operation registers")
    func registeredLater() throws {
        try withOverrides(of: base, requiring: .everyOverrideIsUsed) { _ in
        } operation: {
            ServiceBox.default.register(Network(), as: "later")
        }
    }

    @Test("isn't used by an inner scope that overrides it again")
    func overriddenAgain() throws {
        let error = try error {
            try withOverrides(of: base, requiring: .everyOverrideIsUsed) {
                $0.register(1, as: "outer")
                $0.register(2, as: "both")
            } operation: {
                try withOverrides(requiring: .everyOverrideIsUsed) {
                    $0.register(3, as: "both")
                } operation: {
                    let numbers: [Int] = try ["both", "outer"].map {
                        try ServiceBox.default.resolve(ServiceKey($0))
                    }
                    #expect(numbers == [3, 1])
                }
            }
        }
        #expect(error.unusedOverrides == ["both"])
    }
}

@Suite("A live service in a scope")
struct LiveInScopeTests {
    private let base = makeBase()

    @Test("is an error on request when it is used, with its users")
    func live() throws {
        let error = try error {
            try withOverrides(of: base, named: "scope", requiring: .nothingLiveIsUsed) {
                $0.register(FixedClock(), as: ServiceKey<any TimeSource>("clock"))
            } operation: {
                ServiceBox.default.fill(Screen())
            }
        }
        #expect(
            error.description == """
                Can't accept what 'scope' did with its services: 1 live service was used.
                  Live: 'network' (Network); into Shop.network
                  Used: 'clock' (TimeSource); into Screen.clock, Shop.clock
                To fix, override a live service in the scope, and ask the scope's box for it.
                """)
        #expect(error.usedLiveServices == ["network"])
    }

    @Test("is reported together with unused overrides")
    func both() throws {
        let error = try error {
            try withOverrides(
                of: base, named: "scope", requiring: [.everyOverrideIsUsed, .nothingLiveIsUsed]
            ) {
                $0.register(Network(), as: "netwrok")
                $0.markLive("clock")
            } operation: {
                _ = try ServiceBox.default.resolve((any TimeSource).self)
                _ = try ServiceBox.default.resolve(ServiceKey<Network>("network"))
            }
        }
        #expect(
            error.description == """
                Can't accept what 'scope' did with its services: 1 override was never used, and 2 live services were used.
                  Unused: 'netwrok' (Network); did you mean 'network'?
                  Live:   'clock' (TimeSource); looked up
                  Live:   'network' (Network); looked up
                To fix, register an unused override under a name that is asked for, or drop it; override a live service \
                in the scope, and ask the scope's box for it.
                """)
    }

    @Test("is an error when it is created, even if nothing resolves it")
    func made() throws {
        let error = try error {
            try withOverrides(of: base, named: "scope", requiring: .nothingLiveIsUsed) { _ in
            } operation: {
                base.register(as: "other") { _ in Network() }
                base.markLive("other")
                _ = ServiceBox.default.audit(makingServices: true)
            }
        }
        #expect(
            error.description == """
                Can't accept what 'scope' did with its services: 2 live services were used.
                  Live: 'network' (Network); into Shop.network
                  Live: 'other' (Network); created
                To fix, override a live service in the scope, and ask the scope's box for it.
                """)
    }

    @Test("is an error when it is used, even if the base created it")
    func ready() throws {
        let base = ServiceBox()
        base.register(Network())
        base.markLive("network")
        let error = try error {
            try withOverrides(of: base, named: "scope", requiring: .nothingLiveIsUsed) { _ in
            } operation: {
                ServiceBox.default.fill(Shop())
            }
        }
        #expect(error.usedLiveServices == ["network"])
    }

    @Test("is no error when it is overridden or unused, also once its override is removed")
    func overridden() throws {
        try withOverrides(of: base, requiring: .nothingLiveIsUsed) {
            $0.register(Network(), as: "network")
        } operation: {
            #expect(ServiceBox.default.remove("network"))
        }
        try withOverrides(of: base, requiring: .nothingLiveIsUsed) {
            $0.register(Network(), as: "network")
        } operation: {
            ServiceBox.default.fill(Screen())
        }
        try withOverrides(of: base, requiring: .nothingLiveIsUsed) { _ in
        } operation: {
            _ = try ServiceBox.default.resolve((any TimeSource).self)
            _ = ServiceBox.default.plan(for: Shop())
        }
    }

    @Test("counts if a service that the scope has the base create is filled with it")
    func ofCreated() throws {
        base.register(as: "created") { _ in Shop() }
        let error = #expect(throws: ServiceOverrideError.self) {
            try withOverrides(of: base, requiring: .nothingLiveIsUsed) { _ in
            } operation: {
                _ = try base.resolve(ServiceKey<Shop>("created"))
            }
        }
        #expect(error?.description.contains("Live: 'network' (Network); into Shop.network") == true)
    }

    @Test("doesn't count for the scope when its base fills a ready-made service with it")
    func ofBase() throws {
        let ready = Shop()
        base.register(ready, as: "ready")
        try withOverrides(of: base, requiring: .nothingLiveIsUsed) { _ in
        } operation: {
            _ = try ServiceBox.default.resolve(ServiceKey<Shop>("ready"))
        }
        #expect(ready.network != nil)
    }
}
