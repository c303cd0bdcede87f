// Part of ServiceBox, released under the MIT License.
// How one service is made and finished, whatever it is made from.

/// How a provider makes a service: two phases, and where they may run.
///
/// The first makes the service. The second finishes it before it is handed out, and may meet the unfinished
/// service through a cycle of properties.
struct Maker<Service: Sendable, Input>: Sendable {
    private let create: @Sendable (Input) throws -> Service
    private let complete: (@Sendable (Service) throws -> Void)?
    private let didFail: (@Sendable (ServiceBoxError) -> Void)?
    /// Called when what was made was forgotten.
    let didReset: (@Sendable () -> Void)?
    private let isOnMainActor: Bool

    /// Makes a maker.
    ///
    /// - Parameters:
    ///   - isOnMainActor: Whether services are made on the main actor only.
    ///   - finish: The second phase.
    ///   - fail: Called with a failure that no maker has told of before, before it is thrown.
    ///   - reset: Called when what was made was forgotten.
    ///   - make: The first phase.
    init(
        isOnMainActor: Bool = false, finish: (@Sendable (Service) throws -> Void)? = nil,
        fail: (@Sendable (ServiceBoxError) -> Void)? = nil, reset: (@Sendable () -> Void)? = nil,
        make: @escaping @Sendable (Input) throws -> Service
    ) {
        create = make
        complete = finish
        didFail = fail
        didReset = reset
        self.isOnMainActor = isOnMainActor
    }

    /// Why nothing can be made here, if nothing can.
    func refusal(_ step: ServicePath.Step) -> ServiceBoxError? {
        guard isOnMainActor, !Isolation.isMainActor else { return nil }
        return ServiceBoxError(.wrongIsolation, path: ServicePath([step]))
    }

    /// Makes a service.
    ///
    /// - Throws: What the factory threw, with the step in front.
    @inline(__always)
    func make(_ input: Input, _ step: ServicePath.Step) throws(ServiceBoxError) -> Service {
        do {
            return try create(input)
        } catch {
            throw escaping(error, from: step)
        }
    }

    /// Finishes a service.
    ///
    /// - Throws: What the second phase threw, with the step in front.
    @inline(__always)
    func finish(_ service: Service, _ step: ServicePath.Step) throws(ServiceBoxError) {
        guard let complete else { return }
        do {
            try complete(service)
        } catch {
            throw escaping(error, from: step)
        }
    }

    private func escaping(_ error: any Error, from step: ServicePath.Step) -> ServiceBoxError {
        var escaping = ServiceBoxError.escaping(error, from: step)
        if let didFail, !escaping.isTold {
            didFail(escaping)
            escaping.isTold = true
        }
        return escaping
    }
}

extension Maker where Input == Void {
    /// How a closure of the main actor makes a service.
    static func onMainActor(_ make: @escaping @MainActor () throws -> Service) -> Maker {
        Maker(isOnMainActor: true) { _ in try MainActor.assumeIsolated(make) }
    }
}

extension Maker where Input: Sendable {
    /// How a closure of the main actor makes a service from parameters.
    static func onMainActor(_ make: @escaping @MainActor (Input) throws -> Service) -> Maker {
        Maker(isOnMainActor: true) { input in try MainActor.assumeIsolated { try make(input) } }
    }
}
