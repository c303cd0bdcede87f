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

    override func supply(_ request: CellRequest) -> Supply {
        if request.wants(ServiceProvider<Service>.self) {
            return providers.cell(of: provider, for: request).map(Supply.cell) ?? .mismatch
        }
        guard mayFit(request) else { return .mismatch }
        do {
            let service = try resolve()
            return services.cell(of: service, for: request).map(Supply.cell) ?? .mismatch
        } catch {
            return .failure(error, of: self)
        }
    }

    /// The service, made if need be.
    func resolve() throws(ServiceBoxError) -> Service {
        guard service.looksAtServices else { return try provider.resolve() }
        // Looking fills the service, which may come back here: then a new one would need a new one, and so on.
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: Service.self)
        if MakingStack.count(of: step) > 0, !provider.isMade {
            throw ServiceBoxError(.cycle, path: ServicePath([step]))
        }
        let resolved = try provider.resolve()
        MakingStack.making(step) { service.see(resolved) }
        hasSeen.store(true, ordering: .relaxed)
        return resolved
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

    override func supply(_ request: CellRequest) -> Supply {
        providers.cell(of: provider, for: request).map(Supply.cell) ?? .mismatch
    }

    override func mayFit(_ request: CellRequest) -> Bool {
        request.wants(ServiceParametersProvider<Service, Parameters>.self)
    }

    override func make<Wanted, Given>(
        _ type: Wanted.Type, with parameters: Given
    ) throws(ServiceBoxError) -> Wanted? {
        guard Given.self == Parameters.self, CellRequest(type: type).mayFit(Service.self) else { return nil }
        return fit(try provider.resolve(unsafeBitCast(parameters, to: Parameters.self)))
    }

    override var parametersType: Any.Type? { Parameters.self }

    override var hasFixedCells: Bool { false }

    override func inherited(by child: ServiceBox) -> Registration {
        child.isScope ? makeInherited?(child) ?? self : self
    }
}

/// What a box knows of the service that a provider has made last.
final class MadeService: Sendable {
    private struct State {
        var wiring: Wiring?
        var seen: WeaklyMade?
        var lastFill: FillReport?
    }

    /// The address of the record of the last fill, if nothing went wrong in it; 0 otherwise.
    private let cleanRecord = Atomic<UInt>(0)

    private let state = Guarded(State())
    private let onSight: (@Sendable (AnyObject) -> Void)?

    /// Starts with no service.
    ///
    /// - Parameter onSight: Called with a class instance that the box has not seen before; nil if the box makes the
    ///   services itself.
    init(onSight: (@Sendable (AnyObject) -> Void)? = nil) {
        self.onSight = onSight
    }

    /// Whether it has to take notice of each service before it is handed out.
    var seesServices: Bool { onSight != nil }

    /// The slots and the table of a service that lives on.
    var wiring: Wiring? {
        let wiring = state.withLock { $0.wiring }
        return wiring?.isGone == true ? nil : wiring
    }

    /// Whether the box fills services when it first sees them.
    var looksAtServices: Bool { onSight != nil }

    /// How the service that was made last was filled, if the box makes them.
    var lastFill: FillReport? { state.withLock { $0.lastFill } }

    /// Notes how the service that was made last was filled.
    ///
    /// - Returns: Whether it is the first that was made.
    @discardableResult
    func note(_ fill: FillReport) -> Bool {
        // Services that are made anew each time are filled alike but for what goes wrong. What is noted keeps the record,
        // so its address stands for no other.
        let record = UInt(bitPattern: Unmanaged.passUnretained(fill.record).toOpaque())
        let isClean = fill.deviations.isEmpty
        if isClean, cleanRecord.load(ordering: .relaxed) == record { return false }
        let old = state.withLock { state in
            cleanRecord.store(isClean ? record : 0, ordering: .relaxed)
            defer { state.lastFill = fill }
            return state.lastFill
        }
        return old == nil
    }

    func become(_ wiring: Wiring?) {
        let old = state.withLock { state in
            defer { state.wiring = wiring }
            return state.wiring
        }
        withExtendedLifetime(old) {}
    }

    /// Takes notice of a service before it is handed out.
    func see<Service: Sendable>(_ service: Service) {
        guard let onSight, let object = classInstance(in: service) else { return }
        let new = WeaklyMade(object)
        let old = state.withLock { state in
            defer { state.seen = new }
            return state.seen
        }
        if old?.object !== object { onSight(object) }
    }
}

extension CellRequest {
    /// Whether a property is of a type or of its optional.
    func wants(_ other: Any.Type) -> Bool {
        type == other || unwrapped(type) == other
    }
}
