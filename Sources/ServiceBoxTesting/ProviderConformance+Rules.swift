// Part of ServiceBox, released under the MIT License.
// The bodies of the checks.

import Foundation
import ServiceBoxKit
import Synchronization

extension ProviderConformance {
    private var isShared: Bool { lifetime != .transient }

    func checkSharing() throws {
        let provider = provider { Probe() }
        let first = try provider.resolve()
        let second = try provider.resolve()
        let isSame = first === second
        try require(
            isSame == isShared, "two calls of resolve() returned \(isSame ? "one service" : "two services")")
    }

    func checkIsMade() throws {
        let provider = provider { Probe() }
        try require(
            provider.isMade == (lifetime == .eager),
            "isMade is \(provider.isMade) before the first call of resolve()")
        try withExtendedLifetime(provider.resolve()) {
            try require(
                provider.isMade == isShared, "isMade is \(provider.isMade) while the service is held")
        }
        try require(
            provider.isMade == (isShared && lifetime != .weak),
            "isMade is \(provider.isMade) once the service is released")
    }

    func checkReset() throws {
        let makes = Tally()
        let provider = provider {
            makes.add()
            return Probe()
        }
        let first = try provider.resolve()
        provider.reset()
        try require(!provider.isMade, "isMade is true after reset()")
        let second = try provider.resolve()
        try require(first !== second, "resolve() returned the old service after reset()")
        try require(
            makes.count == 2,
            "two calls of resolve() with reset() between them created \(makes.count) services")
    }

    func checkErrors() throws {
        let repairs = Tally()
        let provider = provider {
            guard repairs.count > 0 else { throw Refusal() }
            return Probe()
        }
        guard case .failure(let error) = Result(catching: provider.resolve) else {
            throw WordedError(description: "the factory threw, but resolve() didn't")
        }
        try require(
            error.code == .factoryFailed, "the error of a failed factory has the code \(error.code)")
        try require(
            error.path.first == "Probe", "the path of a failed factory is \(error.path) without the service")
        try require(error.underlying is Refusal, "the error of a failed factory lacks its cause")
        repairs.add()
        let works = (try? provider.resolve()) != nil
        try require(
            works == (lifetime != .eager),
            works
                ? "resolve() after a failure didn't throw the kept error" : "resolve() after a failure failed"
        )
        provider.reset()
        try require((try? provider.resolve()) != nil, "resolve() after a failure and reset() failed")
    }

    func checkExactlyOnce() throws {
        let makes = Tally()
        let asks = Tally()
        let provider = provider {
            makes.add()
            // An eager provider creates its service before any thread resolves it, so there is nothing to
            // wait for.
            if asks.count > 0 { linger(until: asks, makes) }
            return Probe()
        }
        let probes = onThreads {
            asks.add()
            return try? provider.resolve()
        }.compactMap(\.self)
        let failures = Self.threadCount - probes.count
        try require(failures == 0, "\(failures) of \(Self.threadCount) threads got an error")
        let expected = isShared ? 1 : Self.threadCount
        try require(
            makes.count == expected,
            "\(Self.threadCount) threads created \(Message.counted(makes.count, "service"))")
        let different = Set(probes.map(ObjectIdentifier.init)).count
        try require(
            different == expected,
            "\(Self.threadCount) threads got \(Message.counted(different, "service"))")
    }

    private func require(_ condition: Bool, _ fault: @autoclosure () -> String) throws {
        if !condition { throw WordedError(description: fault()) }
    }

    private static let threadCount = 8

    /// Delays the factory, so that every thread resolves while it runs and a second run has time to begin.
    ///
    /// No provider can make this wait forever: each thread counts itself before it resolves.
    private func linger(until asks: Tally, _ makes: Tally) {
        while asks.count < Self.threadCount { sched_yield() }
        for _ in 0..<1000 where makes.count < 2 { sched_yield() }
    }

    /// Runs a body on several system threads at the same time, waits for all of them and returns the results,
    /// in no order.
    ///
    /// Tasks wouldn't do. They share a pool with one thread per core, which other tests keep busy: on a
    /// machine with one core, or in a large test run, two calls may never overlap, and a provider that
    /// creates its service twice would pass. Besides, a call may block its thread, which a task must not do
    /// for long.
    private func onThreads<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> [Result] {
        let results = Guarded<[Result]>([])
        let running = DispatchGroup()
        for _ in 0..<Self.threadCount {
            running.enter()
            Thread.detachNewThread {
                let result = body()
                results.withLock { $0.append(result) }
                running.leave()
            }
        }
        running.wait()
        return results.withLock { $0 }
    }
}

/// A counter that threads may share.
private final class Tally: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .acquiring) }

    func add() { value.add(1, ordering: .acquiringAndReleasing) }
}
