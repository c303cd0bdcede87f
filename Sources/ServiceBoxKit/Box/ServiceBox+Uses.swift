// Part of ServiceBox, released under the MIT License.
// Counting who takes which service.

extension ServiceBox {
    /// Notes what the fills of a type take from the box, and that it is filled.
    func note(_ program: FillProgram) {
        let old = state.withLock { $0.filledTypes.note(program) }
        withExtendedLifetime(old) {}
        for property in program.record.properties {
            noteUses(
                by: UseTally.Property(type: program.plan.type, name: property.name), of: property.finding)
        }
    }

    /// Notes that a property was matched with the services that a finding names.
    private func noteUses(by property: UseTally.Property, of finding: Finding) {
        switch finding {
        case .filled(let service): noteUse(of: service.name, by: property)
        case .gathered(let services): for service in services { noteUse(of: service.name, by: property) }
        default: return
        }
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
        return own?.uses ?? inherited
    }

    /// The tallies of the box and its ancestors up to the one that has the service.
    private func tallies(of name: String) -> [UseTally] {
        if name == SelfRegistration.reservedName { return [] }
        var tallies: [UseTally] = []
        var next: ServiceBox? = self
        while let box = next {
            if let own = box.state.withLock({ $0.registrations[name] }) { return tallies + [own.uses] }
            tallies.append(
                box.state.withLock { state in
                    if let known = state.inheritedUses[name] { return known }
                    let new = UseTally()
                    state.inheritedUses[name] = new
                    return new
                })
            next = box.parent
        }
        return tallies
    }
}
