// Part of ServiceBox, released under the MIT License.
// A service for each key of a session: what a change of the session does.

/// Everything here is called by the mediator's queue, one change after the other, or before anyone else knows
/// the source. So nothing but a change alters the session or the inactive services.
extension SessionSource: SessionSubscriber {
    func begin(_ session: Session) -> Session {
        state.withLock { state in
            let old = state.session
            state.session = session
            return old
        }
    }

    func reset() {
        mediator.changes.run { self.change(to: self.state.withLock { $0.session }, policy: .clearAll) }
    }

    func adopt(_ session: Session, policy: ServiceSessionPolicy) {
        let old = state.withLock { $0.session }
        if policy == .keep, old.key == session.key {
            handOn(session)
        } else {
            change(to: session, policy: policy)
        }
    }

    /// Adopts a session with the same key, and hands it to the service.
    ///
    /// A service that is just being made gets it from its maker.
    private func handOn(_ session: Session) {
        let (old, current) = state.withLock { state in
            let old = (state.session, state.phase)
            state.session = session
            state.version += 1
            if case .failed = state.phase { state.phase = .empty }
            if case .made(let held) = state.phase { return (old, held.service) }
            return (old, nil)
        }
        withExtendedLifetime(old) {
            if let current { factory.activate(current, for: session) }
        }
    }

    /// Deactivates the service of the old session, and brings back the one of the new session.
    ///
    /// Asks that come meanwhile wait; where waiting could never end they get what is there.
    private func change(to session: Session, policy: ServiceSessionPolicy) {
        let change = Making(step, of: self)
        let old = state.withLock { $0.session }
        let leaving = leave(change)
        let mayStay = leaving.map { factory.deactivate($0.service, from: old) } ?? false
        let returning = swap(mayStay ? leaving?.held : nil, of: old.key, for: session.key, policy)
        let service = returning?.service
        if let service { change.offerEarly(service) }
        let known = state.withLock { state in
            let known = state.session
            state.session = session
            state.version += 1
            if service == nil { state.phase = .empty }
            return known
        }
        if let service, let returning {
            factory.activate(service, for: session)
            state.withLock { state in
                state.phase = .made(returning)
                quick.store(state.phase.made)
            }
        }
        withExtendedLifetime((known, leaving, returning)) {
            change.complete(service)
        }
    }

    /// Takes the current service out, if there is one, and lets asks wait for the end of the change.
    ///
    /// A making that runs is overtaken.
    private func leave(_ change: Making<Service>) -> (service: Service, held: Held<Service>)? {
        let old = state.withLock { state in
            let old = state.phase
            state.phase = .making(change)
            quick.store(nil)
            return old
        }
        guard case .made(let held) = old, let service = held.service else { return nil }
        change.offerEarly(service)
        return (service, held)
    }

    /// Keeps or drops what leaves, and takes out what comes back.
    private func swap(
        _ leaving: Held<Service>?, of oldKey: Session.Key, for newKey: Session.Key,
        _ policy: ServiceSessionPolicy
    ) -> Held<Service>? {
        let (returning, dropped) = inactive.withLock { inactive -> (Held<Service>?, [Held<Service>]) in
            if policy == .clearAll { return (nil, inactive.removeAll()) }
            let present = inactive.remove(newKey)
            var dropped: [Held<Service>] = []
            if let leaving, oldKey != newKey { dropped = inactive.insert(leaving, for: oldKey) }
            if policy == .force { return (nil, dropped + [present].compactMap(\.self)) }
            return (present, dropped)
        }
        // What was dropped goes when the lock is free.
        return withExtendedLifetime(dropped) { returning }
    }
}
