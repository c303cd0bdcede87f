// Part of ServiceBox, released under the MIT License.
// What a cross-filler has still to do, and what it takes on at once.

import Synchronization

extension CrossFiller {
    struct Ticket {
        let registration: Registration
        let number: Int
        /// Whether it was registered after all others of the box.
        let isAddition: Bool
    }

    struct State {
        var pending = [ObjectIdentifier: Ticket]()
        var lastTicket = 0
        /// The number of the last registration taken in.
        var lastNumber: Int
        /// The ancestors' generation.
        var ancestors = 0
        /// The count of taught tables that services were offered again for, and the highest one seen.
        var teachings: Int
        var latestTeachings: Int
        var waiting = WaitingProperties()
        /// Services that couldn't be read or written where the box was used; retried on the main actor.
        var postponed: [Registration] = []
        /// The threads that are running a cross-fill.
        var threads: [UInt] = []
        /// The names of removed services that properties wait for, who may see an ancestor's now, and of services
        /// to be tried again; numbered like the tickets.
        var lost = [String: Int]()
        /// The names of services that couldn't be created amid the construction of one that they need, by the
        /// provider of that one, to be tried again when it is there.
        var encircled = [ObjectIdentifier: Set<String>]()
        /// What services that couldn't be created lack, by their names.
        var starved = [String: Missing]()
        var starvedLimit = GrowthLimit()
        /// The names of the elders' services that couldn't be supplied, to be tried again when some become
        /// available; empty for a list that lacks one.
        var refused = Set<String>()
        /// The ready-made services that lack something they require.
        var lacking = [ObjectIdentifier: Lacking]()
        /// The order of services that properties for all of a type follow; nil if one must be collected again.
        var collectedOrder: Int?
        /// Counts collections that lack a service.
        var incompleteCount = 0

        /// Whether there is no other work, and no property waits for any of these services.
        func isIdle(for news: [Registration]) -> Bool {
            pending.isEmpty && postponed.isEmpty && lacking.isEmpty && lost.isEmpty
                && encircled.isEmpty && !waiting.awaits("") && !news.contains { waiting.awaits($0.name) }
        }

        var work: Work {
            !pending.isEmpty || !lost.isEmpty ? .some : postponed.isEmpty ? .none : .onMainActor
        }
    }

    /// A ready-made service that lacks something.
    struct Lacking {
        let registration: Registration
        /// The names of which one must be registered to complete it; nil if something else may help.
        let names: Set<String>?
    }

    /// What a service lacks that couldn't be created.
    enum Missing: Sendable {
        /// The names of which one must be registered.
        case names(Set<String>)
        /// What was looked up by its type alone, or under a name where another type was.
        case lookUp(ServiceQuery, name: String?)

        func isMet(by registration: Registration) -> Bool {
            switch self {
            case .names(let names): names.contains(registration.name)
            case .lookUp(let query, let name):
                name ?? registration.name == registration.name && query.fits(registration)
            }
        }

        func isMet(byAnyOf lost: some Sequence<String>) -> Bool {
            if case .names(let names) = self { !names.isDisjoint(with: lost) } else { false }
        }
    }

    /// The remaining work, for a quick check.
    enum Work: UInt8, AtomicRepresentable {
        case none
        /// Only work that waits for the main actor.
        case onMainActor
        case some
    }

    struct Batch: Sendable {
        let registrations: [Registration]
        /// Those registered after all others of the box, in order; nil if an earlier one may be missing from a list.
        let added: [Registration]?
        /// Whether nothing else has changed for a list.
        let isOrdered: Bool
        let waiting: [OpenProperty]
        let lastNumber: Int
        let lastTicket: Int
        /// The order of services that it collects all of a type in; nil if it doesn't.
        let collectedOrder: Int?
        let incompleteCount: Int
    }

    /// The outcome of a batch.
    struct Outcome: Sendable {
        /// The properties that wait, and those that did and don't any more.
        var open: [OpenProperty] = []
        var closed: [OpenProperty] = []
        /// The services to try again on the main actor.
        var postponed: [ObjectIdentifier: Registration] = [:]
        /// The services that got something.
        var filled: [ObjectIdentifier: Registration] = [:]
        /// What to add to ``State/encircled``.
        var encircled: [ObjectIdentifier: Set<String>] = [:]
        /// What to add to ``State/starved``.
        var starved: [String: Missing] = [:]
        /// What to add to ``State/refused``.
        var refused = Set<String>()
        /// The names that ready-made services lack, if they lack nothing else.
        var lackedNames: [ObjectIdentifier: Set<String>] = [:]

        /// Has a service tried again on the main actor, unless this is the main actor.
        mutating func postpone(_ service: Registration?) {
            guard let service, !Isolation.isMainActor else { return }
            postponed[ObjectIdentifier(service)] = service
        }
    }
}

extension [String: CrossFiller.Missing] {
    /// The names of those that lack one of some services.
    func names(metBy services: @autoclosure () -> [Registration]) -> [String] {
        if isEmpty { return [] }
        let services = services()
        return filter { services.contains(where: $0.value.isMet) }.map(\.key)
    }
}

extension CrossFiller.State {
    mutating func add(_ registration: Registration, isAddition: Bool = false) {
        lastTicket += 1
        let id = ObjectIdentifier(registration)
        // It may be created before the addition was taken up.
        let isAddition = isAddition || pending[id]?.isAddition ?? false
        pending[id] = CrossFiller.Ticket(
            registration: registration, number: lastTicket, isAddition: isAddition)
    }

    /// Notes what services lack that couldn't be created, by their names.
    mutating func addStarved(_ lacks: [String: CrossFiller.Missing]) {
        starved.merge(lacks) { $1 }
        if !starvedLimit.isExceeded(by: starved.count) { return }
        starved = starved.filter { waiting.awaits($0.key) }
        starvedLimit.reset(to: starved.count)
    }

    /// Has services tried again that couldn't be created before.
    mutating func release(_ names: some Collection<String>) {
        if names.isEmpty { return }
        lose(names)
        for name in names { starved[name] = nil }
    }

    /// Notes names whose services are gone, or are to be offered again.
    mutating func lose(_ names: some Sequence<String>) {
        lastTicket += 1
        for name in names { lost[name] = lastTicket }
    }

    /// Adds the ready-made services that what is pending may complete.
    private mutating func addLacking(isForAll: Bool) {
        if pending.isEmpty && lost.isEmpty || lacking.isEmpty { return }
        let names = Set(pending.values.map(\.registration.name)).union(lost.keys)
        let due = lacking.values.filter { isForAll || $0.names?.isDisjoint(with: names) != true }
        for service in due.map(\.registration).inOrder { add(service) }
    }

    /// Removes and returns the names of services that couldn't be created without some that may be there now.
    private mutating func takeUnmade(without tickets: [CrossFiller.Ticket]) -> [String] {
        var names: [String] = []
        if !encircled.isEmpty {
            let providers = tickets.compactMap(\.registration.creatingProvider)
            names += providers.flatMap { encircled.removeValue(forKey: $0) ?? [] }
        }
        let fed = lost.isEmpty ? [:] : starved.filter { $0.value.isMet(byAnyOf: lost.keys) }
        for name in fed.keys { starved[name] = nil }
        return names + fed.keys
    }

    /// Collects the work to do.
    ///
    /// - Parameters:
    ///   - isForAll: Whether to try all waiting properties, not just those that a new service may suit.
    ///   - order: The order of services now.
    /// - Returns: The batch; nil if there is nothing to do.
    mutating func batch(isForAll: Bool, order: Int) -> CrossFiller.Batch? {
        addLacking(isForAll: isForAll)
        let tickets = pending.values.sorted { $0.number < $1.number }
        let collects = isForAll || collectedOrder != order || tickets.contains(where: \.isAddition)
        let new = tickets.map(\.registration.name)
        let released = takeUnmade(without: tickets)
        // A property for all services of a type waits under no name.
        let names = isForAll ? waiting.names : new + released + lost.keys + (collects ? [""] : [])
        // Sorted, for the services that they take are created in this order: in each run in the same one.
        let candidates = Set(names).filter(waiting.awaits).sorted().flatMap { waiting[$0] }
        let due = postponed.isEmpty || !Isolation.isMainActor ? [] : postponed
        if tickets.isEmpty, due.isEmpty, candidates.isEmpty { return nil }
        return CrossFiller.Batch(
            registrations: tickets.map(\.registration) + due,
            added: isForAll || lost[""] != nil
                ? nil : tickets.filter(\.isAddition).map(\.registration).inOrder,
            isOrdered: collectedOrder == order, waiting: candidates, lastNumber: lastNumber,
            lastTicket: lastTicket, collectedOrder: collects ? order : nil, incompleteCount: incompleteCount)
    }
}
