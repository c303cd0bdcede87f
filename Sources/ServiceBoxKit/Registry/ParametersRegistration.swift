// Part of ServiceBox, released under the MIT License.
// Services that are made with parameters.

/// A service that is made with parameters, which only its provider can be given.
final class ParametersRegistration<Service: Sendable, Parameters>: Registration, @unchecked Sendable {
    let provider: ServiceParametersProvider<Service, Parameters>
    private let providers = LentCells()
    private let makeInherited: (@Sendable (ServiceBox) -> Registration)?

    /// Makes a registration.
    ///
    /// - Parameters:
    ///   - provider: Makes the services.
    ///   - name: Their name.
    ///   - number: The number of the registration in its box.
    ///   - place: Where the provider was registered.
    ///   - makeInherited: Makes the registration of a scope, if the box fills the services.
    init(
        _ provider: ServiceParametersProvider<Service, Parameters>, name: String, number: Int, place: Place,
        makeInherited: (@Sendable (ServiceBox) -> Registration)? = nil
    ) {
        self.provider = provider
        self.makeInherited = makeInherited
        super.init(name: name, serviceType: Service.self, number: number, place: place)
    }

    override func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        providers.cell(of: provider, for: request).map(Supply.cell) ?? .mismatch
    }

    override func fit(_ request: CellRequest) -> Fit {
        request.wants(ServiceParametersProvider<Service, Parameters>.self) ? .fits : .no
    }

    override func make<Wanted, Given>(
        _ type: Wanted.Type, with parameters: Given
    ) throws(ServiceBoxError) -> Wanted? {
        guard Given.self == Parameters.self, CellRequest(type: type).fit(Service.self).isPossible else {
            return nil
        }
        return converted(try provider.resolve(unsafeBitCast(parameters, to: Parameters.self)))
    }

    override var parametersType: Any.Type? { Parameters.self }

    override var hasFixedCells: Bool { false }

    override func inherited(by child: ServiceBox) -> Registration {
        child.isScope ? makeInherited?(child) ?? self : self
    }
}
