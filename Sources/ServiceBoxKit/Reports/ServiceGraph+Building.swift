// Part of ServiceBox, released under the MIT License.
// Making a graph of what a box has filled, or would.

extension ServiceBox {
    /// What the box has filled so far, or what it would fill: the registered services, and the types of other
    /// objects.
    ///
    /// The latest fill of a type counts. A plan covers the registered services and the types that this box has
    /// filled.
    ///
    /// Call it in the isolation of the objects in `others`; without those it may be called from any. It fills
    /// nothing and makes nothing.
    ///
    /// - Parameters:
    ///   - planned: Whether to show what fills would do now.
    ///   - others: Types and objects to plan for as well; only for a plan.
    /// - Returns: The graph.
    /// - Complexity: O(*n* log *n*) for *n* services, types and their properties.
    public func graph(planned: Bool = false, including others: [Any] = []) -> ServiceGraph {
        ServiceGraph(WiringMap(of: self, isPlanned: planned, including: planned ? others : []))
    }
}

extension ServiceGraph {
    fileprivate init(_ map: WiringMap) {
        var counts: [String: Int] = [:]
        var nodes: [Node] = []
        var edges: [Edge] = []
        for subject in map.subjects {
            var id =
                subject.service.map { Self.id(ofService: $0.name) } ?? "type:\(TypeName.of(subject.type))"
            // Types of several modules may share a short name.
            counts[id, default: 0] += 1
            if let count = counts[id], count > 1 { id += "#\(count)" }
            nodes.append(Node(subject, id: id))
            for property in subject.properties {
                let targets = subject.targets(of: property).filter(map.isSeen).map(\.name)
                edges += Edge.edges(of: property, from: id, to: Set(targets))
            }
        }
        // The box itself is a node where something takes it.
        let box = Self.id(ofService: Registration.boxName)
        if !edges.contains(where: { $0.target == box }) { nodes.removeAll { $0.id == box } }
        self.init(nodes: nodes, edges: edges)
    }

    fileprivate static func id(ofService name: String) -> String { "service:\(name)" }
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
            order: subject.order, isUnmade: service?.isUnmade ?? false)
    }
}

extension ServiceGraph.Edge {
    /// The edges of a property: one for each service, if it takes several.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - source: The node that it belongs to.
    ///   - targets: The names of its services that are nodes: not one that was removed after it was handed out, nor
    ///     an ancestor's of whose name a child has another.
    /// - Returns: The edges.
    fileprivate static func edges(
        of property: PropertyRecord, from source: String, to targets: Set<String>
    ) -> [Self] {
        func edge(_ outcome: PropertyReport.Outcome, to service: String? = nil) -> Self {
            let target = service.flatMap { targets.contains($0) ? ServiceGraph.id(ofService: $0) : nil }
            return Self(
                source: source, property: property.name, target: target,
                serviceName: service ?? property.serviceName, wantedType: TypeName.of(property.request.type),
                outcome: "\(service == nil || target != nil ? outcome : .kept)",
                isWeak: property.request.isWeak)
        }
        let finding = property.finding
        let given = finding.hasGiven ? finding.serviceNames.map { edge(.filled, to: $0) } : []
        return finding.kind == .hole || finding.kind == .kept ? given + [edge(finding.outcome)] : given
    }
}
