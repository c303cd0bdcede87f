// Part of ServiceBox, released under the MIT License.
// Scopes whose operation changes what is registered.

import ServiceBoxKit
import ServiceBoxTesting
import Testing

private protocol Network: Sendable {}
private struct Wire: Network {}
private struct Stub: Network {}
private actor Pump: ServiceLifecycle {
    private(set) var isOn = false
    func start() { isOn = true }
}
private final class Screen: @unchecked Sendable {
    @Injected var network: (any Network)?

    init(_ network: (any Network)? = nil) { self.network = network }
}
private struct Wiring: ServiceModule {
    let network: any Network
    var requires: [any ServiceModule.Type] { [Logging.self] }

    func register(in box: ServiceBox) throws {
        box.register(network, as: ServiceKey<any Network>("network"))
        try box.add(Logging())
    }
}
private struct Logging: ServiceModule {
    func register(in box: ServiceBox) { box.register(Pump(), as: "log") }
}

@Suite("A scope with overrides that changes its services")
struct ChangedOverrideTests {
    private let base = ServiceBox()

    init() {
        base.register(Wire(), as: ServiceKey<any Network>("network"))
        base.markLive("network")
    }

    private func stub(_ box: ServiceBox) { box.register(Stub(), as: ServiceKey<any Network>("network")) }

    private func run(
        overridden: Bool, operation: (_ box: ServiceBox) -> Void
    ) -> ServiceOverrideError? {
        let requirements: OverrideRequirements = [.everyOverrideIsUsed, .nothingLiveIsUsed]
        do {
            try withOverrides(of: base, requiring: requirements) { overrides in
                if overridden { stub(overrides) }
            } operation: {
                operation(.default)
            }
            return nil
        } catch {
            return error as? ServiceOverrideError
        }
    }

    @Test("has used an override that it replaces after its use, or before")
    func replaced() {
        let error = run(overridden: true) { box in
            box.fill(Screen())
            stub(box)
        }
        #expect(error == nil)
        let other = run(overridden: true) { box in
            stub(box)
            box.fill(Screen())
        }
        #expect(other == nil)
    }

    @Test("has not used an override that it removes, although it uses the service of the base")
    func removed() {
        let error = run(overridden: true) { box in
            box.remove("network")
            box.fill(Screen())
        }
        #expect(error?.unusedOverrides == ["network"])
        #expect(error?.usedLiveServices == ["network"])
    }

    @Test("has used a live service that it overrides after its use")
    func overriddenLate() {
        let error = run(overridden: false) { box in
            box.fill(Screen())
            stub(box)
        }
        #expect(error?.usedLiveServices == ["network"])
    }

    @Test("has used a live service that one of its factories has looked up in the base")
    func captured() throws {
        base.register(as: "wire") { _ in Wire() }
        base.register(as: "screens") { [base] _ in [try base["wire"] as Wire] }
        base.markLive("wire")
        let error = run(overridden: false) { box in
            box.register(Wire(), as: "wire")
            #expect(throws: Never.self) { try box["screens"] as [Wire] }
        }
        #expect(error?.usedLiveServices == ["wire"])
        let later = run(overridden: false) { box in
            #expect(throws: Never.self) { try box["screens"] as [Wire] }
        }
        #expect(later == nil)
    }

    @Test("has used an override that it only starts")
    func started() async throws {
        let stub = Pump()
        base.register { _ in Pump() }
        try await withOverrides(of: base, requiring: .everyOverrideIsUsed) { overrides in
            overrides.register(stub)
        } operation: {
            try await withRunning(.default) {}
        }
        #expect(await stub.isOn)
    }

    @Test("has used a live service through a copy of its box, and through a child")
    func copy() {
        #expect(run(overridden: false) { $0.copy().fill(Screen()) }?.usedLiveServices == ["network"])
        let throughChild = run(overridden: false) { $0.makeChild(name: "child").fill(Screen()) }
        #expect(throughChild?.usedLiveServices == ["network"])
    }

    @Test("has a module's services as overrides, though the base has the module, but not what it needs there")
    func module() throws {
        try base.add(Wiring(network: Wire()), Logging())
        let services = try withOverrides(of: base, requiring: [.everyOverrideIsUsed, .nothingLiveIsUsed]) {
            try $0.add(Wiring(network: Stub()))
        } operation: {
            (network: try ServiceBox.default["network"] as any Network, uses: ServiceBox.default.uses)
        }
        #expect(services.network is Stub)
        #expect(services.uses.filter(\.isUsed).map(\.name) == ["network"])
        #expect(try base["network"] as any Network is Wire)
    }

    @Test("adds a module that the base has no more once it is set up, as a copy of it doesn't")
    func moduleLater() throws {
        try base.add(Wiring(network: Wire()), Logging())
        try withOverrides(of: base, requiring: [.everyOverrideIsUsed, .nothingLiveIsUsed]) {
            stub($0)
            $0.register { box in
                try box.add(Wiring(network: Wire()))
                return Screen(try box["network"])
            }
        } operation: {
            for box in [ServiceBox.default, ServiceBox.default.copy()] {
                try box.add(Wiring(network: Wire()), Logging())
                #expect(try box["network"] as any Network is Stub)
            }
            #expect(try ServiceBox.default.resolve(Screen.self).network is Stub)
        }
    }
}
