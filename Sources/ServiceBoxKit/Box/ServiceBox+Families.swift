// Part of ServiceBox, released under the MIT License.
// Boxes that build on others: children and copies.

import Synchronization

extension ServiceBox {
    /// Makes a box that sees this one's services and overrides them by name.
    ///
    /// A service that the child does not have itself is its parent's: the same object, however many children
    /// ask. Only what was registered with ``ServiceScope/box`` is made anew in each child. What a child
    /// registers is never seen by its parent, and a service of the parent is never filled with one of a
    /// child. A child keeps its parent alive.
    ///
    /// ```swift
    /// let request = box.makeChild(name: "request")
    /// request.register(Logger(), as: "logger")    // for this request alone
    /// ```
    ///
    /// May be called from anywhere.
    ///
    /// - Parameter name: A name for messages.
    /// - Returns: The child, empty.
    public func makeChild(name: String) -> ServiceBox {
        ServiceBox(parent: self, name: name, original: nil)
    }

    /// Makes a box for a scope, such as a test, in which some services are replaced.
    ///
    /// As a child, but it makes for itself whatever its base's registrations make, so that the replacements
    /// reach every service that is made in the scope, and nothing that is made there is seen outside. What is
    /// ready is shared: instances, and providers that were registered as such, with all that they make and
    /// keep.
    ///
    /// May be called from anywhere.
    ///
    /// - Parameters:
    ///   - base: The box to build on; nil for a box that builds on none.
    ///   - name: A name for messages.
    /// - Returns: The box, empty.
    package static func makeScope(of base: ServiceBox?, name: String) -> ServiceBox {
        ServiceBox(parent: base, name: name, original: nil, isScope: true)
    }

    /// Makes a box with the same registrations, to which later changes of either do not matter.
    ///
    /// The services are shared, also those that are made later: a lazy service is the same object in both
    /// boxes, made and filled by the original, and never with what the copy alone has. So are the parent, and
    /// what the box was taught. The copy is not sealed. It keeps the original alive. May be called from
    /// anywhere.
    ///
    /// - Returns: The copy.
    /// - Complexity: O(*n*) for *n* services.
    public func copy() -> ServiceBox {
        settle()
        let copy = ServiceBox(parent: parent, name: name, original: self)
        let (registrations, lastNumber, taughtLines, liveNames) = state.withLock {
            ($0.registrations, $0.lastNumber, $0.taughtLines, $0.liveNames)
        }
        copy.state.withLock { state in
            state.registrations = registrations
            state.lastNumber = lastNumber
            state.lastShared = lastNumber
            state.taughtLines = taughtLines
            state.liveNames = liveNames
        }
        return copy
    }
}

extension ServiceBox {
    /// The version of the box and its ancestors if nothing is left to fill among the services of the family,
    /// here and now; locks no box.
    var settledVersion: Int? {
        let ancestors = ancestorsVersion
        guard settledAncestors.load(ordering: .acquiring) == ancestors, hasSettledFamily else { return nil }
        return version.load(ordering: .acquiring) + ancestors
    }

    private var hasSettledFamily: Bool { allAlong({ $0.elder }) { $0.hasSettled } }

    /// Asks the box and those that a way leads to, as long as the answer is yes.
    ///
    /// Counting references would take longer than asking. Each box on the way is kept by the one before, and
    /// the first by the caller.
    @inline(__always)
    private func allAlong(_ next: (ServiceBox) -> ServiceBox?, _ isRight: (ServiceBox) -> Bool) -> Bool {
        var box = Unmanaged.passUnretained(self)
        while box._withUnsafeGuaranteedRef(isRight) {
            guard let following = box._withUnsafeGuaranteedRef({ next($0).map(Unmanaged.passUnretained) })
            else { return true }
            box = following
        }
        return false
    }

    /// Fills what is not yet filled among the registered services.
    ///
    /// - Parameter isRetry: Whether to try properties again whose service could not be made before.
    func settle(isRetry: Bool = false) {
        if isRetry || settledVersion == nil { settleFamily(isRetry: isRetry) }
    }

    private func settleFamily(isRetry: Bool) {
        // Asked for first: what changes from here on is news for the next use.
        let ancestors = ancestorsVersion
        elder?.settleFamily(isRetry: isRetry)
        settleServices(for: ancestors, isRetry: isRetry)
    }

    /// Counts changes of the box and its ancestors that outdate programs.
    var familyVersion: Int { version.load(ordering: .acquiring) + ancestorsVersion }

    var ancestorsVersion: Int {
        var sum = 0
        _ = parent?.allAlong({ $0.parent }) {
            sum += $0.version.load(ordering: .acquiring)
            return true
        }
        return sum
    }

    /// Counts changes of the order of all services but additions at its end, and of what an original has made.
    var familyReorderings: Int {
        var sum = ancestorsVersion
        _ = allAlong({ $0.elder }) {
            sum += $0.reorderings.load(ordering: .acquiring)
            return true
        }
        return sum
    }

    /// The registration under a name: the box's own, or what it inherits.
    func registration(named name: String) -> Registration? {
        if name == SelfRegistration.reservedName { return selfRegistration }
        if let own = state.withLock({ $0.registrations[name] }) { return own }
        return parent?.registration(named: name).map(inherit)
    }

    /// Whether the box or an ancestor has registered a name; makes and hands out nothing.
    func hasRegistered(_ name: String) -> Bool {
        !allAlong({ $0.parent }) { box in box.state.withLock { $0.registrations[name] == nil } }
    }

    /// What the box and its ancestors have registered under a name, and how far away each is; the nearest
    /// hides the others.
    func familyRegistrations(named name: String) -> [(registration: Registration, distance: Int)] {
        var all: [(registration: Registration, distance: Int)] = []
        var (box, distance) = (self as ServiceBox?, 0)
        while let current = box {
            if let own = current.state.withLock({ $0.registrations[name] }) { all.append((own, distance)) }
            (box, distance) = (current.parent, distance + 1)
        }
        return all
    }

    /// The registrations under some names.
    func registrations(named names: Set<String>) -> [String: Registration] {
        names.reduce(into: [:]) { $0[$1] = registration(named: $1) }
    }

    /// All registrations: the box's own entry, then the ancestors', then its own, each box's in their order.
    var orderedRegistrations: [Registration] { [selfRegistration] + orderedServices.services }

    /// All registrations but the box's own entry, in the same order, and the number of its last one.
    var orderedServices: (services: [Registration], lastNumber: Int) {
        let (own, lastNumber) = state.withLock { ($0.registrations, $0.lastNumber) }
        let inherited = parent?.orderedServices.services.filter { own[$0.name] == nil }.map(inherit) ?? []
        return (inherited + own.values.sorted { $0.number < $1.number }, lastNumber)
    }

    /// All registrations by name.
    var sortedRegistrations: [Registration] { orderedRegistrations.sorted { $0.name < $1.name } }

    /// What this box uses in the place of an ancestor's registration.
    private func inherit(_ registration: Registration) -> Registration {
        if let original { return original.inherit(registration) }
        if let known = known(for: registration, in: state.withLock { $0.inherited }) { return known }
        let own = registration.inherited(by: self)
        if own === registration { return registration }
        let (used, outdated) = state.withLock { state -> (Registration, [Registration]) in
            if let known = known(for: registration, in: state.inherited) { return (known, []) }
            let outdated = state.inherited.updateValue((registration, own), forKey: registration.name)
            if let outdated { changeCrossFill(in: &state) { $0.forget(outdated.own) } }
            return (own, outdated.map { [$0.from, $0.own] } ?? [])
        }
        // What is outdated goes here, outside the lock: a deinitialiser may use the box.
        withExtendedLifetime(outdated) {}
        return used
    }

    /// Whether this box fills a service, and not its parent or its original.
    func fills(_ registration: Registration) -> Bool {
        let isUsed = state.withLock { state in
            state.registrations[registration.name] === registration
                || state.inherited[registration.name]?.own === registration
        }
        return isUsed && original?.fills(registration) != true
    }

    private func known(
        for registration: Registration, in inherited: [String: (from: Registration, own: Registration)]
    ) -> Registration? {
        inherited[registration.name].flatMap { $0.from === registration ? $0.own : nil }
    }
}

extension ServiceBox.State {
    /// The services that the box fills, and not its parent or its original.
    var filledServices: [Registration] {
        registrations.values.filter { $0.number > lastShared } + inherited.values.map(\.own)
    }
}
