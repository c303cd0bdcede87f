// Part of ServiceBox, released under the MIT License.
// How a box stops its children and services, once each and in the order of needs.

/// The results of filling ready-made services just before they stop, which is attempted once; with the services, so that
/// no other gets the address of one that was removed meanwhile.
private typealias Completions = [ObjectIdentifier: (of: Registration, result: Result<Void, ServiceBoxError>)]

extension ServiceBox {
    /// Stops the children, then the services, and refuses them from then on.
    nonisolated(nonsending) func stopServices() async {
        life.note { [self] in registry.keptServices.filter(isDue).reversed().map(\.name) }
        await life.starting.cancel()
        await life.stopChildren()
        // Services created while others stop are stopped too.
        var completions: Completions = [:]
        while await stopPresent(registry.keptServices, &completions) {}
        ledger.catchUp()
        // Including those registered since.
        let (old, kept) = registry.stop()
        _ = await stopPresent(kept, &completions)
        life.note(left: nil)
        endServices(kept, letGo: old, isAwaited: true)
    }

    /// Drops services that have ended, or have no actions at their end.
    func endServices(_ services: [Registration], letGo old: Registry.State, isAwaited: Bool) {
        withExtendedLifetime(old) { forget(services) }
        registry.dropRefused()
        let wirings = services.map { $0.history.note(nil) }
        withExtendedLifetime(wirings) {}
        life.forgetServices(isAwaited: isAwaited)
        leaveParent()
        refuseInCopies(services, endedBy: name)
    }

    /// Makes the box and its copies refuse services that their box has stopped.
    private func refuse(_ ended: [Registration], endedBy box: String?) {
        ledger.catchUp()
        forget(registry.refuse(ended, endedBy: box, keeping: \.isDue))
        refuseInCopies(ended, endedBy: box)
    }

    private func refuseInCopies(_ ended: [Registration], endedBy box: String?) {
        for copy in registry.copies.withLock({ $0 }).compactMap(\.box) { copy.refuse(ended, endedBy: box) }
    }

    /// Whether a service has actions at its end, or is being created.
    private func isDue(_ service: Registration) -> Bool {
        service.isBeingCreated || service.hasEnd && service.awaitsEnd
    }

    func mustStop(_ service: Registration) -> Bool {
        service.stop != nil || service.isStartedForItself || service.isBeingCreated
    }

    /// Stops the services that exist.
    ///
    /// - Returns: Whether there were any.
    private nonisolated(nonsending) func stopPresent(
        _ services: [Registration], _ completions: inout Completions
    ) async -> Bool {
        var (begun, awaited) = (services, Set<ObjectIdentifier>())
        while !begun.isEmpty {
            for service in begun {
                if service.isBeingCreated {
                    life.note { [self] in
                        [service.name] + services.filter { $0 !== service && isDue($0) }.map(\.name)
                    }
                }
                await service.knownSupplier?.creator?.endCreation()
            }
            // A factory that was waited for may have begun to create another service, with some that are about to stop.
            begun = services.filter { $0.isBeingCreated && awaited.insert(ObjectIdentifier($0)).inserted }
        }
        let present = services.filter(\.awaitsEnd)
        // What nobody has asked for yet is filled now, so that its needs are known.
        let latest = ledger.latestOrder
        for service in present where service.hasEnd && service.isWhole == false {
            let id = ObjectIdentifier(service)
            completions[id] = completions[id] ?? (service, Result(catching: service.supplier.create))
        }
        // What was created for them stops too.
        if ledger.latestOrder != latest { return true }
        let order = orderOfStopping(present)
        let absent = services.filter { $0.present == nil && !awaited.contains(ObjectIdentifier($0)) }
        for (index, service) in order.enumerated() {
            // What is being created may need some of those that are left.
            if absent.contains(where: \.isBeingCreated) { return true }
            life.note { order.dropFirst(index).map(\.name) }
            let completion = service.isWhole == false ? completions[ObjectIdentifier(service)]?.result : nil
            life.note(await stop(service, after: completion, isFinal: true))
            refuse([service], endedBy: name)
            // What was created meanwhile may need some of those that are left.
            if ledger.latestOrder != latest { return true }
        }
        return !order.isEmpty
    }

    /// The services that have actions at their end, in the order in which they stop.
    private func orderOfStopping(_ present: [Registration]) -> [Registration] {
        let ending = present.filter(\.hasEnd)
        // Mostly there is none, or one alone, such as a request's transaction.
        if ending.count < 2 { return ending }
        let ids = Set(ending.map(ObjectIdentifier.init))
        // Needs also lead through services without actions, or that nothing keeps.
        func isOlder(_ first: Registration, _ second: Registration) -> Bool { first.age < second.age }
        let order = NeedOrder(
            ending.sorted(by: isOlder), sharing: present, where: { $0.isFilled(by: registry) }
        ) {
            crossFiller.needs(of: $0).sorted { isOlder($0.service, $1.service) }
        }
        return order.services.filter { ids.contains(ObjectIdentifier($0)) }.reversed()
    }

    /// Stops a service.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - completion: Whether it got what it requires, if it had to be completed.
    ///   - isFinal: Whether it stops with its box, not after a failed start.
    /// - Returns: Its errors.
    nonisolated(nonsending) func stop(
        _ service: Registration, after completion: Result<Void, ServiceBoxError>? = nil, isFinal: Bool
    ) async -> [ServiceBoxError] {
        guard let cell = service.present else { return [] }
        // Half-filled, it isn't handed even to its own end; while it ran, it had what it requires.
        if case .failure(let lack)? = completion, !life.hasStarted(cell) {
            return service.history.claimEnd() ? [lack] : []
        }
        var errors: [ServiceBoxError] = []
        nonisolated(nonsending) func attempt(_ body: nonisolated(nonsending) () async throws -> Void) async {
            do { try await body() } catch {
                errors.append(
                    ServiceBoxError(
                        .failed(.stopFailed, error, name: service.name),
                        path: ServicePath([service.lifeStep])))
            }
        }
        if let lifecycle = cell.lifecycle, !isHandedOn(service) {
            await attempt { try await life.stop(lifecycle, cell, of: service) }
        }
        if isFinal, service.history.claimEnd(), let stop = service.stop {
            await attempt { try await stop(cell) }
        }
        return errors
    }

    /// Whether a service is the very object of another box's service, which that box starts and stops, or of a
    /// registered provider, which leaves that to others: one that an ancestor has started, the service that it
    /// decorates, or what its factory has resolved, perhaps through others that pass it on.
    func isHandedOn(_ service: Registration) -> Bool {
        guard let cell = service.present, let object = cell.instance else { return false }
        // However its factory came by it.
        let isReadyMade = service.kind == .instance
        if !isReadyMade, family.dropFirst().contains(where: { $0.hasStarted(object, cell) }) { return true }
        var visited: Set<ObjectIdentifier> = []
        var open = [service]
        while let next = open.popLast() {
            guard next.has(object), visited.insert(ObjectIdentifier(next)).inserted else { continue }
            if next.isOfProvider || !next.isFilled(by: registry) { return true }
            open += crossFiller.needs(of: next).flatMap(\.service.layers)
        }
        return false
    }

    /// Whether the box has started an object as a service of its own, and keeps that.
    private func hasStarted(_ object: AnyObject, _ cell: AnyCell) -> Bool {
        knownLife?.hasStarted(cell) == true
            && registry.keptService { $0.present?.instance === object } != nil
    }
}

extension Registration {
    /// Whether the service that exists, or was last got from a registered provider, is an object.
    fileprivate func has(_ object: AnyObject) -> Bool {
        present?.instance === object || (creator as? WatchedSource)?.isLatest(object) ?? false
    }

    /// Whether it was registered as a provider, whose services belong to others.
    fileprivate var isOfProvider: Bool { creator is WatchedSource }
}
