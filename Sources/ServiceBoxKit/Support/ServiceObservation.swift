// Part of ServiceBox, released under the MIT License.
// Observations and lists of observers.

/// An observation of a box or a session, which ends when this object is released or cancelled.
///
/// Thread-safe.
public final class ServiceObservation: Sendable {
    private let end: Guarded<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = Guarded(end)
    }

    /// Ends the observation.
    ///
    /// A call already running on another thread finishes; no new one begins.
    public func cancel() { end.withLock { $0.take() }?() }

    deinit { cancel() }
}

/// Observers in the order in which they came; the owner keeps the list under a lock and calls them outside.
struct ObserverList<Event>: Sendable {
    typealias Notify = Ongoing<@Sendable (Event) -> Void>

    struct Observer: Sendable {
        /// Whether it is also told about events in children.
        let hearsChildren: Bool
        /// Tells it of an event, until it is removed.
        let notify: Notify
    }

    private(set) var all: [Observer] = []

    var isEmpty: Bool { all.isEmpty }

    mutating func add(
        hearingChildren: Bool = false, _ notify: @escaping @Sendable (Event) -> Void
    ) -> Notify {
        let notify = Ongoing(notify)
        all.append(Observer(hearsChildren: hearingChildren, notify: notify))
        return notify
    }

    /// Removes an observer and returns it, for the caller to release after unlocking.
    mutating func remove(_ notify: Notify) -> Observer? {
        notify.end()
        return all.firstIndex { $0.notify === notify }.map { all.remove(at: $0) }
    }
}
