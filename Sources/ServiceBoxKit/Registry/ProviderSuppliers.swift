// Part of ServiceBox, released under the MIT License.
// Suppliers of services that providers create.

import Synchronization

/// Supplies the service of a source, and its provider.
final class ProviderSupplier: ServiceSupplier {
    private let source: any ServiceSource
    private let lazyProvider = LazyReference<AnyCell>()
    private let lazyCells = LazyReference<SharedCells>()
    private let failed = Atomic(false)

    init(_ source: any ServiceSource) {
        self.source = source
    }

    var serviceType: any Sendable.Type { source.serviceType }
    var kind: Registration.Kind { .provided(source.lifetime) }
    var present: AnyCell? { (source as? SharedSource)?.current.cell.flatMap { $0.isGone ? nil : $0 } }
    var creator: (any ServiceSource)? { source }
    var step: ServicePath.Step? { source.step }
    var isUnmade: Bool { !source.isMade }
    var hasFailed: Bool { failed.load(ordering: .relaxed) }
    func noteFailure() { failed.store(true, ordering: .relaxed) }
    var provider: AnyCell? { lazyProvider.object(orCreate: .provider(of: serviceType, from: source)) }

    func cell() throws(ServiceBoxError) -> AnyCell? { try resolve(for: .code) }

    nonisolated(nonsending) func prepare() async throws -> AnyCell? { try await source.prepare() }

    // Not inlined, so that only the cell holds the service when this returns.
    @inline(never)
    func supply(_ request: CellRequest, for asker: Asker) throws(ServiceBoxError) -> AnyCell? {
        let isProvider = isProvider(wantedBy: request)
        guard let wanted = isProvider ? provider : try resolve(for: asker) else { return nil }
        // A value that isn't kept is nobody else's.
        if source.lifetime == .transient, wanted.instance == nil { return request.makeCell(from: wanted) }
        let isKept = isProvider || source.lifetime == .lazy || source.lifetime == .eager
        return lazyCells.object(orCreate: SharedCells()).cell(of: wanted, for: request, isKept: isKept)
    }

    private func resolve(for asker: Asker) throws(ServiceBoxError) -> AnyCell {
        do throws(ServiceBoxError) {
            return try source.resolve(for: asker)
        } catch {
            noteFailure()
            throw error
        }
    }

    func presentCell(for request: CellRequest) -> AnyCell? { lazyCells.withObject { $0.present(request) } }

    func keptCell(for request: CellRequest) -> AnyCell? {
        guard let cell = source.shared?.refresh(),
            lazyCells.withObject({ $0.hasHandedOut(cell) }) == true, request.allows(cell)
        else { return nil }
        return cell
    }

    func create() throws(ServiceBoxError) { _ = try source.resolve() }
}

/// Supplies the provider of services that are created from parameters.
final class ParametersSupplier<Service: Sendable, Parameters>: ServiceSupplier {
    private let serviceProvider: ServiceParametersProvider<Service, Parameters>
    private let providers = SharedCells()

    init(_ provider: ServiceParametersProvider<Service, Parameters>) {
        serviceProvider = provider
    }

    var serviceType: any Sendable.Type { Service.self }
    var kind: Registration.Kind { .fromParameters(Parameters.self) }
    var provider: AnyCell? { AnyCell.holding(serviceProvider) }

    func supply(_ request: CellRequest, for asker: Asker) -> AnyCell? {
        provider.flatMap { providers.cell(of: $0, for: request) }
    }

    func presentCell(for request: CellRequest) -> AnyCell? { providers.present(request) }

    func service<Wanted, Given>(
        as type: Wanted.Type, from parameters: Given
    ) throws(ServiceBoxError) -> Wanted? {
        guard Given.self == Parameters.self else { return nil }
        return unsafe converted(try serviceProvider.resolve(unsafeBitCast(parameters, to: Parameters.self)))
    }
}

/// Wraps a provider that the box didn't create: the box fills each service before anyone gets it.
final class WatchedSource: ServiceSource {
    /// Fills a service that wasn't seen before, and is told whether the previous one still exists; throws an
    /// error for what it lacks.
    typealias OnFirstSight =
        @Sendable (_ service: Any, _ isAnother: Bool) throws(ServiceBoxError) -> (any Filling)?

    private let provider: any ServiceSource
    private let history: ServiceHistory
    private let onFirstSight: OnFirstSight
    /// The last object seen, or the cell of a value, and its filling.
    private let latest = Guarded<(identity: WeakCell, filling: Construction)?>(nil)

    init(_ provider: any ServiceSource, _ history: ServiceHistory, onFirstSight: @escaping OnFirstSight) {
        self.provider = provider
        self.history = history
        self.onFirstSight = onFirstSight
    }

    var serviceType: any Sendable.Type { provider.serviceType }

    /// Resolves the provider, and fills the service if it is new.
    func resolve(for asker: Asker) throws(ServiceBoxError) -> AnyCell {
        // If filling the service resolves it, a new one would need a new one, and so on.
        if let cycle = ConstructionStack.here.value.cycle(to: step), !provider.isMade { throw cycle }
        // Filled even for an early asker, since nobody fills it later.
        let service = try provider.resolve(for: asker == .early ? .filling : asker)
        service.dynamicType.map(history.noteCreated)
        if service.instance != nil || hasSlots(service) {
            _ = try filling(of: service).take(for: asker)
        }
        history.noteMade()
        return service
    }

    /// Whether a value has anything to fill.
    private func hasSlots(_ value: AnyCell) -> Bool {
        guard let type = value.dynamicType, !PlanStore.isBare(type) else { return false }
        return !PlanStore.plan(of: type).slotIndices.isEmpty
    }

    /// The filling of a service: one that has begun, or a new one.
    private func filling(of service: AnyCell) -> Construction {
        let new = Construction(step)
        let object = service.identity
        let identity = WeakCell(object)
        let isAnother: Bool
        while true {
            let last = latest.withLock { $0 }
            // Not under the lock: this may be the object's last reference.
            let known = last?.identity.object
            if let last, known === object { return last.filling }
            let isLatest = latest.withLock { latest in
                guard latest?.identity === last?.identity else { return false }
                latest = (identity, new)
                return true
            }
            guard isLatest else { continue }
            isAnother = known != nil
            break
        }
        new.handOver { [self] in
            // The filling failed; forget it so that the service is filled again.
            if $0.error != nil { latest.withLock { if $0?.filling === new { $0 = nil } } }
        }
        let cell = service.instance.map { _ in identity }
        let depth = ConstructionStack.here.value.steps.count
        // Holds the service until then: a property has a value in another cell.
        new.create(cell, with: [], inside: depth) { [onFirstSight] () throws(ServiceBoxError) in
            guard let seen = service.subject else { return nil }
            return try onFirstSight(seen, isAnother)
        }
        return new
    }

    /// Whether the provider's latest service is an object.
    func isLatest(_ object: AnyObject) -> Bool { latest.withLock { $0 }?.identity.object === object }

    var keeper: SharedSource? { provider.keeper }
    var isMade: Bool { provider.isMade }
    var lifetime: Lifetime? { provider.lifetime }
    func reset() { provider.reset() }
    var keptError: ServiceBoxError? { provider.keptError }
}
