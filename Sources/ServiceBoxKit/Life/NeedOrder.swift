// Part of ServiceBox, released under the MIT License.
// Sorts services by their needs.

/// Services sorted so that each follows those that it needs.
///
/// In a circle of needs, one of the services comes first.
struct NeedOrder {
    let services: [Registration]
    /// For each service, the positions of those that it needs, all before its own.
    let needs: [[Int]]
    /// For each service, the positions of those that need it.
    let users: [[Int]]

    /// Sorts services and everything that they need.
    ///
    /// - Parameters:
    ///   - services: The services; their order is kept where none needs another.
    ///   - isMeant: Whether to include a service; an excluded one leads to no others.
    ///   - needs: The services that a service needs.
    /// - Complexity: O(*n* + *m*) for *n* services with *m* needs.
    init(
        _ services: [Registration], where isMeant: (Registration) -> Bool,
        needs: (Registration) -> [Registration]
    ) {
        var positions: [ObjectIdentifier: Int] = [:]
        var visited: Set<ObjectIdentifier> = []
        var sorted: [Registration] = []
        var needed: [[Int]] = []
        for root in services {
            var entries = [(service: root, isLeaving: false)]
            while let (service, isLeaving) = entries.popLast() {
                let key = ObjectIdentifier(service)
                if isLeaving {
                    // In a circle, some of them have no position yet.
                    needed.append(Array(Set(needs(service).compactMap { positions[ObjectIdentifier($0)] })))
                    positions[key] = sorted.count
                    sorted.append(service)
                } else if isMeant(service), visited.insert(key).inserted {
                    entries.append((service, isLeaving: true))
                    entries += needs(service).reversed().map { ($0, isLeaving: false) }
                }
            }
        }
        var users = Array(repeating: [Int](), count: sorted.count)
        for (user, needs) in needed.enumerated() { for need in needs { users[need].append(user) } }
        (self.services, self.needs, self.users) = (sorted, needed, users)
    }

    /// Runs a body for each service once it has run for all that the service needs; concurrently for services
    /// that don't need each other.
    ///
    /// - Parameter body: Runs for the service at a position.
    /// - Throws: The first error, after every running body has ended; no other begins.
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

extension CrossFiller {
    /// The services that a service is known to have got or resolved, including those replaced since.
    func needs(of service: Registration) -> [Registration] {
        let properties = (report(on: service) ?? service.history.lastFill)?.findings ?? []
        let asks = service.history.asks
        let names =
            asks + properties.flatMap { $0.finding.isOnRead ? [$0.serviceName] : $0.finding.serviceNames }
        let replaced =
            asks.flatMap(registry.replaced).filter { $0.uses.factories.contains(service.name) }
            + properties.flatMap { property in
                registry.replaced(property.serviceName).filter {
                    isHeld($0, by: property, of: service.history.wiring)
                }
            }
        return names.compactMap(registry.registration(named:)) + replaced + (service.base.map { [$0] } ?? [])
    }

    /// Whether a property holds a service that was replaced.
    private func isHeld(_ service: Registration, by property: PropertyRecord, of wiring: Wiring?) -> Bool {
        let description = ServiceDescription(service)
        switch property.source {
        case .slot(let position):
            guard let wiring else { break }
            let cell = service.supplier.presentCell(for: property.request)
            return wiring.holdsFill(at: position, from: description)
                || cell.flatMap { wiring.slot(at: position)?.holds($0) } ?? false
        case .line:
            guard case .filled(let filled?, _)? = wiring?.content(of: .line(property.name)) else { break }
            return filled.id == description.id
        case .plain, .subject: break
        }
        return property.finding.services.contains { $0.id == description.id }
    }
}

extension Registration {
    /// The service as a step in a path of starting or stopping.
    var lifeStep: ServicePath.Step {
        ServicePath.Step(provider: ObjectIdentifier(history), type: serviceType)
    }
}
