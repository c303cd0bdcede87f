// Part of ServiceBox, released under the MIT License.
// The source of services that belong to a session.

/// A source whose service belongs to the current session.
///
/// Changes come one after the other, from the mediator's queue or before anyone else knows the source;
/// nothing else alters the session or the inactive services. Resolving can happen at any time.
///
/// It keeps the service of the session's key; its lock may be taken under that of `adopted`, not the reverse.
final class SessionSource<Factory: ServiceSessionFactory>: SharedSource, @unchecked Sendable {
    private typealias Service = Factory.Service
    typealias Session = Factory.Session

    /// An adopted session, and a version that grows with each update, even one with the same key.
    struct Adopted {
        var session: Session
        var version = 0

        /// Adopts a session, and returns the previous one, for the caller to release after unlocking.
        mutating func change(to new: Session) -> Session {
            version += 1
            return exchange(&session, with: new)
        }
    }

    private let adopted: Guarded<Adopted>
    /// The services of other keys, the least recently used first; used by changes only.
    private let inactive = Guarded<[(key: Session.Key, cell: AnyCell)]>([])
    private let inactiveLimit: Int
    private let factory: Factory
    private let mediator: ServiceSessionMediator<Session>

    /// Creates a source that follows a mediator, and its service if it is eager.
    init(
        _ factory: Factory, _ lifetime: Lifetime, mediator: ServiceSessionMediator<Session>,
        inactiveLimit: Int
    ) {
        self.factory = factory
        self.mediator = mediator
        adopted = Guarded(Adopted(session: mediator.session))
        self.inactiveLimit = lifetime == .weak ? .max : max(0, inactiveLimit)
        super.init(of: Service.self, lifetime, Maker(), nil)
        mediator.subscribe(self)
        makeIfEager()
    }

    override func reset() {
        mediator.changes.run { self.adopt(self.adopted.withLock { $0.session }, policy: .clearAll) }
    }

    /// The service belongs to the current session.
    override func begin(_ construction: Construction) -> Beginning? {
        adopted.withLock { isConstructing(construction) ? $0 : nil }.map { [self] known in
            (
                { [factory] in AnyCell.holding(try factory.makeService(for: known.session)) },
                { [self] in end($0, madeFrom: known) }
            )
        }
    }

    /// Keeps the created service if it is still wanted, with the newest payload.
    private func end(_ construction: Construction, madeFrom first: Adopted) {
        var known = first
        // Each activation may bring the next payload.
        while true {
            let (isWanted, newest) = adopted.withLock { adopted in
                let isWanted = isConstructing(construction)
                // With another payload a failed factory may succeed, so an update clears its error.
                let isNewest = adopted.version == known.version
                if isNewest || construction.error != nil {
                    end(construction, keepsError: isNewest && lifetime == .eager)
                }
                return (isWanted, adopted)
            }
            guard construction.error == nil, let service = construction.service?.content(as: Service.self)
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
    func begin(_ session: Session) -> Session {
        adopted.withLock { $0.change(to: session) }
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
    /// A service under construction gets it when its construction ends.
    private func handOn(_ session: Session) {
        let (old, phase) = adopted.withLock {
            ($0.change(to: session), update { if case .failed = $0 { .empty } else { $0 } })
        }
        withExtendedLifetime(old) {
            guard let service = phase.cell?.content(as: Service.self) else { return }
            factory.activate(service, for: session)
        }
    }

    /// Deactivates the service of the old session, and brings back the one of the new session.
    ///
    /// Threads that resolve the service meanwhile wait; where waiting would never end they get the existing
    /// one. A running construction is overtaken.
    private func change(from old: Session, to session: Session, _ policy: ServiceSessionPolicy) {
        let work = RunningWork(step)
        // Not while a construction ends, which checks under this lock whether it is still wanted.
        let phase = adopted.withLock { _ in update { .changing(work, offered: $0.cell) } }
        var leaving = phase.cell
        if let service = leaving?.content(as: Service.self), !factory.deactivate(service, from: old) {
            leaving = nil
        }
        let before = inactive.withLock { $0 }
        var services = before
        let index = services.firstIndex { $0.key == session.key }
        let present = index.map { services.remove(at: $0).cell }
        if let leaving, old.key != session.key { services.append((old.key, leaving)) }
        services.removeAll(where: \.cell.isGone)
        services.removeFirst(max(0, services.count - inactiveLimit))
        inactive.withLock { $0 = policy == .clearAll ? [] : services }
        let returning = policy == .keep ? present : nil
        update { _ in .changing(work, offered: returning) }
        let known = begin(session)
        if let service = returning?.content(as: Service.self) { factory.activate(service, for: session) }
        update { _ in returning.map(SharedSource.Phase.kept) ?? .empty }
        work.advance(to: .ended)
        // Services that nobody keeps any more are released here, while no lock is held.
        withExtendedLifetime((phase, before, known)) {}
    }
}
