// Part of ServiceBox, released under the MIT License.
// The checks that every kind of provider passes, for your own factories too.

public import ServiceBoxKit

/// Checks that providers behave as their lifetime says.
///
/// Give it a function that makes a fresh provider around a closure, through the factory that you want to know
/// about. Use it when you write a factory that wraps others, logs or caches; a factory that only calls an
/// initialiser has nothing to get wrong.
///
/// ```swift
/// import ServiceBoxKit
/// import ServiceBoxTesting
///
/// /// Makes services as a closure does, and counts them.
/// final class CountingFactory<Service: Sendable>: ServiceFactory {
///     let lifetime: Lifetime
///     private let make: @Sendable () throws -> Service
///
///     init(_ lifetime: Lifetime, make: @escaping @Sendable () throws -> Service) {
///         self.lifetime = lifetime
///         self.make = make
///     }
///
///     func makeService() throws -> Service { try make() }
/// }
///
/// func checkCountingFactory() throws {
///     for lifetime in [Lifetime.eager, .lazy, .weak, .transient] {
///         try ProviderConformance(of: lifetime) { make in
///             ServiceProvider(CountingFactory(lifetime, make: make))
///         }
///         .check()
///     }
/// }
/// ```
///
/// It needs no test framework: call it in a test of any. It may be used from any thread and any isolation; it
/// makes services where it is called and on threads of its own, so factories that belong to the main actor do
/// not pass it.
public struct ProviderConformance: Sendable {
    /// The service that the checks have made; all that can be told of it is whether it is the same.
    public final class Probe: Sendable {
        init() {}
    }

    /// What the checks let a factory throw; a provider has to hand it on as the cause of its own error.
    public struct Refusal: Error {
        init() {}
    }

    /// The lifetime that the providers are to have.
    public let lifetime: Lifetime
    let provider: @Sendable (_ make: @escaping @Sendable () throws -> Probe) -> ServiceProvider<Probe>

    /// Makes the checks for one kind of provider.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime that the providers are to have.
    ///   - provider: Makes a provider, a new one each time, around the closure that it is given. The
    ///     provider's factory has to call the closure once for each service that it makes, and to let its
    ///     error escape.
    public init(
        of lifetime: Lifetime,
        provider:
            @escaping @Sendable (
                _ make: @escaping @Sendable () throws -> Probe
            ) -> ServiceProvider<Probe>
    ) {
        self.lifetime = lifetime
        self.provider = provider
    }

    /// Runs checks, all of them unless you say otherwise.
    ///
    /// A check that fails does not keep the others from running.
    ///
    /// - Parameter checks: The checks to run.
    /// - Throws: ``ProviderConformanceError`` with every check that failed.
    public func check(_ checks: [Check] = Check.all) throws(ProviderConformanceError) {
        let violations = checks.compactMap { check in
            check.violation(self).map { ProviderConformanceError.Violation(check: check, text: $0) }
        }
        guard violations.isEmpty else {
            throw ProviderConformanceError(
                lifetime: lifetime, violations: violations, checkCount: checks.count)
        }
    }
}
