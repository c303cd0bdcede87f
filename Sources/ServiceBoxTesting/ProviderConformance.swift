// Part of ServiceBox, released under the MIT License.
// The checks that every kind of provider must pass; also for your own factories.

public import ServiceBoxKit

/// Checks that providers behave as their lifetime says.
///
/// Pass a function that creates a provider around a closure, using the factory to check. Check factories that
/// wrap others, log or cache; one that only calls an initialiser has nothing to get wrong.
///
/// ```swift
/// import ServiceBoxKit
/// import ServiceBoxTesting
///
/// /// Creates services with a closure.
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
/// It works with any test framework. It creates services on the calling thread and on threads of its own, so
/// factories that are isolated to an actor don't pass.
public struct ProviderConformance: Sendable {
    /// The service that the checks have created; it has nothing but its identity.
    public final class Probe: Sendable {
        init() {}
    }

    /// The error that the checks let a factory throw; a provider has to report it as the cause of its own
    /// error.
    public struct Refusal: Error {
        init() {}
    }

    /// The lifetime that the providers should have.
    public let lifetime: Lifetime
    let provider: @Sendable (_ make: @escaping @Sendable () throws -> Probe) -> ServiceProvider<Probe>

    /// Creates the checks for one kind of provider.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime that the providers should have.
    ///   - provider: Creates a new provider around the closure that it is passed. The provider's factory has
    ///     to call the closure once for each service and to rethrow its error.
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

    /// Runs checks, continuing after one has failed.
    ///
    /// - Parameter checks: The checks to run; by default all.
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

/// The reason why a kind of provider doesn't pass ``ProviderConformance``.
///
/// Its text is for people and may change; compare ``failedChecks``.
public struct ProviderConformanceError: Error, Hashable, Sendable, CustomStringConvertible {
    struct Violation: Hashable, Sendable {
        let check: ProviderConformance.Check
        let text: String
    }

    /// The lifetime that the providers should have.
    public let lifetime: Lifetime
    let violations: [Violation]
    let checkCount: Int

    /// The checks that failed, in the order in which they ran.
    public var failedChecks: [ProviderConformance.Check] { violations.map(\.check) }

    /// The result of each failed check, and what to do.
    public var description: String {
        TestingMessage.brokenProvider(lifetime, violations, checkCount: checkCount)
    }
}

extension ProviderConformance {
    /// A rule that every provider follows.
    public struct Check: Hashable, Sendable, CustomStringConvertible {
        /// The check's name.
        public let description: String
        private let body: @Sendable (ProviderConformance) throws -> Void

        /// Two calls of `resolve()` return one service, or two if it is transient.
        public static let sharing = Check("sharing") { try $0.checkSharing() }
        /// `isMade` tells whether the service exists.
        public static let isMade = Check("isMade") { try $0.checkIsMade() }
        /// After `reset()` the next call creates a new service.
        public static let reset = Check("reset") { try $0.checkReset() }
        /// An error has its cause and names the service; an eager provider keeps it, others try again.
        public static let errors = Check("errors") { try $0.checkErrors() }
        /// Concurrent calls get one service, or one each if it is transient.
        public static let exactlyOnce = Check("exactlyOnce") { try $0.checkExactlyOnce() }

        /// All checks.
        public static let all: [Check] = [.sharing, .isMade, .reset, .errors, .exactlyOnce]

        private init(_ name: String, _ body: @escaping @Sendable (ProviderConformance) throws -> Void) {
            description = name
            self.body = body
        }

        /// The violation, or nil if the providers pass.
        func violation(_ suite: ProviderConformance) -> String? {
            do {
                try body(suite)
                return nil
            } catch let error as ServiceBoxError {
                return "resolve() threw an error with the code \(error.code)"
            } catch {
                return "\(error)"
            }
        }

        /// Compares the names.
        public static func == (first: Check, second: Check) -> Bool {
            first.description == second.description
        }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }
}
