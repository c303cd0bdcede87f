// Part of ServiceBox, released under the MIT License.
// Which slots keep services alive in circles.

/// The strong references between registered services that lie in slots, or would, and the circles they form.
///
/// Slots are compared with the cells of living registrations by address, so nothing that belongs to a service
/// is read and this may run anywhere.
struct StrongCycles {
    private struct Edge {
        let label: String
        let target: ObjectIdentifier
    }

    private var edges: [ObjectIdentifier: [Edge]] = [:]
    private var names: [ObjectIdentifier: String] = [:]

    /// Gathers the references that fills would make.
    init(in map: WiringMap) {
        // An ancestor keeps its services alive as the box does.
        for box in sequence(first: map.box, next: \.parent) { addBox(among: box.registry.all) }
        for subject in map.subjects {
            guard let service = subject.service else { continue }
            for property in subject.properties {
                guard case .slot = property.source, !property.request.isWeak else { continue }
                for target in subject.targets(of: property) { add(property.name, of: service, to: target) }
            }
        }
        dropDeadEnds()
    }

    /// Gathers the references that there are.
    ///
    /// - Parameter services: The registered services, the box's own entry among them.
    init(among services: [Registration], _ crossFiller: CrossFiller) {
        let byName = Dictionary(uniqueKeysWithValues: services.map { ($0.name, $0) })
        addBox(among: services)
        for service in services {
            guard let wiring = crossFiller.wiring(of: service) else { continue }
            for (position, index) in wiring.plan.slotIndices.enumerated() {
                let property = wiring.plan.properties[index]
                guard let slot = wiring.slot(at: position), !slot.isEmpty,
                    case .slot(let request, _) = property.kind, !request.isWeak,
                    let target = byName[property.serviceName],
                    let cell = target.supplier.presentCell(for: request), slot.holds(cell)
                else { continue }
                add(property.name, of: service, to: target)
            }
        }
        dropDeadEnds()
    }

    /// Adds the services, and the box, which keeps them all alive.
    private mutating func addBox(among services: [Registration]) {
        for service in services {
            names[service.identity] = service.name
            guard service.isBox else { continue }
            edges[service.identity] = services.filter { $0 !== service }.map {
                Edge(label: service.name, target: $0.identity)
            }
        }
    }

    private mutating func add(_ property: String, of service: Registration, to target: Registration) {
        edges[service.identity, default: []].append(
            Edge(label: "\(service.name).\(property)", target: target.identity))
    }

    /// The shortest circle that a slot closes.
    ///
    /// - Parameters:
    ///   - property: The property's name.
    ///   - service: The service that it belongs to.
    /// - Returns: The properties on the way and the service again, or nil if the slot closes no circle.
    func path(through property: String, of service: Registration) -> [String]? {
        let start = service.identity
        let label = "\(service.name).\(property)"
        let ways = (edges[start] ?? []).filter { $0.label == label }.compactMap {
            path(through: $0, from: start)
        }
        return ways.min { $0.count < $1.count }.map { $0 + [service.name] }
    }

    /// The shortest way from a service through one of its references and back, without the service at its
    /// end.
    private func path(through first: Edge, from start: ObjectIdentifier) -> [String]? {
        var cameFrom: [ObjectIdentifier: (node: ObjectIdentifier, label: String)] = [:]
        var reached: Set = [first.target]
        var queue = [first.target]
        var position = 0
        while position < queue.count, !reached.contains(start) {
            let node = queue[position]
            position += 1
            for edge in edges[node] ?? [] where reached.insert(edge.target).inserted {
                cameFrom[edge.target] = (node, edge.label)
                queue.append(edge.target)
            }
        }
        guard reached.contains(start) else { return nil }
        var way: [String] = []
        var node = start
        while node != first.target, let step = cameFrom[node] {
            way.append(step.label)
            node = step.node
        }
        way.append(first.label)
        return way.reversed()
    }

    /// Drops services that lead nowhere, again and again, since no circle goes through them.
    private mutating func dropDeadEnds() {
        var sources: [ObjectIdentifier: [ObjectIdentifier]] = [:]
        var waysOut = edges.mapValues(\.count)
        for (source, edges) in edges {
            for edge in edges { sources[edge.target, default: []].append(source) }
        }
        var deadEnds = names.keys.filter { (waysOut[$0] ?? 0) == 0 }
        while let node = deadEnds.popLast() {
            edges[node] = nil
            for source in sources[node] ?? [] {
                waysOut[source, default: 0] -= 1
                if waysOut[source] == 0 { deadEnds.append(source) }
            }
        }
    }
}

extension Registration {
    /// What the service is: the object, however often it is registered, or this registration of a value.
    fileprivate var identity: ObjectIdentifier {
        ObjectIdentifier(self)
    }
}
