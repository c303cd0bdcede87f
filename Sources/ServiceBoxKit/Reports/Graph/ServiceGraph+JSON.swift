// Part of ServiceBox, released under the MIT License.
// A graph as JSON, without Foundation.

extension ServiceGraph {
    /// The graph as JSON: what a `JSONEncoder` would write of it, with the keys in the order of the
    /// declarations and a line for each node and edge.
    ///
    /// A `JSONDecoder` reads it back.
    ///
    /// - Complexity: O(*n*) for *n* nodes and edges.
    public var json: String {
        let nodes = nodes.map { node in
            Self.object([
                ("id", .text(node.id)), ("serviceName", .text(node.serviceName)), ("type", .text(node.type)),
                ("implementation", .text(node.implementation)), ("lifetime", .text(node.lifetime)),
                ("place", .text(node.place)), ("order", .number(node.order)),
                ("isUnmade", .flag(node.isUnmade)),
            ])
        }
        let edges = edges.map { edge in
            Self.object([
                ("source", .text(edge.source)), ("property", .text(edge.property)),
                ("target", .text(edge.target)), ("serviceName", .text(edge.serviceName)),
                ("wantedType", .text(edge.wantedType)), ("state", .text(edge.state.rawValue)),
                ("outcome", .text(edge.outcome)), ("isWeak", .flag(edge.isWeak)),
            ])
        }
        return "{\n  \"nodes\": \(Self.array(nodes)),\n  \"edges\": \(Self.array(edges))\n}"
    }

    private enum Value {
        case text(String?)
        case number(Int?)
        case flag(Bool)

        var literal: String? {
            switch self {
            case .text(let text): text.map(ServiceGraph.quoted)
            case .number(let number): number.map(String.init)
            case .flag(let flag): String(flag)
            }
        }
    }

    /// A JSON object, without what is nil.
    private static func object(_ members: [(key: String, value: Value)]) -> String {
        let present = members.compactMap { key, value in value.literal.map { "\"\(key)\": \($0)" } }
        return "{\(present.joined(separator: ", "))}"
    }

    private static func array(_ elements: [String]) -> String {
        elements.isEmpty ? "[]" : "[\n    \(elements.joined(separator: ",\n    "))\n  ]"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
