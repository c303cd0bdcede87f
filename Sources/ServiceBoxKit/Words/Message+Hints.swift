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
            "did you mean \(choice(names))?"
        case .elsewhere(let services):
            "\(services.map(\.phrase).joined(separator: " or ")) would fit"
        }
    }

    /// Names of which any may be meant.
    static func choice(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: " or ") }

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

    /// The ways to give a property what a hint names; nil if it names nothing that the property could have.
    static func taking(_ hint: Hint?, for property: Property) -> [String]? {
        switch hint {
        case .near(let names):
            // A name that was given to the wrapper or to a line is not the property's.
            let isRenamed = property.channel == .line || !property.isNamedAsService
            return (isRenamed ? [] : ["rename the property to \(choice(names))"])
                + [taking(names, for: property)]
        case .elsewhere(let services): return [taking(services.map(\.name), for: property)]
        default: return nil
        }
    }

    /// The way to take a service by its name, of which the first one stands for all.
    private static func taking(_ names: [String], for property: Property) -> String {
        let name = names.first ?? "name"
        let one = names.count == 1 ? "" : "one of them, as "
        return switch property.channel {
        case .slot: "declare it with \(one)@Injected(\"\(name)\")"
        case .weakSlot: "declare it with \(one)@WeakInjected(\"\(name)\")"
        case .line: "list it as a setter named \(one)'\(name)'"
        }
    }
}
