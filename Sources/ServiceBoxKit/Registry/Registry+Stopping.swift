// Part of ServiceBox, released under the MIT License.
// Refusing the services of a box that has stopped.

extension Registration {
    /// Whether its box has stopped.
    var isStopped: Bool { knownSupplier is StoppedSupplier }

    /// The error that a property always gets: the box has stopped, or that of the service that it decorates, or the
    /// service must be awaited each time.
    func refusal(of request: CellRequest) -> ServiceBoxError? {
        for layer in layers {
            if let stopped = layer.knownSupplier as? StoppedSupplier { return stopped.error }
        }
        guard lifetime == .transient, let source = creator, !isProvider(wantedBy: request)
        else { return nil }
        return source.preparation?.refusal([source.step])
    }

    /// A registration that refuses the service from now on, since a box has stopped.
    func stopped(by box: String?) -> Registration {
        Registration(
            name, .supplier(StoppedSupplier(self, of: box)), at: location, history,
            innermost.module.map { Details(module: $0, fills: fills) }, number: place, home: home,
            isInherited: isInherited, order: order)
    }
}

extension Decoration {
    /// A decoration that refuses the services that it would wrap, since their box has stopped.
    fileprivate func stopped(by box: String?) -> Decoration {
        Decoration(serviceType, at: location, from: module) { base, _, _ in StoppedSupplier(base, of: box) }
    }
}

extension Registry {
    /// Whether the box has stopped.
    var isStopped: Bool { state.withLock(\.isStopped) }

    /// The services that are no longer handed out, until they have ended.
    var refused: [Registration] { state.withLock(\.refused) }

    /// Refuses the services of its box from now on; they stay among `refused`, for everyone who stops the box, until
    /// ``dropRefused()``.
    ///
    /// - Returns: The old state, for the caller to release when it holds no lock, and the services that it kept.
    func stop() -> (old: State, kept: [Registration]) {
        defer { lookUps.forget() }
        // A stop changes nothing that their errors tell of.
        letReadersFinish()
        return state.withLock { state in
            let (old, kept) = (state, keptServices(in: state))
            state.stop(name)
            state.refused = kept
            for service in kept { service.history.noteStop() }
            noteChange()
            return (old, kept)
        }
    }

    /// Drops the services that are no longer handed out, once they have ended with the box.
    func dropRefused() { state.letGo { exchange(&$0.refused, with: []) } }

    /// Refuses services that their box has stopped, and those that would be created from them.
    ///
    /// Wrappers of such a service are refused too; one that exists and is due is for this registry to stop.
    ///
    /// - Returns: The services refused from now on, for the caller to release when it holds no lock.
    func refuse(
        _ ended: [Registration], endedBy box: String?, keeping isDue: (Registration) -> Bool
    ) -> [Registration] {
        for service in ended { service.history.noteStop() }
        let refused = state.withLock { state in
            var refused: [Registration] = []
            state.mapServices(named: ended.map(\.name)) { service in
                guard service.layers.contains(where: \.history.isStopped) else { return service }
                refused.append(service)
                return service.stopped(by: box)
            }
            noteChange()
            return refused
        }
        lookUps.forget()
        // Not under the lock: sources have locks of their own.
        refuse(refused.flatMap(\.layers).filter { $0.isFilled(by: self) && isDue($0) })
        return refused
    }
}

extension Registry.State {
    /// Refuses the services of the box of that name.
    mutating func stop(_ box: String?) {
        stop = Registry.Stop(box: box) { $0.stopped(by: box) }
        decorations = decorations.mapValues { $0.map { $0.stopped(by: box) } }
        (outdated, refused) = ([:], [])
        mapServices(named: registrations.elements.map(\.name) + inherited.elements.map(\.name)) {
            $0.stopped(by: box)
        }
    }

    /// Refuses what another state of the same registry refuses since it has stopped.
    mutating func stop(as other: Self) {
        if let stop = other.stop, !isStopped { self.stop(stop.box) }
    }

    /// Transforms the registry's own registrations under some names.
    fileprivate mutating func mapServices(named names: [String], _ transform: (Registration) -> Registration)
    {
        for name in names {
            if let own = registrations[name], case let new = transform(own), new !== own {
                exchange(own, for: new)
            }
            inherited[name] = inherited[name]?.with(transform)
            replaced[name] = replaced[name]?.map(transform)
            outdated[name] = outdated[name]?.map { $0.with(transform) }
        }
    }
}

// MARK: - Copies

extension Registry {
    /// Notes a copy; every 64 copies, those that are gone are dropped.
    func note(copy: WeakSupplier) {
        let known = copies.withLock { copies in
            copies.append(copy)
            return copies.count % 64 == 0 ? copies : []
        }
        let gone = Set(known.filter { $0.object == nil }.map(ObjectIdentifier.init))
        if !gone.isEmpty { copies.withLock { $0.removeAll { gone.contains(ObjectIdentifier($0)) } } }
        withExtendedLifetime(known) {}
    }
}

// MARK: - Refused services

/// Refuses a service, since its box has stopped.
final class StoppedSupplier: ServiceSupplier {
    let serviceType: any Sendable.Type
    let implementation: Any.Type
    let kind: Registration.Kind
    private let name: String
    /// The name of the box.
    private let box: String?

    init(_ registration: Registration, of box: String?) {
        serviceType = registration.serviceType
        implementation = registration.implementation
        kind =
            registration.parametersType.map(Registration.Kind.fromParameters)
            ?? .provided(registration.lifetime)
        name = registration.name
        self.box = box
    }

    var error: ServiceBoxError {
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: serviceType)
        return ServiceBoxError(.stopped(name: name, box: box), path: ServicePath([step]))
    }

    var provider: AnyCell? {
        if case .fromParameters = kind { return nil }
        return .provider(of: serviceType, from: FixedSource(of: serviceType, nil, failing: error))
    }

    func cell() throws(ServiceBoxError) -> AnyCell? { throw error }
    func supply(_ request: CellRequest, for asker: Asker) throws(ServiceBoxError) -> AnyCell? { throw error }
    func presentCell(for request: CellRequest) -> AnyCell? { nil }

    func service<Wanted, Given>(
        as type: Wanted.Type, from parameters: Given
    ) throws(ServiceBoxError) -> Wanted? {
        throw error
    }
}
