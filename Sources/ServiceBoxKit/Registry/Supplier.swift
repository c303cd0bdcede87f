// Part of ServiceBox, released under the MIT License.
// Suppliers, which hand out services to properties and look-ups.

import Synchronization

/// Hands out one registered service.
///
/// Thread-safe.
protocol ServiceSupplier: AnyObject, Sendable {
    /// Answers a request that the service fits, which may create the service; nil if it doesn't fit after all.
    ///
    /// - Throws: The error of creating or completing the service.
    func supply(_ request: CellRequest, for asker: Asker) throws(ServiceBoxError) -> AnyCell?

    /// The existing cell for a request, if there is one; creates nothing.
    func presentCell(for request: CellRequest) -> AnyCell?

    /// The cell in which a created service is kept, if others point to it already, and a request allows it; the
    /// common case of what isn't fixed.
    func keptCell(for request: CellRequest) -> AnyCell?

    /// Whether a request always gets the same cell, which may then be kept.
    var hasFixedCells: Bool { get }

    /// The type that the service is registered as.
    var serviceType: any Sendable.Type { get }
    /// How the service came into the box.
    var kind: Registration.Kind { get }
    /// The type of the service itself, which may be registered as an interface.
    var implementation: Any.Type { get }
    /// The service, if it exists and is the box's to keep; creates nothing.
    var present: AnyCell? { get }
    /// The source that creates the service, unless it is ready-made or needs parameters.
    var creator: (any ServiceSource)? { get }
    /// The step that constructs the service, if there is one.
    var step: ServicePath.Step? { get }
    /// Whether the service was never created, so that nothing is known about it.
    var isUnmade: Bool { get }
    /// Whether creating the service has failed.
    var hasFailed: Bool { get }
    /// Notes that creating it failed.
    func noteFailure()

    /// The provider that properties may take instead of the service, created on first use.
    var provider: AnyCell? { get }

    /// The service, created if necessary, as exactly its registered type; nil if it has no such form.
    func cell() throws(ServiceBoxError) -> AnyCell?

    /// The same; awaits whatever it needs.
    nonisolated(nonsending) func prepare() async throws -> AnyCell?

    /// A service created from parameters; nil if these parameters or the wanted type don't fit.
    func service<Wanted, Given>(
        as type: Wanted.Type, from parameters: Given
    ) throws(ServiceBoxError) -> Wanted?

    /// Creates or completes the service, if that is the box's job.
    func create() throws(ServiceBoxError)

    /// Notes whether a ready-made service is known to have everything that it requires.
    func note(isWhole: Bool)
}

extension ServiceSupplier {
    var implementation: Any.Type { serviceType }
    var present: AnyCell? { nil }
    var creator: (any ServiceSource)? { nil }
    var step: ServicePath.Step? { nil }
    var isUnmade: Bool { false }
    var hasFailed: Bool { false }
    func noteFailure() {}
    func keptCell(for request: CellRequest) -> AnyCell? { nil }
    var hasFixedCells: Bool { false }

    func cell() throws(ServiceBoxError) -> AnyCell? { nil }
    nonisolated(nonsending) func prepare() async throws -> AnyCell? { try cell() }

    func service<Wanted, Given>(
        as type: Wanted.Type, from parameters: Given
    ) throws(ServiceBoxError) -> Wanted? { nil }

    func create() throws(ServiceBoxError) { _ = try cell() }
    func note(isWhole: Bool) {}

    /// Whether a request is for the provider of the service.
    func isProvider(wantedBy request: CellRequest) -> Bool {
        request.isForProvider(of: serviceType, kind)
    }
}

// MARK: - Suppliers of existing objects

/// A ready-made service, handed out when it has everything that it requires.
///
/// Missing requirements are filled as for a created service: services that require each other are completed
/// together or not at all. Thread-safe.
private final class ReadyMade: SharedSource, @unchecked Sendable {
    private let service: AnyCell
    private let isKnown = Atomic(true)

    init(_ service: AnyCell, of type: any Sendable.Type, by completer: Completer) {
        self.service = service
        super.init(of: type, .lazy, Maker(delegate: completer)) { service }
    }

    /// Whether it is known to have everything that it requires; costs one load.
    var isWhole: Bool { isKnown.load(ordering: .acquiring) }

    func note(isWhole: Bool) {
        isKnown.store(isWhole, ordering: .releasing)
        if !isWhole { reset() }
    }

    /// The service; throws an error for what it lacks.
    func cell(for asker: Asker) throws(ServiceBoxError) -> AnyCell {
        isWhole ? service : try resolve(for: asker)
    }
}

/// Completes a ready-made service, as if it had been created.
private final class Completer: MakerDelegate {
    private let name: String
    private let history: ServiceHistory
    private let weakBox: WeakSupplier

    init(_ name: String, _ history: ServiceHistory, _ weakBox: WeakSupplier) {
        self.name = name
        self.history = history
        self.weakBox = weakBox
    }

    func finish(_ service: AnyCell) throws -> (any Filling)? {
        guard let owner = weakBox.owner else { throw ServiceBoxError(.boxIsGone(name: name)) }
        return try owner.complete(name, history)
    }

    var generation: Int? { weakBox.registry?.generation }
}

/// Supplies a service that was registered ready-made.
final class InstanceSupplier: ServiceSupplier {
    private let service: AnyCell
    let serviceType: any Sendable.Type
    let implementation: Any.Type
    private let name: String
    private let history: ServiceHistory
    /// The box that completes it.
    private let weakBox: WeakSupplier
    /// While there is none, the service is complete.
    private let lazyReadyMade = LazyReference<ReadyMade>()
    /// Cells for properties that its own cell doesn't suit.
    private let cells = Guarded(SmallDictionary<CellRequest, AnyCell>())
    private let lazyProvider = LazyReference<AnyCell>()

    init(
        _ service: AnyCell, of type: any Sendable.Type, as name: String, _ history: ServiceHistory,
        in weakBox: WeakSupplier, isWhole: Bool
    ) {
        self.service = service
        serviceType = type
        implementation = service.dynamicType ?? type
        self.name = name
        self.history = history
        self.weakBox = weakBox
        if !isWhole { readyMade.note(isWhole: false) }
    }

    private var readyMade: ReadyMade {
        lazyReadyMade.object(
            orCreate: ReadyMade(service, of: serviceType, by: Completer(name, history, weakBox)))
    }

    var kind: Registration.Kind { .instance }
    var present: AnyCell? { service }
    var step: ServicePath.Step? { lazyReadyMade.withObject { $0.isWhole ? nil : $0.step } }
    var hasFixedCells: Bool { lazyReadyMade.withObject { $0.isWhole } ?? true }

    /// Kept, because properties may hold it weakly.
    var provider: AnyCell? {
        let source = FixedSource(of: serviceType, nil) { [readyMade] asker throws(ServiceBoxError) in
            try readyMade.cell(for: asker)
        }
        return lazyProvider.object(orCreate: .provider(of: serviceType, from: source))
    }

    func note(isWhole: Bool) { readyMade.note(isWhole: isWhole) }

    func cell() throws(ServiceBoxError) -> AnyCell? {
        try hasFixedCells ? service : readyMade.resolve(for: .code)
    }

    nonisolated(nonsending) func prepare() async throws -> AnyCell? {
        hasFixedCells ? service : try await readyMade.prepare()
    }

    func supply(_ request: CellRequest, for asker: Asker) throws(ServiceBoxError) -> AnyCell? {
        guard let cell = presentCell(for: request) else { return nil }
        if !hasFixedCells, !isProvider(wantedBy: request) { _ = try readyMade.cell(for: asker) }
        return cell
    }

    func presentCell(for request: CellRequest) -> AnyCell? {
        if request.allows(service) { return service }
        if let known = cells.withLock({ $0[request.anywhere] }) { return known }
        let held = isProvider(wantedBy: request) ? provider : service
        guard let new = held.flatMap(request.makeCell) else { return nil }
        // It fits here. A cell that is bound to an actor is found only by those whom the service fits, too.
        let key = request.isBoundToActor(by: implementation) ? request.onItsActor : request.anywhere
        return cells.withLock { cells in
            cells[key] = cells[key] ?? new
            return cells[key]
        }
    }
}

/// A box, as the folders below see it.
protocol RegistryOwner: AnyObject, Sendable {
    var registry: Registry { get }

    /// Finds the missing requirements of a ready-made service; throws an error for what it lacks.
    func complete(_ name: String, _ history: ServiceHistory) throws(ServiceBoxError) -> (any Filling)?

    /// Whether a service has actions at its end, or will have them once it is created.
    func mustStop(_ service: Registration) -> Bool

    /// Looks up a property's service, and puts it into the slot if that is empty.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - property: The property.
    ///   - request: What it requests here.
    ///   - type: The type that was filled.
    ///   - object: The object that was filled, if known.
    ///   - lost: The cell of a weak slot whose service is gone, if it may still hold that.
    /// - Returns: The finding: filled, kept because another thread was quicker, or why the slot is empty.
    func fillLate(
        _ slot: Slot, _ property: PropertyRecord, _ request: CellRequest, of type: Any.Type,
        in object: ObjectIdentifier?, replacing lost: AnyCell?
    ) -> Finding
}

/// Supplies a box without keeping it alive, as its entry for itself; properties that it fills do keep it.
final class WeakSupplier: ServiceSupplier {
    private let reference: WeakReference<any AnyObject & Sendable>
    let serviceType: any Sendable.Type
    private let ownerOf: @Sendable (AnyObject) -> any RegistryOwner
    private let lazyCells = LazyReference<SharedCells>()

    init<Box: RegistryOwner>(_ box: Box) {
        reference = WeakReference(box)
        serviceType = Box.self
        // Safe: only called with this box. A cast would search the program's conformances once.
        ownerOf = { unsafe unsafeDowncast($0, to: Box.self) }
    }

    /// The box, while it exists.
    var object: (any AnyObject & Sendable)? { reference.object }
    var owner: (any RegistryOwner)? { object.map(ownerOf) }

    /// The box's registry, while the box exists.
    var registry: Registry? { owner?.registry }

    var kind: Registration.Kind { .box }

    /// A new one each time, since a stored one would keep this supplier alive.
    var provider: AnyCell? {
        let source = FixedSource(of: serviceType, nil) { [self] _ throws(ServiceBoxError) in
            guard let object else { throw ServiceBoxError(.boxIsGone(name: Registration.boxName)) }
            return ObjectCell(object, as: serviceType)
        }
        return .provider(of: serviceType, from: source)
    }

    func supply(_ request: CellRequest, for asker: Asker) -> AnyCell? {
        object.flatMap { object in
            lazyCells.object(orCreate: SharedCells())
                .cell(of: ObjectCell(object, as: serviceType), for: request)
        }
    }

    func presentCell(for request: CellRequest) -> AnyCell? { lazyCells.withObject { $0.present(request) } }
}

extension CellRequest {
    /// Whether the provider is wanted that properties may take instead of a service; the box itself has none.
    func isForProvider(
        of service: any Sendable.Type, _ kind: @autoclosure () -> Registration.Kind
    ) -> Bool {
        // Mostly it isn't, and asks for no kind.
        guard mayWantProvider, case let kind = kind(), kind != .box else { return false }
        func provider<Service: Sendable>(of _: Service.Type) -> Any.Type {
            func provider<Parameters>(from _: Parameters.Type) -> Any.Type {
                ServiceParametersProvider<Service, Parameters>.self
            }
            guard case .fromParameters(let parameters) = kind else { return ServiceProvider<Service>.self }
            return _openExistential(parameters, do: provider(from:))
        }
        return provider(of: service) == wanted
    }
}
