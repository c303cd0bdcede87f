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
            state.registrations = old.registrations.mapValues { $0.stopped(by: name) }
            state.inherited = old.inherited.mapValues { ($0.from, $0.own.stopped(by: name)) }
            (state.replaced, state.decorations, state.news, state.byType) = ([:], [:], [], nil)
            noteChange()
            return old
        }
    }

    /// Refuses what another registry's box fills, which has stopped, and what that is wrapped in.
    ///
    /// - Parameter other: The registry of which this is a copy, or one in between.
    /// - Returns: What was there, for the caller to let go of when it holds no lock.
    func refuseServices(of other: Registry) -> State {
        func refused(_ service: Registration) -> Registration {
            service.layers.contains { $0.isFilled(by: other) } ? service.stopped(by: other.name) : service
        }
        defer { lookUps.forget() }
        return state.withLock { state in
            let old = state
            state.registrations = old.registrations.mapValues(refused)
            state.inherited = old.inherited.mapValues { ($0.from, refused($0.own)) }
            state.replaced = old.replaced.mapValues { $0.map(refused) }
            (state.news, state.byType) = ([], nil)
            noteChange()
            return old
        }
    }
}
