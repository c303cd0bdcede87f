// Part of ServiceBox, released under the MIT License.
// Eager, lazy and weak services.

/// A source that makes one service and shares it.
final class SharedSource<Service: Sendable>: SharingSource {
    private let phase = Guarded(SharedPhase<Service>.empty)
    private let quick: MadeCell
    private let maker: Maker<Service, Void>
    private let keeping: Lifetime

    /// Makes a source, and its service if that is eager.
    init(_ lifetime: Lifetime, _ maker: Maker<Service, Void>) {
        keeping = lifetime
        quick = MadeCell(lifetime)
        self.maker = maker
        guard lifetime == .eager else { return }
        do {
            _ = try resolve()
        } catch {
            // Also where making was refused and did not begin; nobody else knows the source yet.
            phase.withLock { $0 = .failed(error) }
        }
    }

    var made: MadeCell? { quick }
    var lifetime: Lifetime? { keeping }
    var isMade: Bool { phase.withLock { $0.isMade } }
    var keptError: ServiceBoxError? { phase.withLock { $0.error } }

    func reset() {
        let old = phase.withLock { phase in
            let old = phase
            phase = .empty
            quick.store(nil)
            return old
        }
        // What was made goes when the lock is free.
        withExtendedLifetime(old) {}
        maker.didReset?()
    }

    func refusal() -> ServiceBoxError? { maker.refusal(step) }

    func claim(refusal: ServiceBoxError?) -> Claim<Service> {
        phase.withLock { $0.claim(step, quick: quick, refusal: refusal) }
    }

    func make(_ making: Making<Service>) throws(ServiceBoxError) -> Service? {
        let step = step
        let result = Result { () throws(ServiceBoxError) in
            try MakingStack.making(step) { () throws(ServiceBoxError) in
                let service = try maker.make((), step)
                let held = try Held(service, keeping, step: step)
                making.offerEarly(service)
                try maker.finish(service, step)
                return (service: service, held: held)
            }
        }
        phase.withLock { phase in
            // A making that was overtaken by a reset serves those who wait for it and is not stored.
            guard phase.isMaking(making) else { return }
            switch result {
            case .success(let success): phase = .made(success.held)
            case .failure(let error): phase = keeping == .eager ? .failed(error) : .empty
            }
            quick.store(phase.made)
        }
        let outcome = result.map(\.service)
        making.complete(outcome)
        return try outcome.get()
    }
}
