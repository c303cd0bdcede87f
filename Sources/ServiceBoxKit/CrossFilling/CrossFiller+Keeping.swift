// Part of ServiceBox, released under the MIT License.
// Who fills a service that has two registrations.

extension CrossFiller {
    /// A service that is kept already, here or by an elder, and filled there alone: a factory has handed on what it
    /// has looked up.
    typealias Keeper = (registration: Registration, ownWiring: Wiring?)

    /// Notes a service that has anything to fill, before others see that it is kept here under a name.
    func noteKept(_ wiring: Wiring, as name: String) {
        let type = Metadata(wiring.current.plan.type).address
        let address = wiring.address
        kept.withLock { kept in
            kept.updateValue("", at: type)
            if let address { kept.updateValue(name, at: address) }
        }
    }

    /// Who keeps a service; nil if it is new.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - isTaughtBelow: Whether a table for its type was taught to a younger box. Without tables, a service that has
    ///     nothing to fill isn't noted.
    /// - Returns: The keeper.
    /// - Complexity: O(1), unless its name has another service by now, or a table for its type was taught to a younger
    ///   box alone; O(*n*) for *n* services then.
    func keeper(of service: Any, isTaughtBelow: Bool = false) -> Keeper? {
        let type = type(of: service)
        let isTaught = registry.isTaught(type)
        let isUnnoted = isTaughtBelow && !isTaught
        if isUnnoted || kept.withLock({ $0[Metadata(type).address] != nil }),
            let keeper = ownKeeper(of: service, isUnnoted)
        {
            return keeper
        }
        var keeper = elder?.keeper(of: service, isTaughtBelow: isTaughtBelow || isTaught)
        keeper?.ownWiring = nil
        return keeper
    }

    /// Undoes early writes of a service that has failed, unless others have the object, as another service.
    func undo(_ writes: [PostponedWrite], of service: Any) {
        if keeper(of: service) != nil { return }
        for write in writes { write.undo() }
    }

    private func ownKeeper(of service: Any, _ isUnnoted: Bool) -> Keeper? {
        let object = classInstance(service)
        let slots = object == nil ? PlanStore.learn(service, .shared).slots : []
        let address = (object ?? slots.first).map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
        let name = kept.withLock { $0[address] } ?? ""
        if name.isEmpty, !isUnnoted { return nil }
        func isWired(_ registration: Registration) -> Bool {
            registration.knownHistory?.wiring?.isOf(object, slots) == true
        }
        let layers = registry.registration(named: name)?.layers
        // Mostly nobody else keeps it, so both are asked in one walk.
        let found =
            layers?.first { $0.isFilled(by: registry) && isWired($0) }
            ?? registry.keptService {
                isWired($0) || object != nil && $0.fills && $0.present?.instance === object
            }
        guard let found else {
            // One that is gone had this address.
            if !name.isEmpty { kept.withLock { _ = $0.updateValue("", at: address) } }
            return nil
        }
        guard let wired = isWired(found) ? found : registry.keptService(where: isWired) else {
            return (found, nil)
        }
        let wiring = wired.knownHistory?.wiring
        wiring?.noteShared()
        return (wired, wiring)
    }
}

extension Registration {
    /// Throws an error for what the service lacks, if it was registered ready-made.
    func requireWhole() throws(ServiceBoxError) {
        if isWhole == false { try supplier.create() }
    }
}
