// Part of ServiceBox, released under the MIT License.
// What is written into graphs.

extension Message {
    /// The first line of a graph.
    static func graphSummary(services: Int, types: Int, properties: Int, holes: Int) -> String {
        let parts = [
            counted(services, "service", "services"), counted(types, "type", "types"),
            counted(properties, "property", "properties"), counted(holes, "hole", "holes"),
        ]
        return "Graph of a box: \(parts.joined(separator: ", "))."
    }

    /// A service that was never made.
    static let graphUnmade = "not made"

    /// When something was filled: filled 1st, 2nd, 11th.
    static func graphOrder(_ number: Int) -> String {
        let isTeen = (11...13).contains(number % 100)
        let suffix = isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return "filled \(number)\(suffix)"
    }

    /// A property that has nothing, on a line of its own.
    static func graphHole(_ property: String, outcome: String, name: String, wanted: String) -> String {
        "\(property) ✗ \(outcome)\(name.isEmpty ? "" : ", wants '\(name)' (\(wanted))")"
    }

    /// A property that holds what the box did not give it.
    static func graphKept(_ property: String) -> String { "\(property) kept what it held" }

    /// A property that has a service.
    static func graphFilled(_ property: String, with name: String, isWeak: Bool) -> String {
        "\(property) \(isWeak ? "⇢" : "→") '\(name)'"
    }

    /// What stands in a drawing where no service has a name.
    static func graphLack(of name: String) -> String { "no '\(name)'" }

    /// What stands in a drawing where the service under a name is of another type.
    static func graphMisfit(_ name: String) -> String { "'\(name)' is of another type" }

    /// What stands in a drawing where a service could not be made.
    static func graphFailure(_ name: String) -> String { "'\(name)' could not be made" }
}
