// Part of ServiceBox, released under the MIT License.
// Counting who takes which service.

extension ServiceBox {
    /// Notes what the fills of a type take from the box, and that it is filled.
    func note(_ program: FillProgram) {
        let old = state.withLock { $0.filledTypes.note(program, counting: fillCounter) }
        withExtendedLifetime(old) {}
        for property in program.record.properties where property.finding.kind == .filled {
            let taker = UseTally.Property(type: program.plan.type, name: property.name)
            for name in property.finding.serviceNames { noteUse(of: name, by: taker) }
        }
    }

    /// Notes that a registered service is filled for the first time, unless it was before; called under the
    /// lock.
    func noteOrder(of registration: Registration) {
        if registration.order == nil { registration.noteOrder(fillCounter.next()) }
    }

    /// Notes that a property was matched with a service.
    func noteUse(of name: String, by property: UseTally.Property) {
        for tally in tallies(of: name) { tally.note(property) }
    }

    /// Notes that a service was looked up.
    func noteResolved(_ registration: Registration) {
        // Without ancestors it is the box's own, which takes a load.
        if parent == nil { return registration.noteResolved() }
        for tally in tallies(of: registration.name) { tally.noteResolved() }
    }

    /// What has gone from this box to whom, of a service that it or an ancestor has.
    func uses(of name: String) -> UseTally? {
        let (own, inherited) = state.withLock { ($0.registrations[name], $0.inheritedUses[name]) }
        if let own { return own.uses }
        return inherited.flatMap { $0.of === ownerTally(of: name) ? $0.here : nil }
    }

    /// What the nearest box that has a service counts.
    private func ownerTally(of name: String) -> UseTally? {
        state.withLock { $0.registrations[name] }?.uses ?? parent?.ownerTally(of: name)
    }

    /// The tallies of the box and its ancestors up to the one that has the service.
    private func tallies(of name: String) -> [UseTally] {
        if name == SelfRegistration.reservedName { return [] }
        var heirs: [ServiceBox] = []
        var next: ServiceBox? = self
        while let box = next {
            if let owner = box.state.withLock({ $0.registrations[name] })?.uses {
                return heirs.map { $0.tally(of: name, from: owner) } + [owner]
            }
            // What a copy takes from an ancestor, its original takes too.
            heirs += sequence(first: box, next: \.original)
            next = box.parent
        }
        return []
    }

    /// What has gone from this box of a service that an ancestor counts.
    private func tally(of name: String, from owner: UseTally) -> UseTally {
        state.withLock { state in
            let known = state.inheritedUses[name]
            if let known, known.of === owner { return known.here }
            let new = UseTally()
            state.inheritedUses[name] = (owner, new)
            return new
        }
    }
}
