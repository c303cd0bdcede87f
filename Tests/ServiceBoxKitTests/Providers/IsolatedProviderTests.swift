// Part of ServiceBox, released under the MIT License.
// Providers whose factories belong to an actor.

import ServiceBoxKit
import Testing

private final class Shop: Sendable {}
@MainActor private final class Window: Sendable {}

@Suite("Providers of the main actor")
struct MainActorProviderTests {
    @Test("refuse to create elsewhere, and return the created service anywhere")
    func lazy() async throws {
        let provider = ServiceProvider { @MainActor in Window() }
        let refused = onThread { failure(of: provider) } ?? nil
        #expect(refused?.code == .wrongIsolation)
        #expect(refused?.path == ["Window"])
        let window = try await MainActor.run { try provider.resolve() }
        #expect(onThread { (try? provider.resolve()) === window } == true)
    }

    @Test("refuse with the path where another service needs theirs")
    func nested() {
        let window = ServiceProvider { @MainActor in Window() }
        let store = ServiceProvider<Shop> {
            _ = try window.resolve()
            return Shop()
        }
        let error = onThread { failure(of: store) } ?? nil
        #expect(error?.code == .wrongIsolation)
        #expect(
            error?.description == """
                Can't make a Shop: the factory of Window belongs to the main actor and was called elsewhere.
                  Path: Shop → Window
                To fix, in a box await prepare(…), which goes there, or ask on the main actor; a shared service is available everywhere once made.
                """)
    }

    @Test("create at once on the main actor if they are eager, and refuse elsewhere until asked there")
    func eager() async throws {
        let made = await MainActor.run { ServiceProvider(.eager) { @MainActor in Window() }.isMade }
        #expect(made)
        let provider = try #require(onThread { ServiceProvider(.eager) { @MainActor in Window() } })
        #expect(onThread { failure(of: provider)?.code } == .wrongIsolation)
        await MainActor.run { #expect(failure(of: provider) == nil) }
    }

    @Test("may be transient or take parameters", .neverHanging)
    func others() async throws {
        let transient = ServiceProvider(.transient) { @MainActor in Window() }
        let parameters = ServiceParametersProvider { @MainActor (_: Int) in Window() }
        let bound = parameters.bound(to: 1)
        try await MainActor.run {
            let windows = try [
                transient.resolve(), transient.resolve(), parameters.resolve(1), bound.resolve(),
            ]
            #expect(Set(windows.map(ObjectIdentifier.init)).count == 4)
        }
        for provider in [transient, bound] {
            #expect((onThread { failure(of: provider) } ?? nil)?.code == .wrongIsolation)
        }
    }

    @Test("don't arise from a plain closure")
    func plainClosure() {
        let provider = ServiceProvider(.transient) { Shop() }
        #expect(onThread { failure(of: provider) == nil } == true)
    }
}

@globalActor private actor Storage {
    static let shared = Storage()
}

@Storage private final class Ledger: Sendable {}

@Suite("Providers of a global actor")
struct GlobalActorProviderTests {
    @Test("refuse to create elsewhere, and return the created service anywhere")
    func lazy() async throws {
        let provider = ServiceProvider { @Storage in Ledger() }
        #expect(await MainActor.run { failure(of: provider) }?.code == .wrongIsolation)
        #expect(onThread { failure(of: provider) }??.code == .wrongIsolation)
        let ledger = try await onStorage { () throws(ServiceBoxError) in try provider.resolve() }
        #expect(onThread { (try? provider.resolve()) === ledger } == true)
    }

    @Test("may be transient, eager or take parameters")
    func others() async throws {
        let transient = ServiceProvider(.transient) { @Storage in Ledger() }
        let parameters = ServiceParametersProvider { @Storage (_: Int) in Ledger() }
        let ledgers = try await onStorage { () throws(ServiceBoxError) in
            try [
                transient.resolve(), parameters.resolve(1), parameters.bound(to: 1).resolve(),
                ServiceProvider(.eager) { @Storage in Ledger() }.resolve(),
            ]
        }
        #expect(Set(ledgers.map(ObjectIdentifier.init)).count == 4)
        for provider in [transient, parameters.bound(to: 1)] {
            #expect(failure(of: provider)?.code == .wrongIsolation)
        }
    }

    @Storage private func onStorage<Result, Failure>(
        _ body: @Storage () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body()
    }
}
