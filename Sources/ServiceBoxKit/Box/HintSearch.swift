// Part of ServiceBox, released under the MIT License.
// The search for what may have been meant where a service is missing or does not fit.

/// What is registered in a box, sorted once and searched for hints as often as need be.
///
/// Only a service that fits for certain is worth a hint, and only if no other property has it already: a box
/// with one of two caches knows nothing of the other. Where nothing is sure enough there is no hint.
struct HintSearch {
    /// How many services may fit under other names and still say what was meant.
    private static let limit = 3

    /// All that is registered, sorted by name, as messages name it.
    let registered: [Message.Service]
    private let box: ServiceBox
    private let services: [Registration]
    private let byName: [String: Registration]
    private var claimed: Set<String>

    /// Looks at what is registered now.
    ///
    /// - Parameters:
    ///   - box: The box that was asked.
    ///   - claimed: Names of services that are not meant, because they are where they belong.
    /// - Complexity: O(*n* log *n*) for *n* services.
    init(in box: ServiceBox, claimed: Set<String> = []) {
        self.box = box
        self.claimed = claimed
        services = box.sortedRegistrations
        registered = services.map(\.inMessages)
        byName = Dictionary(uniqueKeysWithValues: services.map { ($0.name, $0) })
    }

    /// The same search where other services are not meant.
    func claiming(_ names: Set<String>) -> HintSearch {
        var search = self
        search.claimed = names
        return search
    }

    /// Looks for what was meant where no service had a name.
    ///
    /// - Complexity: O(*n*) for *n* services.
    func hint(missing name: String, for wish: Wish) -> Hint? {
        hint(present: byName[name], for: wish) ?? near(name, for: wish)
            ?? elsewhere(than: name, for: wish, limit: Self.limit)
    }

    /// Looks for what was meant where the service under a name did not fit.
    ///
    /// - Complexity: O(*n*) for *n* services.
    func hint(insteadOf found: ServiceDescription, for wish: Wish) -> Hint? {
        let current = byName[found.name]
        let isCurrent = current.map(found.describes) ?? false
        if !isCurrent, let hint = hint(present: current, for: wish) { return hint }
        if wish.isMet(inSubstanceBy: found) { return nil }
        if TypeName.differInOptionalsAlone(unwrapped(wish.request.type), found.type) { return .optionals }
        return (isCurrent ? hidden(by: found.name, for: wish) : nil) ?? near(found.name, for: wish)
            ?? elsewhere(than: found.name, for: wish, limit: 1)
    }

    private func hint(present service: Registration?, for wish: Wish) -> Hint? {
        guard let service, wish.isMet(by: service) else { return nil }
        return .present(service.inMessages, place: "\(service.place)")
    }

    private func hidden(by name: String, for wish: Wish) -> Hint? {
        let hidden = box.familyRegistrations(named: name).first { wish.isMet(by: $0.registration) }
        return hidden.map { registration, distance in
            .hidden(registration.inMessages, isParents: distance == 1, place: "\(registration.place)")
        }
    }

    private func near(_ name: String, for wish: Wish) -> Hint? {
        let names = NearestNames.to(name, among: services.lazy.map(\.name)) { near in
            byName[near].map { isCandidate($0, for: wish) && wish.isMet(by: $0) } ?? false
        }
        return names.isEmpty ? nil : .near(names)
    }

    private func elsewhere(than name: String, for wish: Wish, limit: Int) -> Hint? {
        if wish.isGeneral { return nil }
        var fitting: [Registration] = []
        for service in services where service.name != name && isCandidate(service, for: wish) {
            guard wish.isMet(by: service) else { continue }
            fitting.append(service)
            if fitting.count > limit { return nil }
        }
        return fitting.isEmpty ? nil : .elsewhere(fitting.map(\.inMessages))
    }

    private func isCandidate(_ service: Registration, for wish: Wish) -> Bool {
        !claimed.contains(service.name)
            && (!(service is SelfRegistration) || wish.request.wants(ServiceBox.self))
    }
}
