// Part of ServiceBox, released under the MIT License.
// The services of sessions that are not the current one.

/// Services that rest until their session comes back.
struct InactiveServices<Key: Hashable & Sendable, Service: Sendable>: Sendable {
    private var entries: [Key: (held: Held<Service>, use: Int)] = [:]
    private var lastUse = 0
    private let limit: Int

    /// Makes an empty store.
    ///
    /// - Parameter limit: How many services it holds strongly at most.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    var count: Int { entries.count }

    /// Keeps a service, and drops those that are gone or too many.
    ///
    /// - Returns: What was dropped, for the caller to let go of.
    /// - Complexity: O(*n*), where *n* is the number of services.
    mutating func insert(_ held: Held<Service>, for key: Key) -> [Held<Service>] {
        lastUse += 1
        var dropped = [entries.updateValue((held, lastUse), forKey: key)?.held].compactMap(\.self)
        entries = entries.filter(\.value.held.isAlive)
        let strong = entries.filter { if case .strongly = $0.value.held { true } else { false } }
        let surplus = strong.sorted { $0.value.use < $1.value.use }.prefix(max(0, strong.count - limit))
        for (key, entry) in surplus {
            entries[key] = nil
            dropped.append(entry.held)
        }
        return dropped
    }

    /// Takes a service out.
    mutating func remove(_ key: Key) -> Held<Service>? {
        entries.removeValue(forKey: key)?.held
    }

    /// Takes all services out.
    mutating func removeAll() -> [Held<Service>] {
        defer { entries = [:] }
        return entries.values.map(\.held)
    }
}
