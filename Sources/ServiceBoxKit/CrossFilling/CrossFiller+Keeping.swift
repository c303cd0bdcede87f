// Part of ServiceBox, released under the MIT License.
// Who fills a service that has two registrations.

extension CrossFiller {
    /// Notes the type of a service that is kept here and has anything to fill.
    func noteKept(_ type: Any.Type) {
        keptTypes.withLock { types in
            let address = Metadata(type).address
            if types[address] == nil { types.updateValue((), at: address) }
        }
    }

    /// A service that is kept already, here or by an elder, and filled there alone: its factory has handed on what
    /// it has looked up.
    struct Keeper {
        /// How it is filled, if it is kept here.
        let ownWiring: Wiring?
    }

    /// Who fills a service; nil if it is new.
    func keeper(of service: Any) -> Keeper? {
        let type = type(of: service)
        let address = Metadata(type).address
        var slots: [Slot]?
        for filler in sequence(first: self, next: \.elder)
        where filler.keptTypes.withLock({ $0[address] != nil }) {
            let known = slots ?? PlanStore.learn(service, .shared).slots
            slots = known
            let object = classInstance(service)
            var found: Wiring?
            _ = filler.registry.keepsOnly { registration in
                guard let wiring = registration.knownHistory?.wiring, wiring.isOf(type, object, known) else {
                    return true
                }
                found = wiring
                return false
            }
            guard let found else { continue }
            if filler === self { found.noteShared() }
            return Keeper(ownWiring: filler === self ? found : nil)
        }
        return nil
    }
}
