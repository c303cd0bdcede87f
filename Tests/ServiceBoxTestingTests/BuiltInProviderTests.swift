// Part of ServiceBox, released under the MIT License.
// Every kind of provider passes the conformance suite.

import ServiceBoxKit
import ServiceBoxTesting
import Testing

private typealias Probe = ProviderConformance.Probe

private struct ClosureFactory: ServiceFactory {
    let lifetime: Lifetime
    let make: @Sendable () throws -> Probe

    func makeService() throws -> Probe { try make() }
}

private struct ParametersFactory: ServiceParametersFactory {
    let make: @Sendable () throws -> Probe

    func makeService(_ parameters: Int) throws -> Probe { try make() }
}

private struct SessionFactory: ServiceSessionFactory {
    let lifetime: Lifetime
    let make: @Sendable () throws -> Probe

    func makeService(for session: ServiceConstantSession) throws -> Probe { try make() }
}

@Suite("Every kind of provider")
struct BuiltInProviderTests {
    @Test(
        "from a closure",
        arguments: [Lifetime.eager, .lazy, .weak, .transient])
    func closure(_ lifetime: Lifetime) throws {
        try ProviderConformance(of: lifetime) { ServiceProvider(lifetime, $0) }.check()
    }

    @Test("from a factory", arguments: [Lifetime.eager, .lazy, .weak, .transient])
    func factory(_ lifetime: Lifetime) throws {
        try ProviderConformance(of: lifetime) {
            ServiceProvider(ClosureFactory(lifetime: lifetime, make: $0))
        }
        .check()
    }

    @Test("that is validated", arguments: [Lifetime.lazy, .weak, .transient])
    func validated(_ lifetime: Lifetime) throws {
        try ProviderConformance(of: lifetime) { make in
            do {
                let provider = ServiceProvider(lifetime, make)
                try provider.validate()
                return provider
            } catch {
                return ServiceProvider { throw error }
            }
        }.check()
    }

    @Test("with bound parameters")
    func bound() throws {
        try ProviderConformance(of: .transient) { make in
            ServiceParametersProvider { (_: Int) in try make() }.bound(to: 1)
        }.check()
    }

    @Test("from a factory with bound parameters")
    func boundFactory() throws {
        try ProviderConformance(of: .transient) {
            ServiceParametersProvider(ParametersFactory(make: $0)).bound(to: 1)
        }
        .check()
    }

    @Test("of a session", arguments: [Lifetime.eager, .lazy, .weak])
    func session(_ lifetime: Lifetime) throws {
        try ProviderConformance(of: lifetime) { make in
            ServiceProvider(
                SessionFactory(lifetime: lifetime, make: make), mediator: ServiceSessionMediator())
        }.check()
    }

    @Test("of a box", arguments: [Lifetime.eager, .lazy, .weak, .transient])
    func box(_ lifetime: Lifetime) throws {
        let box = ServiceBox()
        try ProviderConformance(of: lifetime) { make in
            box.register(as: "probe", lifetime: lifetime) { _ in try make() }
            do {
                return try box.provider("probe")
            } catch {
                return ServiceProvider { throw error }
            }
        }.check()
    }

    @Test("returns the same service from the functions that don't throw")
    func resolveOrFail() throws {
        let provider = ServiceProvider { Mark() }
        #expect(try provider.resolveOrFail() === provider.resolve())
    }
}

private final class Mark: Sendable {}
