// Part of ServiceBox, released under the MIT License.
// Who fills a service that has two registrations.

extension CrossFiller {
    /// A service that is kept already, here or by an elder, and filled there alone: a factory has handed on what it
    /// has looked up.
    struct Keeper {
        private let registration: Registration
        /// How it is filled, if it is kept here and its filling has ended.
        fileprivate(set) var ownWiring: Wiring?

        fileprivate init(_ registration: Registration, _ wiring: Wiring?) {
            self.registration = registration
            ownWiring = wiring
        }

        /// Throws an error for what the service lacks, if it was registered ready-made.
        func requireWhole() throws(ServiceBoxError) {
            if registration.isWhole == false { try registration.supplier.create() }
        }
    }

    /// Notes a service that has anything to fill, before others see that it is kept here.
    func noteKept(_ wiring: Wiring) {
        let type = Metadata(wiring.current.plan.type).address
        let address = wiring.address
        kept.withLock { kept in
            kept.updateValue(true, at: type)
            if let address { kept.updateValue(true, at: address) }
        }
    }

    /// Who keeps a service; nil if it is new.
    ///
    /// - Complexity: O(1) for a new service, unless a table was taught for its type; O(*n*) for *n* services otherwise.
    func keeper(of service: Any) -> Keeper? {
        keeper(of: service, isTaught: registry.isTaught(type(of: service)))
    }

    /// The same; whoever asks knows whether a table was taught for the service's type.
    func keeper(of service: Any, isTaught: Bool) -> Keeper? {
        let type = Metadata(type(of: service)).address
        if isTaught || kept.withLock({ $0[type] != nil }), let keeper = ownKeeper(of: service, isTaught) {
            return keeper
        }
        var keeper = elder?.keeper(of: service, isTaught: isTaught)
        keeper?.ownWiring = nil
        return keeper
    }

    private func ownKeeper(of service: Any, _ isTaught: Bool) -> Keeper? {
        let object = classInstance(service)
        let slots = object == nil ? PlanStore.learn(service, .shared).slots : []
        let address = (object ?? slots.first).map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
        let isNoted = kept.withLock { $0[address] == true }
        guard isNoted || isTaught else { return nil }
        func isWired(_ registration: Registration) -> Bool {
            registration.knownHistory?.wiring?.isOf(object, slots) == true
        }
        // Mostly nobody keeps it, so both are asked in one walk.
        let found = registry.keptService {
            isWired($0) || object != nil && $0.fills && $0.present?.instance === object
        }
        guard let found else {
            // One that is gone had this address.
            if isNoted { kept.withLock { _ = $0.updateValue(false, at: address) } }
            return nil
        }
        guard let wired = isWired(found) ? found : registry.keptService(where: isWired) else {
            return Keeper(found, nil)
        }
        let wiring = wired.knownHistory?.wiring
        wiring?.noteShared()
        return Keeper(wired, wiring)
    }
}
