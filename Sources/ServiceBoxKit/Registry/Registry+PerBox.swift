// Part of ServiceBox, released under the MIT License.
// Which services a box creates itself, and which it leaves to its children.

import Synchronization

extension Registry {
    /// The services that the box may create itself, in order: without those that it shares with its ancestors.
    ///
    /// - Complexity: O(*s* log *s*) for *s* such services, once the parent knows which are created in each box.
    var unsharedServices: [Registration] {
        guard let parent, !isScope, !hasDecorations.load(ordering: .acquiring) else { return services }
        let own = state.withLock(\.registrations)
        let inherited = parent.perBoxNames.filter { own[$0] == nil }.compactMap(registration)
        return inherited + own.elements.inOrder
    }

    /// The names of the services that each child creates for itself, in order; kept until a registration changes.
    private var perBoxNames: [String] {
        if let known = perBox.withLock({ $0 }), known.generation == generation { return known.names }
        let (names, generation) = consistently { services.filter(\.isPerBox).map(\.name) }
        perBox.withLock { $0 = (names, generation) }
        return names
    }

    /// Whether each child creates the service for itself, and this box doesn't unless it is asked for it.
    ///
    /// A scope stands for the box that it builds on: it leaves to its children what that leaves to them.
    func isLeftToChildren(_ service: Registration) -> Bool {
        guard service.isPerBox, service.innermost.isInherited else { return service.isPerBox }
        guard let parent, isScope, let inherited = parent.registration(named: service.name) else {
            return false
        }
        return parent.isLeftToChildren(inherited)
    }
}
