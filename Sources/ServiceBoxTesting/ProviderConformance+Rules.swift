// Part of ServiceBox, released under the MIT License.
// The bodies of the checks.

import ServiceBoxKit

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
        try checkError(of: provider)
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

    private func checkError(of provider: ServiceProvider<Probe>) throws {
        do throws(ServiceBoxError) {
            _ = try provider.resolve()
        } catch {
            try require(
                error.code == .factoryFailed, "the error of a failed factory has the code \(error.code)")
            try require(
                error.path.first == "Probe",
                "the path of a failed factory is \(error.path) without the service")
            try require(error.underlying is Refusal, "the error of a failed factory lacks its cause")
            return
        }
        throw BrokenRule(description: "the factory threw, but resolve() didn't")
    }

    func checkExactlyOnce() throws {
        let makes = Tally()
        let asks = Tally()
        let provider = provider {
            makes.add()
            // An eager provider creates its service before any thread asks, so there is nothing to wait for.
            if asks.count > 0 { linger(until: asks, makes) }
            return Probe()
        }
        let probes = Threads.run(Self.threadCount) {
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

    private static let threadCount = 8

    /// Delays the factory, so that every thread asks while it runs and a second run has time to begin.
    ///
    /// No provider can make this wait forever: each thread counts itself before it asks.
    private func linger(until asks: Tally, _ makes: Tally) {
        while asks.count < Self.threadCount { Threads.yield() }
        for _ in 0..<1000 where makes.count < 2 { Threads.yield() }
    }
}
