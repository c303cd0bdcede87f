// Part of ServiceBox, released under the MIT License.
// Hints: what was probably meant if no service was found, or one that doesn't fit.

/// The likeliest reason why no service was found, or one that doesn't fit; indirect like a ``Finding``.
indirect enum Hint: Sendable {
    /// A service that fits has been registered under the name by the time of reading.
    case present(ServiceDescription)
    /// The service under the name hides an ancestor's service, which fits.
    case hidden(ServiceDescription, isParents: Bool)
    /// A service that fits was replaced by one of another type.
    case replaced(ServiceDescription)
    /// Services that fit are registered under similar names.
    case near([String])
    /// Services that fit are registered under other names.
    case elsewhere([ServiceDescription])
    /// A service that a factory creates may have the type.
    case behind([ServiceDescription], Any.Type)
    /// The service under the name is itself a provider or a factory of a type, whichever the label says.
    case maker(label: String, of: Any.Type)
    /// An array is wanted, and services fit its elements.
    case elements(count: Int)
    /// The asking box has what its ancestor's service lacks.
    case captive(Captivity, lacking: String)
    /// Services that are meant for children were created by the box that registered them.
    case forChildren([String])

    /// The names that a name is probably a misspelling of; nil if there are none.
    init?(near name: String, among names: some Sequence<String>) {
        let nearest = NearestNames.to(name, among: names)
        if nearest.isEmpty { return nil }
        self = .near(nearest)
    }

    /// The hint as a clause that can follow a semicolon.
    var clause: String {
        switch self {
        case .present(let service):
            "\(service.phrase) is available now, registered at \(service.location)"
        case .hidden(let service, let isParents):
            "it hides \(isParents ? "the parent's" : "an ancestor's") \(service.phrase), registered at \(service.location)"
        case .replaced(let service): "\(service.phrase), registered at \(service.location), was replaced"
        case .near(let names): "did you mean \(names.quoted(" or "))?"
        case .elsewhere(let services): "\(services.map(\.phrase).joined(separator: " or ")) would fit"
        case .behind(let services, _):
            "\(services.map(\.phrase).joined(separator: " or ")) may be one"
        case .maker(_, let type):
            "it makes \(TypeName.withArticle(of: type)), but is registered as a service itself"
        case .elements(let count): "\(count) \(count == 1 ? "service" : "services") would fit its elements"
        case .captive(let captivity, let name): captivity.clause(lacking: name)
        case .forChildren(let names):
            "\(names.quoted(" and ")) \(names.count == 1 ? "is" : "are") registered with per: .box, for children"
        }
    }

    /// The ways to look up the services in the hint, or do something else with them; nil if it names none.
    func ways(to verb: String) -> [String]? {
        switch self {
        case .present: ["look it up again", "register it before looking it up"]
        case .replaced: ["register each of them under a name of its own"]
        case .near(let names): ["\(verb) \(names.quoted(" or "))"]
        case .elsewhere(let services):
            ["\(verb) \(services.count == 1 ? "" : "one of them, as ")'\(services.first?.name ?? "name")'"]
        case .behind(let services, let type):
            [
                "\(verb) \(services.map(\.name).quoted(" or ")) by its name",
                "register it as \(TypeName.withArticle(of: type))",
            ]
        case .maker(let label, _): ["register it with register(\(label):as:)"]
        case .elements: ["\(verb) all of them with resolveAll"]
        case .forChildren: ["ask a child instead", "register what is missing in this box too"]
        case .hidden, .captive: nil
        }
    }

    /// The ways to give a property the services in the hint; nil if it names none to take.
    func waysToTake(by property: PropertyRecord) -> [String]? {
        switch self {
        case .present where property.isOnRead: return ["read it again", "register it before reading"]
        case .present: return ["fill again", "register it before filling"]
        case .near(let names):
            // A property with an explicit name, or a line of a table, isn't named after the property.
            let isRenamable = property.source != .line && property.isNamedAsService
            let identifiers = isRenamable ? names.filter(\.isIdentifier) : []
            return (identifiers.isEmpty ? [] : ["rename the property to \(identifiers.quoted(" or "))"])
                + [Self.way(to: names, by: property)]
        case .elsewhere(let services): return [Self.way(to: services.map(\.name), by: property)]
        case .maker, .replaced, .forChildren: return ways(to: "take")
        case .elements where property.source == .line: return nil
        case .elements:
            let rest =
                property.request.isOptional ? "the question mark" : property.isDefaulted ? "a value" : nil
            return ["declare it with @InjectedAll\(rest.map { ", without \($0)" } ?? "")"]
        case .hidden, .behind: return nil
        case .captive(let captivity, let name): return captivity.ways(to: name)
        }
    }

    /// The way to take a service by name; of several names, the first is the example.
    private static func way(to names: [String], by property: PropertyRecord) -> String {
        let name = names.first ?? "name"
        let one = names.count == 1 ? "" : "one of them, as "
        if case .slot = property.source {
            let time = property.isOnRead ? ", when: .read" : ""
            return
                "declare it with \(one)@\(property.request.isWeak ? "Weak" : "")Injected(\"\(name)\"\(time))"
        }
        return "list it as a setter named \(one)'\(name)'"
    }
}

extension String {
    /// Whether it may be the name of a property.
    fileprivate var isIdentifier: Bool {
        first.map { $0.isLetter || $0 == "_" } ?? false
            && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}

/// Services of another box than the one that asks for them.
struct Captivity: Sendable {
    /// The names of the services.
    let services: [String]
    /// The name of the asking box; nil if it has none.
    let box: String?
    let owner: Owner
    /// Whether the box's factories create them, so that each box could create its own.
    let isMade: Bool
    /// Whether that box has another service under the name that they ask for.
    let hasOther: Bool

    /// The box that fills them.
    enum Owner: String {
        case parent = "the parent"
        case ancestor = "an ancestor"
        case original = "the original"
    }

    /// Says what they lack and what to do.
    fileprivate func clause(lacking name: String) -> String {
        let owner = "\(self.owner.rawValue) of \(box.map { "'\($0)'" } ?? "the box that asks")"
        let verb = services.count == 1 ? "is" : "are"
        let place = "\(isMade ? "made by" : "registered in") \(owner)"
        let lack = "\(hasOther ? "another" : "no") '\(name)'"
        return "\(names) \(verb) \(place), which has \(lack); \(way(to: name))"
    }

    /// The ways to give them what only the asking box has.
    func ways(to name: String) -> [String] {
        [way(to: name), "register '\(name)' in \(owner == .ancestor ? "that ancestor" : owner.rawValue)"]
    }

    private func way(to name: String) -> String {
        if owner == .original { return "register \(names) in the copy too" }
        return "register \(names) \(isMade ? "with per: .box" : "where '\(name)' is registered")"
    }

    private var names: String { services.quoted(" and ") }
}
