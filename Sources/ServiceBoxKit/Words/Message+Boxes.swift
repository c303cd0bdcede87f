// Part of ServiceBox, released under the MIT License.
// The lines of a box's description.

extension Message {
    /// The first line.
    static func boxSummary(name: String?, count: Int, isSealed: Bool, hasStopped: Bool) -> String {
        let services = count == 0 ? "no services" : counted(count, "service")
        let state = (isSealed ? ", sealed" : "") + (hasStopped ? ", stopped" : "")
        return "ServiceBox\(name.map { " '\($0)'" } ?? ""), \(services)\(state)"
    }

    /// The line above the services that an ancestor has.
    static func inherited(from name: String?, isParent: Bool) -> String {
        "From \(isParent ? "the parent" : "an ancestor")\(name.map { " '\($0)'" } ?? ""):"
    }

    /// A service, in columns.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - kind: Its lifetime, or what it has in the place of one.
    ///   - isPerBox: Whether each child has its own.
    ///   - replacement: What it has replaced, if it has.
    /// - Returns: The columns.
    static func row(
        of service: ServiceDescription, kind: String, isPerBox: Bool, replacement: ServiceReplacement?
    ) -> [String] {
        let replaced = replacement.map { ", replaced \(former($0))" } ?? ""
        return [
            service.name, "\(kind)\(isPerBox ? ", per box" : "")", "\(service.typesAndModule)\(replaced)",
        ]
    }

    /// The line above what lacks something.
    static let unfilled = "Unfilled:"

    /// A service or a type with its empty properties, in columns.
    static func row(
        unfilled type: Any.Type, name: String?, _ properties: [(name: String, outcome: String)]
    ) -> [String] {
        let properties = properties.map { "\($0.name) (\($0.outcome))" }
        return [subject(of: type, name: name), properties.joined(separator: ", ")]
    }

    /// Rows as indented lines whose columns begin one below the other.
    static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.dropLast().map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            let padded = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return "  \((padded + row.suffix(1)).joined(separator: "  "))"
        }
    }
}
