// Part of ServiceBox, released under the MIT License.
// What supplies services that providers create.

import Synchronization

/// Supplies the service of a provider, and the provider itself.
final class ProviderSupplier<Service: Sendable>: ServiceSupplier {
    let provider: ServiceProvider<Service>
    private let services = SharedCells()
    private let providers = SharedCells()
    private let failed = Atomic(false)
    /// Whether a provider that the box didn't create has handed anything out.
    private let wasSupplied: (@Sendable () -> Bool)?

    init(_ provider: ServiceProvider<Service>, wasSupplied: (@Sendable () -> Bool)? = nil) {
        self.provider = provider
        self.wasSupplied = wasSupplied
    }

    var kind: Registration.Kind { .provided(provider.source.lifetime, by: ServiceProvider<Service>.self) }
    var madeCell: OnceCell? { provider.cell }
    var step: ServicePath.Step? { provider.source.step }
    var isUnmade: Bool { !provider.isMade && wasSupplied?() != true }
    var hasFailed: Bool { failed.load(ordering: .relaxed) }

    func service<Wanted>(as type: Wanted.Type) throws(ServiceBoxError) -> Wanted? {
        guard Wanted.self == Service.self else { return nil }
        return unsafeBitCast(try resolve(isEarly: false), to: Wanted.self)
    }

    func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        if request.wants(ServiceProvider<Service>.self) {
            return providers.cell(of: provider, for: request).map(Supply.cell) ?? .mismatch
        }
        do throws(ServiceBoxError) {
            guard let cell = try cell(for: request, isEarly: isEarly) else { return .mismatch }
            return request.hasLost(cell) ? .notKept : .cell(cell)
        } catch {
            return .failure(error)
        }
    }

    /// Creates a cell that is alone with its service when this returns.
    @inline(never)
    private func cell(for request: CellRequest, isEarly: Bool) throws(ServiceBoxError) -> AnyCell? {
        services.cell(of: try resolve(isEarly: isEarly), for: request)
    }

    private func resolve(isEarly: Bool) throws(ServiceBoxError) -> Service {
        do throws(ServiceBoxError) {
            if !isEarly { return try provider.resolve() }
            if let made: Service = provider.cell?.load(Service.self) { return made }
            return try provider.source.supply()
        } catch {
            failed.store(true, ordering: .relaxed)
            throw error
        }
    }

    func presentCell(for request: CellRequest) -> AnyCell? { services.present(request) }

    func create() throws(ServiceBoxError) { _ = try provider.resolve() }
}

/// Supplies the provider of services that are created from parameters.
final class ParametersSupplier<Service: Sendable, Parameters>: ServiceSupplier {
    private let provider: ServiceParametersProvider<Service, Parameters>
    private let providers = SharedCells()

    init(_ provider: ServiceParametersProvider<Service, Parameters>) {
        self.provider = provider
    }

    var kind: Registration.Kind {
        .fromParameters(Parameters.self, provider: ServiceParametersProvider<Service, Parameters>.self)
    }

    func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        providers.cell(of: provider, for: request).map(Supply.cell) ?? .mismatch
    }

    func presentCell(for request: CellRequest) -> AnyCell? { providers.present(request) }

    func service<Wanted, Given>(
        as type: Wanted.Type, from parameters: Given
    ) throws(ServiceBoxError) -> Wanted? {
        guard Given.self == Parameters.self else { return nil }
        return converted(try provider.resolve(unsafeBitCast(parameters, to: Parameters.self)))
    }
}

/// Stands before a provider that the box didn't create: the box fills each service before anyone gets it.
final class WatchedSource<Service: Sendable>: ServiceSource {
    private let provider: ServiceProvider<Service>
    private let onFirstSight: @Sendable (AnyObject, _ isAnother: Bool) throws(ServiceBoxError) -> Filling?
    /// The service that was seen last, and its filling.
    private let latest = Guarded<(service: Weak<AnyObject>, filling: Construction)?>(nil)
    private let hasSupplied = Atomic(false)

    /// Watches a provider.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - onFirstSight: Fills a class instance that wasn't seen before, and is told whether it takes the place of
    ///     one that somebody still has; throws what it lacks.
    init(
        _ provider: ServiceProvider<Service>,
        onFirstSight: @escaping @Sendable (AnyObject, _ isAnother: Bool) throws(ServiceBoxError) -> Filling?
    ) {
        self.provider = provider
        self.onFirstSight = onFirstSight
    }

    var wasSupplied: Bool { hasSupplied.load(ordering: .relaxed) }

    func resolve() throws(ServiceBoxError) -> Service {
        try ask { construction throws(ServiceBoxError) in _ = try construction.takeFilled() }
    }

    func supply() throws(ServiceBoxError) -> Service {
        try ask { construction throws(ServiceBoxError) in _ = try construction.takeCreated() }
    }

    /// Asks the provider, and has a service filled that is new.
    private func ask(
        _ take: (Construction) throws(ServiceBoxError) -> Void
    ) throws(ServiceBoxError) -> Service {
        // Filling the service may ask for it: then a new one would need a new one, and so on.
        if let cycle = ConstructionStack.current.pointee.cycle(to: step), !provider.isMade { throw cycle }
        let service = try provider.resolve()
        if let object = classInstance(in: service) { try take(filling(of: object)) }
        hasSupplied.store(true, ordering: .relaxed)
        return service
    }

    /// The filling of a service: the one that was begun, or a new one.
    private func filling(of object: AnyObject) -> Construction {
        let new = Construction(step)
        let service = Weak(object)
        let (filling, isAnother) = latest.withLock { latest -> (Construction, Bool) in
            let known = latest?.service.object
            if let latest, known === object { return (latest.filling, false) }
            latest = (service, new)
            return (new, known != nil)
        }
        guard filling === new else { return filling }
        new.handOver { [self] in
            // It was refused, and is filled again.
            if $0.error != nil { latest.withLock { if $0?.filling === new { $0 = nil } } }
        }
        new.create(service, kept: nil, with: []) { [onFirstSight] () throws(ServiceBoxError) in
            try service.object.flatMap { object throws(ServiceBoxError) in try onFirstSight(object, isAnother)
            }
        }
        return new
    }

    var isMade: Bool { provider.isMade }
    var lifetime: Lifetime? { provider.source.lifetime }
    func reset() { provider.reset() }
    var keptError: ServiceBoxError? { provider.source.keptError }
}
