// Part of ServiceBox, released under the MIT License.
// How services are created, as they were registered.

/// How a box creates a service, with or without parameters; shared by everything that creates it.
final class Recipe: Sendable {
    /// How the service is created.
    enum Factory {
        /// Creates it, in a cell of the recipe's type; a transient one usually by its ``TransientClosure``.
        case here(@Sendable (ServiceBox) throws -> AnyCell, (any AnyObject & Sendable)? = nil)
        /// Creates it asynchronously.
        case awaited(@Sendable (ServiceBox) async throws -> AnyCell)
        /// Creates a supplier that knows the type of the parameters.
        case fromParameters(Any.Type, supplier: @Sendable (Creation) -> any ServiceSupplier)
    }

    let name: String
    let serviceType: any Sendable.Type
    /// The actor that the factory is isolated to, if any.
    let isolation: (any Actor)?
    let factory: Factory
    // After the larger members, which makes a recipe 16 bytes smaller.
    let lifetime: Lifetime
    let scope: ServiceScope

    init(
        name: String, serviceType: any Sendable.Type, lifetime: Lifetime, scope: ServiceScope,
        isolation: (any Actor)?, _ factory: Factory
    ) {
        self.name = name
        self.serviceType = serviceType
        self.lifetime = lifetime
        self.scope = scope
        self.isolation = isolation
        self.factory = factory
    }

    /// Creates the service, for a synchronous factory without parameters.
    func make(in box: ServiceBox) throws -> AnyCell {
        guard case .here(let make, _) = factory else { preconditionFailure("It isn't created here.") }
        return try make(box)
    }
}

extension Recipe.Factory: Sendable {
    /// Creates services from parameters.
    static func fromParameters<Service: Sendable, Parameters>(
        _ make: @escaping @Sendable (ServiceBox, Parameters) throws -> Service
    ) -> Self {
        .fromParameters(
            Parameters.self,
            supplier: { creation in
                let provider = ServiceParametersProvider<Service, Parameters>(creation.maker()) {
                    parameters in
                    try creation.run { AnyCell.holding(try make($0, parameters)) }
                }
                return ParametersSupplier(provider)
            })
    }
}

extension Recipe: SupplierRecipe {
    func makeSupplier(of registration: Registration) -> any ServiceSupplier {
        Creation(self, registration.history, fills: registration.fills, in: registration.home)
            .supplier(registration.lifetime ?? lifetime)
    }

    var parametersType: Any.Type? { if case .fromParameters(let type, _) = factory { type } else { nil } }

    var isAwaited: Bool { if case .awaited = factory { true } else { false } }
}
