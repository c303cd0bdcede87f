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
    struct Observer: Sendable {
        let id: Int
        /// Whether it is also told about events in children.
        let hearsChildren: Bool
        let notify: @Sendable (Event) -> Void
    }

    private(set) var all: [Observer] = []
    private var lastID = 0

    var isEmpty: Bool { all.isEmpty }

    mutating func add(
        hearingChildren: Bool = false, _ notify: @escaping @Sendable (Event) -> Void
    ) -> Int {
        lastID += 1
        all.append(Observer(id: lastID, hearsChildren: hearingChildren, notify: notify))
        return lastID
    }

    /// Removes an observer and returns it, for the caller to release after unlocking.
    mutating func remove(_ id: Int) -> Observer? { index(of: id).map { all.remove(at: $0) } }

    func contains(_ id: Int) -> Bool { index(of: id) != nil }

    /// The index of an observer; the identifiers ascend, and each event asks for each of them.
    private func index(of id: Int) -> Int? {
        var candidates = all[...]
        while !candidates.isEmpty {
            let middle = (candidates.startIndex + candidates.endIndex) / 2
            if all[middle].id == id { return middle }
            candidates = all[middle].id < id ? candidates[(middle + 1)...] : candidates[..<middle]
        }
        return nil
    }
}
