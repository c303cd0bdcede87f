// Part of ServiceBox, released under the MIT License.
// The search for what may have been meant where a service is missing or does not fit.

/// What is registered in a box, looked at once and searched for hints as often as need be.
///
/// Only a service that fits for certain is worth a hint, and only if no other property has it already: a box
/// with one of two caches knows nothing of the other. Where nothing is sure enough there is no hint.
struct HintSearch {
    /// How many services may fit under other names and still say what was meant.
    private static let limit = 3

    private let answers: HintAnswers
    private var claimed: Set<String>

    /// Looks at what is registered now.
    ///
    /// - Parameters:
    ///   - box: The box that was asked.
    ///   - claimed: Names of services that are not meant, because they are where they belong.
    /// - Complexity: O(*n* log *n*) for *n* services.
    init(in box: Registry, claimed: Set<String> = []) {
        answers = HintAnswers(for: box)
        self.claimed = claimed
    }

    /// All that is registered, as messages list it.
    var registered: Message.Listing { answers.registered }

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
        hint(present: answers.box.registration(named: name), for: wish) ?? near(name, for: wish)
            ?? elsewhere(than: name, for: wish, limit: Self.limit)
    }

    /// Looks for what was meant where the service under a name did not fit.
    ///
    /// - Complexity: O(*n*) for *n* services.
    func hint(insteadOf found: ServiceDescription, for wish: Wish) -> Hint? {
        let current = answers.box.registration(named: found.name)
        let isCurrent = current.map(found.describes) ?? false
        if !isCurrent, let hint = hint(present: current, for: wish) { return hint }
        if wish.isMet(inSubstanceBy: found) { return nil }
        if TypeName.differInOptionalsAlone(unwrapped(wish.request.type), found.type) { return .optionals }
        return (isCurrent ? hidden(by: found.name, for: wish) : nil) ?? near(found.name, for: wish)
            ?? elsewhere(than: found.name, for: wish, limit: 1)
    }

    private func hint(present service: Registration?, for wish: Wish) -> Hint? {
        guard let service, wish.isMet(by: service) else { return nil }
        return .present(service.inMessages, place: "\(service.location)")
    }

    private func hidden(by name: String, for wish: Wish) -> Hint? {
        let hidden = answers.box.registrations(named: name).first { wish.isMet(by: $0.registration) }
        return hidden.map { registration, distance in
            .hidden(registration.inMessages, isParents: distance == 1, place: "\(registration.location)")
        }
    }

    private func near(_ name: String, for wish: Wish) -> Hint? {
        let all = answers.services(near: name).lazy.filter(wish.isMet)
        let near = meant(for: wish, among: all, atMost: Self.limit)
        return near.isEmpty ? nil : .near(near.map(\.name))
    }

    private func elsewhere(than name: String, for wish: Wish, limit: Int) -> Hint? {
        let all = answers.services(fitting: wish)
        let fitting = meant(for: wish, among: all, otherThan: name, atMost: limit + 1)
        if fitting.isEmpty || fitting.count > limit { return nil }
        return .elsewhere(fitting.sorted { $0.name < $1.name }.map(\.inMessages))
    }

    /// The first of the services that fit which no other property has.
    private func meant(
        for wish: Wish, among services: some Sequence<Registration>, otherThan name: String? = nil,
        atMost limit: Int
    ) -> [Registration] {
        var found: [Registration] = []
        for service in services where service.name != name && isCandidate(service, for: wish) {
            found.append(service)
            if found.count == limit { break }
        }
        return found
    }

    private func isCandidate(_ service: Registration, for wish: Wish) -> Bool {
        !claimed.contains(service.name)
            && (!(service.isBox) || wish.request.wants(service.serviceType))
    }
}

/// What is registered in a box, with the answers that a search has found so far.
///
/// Many questions are about the same few names and types, so each is looked for once.
private final class HintAnswers {
    let box: Registry
    private lazy var names = box.names
    private lazy var services = box.all
    private var near: [String: [Registration]] = [:]
    private var fitting: [Wish: [Registration]] = [:]

    init(for box: Registry) {
        self.box = box
    }

    /// All that is registered, as messages list it.
    var registered: Message.Listing { names.listing }

    /// The services whose names are likely slips of a name, the nearest first.
    func services(near name: String) -> [Registration] {
        if let known = near[name] { return known }
        let found = names.search.names(nearestTo: name).compactMap(box.registration)
        near[name] = found
        return found
    }

    /// The services that fit, if that says anything.
    func services(fitting wish: Wish) -> [Registration] {
        if let known = fitting[wish] { return known }
        let found = wish.isGeneral ? [] : services.filter(wish.isMet)
        fitting[wish] = found
        return found
    }
}
