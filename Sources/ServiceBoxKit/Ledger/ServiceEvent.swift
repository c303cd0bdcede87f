// Part of ServiceBox, released under the MIT License.
// What a box tells its observers, and how. How an event reads is in Reports/.

/// Something that happened in a box.
///
/// An event is told after the fact. It keeps neither the box nor objects nor services alive. Thread-safe.
///
/// ```swift
/// let observation = box.observe { event in
///     if event.kind == .hole || event.kind == .failed { print(event) }
/// }
/// box.fill(SettingsScreen())
/// observation.cancel()
/// ```
public struct ServiceEvent: Sendable {
    /// What kind of thing happened; more may come in later versions.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        /// A service was registered under a new name.
        public static let registered = Kind(description: "registered")
        /// A service was registered under a name that another one had.
        public static let replaced = Kind(description: "replaced")
        /// A service was removed.
        public static let removed = Kind(description: "removed")
        /// An object or a registered service was filled; ``ServiceEvent/report`` says with what.
        public static let filled = Kind(description: "filled")
        /// A fill left a hole; ``ServiceEvent/hole`` says which.
        public static let hole = Kind(description: "hole")
        /// A service was created and filled, or first seen if a provider of your own created it.
        public static let made = Kind(description: "made")
        /// A service couldn't be created; ``ServiceEvent/error`` says why.
        ///
        /// One failure is told once, by the service whose factory failed first, however many wait for it.
        public static let failed = Kind(description: "failed")
        /// What a factory registered in the box had created was forgotten; of a provider of your own nothing is
        /// told.
        public static let reset = Kind(description: "reset")
        /// All services were dropped.
        public static let cleared = Kind(description: "cleared")
    }

    /// What kind of thing happened.
    public let kind: Kind
    /// The name of the service that it is about; nil if it is about an object that is none, or the whole box.
    public internal(set) var serviceName: String?
    /// The type that the service is registered as, or the type of the object that was filled; nil if the
    /// whole box was cleared.
    public internal(set) var type: Any.Type?
    /// The report of the fill, if one was done; nil where a property was refilled because its service was
    /// replaced.
    public internal(set) var report: FillReport?
    /// Why a service couldn't be created, if that is what happened.
    public internal(set) var error: ServiceBoxError?
    /// What a registration has replaced, if it has.
    var replacement: ServiceReplacement?
    /// The position of the hole among the report's properties, if it is about one.
    var holeIndex: Int?
}

extension ServiceEvent {
    /// What happened to a registration.
    init(_ kind: Kind, about registration: Registration, replacement: ServiceReplacement? = nil) {
        self.init(
            kind: kind, serviceName: registration.name, type: registration.serviceType,
            replacement: replacement)
    }
}

// MARK: - Telling

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
    func tellCreated(_ registration: Registration, _ fill: FillReport?) {
        tell((fill?.about(registration.name).events ?? []) + [ServiceEvent(.made, about: registration)])
    }
}

/// The threads on which an observer runs.
///
/// Thread-safe.
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
        // A type with nothing to fill is no news.
        if record.properties.isEmpty { return [] }
        let holes = findings.indices.filter { findings[$0].finding.kind == .hole }
        let kinds = [(ServiceEvent.Kind.filled, Int?.none)] + holes.map { (.hole, $0) }
        return kinds.map { kind, holeIndex in
            ServiceEvent(
                kind: kind, serviceName: record.serviceName, type: record.type, report: self,
                holeIndex: holeIndex)
        }
    }
}
