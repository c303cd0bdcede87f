// Part of ServiceBox, released under the MIT License.
// From the wiring of a box to nodes and edges.

extension ServiceGraph {
    init(_ map: WiringMap) {
        var ids = NodeIDs()
        var nodes: [Node] = []
        var edges: [Edge] = []
        for subject in map.subjects {
            let node = Node(subject, id: ids.id(for: subject))
            nodes.append(node)
            for property in subject.properties {
                let targets = subject.targets(of: property).filter(map.isSeen).map(\.name)
                edges += Edge.edges(of: property, from: node, to: Set(targets))
            }
        }
        // The box itself is a node where somebody takes it.
        if let own = map.services.first(where: { $0.isBox }),
            edges.contains(where: { $0.target == NodeIDs.id(forService: own.name) })
        {
            let node = Node(
                WiringMap.Subject(service: own, type: own.serviceType, properties: [], filler: map.box),
                id: NodeIDs.id(forService: own.name))
            nodes.insert(node, at: nodes.firstIndex { ($0.serviceName ?? "~") > own.name } ?? nodes.count)
        }
        self.nodes = nodes
        self.edges = edges
    }
}

/// The names of nodes, each used once.
private struct NodeIDs {
    private var counts: [String: Int] = [:]

    static func id(forService name: String) -> String { "service:\(name)" }

    mutating func id(for subject: WiringMap.Subject) -> String {
        if let service = subject.service { return Self.id(forService: service.name) }
        let id = "type:\(TypeName.of(subject.type))"
        // Types of several modules may share a short name.
        counts[id, default: 0] += 1
        return counts[id] == 1 ? id : "\(id)#\(counts[id] ?? 0)"
    }
}

extension ServiceGraph.Node {
    fileprivate init(_ subject: WiringMap.Subject, id: String) {
        let service = subject.service
        let type = TypeName.of(service?.serviceType ?? subject.type)
        let implementation = TypeName.of(subject.type)
        self.init(
            id: id, serviceName: service?.name, type: type,
            implementation: implementation == type ? nil : implementation,
            lifetime: service?.lifetime?.description, place: service.map { "\($0.location)" },
            order: subject.order,
            isUnmade: service?.isUnmade ?? false)
    }
}

extension ServiceGraph.Edge {
    /// The edges of a property: one for each service, if it takes several.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - node: What it belongs to.
    ///   - targets: The names of its services that are nodes; not one that was removed after it was given
    ///     away, nor one of an ancestor that a child has another for.
    /// - Returns: The edges.
    fileprivate static func edges(
        of property: PropertyRecord, from node: ServiceGraph.Node, to targets: Set<String>
    ) -> [Self] {
        func edge(to target: String?, _ state: State) -> Self {
            Self(
                source: node.id, property: property.name, target: target.map(NodeIDs.id(forService:)),
                serviceName: target ?? property.serviceName, wantedType: TypeName.of(property.request.type),
                state: state, outcome: property.finding.outcome.description, isWeak: property.request.isWeak)
        }
        func edge(to service: ServiceDescription) -> Self {
            let edge = edge(to: service.name, .filled)
            return targets.contains(service.name) ? edge : edge.lost
        }
        return switch property.finding {
        case .filled(let service): [edge(to: service)]
        case .gathered(let services): services.map(edge)
        case .gatheredPartly(let services, _): services.map(edge) + [edge(to: nil, .hole)]
        case .kept: [edge(to: nil, .kept)]
        default: property.finding.kind == .hole ? [edge(to: nil, .hole)] : []
        }
    }

    /// The edge without its target, which is no node.
    fileprivate var lost: Self {
        Self(
            source: source, property: property, target: nil, serviceName: serviceName, wantedType: wantedType,
            state: .kept, outcome: PropertyReport.Outcome.kept.description, isWeak: isWeak)
    }
}
