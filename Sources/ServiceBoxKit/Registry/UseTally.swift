// Part of ServiceBox, released under the MIT License.
// Who has taken a service.

import Synchronization

/// A property of a type, by its name.
struct PropertyID: Hashable, Sendable {
    let type: Any.Type
    let name: String

    static func == (left: Self, right: Self) -> Bool { left.type == right.type && left.name == right.name }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(name)
    }
}

/// The properties that took a service, and whether code looked it up. Thread-safe.
final class UseTally: Sendable {
    private let takers = Guarded<Set<PropertyID>>([])
    private let isLookedUp = Atomic(false)

    /// The properties, in no order.
    var properties: Set<PropertyID> { takers.withLock { $0 } }
    var wasLookedUp: Bool { isLookedUp.load(ordering: .relaxed) }
    var isEmpty: Bool { !wasLookedUp && takers.withLock(\.isEmpty) }

    func note(_ property: PropertyID) { takers.withLock { _ = $0.insert(property) } }
    /// Notes that the service was looked up; costs a load after the first time.
    @inline(__always)
    func noteLookUp() {
        if !isLookedUp.load(ordering: .relaxed) { isLookedUp.store(true, ordering: .relaxed) }
    }
}
