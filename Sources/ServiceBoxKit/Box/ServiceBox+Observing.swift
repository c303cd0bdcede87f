// Part of ServiceBox, released under the MIT License.
// Telling observers what happens in a box.

import Synchronization

extension ServiceBox {
    /// Has a closure called with what happens in this box from now on.
    ///
    /// The closure runs after the fact, under no lock, on the thread that did what it is told of; events of
    /// several threads may come at once and in any order. It may use the box, and is not told of what it does
    /// there itself. A box without observers does nothing for them; one with observers fills objects more
    /// slowly, since each fill is told of. What happens in a parent or a child is theirs to tell. May be
    /// called from anywhere.
    ///
    /// - Parameter observer: Called with each event.
    /// - Returns: What ends the observation when it goes, or when it is cancelled.
    public func observe(_ observer: @escaping @Sendable (ServiceEvent) -> Void) -> ServiceObservation {
        // An observer that is told of what it does would never come to an end.
        let callers = CallingThreads()
        let id = state.withLock { state in
            isObserved.store(true, ordering: .releasing)
            return state.observers.add { event in callers.once { observer(event) } }
        }
        return ServiceObservation { [weak self] in
            let old = self?.state.withLock { state in
                let old = state.observers.remove(id)
                self?.isObserved.store(!state.observers.isEmpty, ordering: .releasing)
                return old
            }
            // What the observer captured goes when the lock is free.
            withExtendedLifetime(old) {}
        }
    }

    /// Whether anybody wants to be told; takes no lock.
    var hasObservers: Bool { isObserved.load(ordering: .acquiring) }

    /// Tells the observers of a service that was made and filled.
    func tellMade(_ name: String, _ type: Any.Type, _ report: FillReport) {
        tell(report.named(name).events + [ServiceEvent(.made, serviceName: name, type: type)])
    }

    /// Tells the observers, if there are any.
    func tell(_ events: @autoclosure () -> [ServiceEvent]) {
        guard hasObservers else { return }
        let observers = state.withLock { $0.observers.all }
        for event in events() {
            for observer in observers where state.withLock({ $0.observers.contains(observer.id) }) {
                observer.notify(event)
            }
        }
    }
}

/// The threads on which an observer runs.
private final class CallingThreads: Sendable {
    private let threads = Guarded<Set<UInt>>([])

    /// Runs a body unless this thread runs one already.
    func once(_ body: () -> Void) {
        let thread = CurrentThread.id
        guard threads.withLock({ $0.insert(thread).inserted }) else { return }
        body()
        threads.withLock { _ = $0.remove(thread) }
    }
}

extension ServiceEvent {
    /// What happened to a registration.
    static func about(
        _ registration: Registration, _ kind: Kind, replacement: ServiceReplacement? = nil
    ) -> ServiceEvent {
        ServiceEvent(
            kind, serviceName: registration.name, type: registration.serviceType, replacement: replacement)
    }
}

extension FillReport {
    /// The fill and each of its holes, as events.
    var events: [ServiceEvent] {
        // What has nothing to fill is no news.
        if record.properties.isEmpty { return [] }
        let holes = findings.indices.filter { findings[$0].finding.kind == .hole }
        let filled = ServiceEvent(.filled, serviceName: record.serviceName, type: record.type, report: self)
        return [filled]
            + holes.map {
                ServiceEvent(
                    .hole, serviceName: record.serviceName, type: record.type, report: self, holeIndex: $0)
            }
    }
}
