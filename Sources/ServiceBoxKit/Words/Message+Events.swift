// Part of ServiceBox, released under the MIT License.
// What the library says of events, of uses and of holders.

extension Message {
    /// A service that took the name of another one.
    struct Replacement {
        let service: Service
        let place: String
        let replacedType: Any.Type
        let replacedPlace: String
        let wasHandedOut: Bool

        /// Whether the name stands for something else now.
        var isOfAnotherType: Bool { replacedType != service.type }
    }

    /// A service or an object that something happened to.
    static func subject(of type: Any.Type, name: String?) -> String {
        name.map { "'\($0)' (\(TypeName.of(type)))" } ?? TypeName.of(type)
    }

    /// How often a service was taken.
    static func use(
        of type: Any.Type, name: String, properties: Int, types: Int, wasResolved: Bool
    ) -> String {
        var parts: [String] = []
        if properties > 0 {
            parts.append(
                "\(counted(properties, "property", "properties")) of \(counted(types, "type", "types"))")
        }
        if wasResolved { parts.append("looked up") }
        return "\(subject(of: type, name: name)): \(parts.isEmpty ? "unused" : parts.joined(separator: ", "))"
    }

    /// What a service was replaced for, where that is news.
    static func replacement(_ replacement: Replacement) -> String {
        let (old, _) = TypeName.distinct(replacement.replacedType, replacement.service.type)
        guard replacement.isOfAnotherType || replacement.wasHandedOut else { return "" }
        return ", was \(TypeName.withArticle(old)) registered at \(replacement.replacedPlace)"
            + (replacement.wasHandedOut ? " and was handed out" : "")
    }

    static func counted(_ count: Int, _ singular: String, _ plural: String) -> String {
        "\(count) \(count == 1 ? singular : plural)"
    }

    /// What a box cannot do that does not track its holders.
    static func refilling(_ name: String) -> String { "refill the holders of '\(name)'" }

    /// What a box cannot do that does not track its holders.
    static func tellingHolders(of name: String) -> String { "tell the holders of '\(name)'" }

    /// A box was asked for holders that it does not track.
    static func notTracking(_ action: String) -> Explanation {
        let reason = "the box does not track who holds its services"
        return Explanation(
            reason: reason, headline: "Can't \(action): \(reason).",
            instruction: "To fix, call trackHolders() before filling.")
    }

    /// What came of filling the holders of a service again.
    static func refilled(_ name: String, count: Int, left: [String]) -> String {
        let properties = counted(count, "property has", "properties have")
        let rest = left.isEmpty ? "" : "; left as they were: \(left.joined(separator: ", "))"
        return "Refill of '\(name)': \(properties) the service that is registered now\(rest)."
    }
}
