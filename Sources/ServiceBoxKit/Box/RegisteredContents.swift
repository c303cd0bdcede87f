// Part of ServiceBox, released under the MIT License.
// What came of registering the properties of an object, one by one.

/// What came of registering the properties of a struct or a class instance as services.
///
/// Thread-safe. It keeps neither the box nor services alive.
public struct RegisteredContents: Sendable {
    /// A property that is no service.
    public struct SkippedProperty: Sendable {
        /// The name that it would have been registered under; of properties whose names a build lacks, their type.
        public let name: String
        /// Why it was skipped.
        public let reason: String
    }

    /// The names of the services, in the order of their properties.
    public internal(set) var registered: [String] = []
    /// Those of them that the box knew a service by already: of other code, of an ancestor, or another property that
    /// comes to the same name.
    public internal(set) var replaced: [String] = []
    /// The properties that weren't registered.
    public internal(set) var skipped: [SkippedProperty] = []
}

extension RegisteredContents: CustomStringConvertible {
    /// A summary, then a line for each service that took the place of another, and for each property that was skipped.
    public var description: String {
        let summary = Message.contentsSummary(
            registered: registered.count, replaced: replaced.count, skipped: skipped.count)
        let lines =
            replaced.map { Message.contents($0, Message.replacing) }
            + skipped.map { Message.contents($0.name, $0.reason) }
        return ([summary] + lines.map { "  \($0)" }).joined(separator: "\n")
    }
}
