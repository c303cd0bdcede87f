// Part of ServiceBox, released under the MIT License.
// The services of a box and their users, as a graph.

/// The services of a box and their users: services and filled types are nodes, properties edges.
///
/// The order of nodes and edges depends only on names and on the source, so two planned graphs of the same wiring
/// are equal and read the same if the same services exist; others also show in which order things were filled.
///
/// ```swift
/// print(box.graph())                          // what was filled so far
/// print(box.graph(planned: true).mermaid)     // what would be; draws in a Markdown viewer
/// ```
///
/// Thread-safe. It keeps neither the box nor services alive.
public struct ServiceGraph: Hashable, Sendable, Codable {
    /// A registered service, or a type of other objects.
    public struct Node: Hashable, Sendable, Codable, Identifiable {
        /// Identifies the node: `service:` and the name of a service, or `type:` and the name of a type;
        /// `service#2:` for what a decorated service wraps, and `type#2:` for another type of the same name,
        /// or an included object whose properties have got something else.
        public let id: String
        /// The name that the service is registered under; nil for a type.
        public let serviceName: String?
        /// The registered type of the service, or the type of the objects.
        public let type: String
        /// The service's own type, if it is known and differs.
        public let implementation: String?
        /// `eager`, `lazy`, `weak` or `transient`; nil for a type, and for a service that is ready-made or
        /// created from parameters.
        public let lifetime: String?
        /// Where the service was registered, as `Module/File.swift:12`; nil for a type.
        public let place: String?
        /// The name of the ``ServiceModule`` that registered the service, if any.
        public let module: String?
        /// The place, from 1, among everything that was filled, ancestors' services first; nil for what wasn't
        /// filled, and in a planned graph.
        public let order: Int?
        /// Whether the service was never created, so that its properties are unknown if its type is.
        public let isUnmade: Bool
    }

    /// A property that takes a service, a factory that has looked one up, or a decoration of one.
    public struct Edge: Hashable, Sendable, Codable {
        /// The ``Node/id`` of the service or the type that the property belongs to.
        public let source: String
        /// The property's name; `self` for a hole of the whole object; empty if it isn't a property, see
        /// ``isAskedFor`` and ``isDecoration``.
        public let property: String
        /// The ``Node/id`` of the service; nil for a hole, and for a property that keeps a value unknown to
        /// the box.
        public let target: String?
        /// The name that the service is registered under.
        public let serviceName: String
        /// The type that the property requests.
        public let wantedType: String
        /// The result in one word: the name of a ``PropertyReport/Outcome``.
        ///
        /// `filled` if it has the service, or would get it. `kept` if it holds a value from elsewhere, or a
        /// service that the box doesn't see: one that is no longer registered, or an ancestor's that one of
        /// the box's own hides. `onRead` if it is looked up when it is first read. Otherwise it is a hole,
        /// which should have a service and has none.
        public let outcome: String
        /// Whether the property holds the service weakly.
        public let isWeak: Bool
        /// Whether it isn't a property: the source's factory has looked the service up, or filled
        /// something with it.
        public let isAskedFor: Bool
        /// Whether it isn't a property: the source wraps the service, see
        /// ``ServiceBox/decorate(_:fileID:line:_:)``.
        public let isDecoration: Bool
    }

    /// The services, sorted by name, then the types.
    public let nodes: [Node]
    /// The properties, in the order of the nodes and of the source.
    public let edges: [Edge]

    /// The properties that should have a service and have none; one that takes all services of a type is there
    /// once for each that failed.
    public var holes: [Edge] { edges.filter(\.isHole) }
}

extension ServiceGraph: CustomStringConvertible {
    /// A summary, then each node with a line for each of its properties.
    public var description: String {
        let services = nodes.count { $0.serviceName != nil }
        let edges = Dictionary(grouping: edges, by: \.source)
        let summary = Message.graphSummary(
            services: services, types: nodes.count - services,
            properties: Self.count(self.edges.filter(\.isProperty)), holes: Self.count(holes))
        let names = Dictionary(nodes.map { ($0.id, $0.serviceName ?? $0.type) }) { first, _ in first }
        let lines = nodes.flatMap { node in
            [node.title] + (edges[node.id] ?? []).map { "  \($0.line(names: names))" }
        }
        return ([summary] + lines).joined(separator: "\n")
    }

    /// How many properties these edges belong to.
    private static func count(_ edges: [Edge]) -> Int { Set(edges.map { [$0.source, $0.property] }).count }
}

extension ServiceGraph.Node {
    /// The type, with the registered one if that differs.
    var types: String { implementation.map { "\($0) as \(type)" } ?? type }

    fileprivate var title: String {
        let facts = [
            lifetime, isUnmade ? Message.graphUnmade : nil, order.map(Message.graphOrder),
            module.map(Message.graphModule),
        ]
        return ([serviceName.map { "'\($0)' (\(types))" } ?? types] + facts.compactMap(\.self))
            .joined(separator: ", ")
    }
}

extension ServiceGraph.Edge {
    var isKept: Bool { outcome == "\(PropertyReport.Outcome.kept)" }
    /// Whether the property is looked up when it is first read.
    var isOnRead: Bool { outcome == "\(PropertyReport.Outcome.onRead)" }
    fileprivate var isHole: Bool {
        !isKept && !isOnRead && outcome != "\(PropertyReport.Outcome.filled)"
    }

    fileprivate var isProperty: Bool { !isAskedFor && !isDecoration }

    /// The property's name, or what replaces it.
    var label: String { isDecoration ? Message.decorates : isAskedFor ? Message.askedFor : property }

    fileprivate func line(names: [String: String]) -> String {
        Message.graphProperty(
            label, outcome: outcome,
            service: target.flatMap { names[$0] } ?? serviceName, wanted: wantedType, isWeak: isWeak)
    }
}

// MARK: - Building

extension ServiceBox {
    /// The wiring that the box has filled, or would fill: the registered services, and the types of other
    /// objects.
    ///
    /// It shows the latest fill of each type. A plan covers the registered services, the types that this box
    /// has filled, and those in `others`.
    ///
    /// Call it in the isolation of the objects in `others`; without objects, from any. It fills and creates
    /// nothing.
    ///
    /// - Parameters:
    ///   - planned: Whether to show what fills would do now; always if there are others.
    ///   - others: Further types and objects to plan for.
    /// - Returns: The graph.
    /// - Complexity: O(*n* log *n*) for *n* services, types and their properties.
    public func graph(planned: Bool = false, including others: [Any] = []) -> ServiceGraph {
        ServiceGraph(WiringMap(of: self, isPlanned: planned || !others.isEmpty, including: others))
    }
}

extension ServiceGraph {
    fileprivate init(_ map: WiringMap) {
        let seen = Set(map.services.map(ObjectIdentifier.init))
        var counts: [String: Int] = [:]
        var nodes: [Node] = []
        var edges: [Edge] = []
        for subject in map.subjects {
            let (kind, name) =
                subject.service.map { (Self.service, $0.name) } ?? ("type", TypeName.of(subject.type))
            let count = counts[Self.id(kind, name), default: 0] + 1
            counts[Self.id(kind, name)] = count
            let id = Self.id(kind, name, count)
            nodes.append(Node(subject, id: id))
            if let base = subject.service?.base {
                let target = Self.id(kind, name, count + 1)
                edges.append(Edge(from: id, to: target, base, isDecoration: true))
            }
            for property in subject.properties {
                // An ancestor's service isn't visible if the box has another one under its name, and what was given
                // may have been replaced.
                let given = Set(property.finding.services.map(\.id))
                let targets = subject.targets(of: property).filter {
                    seen.contains(ObjectIdentifier($0))
                        && (given.isEmpty || given.contains(ServiceDescription($0).id))
                }
                edges += Edge.edges(of: property, from: id, to: Set(targets.map(\.name)))
            }
            edges += subject.asked.filter { seen.contains(ObjectIdentifier($0)) }.map {
                Edge(from: id, to: Self.id(ofService: $0.name), $0, isDecoration: false)
            }
        }
        // The box itself is a node only if something takes it.
        let box = Self.id(ofService: Registration.boxName)
        if !edges.contains(where: { $0.target == box }) { nodes.removeAll { $0.id == box } }
        self.init(nodes: nodes, edges: edges)
    }

    private static let service = "service"

    fileprivate static func id(ofService name: String) -> String { id(service, name) }

    /// A node's identifier; the count tells apart the layers of a decorated service, and types that share a short name.
    private static func id(_ kind: String, _ name: String, _ count: Int = 1) -> String {
        count > 1 ? "\(kind)#\(count):\(name)" : "\(kind):\(name)"
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
            module: service?.module, order: subject.order, isUnmade: service?.isUnmade ?? false)
    }
}

extension ServiceGraph.Edge {
    /// The edge of a look-up in a factory, or from a wrapper to its service.
    fileprivate init(from source: String, to target: String, _ service: Registration, isDecoration: Bool) {
        self.init(
            source: source, property: "", target: target,
            serviceName: service.name, wantedType: TypeName.of(service.serviceType),
            outcome: "\(PropertyReport.Outcome.filled)", isWeak: false, isAskedFor: !isDecoration,
            isDecoration: isDecoration)
    }

    /// The edges of a property: one for each service, if it takes several.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - source: The node that it belongs to.
    ///   - targets: The names of its services that are nodes: not one that was removed after it was handed
    ///     out, nor an ancestor's that a child's service hides.
    /// - Returns: The edges.
    fileprivate static func edges(
        of property: PropertyRecord, from source: String, to targets: Set<String>
    ) -> [Self] {
        func edge(_ outcome: PropertyReport.Outcome, _ service: String, to target: String? = nil) -> Self {
            Self(
                source: source, property: property.name, target: target, serviceName: service,
                wantedType: TypeName.of(property.request.type), outcome: "\(outcome)",
                isWeak: property.request.isWeak, isAskedFor: false, isDecoration: false)
        }
        func node(of service: String) -> String? {
            targets.contains(service) ? ServiceGraph.id(ofService: service) : nil
        }
        let (finding, name) = (property.finding, property.serviceName)
        if finding.isOnRead { return [edge(.onRead, name, to: node(of: name))] }
        let given = (finding.hasGiven ? finding.serviceNames : []).map { service in
            let node = node(of: service)
            return edge(node == nil ? .kept : .filled, service, to: node)
        }
        if case .gatheredPartly(_, let failures) = finding {
            return given + failures.map { edge(.failed, $0.service.name) }
        }
        return finding.kind == .hole || finding.kind == .kept ? given + [edge(finding.outcome, name)] : given
    }
}
