// Part of ServiceBox, released under the MIT License.
// The supplier that remains when a box has stopped.

/// Refuses a service, since its box has stopped.
final class StoppedSupplier: ServiceSupplier {
    let serviceType: any Sendable.Type
    let implementation: Any.Type
    let kind: Registration.Kind
    let providerType: Any.Type?
    private let name: String
    /// The name of the box.
    private let box: String?

    init(_ registration: Registration, of box: String?) {
        serviceType = registration.serviceType
        implementation = registration.implementation
        // Most have no supplier yet, and need none for this.
        providerType =
            registration.parametersType == nil
            ? LazyProvider.type(for: serviceType) : registration.supplier.providerType
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
        return LazyProvider().cell(
            of: serviceType, from: FixedSource(of: serviceType, nil, failing: error))
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
