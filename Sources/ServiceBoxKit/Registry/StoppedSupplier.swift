// Part of ServiceBox, released under the MIT License.
// What is left of services when their box has stopped.

/// Refuses a service, since its box has stopped.
final class StoppedSupplier: ServiceSupplier {
    let serviceType: any Sendable.Type
    let kind: Registration.Kind
    private let name: String

    init(_ registration: Registration) {
        serviceType = registration.supplier.serviceType
        kind = .provided(registration.lifetime)
        name = registration.name
    }

    private var error: ServiceBoxError {
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: serviceType)
        return ServiceBoxError(.stopped(name: name), path: ServicePath([step]))
    }

    var providerType: Any.Type? { LazyProvider.type(for: serviceType) }
    var provider: ServiceReference? {
        let error = error
        return LazyProvider().reference(
            of: serviceType,
            from: FixedSource(of: serviceType, nil, keptError: error) {
                () throws(ServiceBoxError) in throw error
            })
    }
    var hasFailed: Bool { true }

    func reference() throws(ServiceBoxError) -> ServiceReference? { throw error }
    func create() throws(ServiceBoxError) { throw error }
    func supply(_ request: CellRequest, isEarly: Bool) -> Supply { .failure(error) }
    func presentCell(for request: CellRequest) -> AnyCell? { nil }

    func service<Wanted, Given>(
        as type: Wanted.Type, from parameters: Given
    ) throws(ServiceBoxError) -> Wanted? {
        throw error
    }
}

// MARK: - Refusing the services of a box that has stopped

extension Registration {
    /// Whether its box has stopped.
    var isStopped: Bool { supplier is StoppedSupplier }

    /// The registration of a service that is refused from now on.
    var stopped: Registration {
        isStopped
            ? self
            : Registration(
                name, StoppedSupplier(self), at: location, history, number: number, home: home,
                isInherited: isInherited)
    }
}

extension Registry {
    /// Refuses the services of its box from now on.
    ///
    /// - Returns: What was there, for the caller to let go of when it holds no lock.
    func stop() -> State {
        defer { lookUps.forget() }
        return state.withLock { state in
            let old = state
            // A child's own of what it inherits may be asked for first now.
            state.isStopped = true
            state.registrations = old.registrations.mapValues(\.stopped)
            state.inherited = old.inherited.mapValues { ($0.from, $0.own.stopped) }
            (state.replaced, state.decorations, state.news, state.byType) = ([:], [:], [], nil)
            noteChange()
            return old
        }
    }
}
