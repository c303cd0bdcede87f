// Part of ServiceBox, released under the MIT License.
// Sorts services by their needs.

/// Services sorted so that each follows those that it needs.
///
/// Services that need each other in a circle follow everything that one of them needs, come one after the
/// other, each after those that it requires if it can be, and go before everything else that needs one of
/// them. So do those that share one object, which starts and stops once.
struct NeedOrder {
    /// A service that another needs, and whether that one can't do without, or has already used it.
    typealias Need = (service: Registration, isRequired: Bool)

    let services: [Registration]
    /// For each service, the positions of those that it follows, all before its own.
    let needs: [Set<Int>]
    /// For each service, the positions of those that follow it.
    let users: [[Int]]

    /// Sorts services and everything that they need.
    ///
    /// - Parameters:
    ///   - services: The services; their order is kept where none needs another.
    ///   - others: Services that may share an object with one of them.
    ///   - isMeant: Whether to include a service; an excluded one leads to no others.
    ///   - needs: The services that a service needs.
    /// - Complexity: O(*n* log *n* + *m*) for *n* services with *m* needs.
    init(
        _ services: [Registration], sharing others: [Registration] = [],
        where isMeant: (Registration) -> Bool, needs: (Registration) -> [Need]
    ) {
        let given = Set(services.map(ObjectIdentifier.init))
        let twins = Self.twins(among: services + others.filter { !given.contains(ObjectIdentifier($0)) })
        var known: [ObjectIdentifier: [Need]] = [:]
        func needsAndTwin(_ service: Registration) -> [Need] {
            let id = ObjectIdentifier(service)
            return known.value(
                for: id,
                orInsert: needs(service) + (twins[id].map { [($0, isRequired: true)] } ?? []))
        }
        let found = Self.walk(services, where: isMeant) { needsAndTwin($0).map(\.service) }
        let indices = found.indexed
        let needed = found.map { Set(needsAndTwin($0).compactMap { indices[ObjectIdentifier($0.service)] }) }
        let circles = Self.circles(needed)
        // In a circle of back references, a service comes after those that it requires.
        let places = Self.walk(services + found, where: isMeant) {
            needsAndTwin($0).filter(\.isRequired).map(\.service)
        }
        .indexed
        let ranks = found.map { places[ObjectIdentifier($0)] ?? 0 }
        let order = found.indices.sorted { (circles[$0], ranks[$0]) < (circles[$1], ranks[$1]) }
        var followed = order.map { _ in Set<Int>() }
        /// The position of the last member of each circle.
        var ends: [Int: Int] = [:]
        var first = 0
        for (position, index) in order.enumerated() {
            let circle = circles[index]
            if ends[circle] == nil { first = position } else { followed[position] = [position - 1] }
            ends[circle] = position
            for need in needed[index] where circles[need] != circle {
                if let end = ends[circles[need]] { followed[first].insert(end) }
            }
        }
        self.services = order.map { found[$0] }
        (self.needs, self.users) = (followed, Self.users(for: followed))
    }

    /// The services that a depth-first walk reaches, each after those that were first reached through it.
    private static func walk(
        _ roots: [Registration], where isMeant: (Registration) -> Bool,
        to next: (Registration) -> [Registration]
    ) -> [Registration] {
        var visited: Set<ObjectIdentifier> = []
        var left: [Registration] = []
        var entries = roots.reversed().map { (service: $0, isLeft: false) }
        while let (service, isLeft) = entries.popLast() {
            if isLeft {
                left.append(service)
            } else if isMeant(service), visited.insert(ObjectIdentifier(service)).inserted {
                entries.append((service, true))
                entries += next(service).reversed().map { ($0, false) }
            }
        }
        return left
    }

    /// For each service, the indices of those that need it, given the indices of those that each needs.
    private static func users(for needs: [Set<Int>]) -> [[Int]] {
        var users = needs.map { _ in [Int]() }
        for (user, needs) in needs.enumerated() { for need in needs { users[need].append(user) } }
        return users
    }

    /// For each service that shares its object with others, the next of them, in a ring.
    private static func twins(among services: [Registration]) -> [ObjectIdentifier: Registration] {
        let sharing = Dictionary(grouping: services) { $0.present?.instance.map { ObjectIdentifier($0) } }
        var twins: [ObjectIdentifier: Registration] = [:]
        for (object, services) in sharing where object != nil && services.count > 1 {
            for (service, twin) in zip(services, services.dropFirst() + services.prefix(1)) {
                twins[ObjectIdentifier(service)] = twin
            }
        }
        return twins
    }

    /// Finds the circles of needs.
    ///
    /// This is the second walk of Kosaraju's algorithm: those that a service is needed by, and that aren't in
    /// a circle further back, are in a circle with it.
    ///
    /// - Parameter needs: For each service, the indices of those that it needs, in the order in which a
    ///   depth-first walk leaves them.
    /// - Returns: The index of the last member of each service's circle; its own, if it is in none.
    private static func circles(_ needs: [Set<Int>]) -> [Int] {
        let users = users(for: needs)
        var circles: [Int?] = needs.map { _ in nil }
        for last in needs.indices.reversed() {
            var open = [last]
            while let next = open.popLast() {
                if circles[next] != nil { continue }
                circles[next] = last
                open += users[next]
            }
        }
        return circles.compactMap(\.self)
    }

    /// Runs a body for each service once it has run for all that the service needs; concurrently for services
    /// that don't need each other.
    ///
    /// - Parameter body: Runs for the service at a position.
    /// - Throws: The first error, after every running body has ended; no other begins that wasn't about to.
    nonisolated(nonsending) func forEach(_ body: @escaping @Sendable (_ position: Int) async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup(of: Int.self) { group in
            var open = needs.map(\.count)
            func begin(_ position: Int) {
                group.addTask {
                    try Task.checkCancellation()
                    try await body(position)
                    return position
                }
            }
            for position in open.indices where open[position] == 0 { begin(position) }
            while let done = try await group.next() {
                for user in users[done] {
                    open[user] -= 1
                    if open[user] == 0 { begin(user) }
                }
            }
        }
    }

    /// The path to a service from one that nobody needs, through those that need each other.
    func path(to position: Int) -> ServicePath {
        ServicePath(
            sequence(first: position) { users[$0].first }.map { services[$0].lifeStep }.reversed())
    }
}

extension [Registration] {
    /// The index of each of them.
    fileprivate var indexed: [ObjectIdentifier: Int] {
        Dictionary(uniqueKeysWithValues: enumerated().map { (ObjectIdentifier($1), $0) })
    }
}

extension CrossFiller {
    /// The services that a service is known to have got or resolved, including those replaced since.
    func needs(of service: Registration) -> [NeedOrder.Need] {
        let asked = (service.knownHistory?.asks ?? []).flatMap { ask in
            let earlier = registry.earlier(ask.name)
            // A later one may need the service itself.
            let all = earlier + (registry.registration(named: ask.name).map { [$0] } ?? [])
            let last = ask.hasFailed ? nil : all.first { $0.identity == ask.service }
            // One that was never created has nothing that an order could respect.
            return (last.map { [$0] } ?? [])
                + earlier.filter { $0.mayExist && $0.uses.factories.contains(service.name) }
        }
        let used = asked + (service.base.map { [$0] } ?? [])
        let report = latestReport(on: service)
        let properties = zip(report?.findings ?? [], report?.record.properties ?? [])
        return used.map { ($0, isRequired: true) }
            + properties.flatMap { property, planned in
                let held = heldServices(of: property, ofType: report?.record.type, in: service)
                let isRequired =
                    property.need != .optional && !planned.finding.isOnRead
                    && !property.request.mayWantProvider
                return held.map { ($0, isRequired: isRequired) }
            }
    }

    /// Whether a service's factory has asked for an earlier service of a name in this box, or that of a transient
    /// service which the service has; `known` are those transient ones that needn't be examined again.
    func hasAsked(
        _ service: Registration, for name: String, before number: Int,
        besides known: inout Set<ObjectIdentifier>
    ) -> Bool {
        service.layers.contains { layer in
            let asks = layer.knownHistory?.asks ?? []
            return asks.contains {
                $0.name == name && $0.service.home == ObjectIdentifier(registry.weakBox)
                    && $0.service.number < number
            }
                || needs(of: layer).map(\.service).contains {
                    $0.lifetime == .transient && known.insert(ObjectIdentifier($0)).inserted
                        && hasAsked($0, for: name, before: number, besides: &known)
                }
        }
    }

    /// The services that a property holds or takes, including those replaced or decorated since.
    private func heldServices(
        of property: PropertyRecord, ofType type: Any.Type?, in owner: Registration
    ) -> [Registration] {
        let wiring = owner.knownHistory?.wiring
        var taken = property.takenNames.compactMap(registry.registration(named:))
        var slot: Slot?
        var given = property.finding.services
        switch property.source {
        case .slot(let position):
            guard let wiring else { break }
            (slot, given) = (wiring.slot(at: position), wiring.given(at: position))
            // That of a replaced service gets none of the services registered since.
            if wiring.list(at: position) != nil {
                taken = taken.filter { service in given.contains { $0.id == ServiceDescription(service).id } }
            }
        case .line:
            guard case .filled(let service)? = wiring?.finding(forLine: property.name) else { break }
            given = [service]
        case .plain, .subject: break
        }
        let ids = Set(given.map(\.id))
        let names = [property.serviceName] + given.map(\.name).filter { $0 != property.serviceName }
        // Any instance of a transient service may have what its type has taken, and nothing else.
        let id = type.flatMap { type in
            owner.lifetime == .transient ? PropertyID(type: type, name: property.name) : nil
        }
        if let id {
            ledger.catchUp()
            taken.removeAll { !$0.uses.properties.contains(id) }
        }
        let earlier = names.flatMap(registry.earlier).filter { service in
            if ids.contains(ServiceDescription(service).id) { return true }
            if let id, service.mayExist, service.uses.properties.contains(id) { return true }
            guard let slot, let cell = service.presentCell(for: property.request) else { return false }
            return slot.holds(cell)
        }
        return taken + earlier
    }
}

extension Registration {
    /// Whether it exists, or is created for each ask.
    fileprivate var mayExist: Bool { present != nil || lifetime == .transient }

    /// Whether it has ever existed, so that what it needs is known; one that couldn't be created has needs too, but not
    /// all of them.
    var hasNeeds: Bool { mayExist || !isUnmade }

    /// The service as a step in a path of starting or stopping.
    var lifeStep: ServicePath.Step {
        ServicePath.Step(provider: ObjectIdentifier(history), type: serviceType)
    }
}
