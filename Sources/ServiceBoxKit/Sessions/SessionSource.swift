// Part of ServiceBox, released under the MIT License.
// A service for each key of a session.

/// A source whose service belongs to the current session.
///
/// Changes come one after the other, from the mediator's queue, or before anyone else knows the source; nothing
/// else alters the session or the inactive services. Asks come at any time.
final class SessionSource<Factory: ServiceSessionFactory>: SharingSource {
    typealias Service = Factory.Service
    typealias Session = Factory.Session

    /// A session that was adopted, and a version that grows with each, those with the same key too.
    struct Adopted {
        let session: Session
        var version = 0
    }

    /// The service of the session's key; its lock may be asked for under that of `adopted`, not the other way.
    let onceCell: OnceCell
    let maker: Maker<Service, Adopted>
    let lifetime: Lifetime?
    private let adopted: Guarded<Adopted>
    /// The services of other keys, the least recently used first; used by changes only.
    private let inactive = Guarded<[(key: Session.Key, reference: ServiceReference)]>([])
    private let inactiveLimit: Int
    private let factory: Factory
    private let mediator: ServiceSessionMediator<Session>

    /// Makes a source that follows a mediator, and its service if that is eager.
    init(
        _ factory: Factory, _ lifetime: Lifetime, mediator: ServiceSessionMediator<Session>,
        inactiveLimit: Int
    ) {
        self.factory = factory
        self.lifetime = lifetime
        self.mediator = mediator
        onceCell = OnceCell(lifetime)
        maker = Maker { try factory.makeService(for: $0.session) }
        adopted = Guarded(Adopted(session: mediator.session))
        self.inactiveLimit = lifetime == .weak ? .max : max(0, inactiveLimit)
        mediator.subscribe(self)
        makeIfEager()
    }

    func makeIfEager() {
        if lifetime == .eager { _ = try? resolve() }
    }

    func reset() {
        mediator.changes.run {
            let session = self.adopted.withLock { $0.session }
            self.change(from: session, to: session, .clearAll)
        }
    }
}

// MARK: - Constructing the service of the current session

extension SessionSource {
    func begin(_ construction: Construction) -> Adopted? {
        let start = adopted.withLock { onceCell.isConstructing(construction) ? $0 : nil }
        guard let start else { return nil }
        construction.handOver { self.end($0, begunFor: start) }
        return start
    }

    /// Keeps what came out, if it is still wanted, with the newest payload.
    private func end(_ construction: Construction, begunFor start: Adopted) {
        var known = start
        while true {
            let (isWanted, newest) = adopted.withLock { adopted -> (Bool, Adopted) in
                let isWanted = onceCell.isConstructing(construction)
                // With another payload a factory that failed may succeed: an update forgives.
                let isNewest = adopted.version == known.version
                if isNewest || construction.error != nil {
                    onceCell.end(construction, keepsError: isNewest && lifetime == .eager)
                }
                return (isWanted, adopted)
            }
            guard construction.error == nil, let service = construction.service?.service(Service.self)
            else { return }
            if !isWanted {
                _ = factory.deactivate(service, from: known.session)
                return
            }
            if newest.version == known.version { return }
            factory.activate(service, for: newest.session)
            known = newest
        }
    }
}

// MARK: - Changes

extension SessionSource: SessionSubscriber {
    @discardableResult
    func begin(_ session: Session) -> Session {
        adopted.withLock { adopted in
            defer { adopted = Adopted(session: session, version: adopted.version + 1) }
            return adopted.session
        }
    }

    func adopt(_ session: Session, policy: ServiceSessionPolicy) {
        let old = adopted.withLock { $0.session }
        if policy == .keep, old.key == session.key {
            handOn(session)
        } else {
            change(from: old, to: session, policy)
        }
    }

    /// Adopts a session with the same key, and hands it to the service.
    ///
    /// A service that is just being constructed gets it from the end of its construction.
    private func handOn(_ session: Session) {
        let (old, phase) = adopted.withLock { adopted in
            let old = adopted
            adopted = Adopted(session: session, version: old.version + 1)
            let phase = onceCell.phase.withLock { phase in
                let old = phase
                if case .failed = old { phase = .empty }
                return old
            }
            return (old, phase)
        }
        withExtendedLifetime(old) {
            guard case .kept(let reference) = phase, let service = reference.service(Service.self)
            else { return }
            factory.activate(service, for: session)
        }
    }

    /// Deactivates the service of the old session, and brings back the one of the new session.
    ///
    /// Asks that come meanwhile wait; where waiting could never end they get what is there. A construction that
    /// runs is overtaken.
    private func change(from old: Session, to session: Session, _ policy: ServiceSessionPolicy) {
        let work = RunningWork(step, thread: CurrentThread.id)
        let phase = onceCell.phase.withLock { phase in
            let old = phase
            if case .kept(let reference) = old {
                phase = .changing(work, offered: reference)
            } else {
                phase = .changing(work, offered: nil)
            }
            return old
        }
        var leaving: ServiceReference?
        if case .kept(let reference) = phase, let service = reference.service(Service.self) {
            if factory.deactivate(service, from: old) { leaving = reference }
        }
        let returning = swap(leaving, of: old.key, for: session.key, policy)
        let service = returning?.service(Service.self)
        _ = onceCell.replace(.changing(work, offered: service == nil ? nil : returning))
        let known = begin(session)
        if let service { factory.activate(service, for: session) }
        _ = onceCell.replace(service == nil ? .empty : returning.map(OnceCell.Phase.kept) ?? .empty)
        work.advance(to: .ended)
        // What nobody keeps any more goes when no lock is held.
        withExtendedLifetime((phase, known)) {}
    }

    /// Keeps what leaves, unless it or another one is too much, and takes out what comes back.
    private func swap(
        _ leaving: ServiceReference?, of oldKey: Session.Key, for newKey: Session.Key,
        _ policy: ServiceSessionPolicy
    ) -> ServiceReference? {
        let (returning, dropped) = inactive.withLock { inactive in
            if policy == .clearAll {
                defer { inactive = [] }
                return (nil as ServiceReference?, inactive)
            }
            let index = inactive.firstIndex { $0.key == newKey }
            let present = index.map { inactive.remove(at: $0) }
            if let leaving, oldKey != newKey { inactive.append((oldKey, leaving)) }
            inactive.removeAll { $0.reference.isGone }
            let surplus = Array(inactive.prefix(max(0, inactive.count - inactiveLimit)))
            inactive.removeFirst(surplus.count)
            if policy == .force { return (nil, surplus + [present].compactMap(\.self)) }
            return (present?.reference, surplus)
        }
        // What was dropped goes when the lock is free.
        return withExtendedLifetime(dropped) { returning }
    }
}
