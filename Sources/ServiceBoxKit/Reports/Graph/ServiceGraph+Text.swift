// Part of ServiceBox, released under the MIT License.
// A graph as plain text.

extension ServiceGraph: CustomStringConvertible {
    /// A summary, then each node with a line for each of its properties.
    public var description: String {
        let services = nodes.count { $0.serviceName != nil }
        let edges = Dictionary(grouping: edges, by: \.source)
        let summary = Message.graphSummary(
            services: services, types: nodes.count - services, properties: self.edges.count,
            holes: holes.count)
        let names = Dictionary(nodes.map { ($0.id, $0.serviceName ?? $0.type) }) { first, _ in first }
        let lines = nodes.flatMap { node in
            [node.title] + (edges[node.id] ?? []).map { "  \($0.line(names: names))" }
        }
        return ([summary] + lines).joined(separator: "\n")
    }
}

extension ServiceGraph.Node {
    /// The type that it is, behind which stands what it is registered as if that is another.
    var types: String { implementation.map { "\($0) as \(type)" } ?? type }

    fileprivate var title: String {
        var parts = [serviceName.map { "'\($0)' (\(types))" } ?? types]
        if let lifetime { parts.append(lifetime) }
        if isUnmade { parts.append(Message.graphUnmade) }
        if let order { parts.append(Message.graphOrder(order)) }
        return parts.joined(separator: ", ")
    }
}

extension ServiceGraph.Edge {
    fileprivate func line(names: [String: String]) -> String {
        switch state {
        case .hole: Message.graphHole(property, outcome: outcome, name: serviceName, wanted: wantedType)
        case .kept: Message.graphKept(property)
        case .filled:
            Message.graphFilled(
                property, with: target.flatMap { names[$0] } ?? serviceName, isWeak: isWeak)
        }
    }
}
