// Part of ServiceBox, released under the MIT License.
// A service for each key of a session: asking for the current one.

/// A source whose service belongs to the current session.
///
/// Changes, in `SessionSource+Changing.swift`, come one after the other, from the mediator's queue. Asks come
/// at any time.
final class SessionSource<Factory: ServiceSessionFactory>: SharingSource {
    typealias Service = Factory.Service
    typealias Session = Factory.Session

    struct State {
        /// The session that was adopted last.
        var session: Session
        /// Counts the sessions that were adopted, those with the same key too.
        var version = 0
        /// The service of the session's key.
        var phase = SharedPhase<Service>.empty
        /// The sessions, with their versions, that services are being made for.
        var starts: [ObjectIdentifier: (session: Session, version: Int)] = [:]
    }

    let state: Guarded<State>
    let quick: MadeCell
    /// Used by changes only, so nobody asks for it while it is held.
    let inactive: Guarded<InactiveServices<Session.Key, Service>>
    let factory: Factory
    let mediator: ServiceSessionMediator<Session>
    private let maker: Maker<Service, Session>
    private let keeping: Lifetime

    /// Makes a source that follows a mediator, and its service if that is eager.
    init(
        _ factory: Factory, _ lifetime: Lifetime, mediator: ServiceSessionMediator<Session>,
        inactiveLimit: Int,
        finish: (@Sendable (Service) throws -> Announcement?)?
    ) {
        self.factory = factory
        keeping = lifetime
        quick = MadeCell(lifetime)
        self.mediator = mediator
        maker = Maker(finish: finish) { try factory.makeService(for: $0) }
        state = Guarded(State(session: mediator.session))
        inactive = Guarded(InactiveServices(limit: inactiveLimit))
        mediator.subscribe(self)
        makeIfEager()
    }

    func makeIfEager() {
        if keeping == .eager { _ = try? resolve() }
    }

    var made: MadeCell? { quick }
    var lifetime: Lifetime? { keeping }
    var isMade: Bool { state.withLock { $0.phase.isMade } }
    var keptError: ServiceBoxError? { state.withLock { $0.phase.error } }

    func refusal() -> ServiceBoxError? { maker.refusal(step, on: CurrentThread.stack) }

    func claim(refusal: ServiceBoxError?) -> Claim<Service> {
        state.withLock { $0.phase.claim(for: self, quick: quick, refusal: refusal) }
    }

    func create(for making: Making<Service>) throws(ServiceBoxError) -> (Service, Held<Service>)? {
        let session = state.withLock { state -> Session? in
            guard state.phase.isMaking(making) else { return nil }
            state.starts[ObjectIdentifier(making)] = (state.session, state.version)
            return state.session
        }
        guard let session else { return nil }
        let service = try maker.make(session, step)
        return (service, try Held(service, keeping, step: step))
    }

    func finish(_ service: Service) throws(ServiceBoxError) -> Announcement? {
        try maker.finish(service, step)
    }
}

// MARK: - Storing what was made, if it is still wanted

extension SessionSource {
    /// Whether a made service can be stored.
    private enum Arrival {
        case stored
        /// The same key has a new payload.
        case outdated(Session, version: Int)
        /// The key changed, or the source was reset.
        case overtaken
    }

    func end(_ making: Making<Service>, _ error: ServiceBoxError?) {
        let start = state.withLock { $0.starts.removeValue(forKey: ObjectIdentifier(making)) }
        guard let start else { return }
        if let error { fail(making, error, version: start.version) }
        guard error == nil, let service = making.service, let held = making.held else { return }
        var known = start.session
        var arrival = store(held, making, version: start.version)
        while case .outdated(let session, let version) = arrival {
            factory.activate(service, for: session)
            known = session
            arrival = store(held, making, version: version)
        }
        if case .overtaken = arrival { _ = factory.deactivate(service, from: known) }
    }

    private func store(_ held: Held<Service>, _ making: Making<Service>, version: Int) -> Arrival {
        state.withLock { state in
            guard state.phase.isMaking(making) else { return .overtaken }
            guard state.version == version else { return .outdated(state.session, version: state.version) }
            state.phase = .made(held)
            quick.store(state.phase.made)
            return .stored
        }
    }

    private func fail(_ making: Making<Service>, _ error: ServiceBoxError, version: Int) {
        state.withLock { state in
            guard state.phase.isMaking(making) else { return }
            // With another payload the making may succeed: an update forgives.
            let isKept = keeping == .eager && state.version == version
            state.phase = isKept ? .failed(error) : .empty
        }
    }
}
