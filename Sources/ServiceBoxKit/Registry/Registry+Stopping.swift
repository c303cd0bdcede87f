// Part of ServiceBox, released under the MIT License.
// Refusing the services of a box that has stopped.

extension Registration {
    /// Whether its box has stopped.
    var isStopped: Bool { supplier is StoppedSupplier }

    /// Why the service is refused, since its box has stopped.
    var refusal: ServiceBoxError? { (supplier as? StoppedSupplier)?.error }

    /// The registration of a service that is refused from now on, since a box has stopped.
    func stopped(by box: String?) -> Registration {
        isStopped
            ? self
            : Registration(
                name, StoppedSupplier(self, of: box), at: location, history, nil,
                module.map { Details(module: $0, fills: fills) }, number: number, home: home,
                isInherited: isInherited)
    }
}

extension Decoration {
    /// What refuses the services that would be wrapped, since their box has stopped.
    fileprivate func stopped(by box: String?) -> Decoration {
        Decoration(serviceType, at: location, from: module) { base, _, _ in StoppedSupplier(base, of: box) }
    }
}

extension Registry {
    /// Whether the box has stopped.
    var isStopped: Bool { state.withLock(\.isStopped) }

    /// Refuses the services of its box from now on.
    ///
    /// - Returns: What was there, for the caller to let go of when it holds no lock.
    func stop() -> State {
        defer { lookUps.forget() }
        return state.withLock { state in
            let old = state
            state.stop(name)
            for service in keptServices(in: old) { service.history.noteStop() }
            noteChange()
            return old
        }
    }

    /// Refuses services that another registry's box has ended, and what would be created of them.
    ///
    /// What wraps one of them is refused too; if it is there, it is this registry's to end.
    ///
    /// - Parameters:
    ///   - ended: The services, by their histories.
    ///   - box: The name of the other box.
    ///   - isDue: Whether a service still has to end.
    /// - Returns: What is refused from now on, and what was there, for the caller to let go of when it holds no lock.
    func refuse(
        _ ended: Set<ObjectIdentifier>, endedBy box: String?, keeping isDue: (Registration) -> Bool
    ) -> (refused: [Registration], old: State) {
        func isRefused(_ service: Registration) -> Bool {
            ended.contains(ObjectIdentifier(service.history)) || service.base.map(isRefused) ?? false
        }
        let (refused, old) = state.withLock { state in
            let old = state
            var refused: [Registration] = []
            state.mapServices { service in
                guard isRefused(service) else { return service }
                refused.append(service)
                return service.stopped(by: box)
            }
            noteChange()
            return (refused, old)
        }
        lookUps.forget()
        // Not under the lock: sources have locks of their own.
        refuse(refused.flatMap(\.layers).filter { $0.isFilled(by: self) && isDue($0) })
        return (refused, old)
    }

    /// Keeps services that nobody is handed any more until they end with the box.
    func refuse(_ due: [Registration]) { state.withLock { $0.refused += due } }
}

extension Registry.State {
    /// Refuses the services of a box.
    ///
    /// - Parameter box: Its name.
    mutating func stop(_ box: String?) {
        // A child's own of what it inherits may be asked for first now.
        refuse = { $0.stopped(by: box) }
        decorations = decorations.mapValues { $0.map { $0.stopped(by: box) } }
        news = News()
        (outdated, refused) = ([:], [])
        mapServices { $0.stopped(by: box) }
    }

    /// Puts something in the place of each registration of the registry's own.
    fileprivate mutating func mapServices(_ transform: (Registration) -> Registration) {
        registrations = registrations.mapElements(transform)
        inherited = inherited.mapElements { $0.with(transform) }
        replaced = replaced.mapValues { $0.map(transform) }
        outdated = outdated.mapValues { $0.map { $0.with(transform) } }
        byType = nil
    }
}
