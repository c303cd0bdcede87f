// Part of ServiceBox, released under the MIT License.
// Eager, lazy and weak services.

/// A source that makes one service and shares it.
final class SharedSource<Service: Sendable>: SharingSource {
    private let phase = Guarded(SharedPhase<Service>.empty)
    private let quick: MadeCell
    private let maker: Maker<Service, Void>
    private let keeping: Lifetime

    init(_ lifetime: Lifetime, _ maker: Maker<Service, Void>) {
        keeping = lifetime
        quick = MadeCell(lifetime)
        self.maker = maker
    }

    func makeIfEager() {
        guard keeping == .eager else { return }
        do {
            _ = try resolve()
        } catch {
            // Also where making was refused and did not begin.
            phase.withLock { phase in if case .empty = phase { phase = .failed(error) } }
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

    func refusal() -> ServiceBoxError? { maker.refusal(step, on: CurrentThread.stack) }

    func claim(refusal: ServiceBoxError?) -> Claim<Service> {
        phase.withLock { $0.claim(for: self, quick: quick, refusal: refusal) }
    }

    func create(for making: Making<Service>) throws(ServiceBoxError) -> (Service, Held<Service>)? {
        let service = try maker.make((), step)
        return (service, try Held(service, keeping, step: step))
    }

    func finish(_ service: Service) throws(ServiceBoxError) -> Announcement? {
        try maker.finish(service, step)
    }

    func end(_ making: Making<Service>, _ error: ServiceBoxError?) {
        let held = making.held
        phase.withLock { phase in
            // A making that was overtaken by a reset serves those who wait for it and is not stored.
            guard phase.isMaking(making) else { return }
            if let error {
                phase = keeping == .eager ? .failed(error) : .empty
            } else {
                phase = held.map(SharedPhase.made) ?? .empty
            }
            quick.store(phase.made)
        }
    }
}
