// Part of ServiceBox, released under the MIT License.
// Telling observers what happens in a box.

extension Ledger {
    /// Has a closure called with what happens from now on.
    func observe(_ observer: @escaping @Sendable (ServiceEvent) -> Void) -> ServiceObservation {
        // An observer that is told of what it does would never come to an end.
        let callers = CallingThreads()
        let id = changeListeners { $0.observers.add { event in callers.once { observer(event) } } }
        return ServiceObservation { [weak self] in
            // What the observer captured goes when the lock is free.
            let old = self?.changeListeners { $0.observers.remove(id) }
            withExtendedLifetime(old) {}
        }
    }

    /// Tells the observers, if there are any; under no lock.
    func tell(_ events: @autoclosure () -> [ServiceEvent]) {
        guard isWatched else { return }
        let observers = state.withLock { $0.observers.all }
        if observers.isEmpty { return }
        for event in events() {
            for observer in observers where state.withLock({ $0.observers.contains(observer.id) }) {
                observer.notify(event)
            }
        }
    }

    /// Tells of a service that was created and filled.
    func tellCreated(_ name: String, _ type: Any.Type, _ fill: FillReport?) {
        tell((fill?.about(name).events ?? []) + [ServiceEvent(.made, serviceName: name, type: type)])
    }
}

/// The threads on which an observer runs. Thread-safe.
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
