// Part of ServiceBox, released under the MIT License.
// Who took a service.

import Synchronization

/// The properties that took a service, and whether code asked for it.
final class UseTally: Sendable {
    /// A property of a type.
    struct Property: Hashable, Sendable {
        let type: Any.Type
        let name: String

        static func == (left: Self, right: Self) -> Bool {
            left.type == right.type && left.name == right.name
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(type))
            hasher.combine(name)
        }
    }

    private let takers = Guarded<Set<Property>>([])
    private let isAskedFor = Atomic(false)

    /// The properties, in no order.
    var properties: Set<Property> { takers.withLock { $0 } }

    /// Whether the service was looked up.
    var wasResolved: Bool { isAskedFor.load(ordering: .relaxed) }

    var isEmpty: Bool { !wasResolved && takers.withLock(\.isEmpty) }

    /// Notes that a property was matched with the service.
    func note(_ property: Property) {
        takers.withLock { _ = $0.insert(property) }
    }

    /// Notes that the service was looked up.
    func noteResolved() {
        isAskedFor.store(true, ordering: .relaxed)
    }
}
