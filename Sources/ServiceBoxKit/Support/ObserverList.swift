// Part of ServiceBox, released under the MIT License.
// The closures that are told of something.

/// Observers in the order in which they came; its owner keeps it under a lock and calls them outside.
struct ObserverList<Event>: Sendable {
    struct Observer: Sendable {
        let id: ServiceObservation.ID
        let notify: @Sendable (Event) -> Void
    }

    private(set) var all: [Observer] = []
    private var lastID = 0

    var isEmpty: Bool { all.isEmpty }

    mutating func add(_ notify: @escaping @Sendable (Event) -> Void) -> ServiceObservation.ID {
        lastID += 1
        all.append(Observer(id: lastID, notify: notify))
        return lastID
    }

    /// Takes an observer out.
    ///
    /// - Returns: The observer, for the caller to let go of when the lock is free.
    mutating func remove(_ id: ServiceObservation.ID) -> Observer? {
        all.firstIndex { $0.id == id }.map { all.remove(at: $0) }
    }

    func contains(_ id: ServiceObservation.ID) -> Bool { all.contains { $0.id == id } }
}
