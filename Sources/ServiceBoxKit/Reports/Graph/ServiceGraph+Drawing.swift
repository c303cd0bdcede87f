// Part of ServiceBox, released under the MIT License.
// A graph in the languages of drawing programs.

extension ServiceGraph {
    /// The graph as a Mermaid flowchart, which many Markdown viewers draw.
    ///
    /// Services are boxes, types are rounded, what is missing is red, and weak properties are dashed.
    ///
    /// - Complexity: O(*n*) for *n* nodes and edges.
    public var mermaid: String {
        var lines = ["flowchart LR"]
        let shorts = shortIDs
        for node in nodes {
            let label = node.labels.map(Self.inMermaid).joined(separator: "<br/>")
            let id = shorts[node.id] ?? ""
            lines.append("    \(id)\(node.serviceName == nil ? "([\"\(label)\"])" : "[\"\(label)\"]")")
        }
        for (index, edge) in edges.enumerated() {
            guard let source = shorts[edge.source], edge.state != .kept else { continue }
            let property = Self.inMermaid(edge.property)
            if let target = edge.target.flatMap({ shorts[$0] }) {
                lines.append("    \(source) \(edge.isWeak ? "-.->" : "-->")|\"\(property)\"| \(target)")
            } else {
                lines.append("    h\(index)[\"\(Self.inMermaid(edge.lack))\"]:::hole")
                lines.append("    \(source) --x|\"\(property)\"| h\(index)")
            }
        }
        if edges.contains(where: { $0.state == .hole }) {
            lines.append("    classDef hole color:#b00,stroke:#b00,stroke-dasharray:3")
        }
        return lines.joined(separator: "\n")
    }

    /// The graph in the DOT language of Graphviz.
    ///
    /// ```swift
    /// print(box.graph.dot)        // … | dot -Tsvg > wiring.svg
    /// ```
    ///
    /// - Complexity: O(*n*) for *n* nodes and edges.
    public var dot: String {
        var lines = [
            "digraph ServiceBox {", "    rankdir=LR;", "    node [shape=box, fontname=\"sans-serif\"];",
        ]
        let shorts = shortIDs
        for node in nodes {
            let label = node.labels.map(Self.inDot).joined(separator: "\\n")
            let style = node.serviceName == nil ? ", style=rounded" : ""
            lines.append("    \(shorts[node.id] ?? "") [label=\"\(label)\"\(style)];")
        }
        for (index, edge) in edges.enumerated() {
            guard let source = shorts[edge.source], edge.state != .kept else { continue }
            let property = Self.inDot(edge.property)
            if let target = edge.target.flatMap({ shorts[$0] }) {
                let style = edge.isWeak ? ", style=dashed" : ""
                lines.append("    \(source) -> \(target) [label=\"\(property)\"\(style)];")
            } else {
                lines.append(
                    "    h\(index) [label=\"\(Self.inDot(edge.lack))\", shape=plaintext, fontcolor=\"#bb0000\"];"
                )
                lines.append("    \(source) -> h\(index) [label=\"\(property)\", color=\"#bb0000\"];")
            }
        }
        return (lines + ["}"]).joined(separator: "\n")
    }

    /// Names of nodes that every drawing language takes.
    private var shortIDs: [String: String] {
        // A graph that was decoded may name a node twice.
        Dictionary(nodes.enumerated().map { ($1.id, "n\($0)") }) { first, _ in first }
    }

    /// Mermaid takes characters that mean something to it, and to the page around it, as entities.
    private static func inMermaid(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\"": escaped += "#quot;"
            case "#": escaped += "#35;"
            case "&": escaped += "#amp;"
            case "<": escaped += "#lt;"
            case ">": escaped += "#gt;"
            case "|": escaped += "#124;"
            case "`": escaped += "#96;"
            case _ where character.isUndrawable: escaped += " "
            default: escaped.append(character)
            }
        }
    }

    private static func inDot(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\"", "\\": escaped += "\\\(character)"
            // The beginning of an entity, there too.
            case "&": escaped += "&amp;"
            case _ where character.isUndrawable: escaped += " "
            default: escaped.append(character)
            }
        }
    }
}

extension Character {
    /// Whether it breaks the line or is none of those that may stand in a picture.
    fileprivate var isUndrawable: Bool {
        isNewline || unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension ServiceGraph.Node {
    /// What is written into the node, line by line.
    fileprivate var labels: [String] {
        var labels = serviceName.map { [$0, types] } ?? [types]
        let facts = [lifetime, order.map(Message.graphOrder)].compactMap(\.self)
        if !facts.isEmpty { labels.append(facts.joined(separator: ", ")) }
        return labels
    }
}

extension ServiceGraph.Edge {
    /// What is missing, in short.
    fileprivate var lack: String {
        switch outcome {
        case PropertyReport.Outcome.missing.description: Message.graphLack(of: serviceName)
        case PropertyReport.Outcome.typeMismatch.description: Message.graphMisfit(serviceName)
        case PropertyReport.Outcome.failed.description: Message.graphFailure(serviceName)
        default: outcome
        }
    }
}
