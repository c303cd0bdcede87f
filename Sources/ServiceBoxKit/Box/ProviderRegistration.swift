// Part of ServiceBox, released under the MIT License.
// Services that are made when they are asked for.

import Synchronization

/// A service that a provider makes.
final class ProviderRegistration<Service: Sendable>: Registration, @unchecked Sendable {
    let provider: ServiceProvider<Service>
    private let service: MadeService
    private let services = LentCells()
    private let providers = LentCells()
    private let scope: ServiceScope
    private let makeInherited: (@Sendable (ServiceBox) -> Registration)?
    /// Whether the box has got a service from a provider that it did not make.
    private let hasSeen = Atomic(false)

    /// Makes a registration.
    ///
    /// - Parameters:
    ///   - provider: Makes the service.
    ///   - made: What is known of the service once it is made.
    ///   - name: The name of the service.
    ///   - number: The number of the registration in its box.
    ///   - place: Where the service was registered.
    ///   - scope: Whether child boxes share the service.
    ///   - makeInherited: Makes a child box's own registration, if the box makes the service.
    init(
        _ provider: ServiceProvider<Service>, made: MadeService, name: String, number: Int, place: Place,
        scope: ServiceScope = .family, makeInherited: (@Sendable (ServiceBox) -> Registration)? = nil
    ) {
        self.provider = provider
        service = made
        self.scope = scope
        self.makeInherited = makeInherited
        super.init(
            name: name, serviceType: Service.self, number: number, place: place,
            madeCell: made.seesServices ? nil : provider.made)
    }

    override func direct<Wanted>(_ type: Wanted.Type) throws(ServiceBoxError) -> Wanted? {
        Wanted.self == Service.self ? unsafeBitCast(try resolve(), to: Wanted.self) : nil
    }

    override func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        if request.wants(ServiceProvider<Service>.self) {
            return providers.cell(of: provider, for: request).map(Supply.cell) ?? .mismatch
        }
        guard mayFit(request) else { return .mismatch }
        do {
            let service = try isEarly ? resolveEarly() : resolve()
            return services.cell(of: service, for: request).map(Supply.cell) ?? .mismatch
        } catch {
            return .failure(error, of: self)
        }
    }

    /// The service, made if need be.
    func resolve() throws(ServiceBoxError) -> Service {
        guard service.seesServices else { return try provider.resolve() }
        // Looking fills the service, which may come back here: then a new one would need a new one, and so
        // on.
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: Service.self)
        let stack = CurrentThread.stack
        if stack.pointee.count(of: step) > 0, !provider.isMade {
            throw ServiceBoxError(.cycle, path: stack.pointee.circle(to: step))
        }
        let resolved = try provider.resolve()
        MakingStack.making(step) { service.see(resolved) }
        hasSeen.store(true, ordering: .relaxed)
        return resolved
    }

    /// The service for one that is being filled.
    private func resolveEarly() throws(ServiceBoxError) -> Service {
        guard !service.seesServices else { return try resolve() }
        if let made: Service = provider.made?.load(Service.self) { return made }
        return try provider.source.supply()
    }

    override var made: MadeService? { service }

    override func makingError() -> ServiceBoxError? {
        do throws(ServiceBoxError) {
            _ = try resolve()
            return nil
        } catch {
            return error
        }
    }

    override var lifetime: Lifetime? { provider.source.lifetime }

    override var isUnmade: Bool { order == nil && !provider.isMade && !hasSeen.load(ordering: .relaxed) }

    override func present(_ request: CellRequest) -> AnyCell? { services.lent(for: request) }

    override func mayFit(_ request: CellRequest) -> Bool {
        request.wants(ServiceProvider<Service>.self) || request.mayFit(Service.self)
    }

    override func surelyFits(_ request: CellRequest) -> Bool {
        request.wants(ServiceProvider<Service>.self) || request.surelyFits(Service.self)
    }

    override func isUnlikely(for request: CellRequest) -> Bool { request.isUnlikely(for: Service.self) }

    override var hasFixedCells: Bool { false }

    override var wiring: Wiring? { service.wiring }

    override func inherited(by child: ServiceBox) -> Registration {
        guard let makeInherited, scope == .box || child.isScope else { return self }
        return makeInherited(child)
    }
}

extension CellRequest {
    /// Whether a property is of a type or of its optional.
    func wants(_ other: Any.Type) -> Bool {
        type == other || unwrapped(type) == other
    }
}
