// Part of ServiceBox, released under the MIT License.
// The events of a box, and telling its observers; their text is written in Reports/.

import Synchronization

/// Something that happened in a box.
///
/// Sent after the fact. It keeps neither the box nor objects nor services alive. Thread-safe.
///
/// ```swift
/// let observation = box.observe { event in
///     if event.kind == .hole || event.kind == .failed { print(event) }
/// }
/// box.fill(SettingsScreen())
/// observation.cancel()
/// ```
public struct ServiceEvent: Sendable {
    /// The kind of an event; later versions may add more.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        /// A service was registered under a new name, or decorated before anyone had it.
        public static let registered = Kind(description: "registered")
        /// A service was registered under a name that another one had before, or was decorated after somebody
        /// had it, or is back because a later one was removed.
        public static let replaced = Kind(description: "replaced")
        /// A service was removed.
        public static let removed = Kind(description: "removed")
        /// An object or a registered service was filled; ``ServiceEvent/report`` says with what.
        public static let filled = Kind(description: "filled")
        /// A fill left a hole; ``ServiceEvent/hole`` says which.
        public static let hole = Kind(description: "hole")
        /// A service was created and filled, or first seen if a provider of your own created it.
        public static let made = Kind(description: "made")
        /// A factory has failed, or a service was created and lacks something; ``ServiceEvent/error`` says why.
        ///
        /// A failure that factories pass on is reported once, by the service whose factory failed first, however many
        /// wait for it. Each service that lacks a required property reports so itself. A service whose factory didn't
        /// run, since it has to be awaited or belongs to another actor, and a provider of your own report nothing.
        public static let failed = Kind(description: "failed")
        /// A look-up found no service, one that doesn't fit, or several; ``ServiceEvent/error`` says which.
        ///
        /// A property that finds no service is reported as a ``hole``.
        public static let missed = Kind(description: "missed")
        /// A service of a registered factory was reset: forgotten, if it existed; resets of a provider of your own
        /// aren't reported.
        public static let reset = Kind(description: "reset")
        /// All services were dropped.
        public static let cleared = Kind(description: "cleared")
    }

    /// The kind of the event.
    public let kind: Kind
    /// The name of the box where it happened; nil if the box has none.
    public internal(set) var boxName: String?
    /// The name of the service concerned or looked up; nil for an object that isn't a service, for a look-up
    /// by type alone, and for the whole box.
    public internal(set) var serviceName: String?
    /// The registered type of the service, the type that was looked up, or the type of the filled object; nil
    /// if the whole box was cleared.
    public internal(set) var type: Any.Type?
    /// The report of the fill, if there was one; nil if a single property was filled: again after its service
    /// was replaced, or later than its object.
    public internal(set) var report: FillReport?
    /// The reason why a service couldn't be created or a look-up failed, if that happened.
    public internal(set) var error: ServiceBoxError?
    /// The replacement, if a registration replaced another one.
    var replacement: ServiceReplacement?
    /// Whether it happened in a descendant of the observed box.
    var isOfChild = false
    /// The position of the hole among the report's properties, for an event about a hole.
    var holeIndex: Int?
}

extension ServiceEvent {
    /// An event about a registration.
    init(_ kind: Kind, about registration: Registration, replacement: ServiceReplacement? = nil) {
        self.init(
            kind: kind, serviceName: registration.name, type: registration.serviceType,
            replacement: replacement)
    }
}

// MARK: - Telling

extension Ledger {
    /// Calls a closure with all future events.
    func observe(
        includingChildren: Bool, _ observer: @escaping @Sendable (ServiceEvent) -> Void
    ) -> ServiceObservation {
        // The threads on which it is running: an observer that is told of its own actions would never end.
        let callers = Guarded<Set<UInt>>([])
        let notify = changeListeners { state in
            state.observers.add(hearingChildren: includingChildren) { event in
                let thread = CurrentThread.id
                guard callers.withLock({ $0.insert(thread).inserted }) else { return }
                observer(event)
                callers.withLock { _ = $0.remove(thread) }
            }
        }
        if includingChildren { Self.observersOfChildren.add(1, ordering: .releasing) }
        return ServiceObservation { [weak self, weak notify] in
            if includingChildren { Self.observersOfChildren.subtract(1, ordering: .releasing) }
            // The observer's captures are released after unlocking.
            let old = notify.flatMap { notify in self?.changeListeners { $0.observers.remove(notify) } }
            withExtendedLifetime(old) {}
        }
    }

    /// Tells the observers, if there are any; under no lock.
    func tell(_ events: @autoclosure () -> [ServiceEvent]) {
        guard isWatched, case let listeners = listeners, !listeners.isEmpty else { return }
        for var event in events() {
            event.boxName = registry.name
            for (ledger, observer) in listeners {
                guard let notify = observer.notify.value else { continue }
                event.isOfChild = ledger !== self
                ConstructionStack.crossFilling { notify(event) }
            }
        }
    }

    /// The observers of the box, then those of its ancestors that observe children.
    private var listeners: [(Ledger, ObserverList<ServiceEvent>.Observer)] {
        sequence(first: self, next: \.parent).flatMap { ledger in
            ledger.state.withLock { $0.observers.all }.filter { ledger === self || $0.hearsChildren }
                .map { (ledger, $0) }
        }
    }
}

extension FillReport {
    /// The fill and each of its holes, as events.
    var events: [ServiceEvent] {
        // A type with nothing to fill isn't worth an event.
        let isOfOpaqueValue = record.properties.allSatisfy(\.finding.isOfOpaqueValue)
        if record.properties.isEmpty || record.serviceName != nil && isOfOpaqueValue { return [] }
        let holes = findings.enumerated().filter { $1.finding.kind == .hole }.map(\.offset)
        let kinds = [(ServiceEvent.Kind.filled, Int?.none)] + holes.map { (.hole, $0) }
        return kinds.map { kind, holeIndex in
            ServiceEvent(
                kind: kind, serviceName: record.serviceName, type: record.type, report: self,
                holeIndex: holeIndex)
        }
    }
}
