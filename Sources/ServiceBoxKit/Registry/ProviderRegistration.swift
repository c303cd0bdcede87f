// Part of ServiceBox, released under the MIT License.
// Services that are made when they are asked for.

import Synchronization

/// A service that a provider makes.
final class ProviderRegistration<Service: Sendable>: Registration, @unchecked Sendable {
    /// What properties and look-ups of a provider get, the same for all.
    let provider: ServiceProvider<Service>
    private let service: MadeService
    private let services = LentCells()
    private let providers = LentCells()
    private let scope: ServiceScope
    private let makeInherited: (@Sendable (ServiceBox) -> Registration)?
    /// Whether the service could not be made when it was asked for.
    private let hasFailed = Atomic(false)
    /// What the box has got from a provider that it did not make.
    private let sight: SightSource<Service>?

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
        sight = made.seesServices ? SightSource(provider, made) : nil
        self.provider = sight.map(ServiceProvider.init) ?? provider
        service = made
        self.scope = scope
        self.makeInherited = makeInherited
        super.init(
            name: name, serviceType: Service.self, number: number, place: place,
            madeCell: self.provider.cell)
    }

    override func direct<Wanted>(_ type: Wanted.Type) throws(ServiceBoxError) -> Wanted? {
        guard Wanted.self == Service.self else { return nil }
        do throws(ServiceBoxError) {
            return unsafeBitCast(try provider.resolve(), to: Wanted.self)
        } catch {
            hasFailed.store(true, ordering: .relaxed)
            throw error
        }
    }

    override func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        if request.wants(ServiceProvider<Service>.self) {
            return providers.cell(of: provider, for: request).map(Supply.cell) ?? .mismatch
        }
        guard fit(request).isPossible else { return .mismatch }
        do throws(ServiceBoxError) {
            guard let cell = try cell(for: request, isEarly: isEarly) else { return .mismatch }
            let isGone = request.isWeak && unsafeDowncast(cell, to: WeakCell.self).object == nil
            return isGone ? .notKept : .cell(cell)
        } catch {
            hasFailed.store(true, ordering: .relaxed)
            return .failure(error, of: self)
        }
    }

    /// Makes a cell that is alone with its service when this returns.
    @inline(never)
    private func cell(for request: CellRequest, isEarly: Bool) throws(ServiceBoxError) -> AnyCell? {
        services.cell(of: try isEarly ? resolveEarly() : provider.resolve(), for: request)
    }

    /// The service for one that is being filled.
    private func resolveEarly() throws(ServiceBoxError) -> Service {
        if let made: Service = provider.cell?.load(Service.self) { return made }
        return try provider.source.supply()
    }

    override func isDropped(by request: CellRequest) -> Bool {
        request.isWeak && lifetime == .transient && !request.wants(ServiceProvider<Service>.self)
    }

    override var made: MadeService? { service }

    override func makingError() -> ServiceBoxError? {
        do throws(ServiceBoxError) {
            _ = try provider.resolve()
            return nil
        } catch {
            return error
        }
    }

    override var lifetime: Lifetime? { provider.source.lifetime }

    override var isUnmade: Bool {
        order == nil && !provider.isMade && sight?.hasSeen.load(ordering: .relaxed) != true
    }

    override var wasHandedOut: Bool {
        super.wasHandedOut && !(isUnmade && hasFailed.load(ordering: .relaxed))
    }

    override func present(_ request: CellRequest) -> AnyCell? { services.lent(for: request) }

    override func fit(_ request: CellRequest) -> Fit {
        request.wants(ServiceProvider<Service>.self) ? .fits : request.fit(Service.self)
    }

    override var hasFixedCells: Bool { false }

    override var wiring: Wiring? { service.wiring }

    override func inherited(by child: ServiceBox) -> Registration {
        guard let makeInherited, scope == .box || child.isScope else { return self }
        return makeInherited(child)
    }
}

/// What stands before a provider that a box did not make: lets the box take notice of each service before it
/// is handed out, whoever asks.
final class SightSource<Service: Sendable>: ServiceSource {
    private let provider: ServiceProvider<Service>
    private let service: MadeService
    /// Whether anything was handed out.
    let hasSeen = Atomic(false)

    init(_ provider: ServiceProvider<Service>, _ made: MadeService) {
        self.provider = provider
        service = made
    }

    func resolve() throws(ServiceBoxError) -> Service {
        // Looking fills the service, which may come back here: then a new one would need a new one, and so
        // on.
        if let cycle = ConstructionStack.current.pointee.cycle(to: step), !provider.isMade { throw cycle }
        let resolved = try provider.resolve()
        ConstructionStack.constructing(step) { service.see(resolved, step) }
        hasSeen.store(true, ordering: .relaxed)
        return resolved
    }

    var isMade: Bool { provider.isMade }
    var lifetime: Lifetime? { provider.source.lifetime }
    func reset() { provider.reset() }
    var keptError: ServiceBoxError? { provider.source.keptError }
}

extension CellRequest {
    /// Whether a property is of a type or of its optional.
    func wants(_ other: Any.Type) -> Bool {
        type == other || unwrapped(type) == other
    }
}
