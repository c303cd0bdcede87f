// Part of ServiceBox, released under the MIT License.
// Refusing the services of a box that has stopped.

extension Registration {
    /// Whether its box has stopped.
    var isStopped: Bool { supplier is StoppedSupplier }

    /// The registration of a service that is refused from now on, since a box has stopped.
    func stopped(by box: String?) -> Registration {
        isStopped
            ? self
            : Registration(
                name, StoppedSupplier(self, of: box), at: location, history, number: number, home: home,
                isInherited: isInherited)
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
            // A child's own of what it inherits may be asked for first now.
            state.refuse = { [name] in $0.stopped(by: name) }
            (state.replaced, state.decorations, state.news, state.orphaned) = ([:], [:], [], [])
            state.mapServices { $0.stopped(by: name) }
            noteChange()
            return old
        }
    }

    /// Refuses services that another registry's box has ended, and what would be created of them.
    ///
    /// What wraps one of them and exists is this registry's to end.
    ///
    /// - Parameters:
    ///   - ended: The services, by their histories.
    ///   - box: The name of the other box.
    /// - Returns: What is refused from now on, and what was there, for the caller to let go of when it holds no lock.
    func refuse(_ ended: Set<ObjectIdentifier>, endedBy box: String?) -> (refused: [Registration], old: State)
    {
        func isRefused(_ service: Registration) -> Bool {
            if ended.contains(ObjectIdentifier(service.history)) { return true }
            return service.supplier.present == nil && service.base.map(isRefused) ?? false
        }
        // Not under the lock: sources have locks of their own.
        let known = state.withLock { $0 }
        let all =
            known.registrations.values + known.inherited.values.map(\.own)
            + known.replaced.values.flatMap(\.self)
        let refused = all.filter(isRefused)
        let ids = Set(refused.map(ObjectIdentifier.init))
        func rest(of service: Registration) -> Registration {
            ids.contains(ObjectIdentifier(service)) ? service.stopped(by: box) : service
        }
        defer { lookUps.forget() }
        return state.withLock { state in
            let old = state
            state.mapServices(rest)
            noteChange()
            return (refused, old)
        }
    }
}

extension Registry.State {
    /// Puts something in the place of each registration of the registry's own.
    fileprivate mutating func mapServices(_ transform: (Registration) -> Registration) {
        registrations = registrations.mapValues(transform)
        inherited = inherited.mapValues { ($0.from, transform($0.own)) }
        replaced = replaced.mapValues { $0.map(transform) }
        byType = nil
    }
}
