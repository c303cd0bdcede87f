// Part of ServiceBox, released under the MIT License.
// Graphs in drawing languages.

extension ServiceGraph {
    /// The graph as a Mermaid flowchart, which many Markdown viewers draw.
    ///
    /// Services are boxes, types are rounded, and missing services are red. Weak properties, look-ups by
    /// factories, and properties that are looked up on read are dashed. The services of a module are framed.
    ///
    /// - Complexity: O(*n*) for *n* nodes and edges.
    public var mermaid: String {
        let language = DrawingLanguage(
            escapes: [
                "\"": "#quot;", "#": "#35;", "&": "#amp;", "<": "#lt;", ">": "#gt;", "|": "#124;",
                "`": "#96;",
            ],
            lineBreak: "<br/>",
            node: { id, label, isService in "\(id)\(isService ? "[\"\(label)\"]" : "([\"\(label)\"])")" },
            edge: { source, target, property, isDashed in
                "\(source) \(isDashed ? "-.->" : "-->")|\"\(property)\"| \(target)"
            },
            hole: { source, hole, property, lack in
                ["\(hole)[\"\(lack)\"]:::hole", "\(source) --x|\"\(property)\"| \(hole)"]
            },
            frame: { id, label in ("subgraph \(id)[\"\(label)\"]", "end") })
        let style = holes.isEmpty ? [] : ["    classDef hole color:#b00,stroke:#b00,stroke-dasharray:3"]
        return (["flowchart LR"] + draw(in: language) + style).joined(separator: "\n")
    }

    /// The graph in the DOT language of Graphviz.
    ///
    /// ```swift
    /// print(box.graph().dot)      // … | dot -Tsvg > wiring.svg
    /// ```
    ///
    /// - Complexity: O(*n*) for *n* nodes and edges.
    public var dot: String {
        let language = DrawingLanguage(
            escapes: ["\"": "\\\"", "\\": "\\\\", "&": "&amp;"], lineBreak: "\\n",
            node: { id, label, isService in
                "\(id) [label=\"\(label)\"\(isService ? "" : ", style=rounded")];"
            },
            edge: { source, target, property, isDashed in
                "\(source) -> \(target) [label=\"\(property)\"\(isDashed ? ", style=dashed" : "")];"
            },
            hole: { source, hole, property, lack in
                [
                    "\(hole) [label=\"\(lack)\", shape=plaintext, fontcolor=\"#bb0000\"];",
                    "\(source) -> \(hole) [label=\"\(property)\", color=\"#bb0000\"];",
                ]
            },
            frame: { id, label in ("subgraph cluster_\(id) { label=\"\(label)\";", "}") })
        let head = [
            "digraph ServiceBox {", "    rankdir=LR;", "    node [shape=box, fontname=\"sans-serif\"];",
        ]
        return (head + draw(in: language) + ["}"]).joined(separator: "\n")
    }

    /// The indented lines of nodes and edges.
    private func draw(in language: DrawingLanguage) -> [String] {
        // A decoded graph may contain a node twice.
        let ids = Dictionary(nodes.enumerated().map { ($1.id, "n\($0)") }) { first, _ in first }
        func line(_ node: Node) -> String {
            let label = node.labels.map(language.escaped).joined(separator: language.lineBreak)
            return language.node(ids[node.id] ?? "", label, node.serviceName != nil)
        }
        let modules = Dictionary(grouping: nodes, by: \.module)
        var lines = (modules[nil] ?? []).map(line)
        for (index, name) in modules.keys.compactMap(\.self).sorted().enumerated() {
            let frame = language.frame("m\(index)", language.escaped(name))
            lines += [frame.open] + (modules[name] ?? []).map { "    \(line($0))" } + [frame.close]
        }
        for (index, edge) in edges.enumerated() {
            guard let source = ids[edge.source], !edge.isKept, !edge.isOnRead || edge.target != nil else {
                continue
            }
            let property = language.escaped(edge.label)
            if let target = edge.target.flatMap({ ids[$0] }) {
                lines.append(
                    language.edge(source, target, property, edge.isWeak || edge.isAskedFor || edge.isOnRead))
            } else {
                let lack = Message.graphLack(of: edge.serviceName, outcome: edge.outcome)
                lines += language.hole(source, "h\(index)", property, language.escaped(lack))
            }
        }
        return lines.map { "    \($0)" }
    }
}

/// The syntax of a drawing language; texts are escaped before.
private struct DrawingLanguage {
    let escapes: [Character: String]
    let lineBreak: String
    let node: (_ id: String, _ label: String, _ isService: Bool) -> String
    let edge: (_ source: String, _ target: String, _ property: String, _ isDashed: Bool) -> String
    let hole: (_ source: String, _ hole: String, _ property: String, _ lack: String) -> [String]
    let frame: (_ id: String, _ label: String) -> (open: String, close: String)

    /// A text without line breaks, control characters, or characters with a meaning in the language.
    func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            if character.isNewline { return escaped += " " }
            // By scalars: a quote with a combining mark is another character, and still a quote.
            for scalar in character.unicodeScalars {
                escaped +=
                    escapes[Character(scalar)]
                    ?? (scalar.properties.generalCategory == .control ? " " : String(scalar))
            }
        }
    }
}

extension ServiceGraph.Node {
    /// The text in the node, line by line.
    fileprivate var labels: [String] {
        let facts = [lifetime, order.map(Message.graphOrder)].compactMap(\.self)
        return [serviceName, types].compactMap(\.self)
            + (facts.isEmpty ? [] : [facts.joined(separator: ", ")])
    }
}
