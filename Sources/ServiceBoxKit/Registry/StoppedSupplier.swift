// Part of ServiceBox, released under the MIT License.
// What is left of services when their box has stopped.

/// Refuses a service, since its box has stopped.
final class StoppedSupplier: ServiceSupplier {
    let serviceType: any Sendable.Type
    let kind: Registration.Kind
    private let name: String
    /// The name of the box.
    private let box: String?

    init(_ registration: Registration, of box: String?) {
        serviceType = registration.supplier.serviceType
        kind = .provided(registration.lifetime)
        name = registration.name
        self.box = box
    }

    private var error: ServiceBoxError {
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: serviceType)
        return ServiceBoxError(.stopped(name: name, box: box), path: ServicePath([step]))
    }

    var providerType: Any.Type? { LazyProvider.type(for: serviceType) }
    var provider: AnyCell? {
        let error = error
        return LazyProvider().cell(
            of: serviceType,
            from: FixedSource(of: serviceType, nil, keptError: error) {
                () throws(ServiceBoxError) in throw error
            })
    }
    var hasFailed: Bool { true }

    func cell() throws(ServiceBoxError) -> AnyCell? { throw error }
    func create() throws(ServiceBoxError) { throw error }
    func supply(_ request: CellRequest, isEarly: Bool) -> Supply { .failure(error) }
    func presentCell(for request: CellRequest) -> AnyCell? { nil }

    func service<Wanted, Given>(
        as type: Wanted.Type, from parameters: Given
    ) throws(ServiceBoxError) -> Wanted? {
        throw error
    }
}
