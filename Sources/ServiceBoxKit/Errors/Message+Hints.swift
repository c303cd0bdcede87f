// Part of ServiceBox, released under the MIT License.
// How hints are worded, and the ways out that they open.

extension Message {
    /// A hint as a clause that can follow a semicolon.
    static func words(_ hint: Hint) -> String {
        switch hint {
        case .present(let service, let place):
            "by now \(service.phrase) is there, registered at \(place)"
        case .optionals:
            "the two differ in optionals alone"
        case .hidden(let service, let isParents, let place):
            "it hides \(service.phrase) of \(isParents ? "the parent" : "an ancestor"), registered at \(place)"
        case .near(let names):
            "did you mean \(names.map { "'\($0)'" }.joined(separator: " or "))?"
        case .elsewhere(let services):
            "\(services.map(\.phrase).joined(separator: " or ")) would fit"
        }
    }

    /// The question for names that are likely slips of a wanted one, if there are any.
    static func question(_ names: [String]) -> String? {
        names.isEmpty ? nil : words(.near(names))
    }

    /// What to do, if any of some ways will do.
    static func toFix(_ ways: [String]) -> String {
        guard let last = ways.last, ways.count > 1 else { return "To fix, \(ways.joined())." }
        return "To fix, \(ways.dropLast().joined(separator: ", ")), or \(last)."
    }

    /// What to do where a service has come by the time of reading.
    static let fillAgain = toFix(["fill again", "register it before filling"])

    /// The way to take a service that is registered under another name, of which the first one stands for
    /// all.
    static func taking(_ services: [Service], for property: Property) -> String {
        let name = services.first?.name ?? "name"
        let one = services.count == 1 ? "" : "one of them, as "
        return switch property.channel {
        case .slot: "declare it with \(one)@Injected(\"\(name)\")"
        case .weakSlot: "declare it with \(one)@WeakInjected(\"\(name)\")"
        case .line: "list it as a setter named \(one)'\(name)'"
        }
    }
}
