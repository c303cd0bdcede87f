// Part of ServiceBox, released under the MIT License.
// What every kind of provider must do, checked without a test framework.

import ServiceBoxKit

/// Checks that a provider behaves as its lifetime says.
///
/// Give it a function that makes a fresh provider around a closure. Each check throws a ``Violation`` that says what went
/// wrong.
struct ProviderConformance: Sendable {
    /// A service that the checks have made.
    final class Probe: Sendable {}

    /// What the checks let a factory throw.
    struct Refusal: Error {}

    /// What a provider did wrong.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    let lifetime: Lifetime
    /// Makes a provider whose factory is the closure.
    let provider: @Sendable (@escaping @Sendable () throws -> Probe) -> ServiceProvider<Probe>

    /// Runs all checks.
    func check() throws {
        try checkSharing()
        try checkIsMade()
        try checkReset()
        try checkErrors()
        try checkExactlyOnce()
    }

    /// Two asks get the same instance, but for a transient service.
    func checkSharing() throws {
        let provider = provider { Probe() }
        let first = try provider.resolve()
        let second = try provider.resolve()
        try require(
            (first === second) == (lifetime != .transient),
            "two asks got \(first === second ? "one" : "two") services")
        try withExtendedLifetime(provider.resolveOrFail()) { last in
            try require(
                (first === last) == (lifetime != .transient), "resolveOrFail got another service than resolve"
            )
        }
    }

    /// `isMade` tells whether an ask would make something.
    func checkIsMade() throws {
        let provider = provider { Probe() }
        try require(
            provider.isMade == (lifetime == .eager), "isMade is \(provider.isMade) before the first ask")
        try withExtendedLifetime(provider.resolve()) {
            try require(
                provider.isMade == (lifetime != .transient), "isMade is \(provider.isMade) after an ask")
        }
        if lifetime == .weak {
            try require(!provider.isMade, "isMade is true though nobody holds the service")
        }
    }

    /// After a reset the next ask makes a new service.
    func checkReset() throws {
        let makes = Locked(0)
        let provider = provider {
            makes.withLock { $0 += 1 }
            return Probe()
        }
        let first = try provider.resolve()
        provider.reset()
        try require(!provider.isMade, "isMade is true after a reset")
        let second = try provider.resolve()
        try require(first !== second, "the old service came back after a reset")
        let count = makes.withLock { $0 }
        try require(count == 2, "two asks with a reset between them made \(count) services")
    }

    /// An error names the service and keeps its cause; eager services keep it, others try again.
    func checkErrors() throws {
        let fails = Locked(true)
        let provider = provider {
            if fails.withLock({ $0 }) { throw Refusal() }
            return Probe()
        }
        do {
            _ = try provider.resolve()
            throw Violation(description: "\(lifetime): a factory threw, and nothing was thrown")
        } catch let error as ServiceBoxError {
            try require(error.code == .factoryFailed, "the code of a failed factory is \(error.code)")
            try require(error.path == ["Probe"], "the path of a failed factory is \(error.path)")
            try require(error.underlying is Refusal, "the cause is \(String(describing: error.underlying))")
        }
        fails.withLock { $0 = false }
        let works = (try? provider.resolve()) != nil
        try require(
            works == (lifetime != .eager), "the ask after a failure \(works ? "succeeded" : "failed")")
        provider.reset()
        try require((try? provider.resolve()) != nil, "the ask after a reset failed")
    }

    /// Eight threads that ask at a time make one service, or one each if it is transient.
    func checkExactlyOnce() throws {
        let makes = Locked(0)
        let provider = provider {
            makes.withLock { $0 += 1 }
            return Probe()
        }
        let got = Locked<[Probe]>([])
        onThreads(8) {
            if let probe = try? provider.resolve() { got.withLock { $0.append(probe) } }
        }
        let services = got.withLock { $0 }
        let count = makes.withLock { $0 }
        try require(services.count == 8, "\(8 - services.count) of 8 threads got an error")
        let expected = lifetime == .transient ? 8 : 1
        try require(count == expected, "8 threads made \(count) services")
        let different = Set(services.map(ObjectIdentifier.init)).count
        try require(different == expected, "8 threads got \(different) services")
    }

    private func require(_ condition: Bool, _ violation: String) throws {
        if !condition { throw Violation(description: "\(lifetime): \(violation)") }
    }
}
