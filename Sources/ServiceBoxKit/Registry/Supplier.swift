// Part of ServiceBox, released under the MIT License.
// What hands services out to properties and look-ups.

import Synchronization

/// What a service may be had from where its type is known.
@usableFromInline
enum Shortcut: Sendable {
    case none
    /// Where it lies once it is created.
    case shared(SharedSource)
    /// What creates one for each ask, by its closure.
    case transient(TransientSource)
}

/// Hands out one registered service.
///
/// Thread-safe.
protocol ServiceSupplier: AnyObject, Sendable {
    /// Answers a request that the service fits, which may create the service.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - asker: Who asks for it.
    /// - Returns: What there is for it; nil if the service doesn't fit after all.
    /// - Throws: Why the service couldn't be had.
    func supply(_ request: CellRequest, for asker: Asker) throws(ServiceBoxError) -> AnyCell?

    /// The cell that properties of a kind have, if there is one; creates nothing.
    func presentCell(for request: CellRequest) -> AnyCell?

    /// Whether a request always gets the same cell, which may then be kept.
    var hasFixedCells: Bool { get }

    /// The type that the service is registered as.
    var serviceType: any Sendable.Type { get }
    /// How the service came into the box.
    var kind: Registration.Kind { get }
    /// The type of the service itself, which may be registered as an interface.
    var implementation: Any.Type { get }
    /// The service, if it is a class instance and was registered ready-made.
    var instance: AnyObject? { get }
    /// What the service may be had from without the box's notice.
    var shortcut: Shortcut { get }
    /// The service, if it is there and the box's to keep; creates nothing.
    var present: AnyCell? { get }
    /// What creates the service, unless that is there or needs parameters.
    var creator: (any ServiceSource)? { get }
    /// What constructs the service, if something does.
    var step: ServicePath.Step? { get }
    /// Whether nothing is known of the service because it was never created.
    var isUnmade: Bool { get }
    /// Whether the service couldn't be created when it was asked for.
    var hasFailed: Bool { get }
    /// Notes that it couldn't.
    func noteFailure()

    /// The type of what properties may take instead of the service; nil if there is nothing.
    var providerType: Any.Type? { get }
    /// What properties may take instead of the service; created when it is first asked for.
    var provider: AnyCell? { get }

    /// The service, created if need be, as exactly the type that it is registered as; nil if it can't be had so.
    func cell() throws(ServiceBoxError) -> AnyCell?

    /// The same; awaits what must be awaited for it.
    nonisolated(nonsending) func prepare() async throws -> AnyCell?

    /// A service created from parameters; nil if it isn't created from such parameters, or doesn't fit.
    func service<Wanted, Given>(
        as type: Wanted.Type, from parameters: Given
    ) throws(ServiceBoxError) -> Wanted?

    /// Creates the service, or gives it what it requires, if that is the box's to do.
    func create() throws(ServiceBoxError)

    /// Notes whether the service, if it is ready-made, is known to have all that it requires.
    func note(isWhole: Bool)
}

extension ServiceSupplier {
    /// The cell that a request gets, if it is always the same.
    func fixedCell(for request: CellRequest) -> AnyCell? {
        hasFixedCells ? presentCell(for: request) : nil
    }

    var implementation: Any.Type { serviceType }
    var instance: AnyObject? { nil }
    var shortcut: Shortcut { .none }
    var present: AnyCell? { nil }
    var creator: (any ServiceSource)? { nil }
    var step: ServicePath.Step? { nil }
    var isUnmade: Bool { false }
    var hasFailed: Bool { false }
    func noteFailure() {}
    var hasFixedCells: Bool { false }
    var providerType: Any.Type? { nil }
    var provider: AnyCell? { nil }

    func cell() throws(ServiceBoxError) -> AnyCell? { nil }
    nonisolated(nonsending) func prepare() async throws -> AnyCell? { try cell() }

    func service<Wanted, Given>(
        as type: Wanted.Type, from parameters: Given
    ) throws(ServiceBoxError) -> Wanted? { nil }

    func create() throws(ServiceBoxError) { _ = try cell() }
    func note(isWhole: Bool) {}

    /// Whether the service, if it is ready-made, is known to have all that it requires; nil if it isn't ready-made.
    var isWhole: Bool? { kind == .instance ? hasFixedCells : nil }
    /// Creates the service if it is eager; what its factory throws is kept.
    func makeIfEager() { creator?.makeIfEager() }
    /// Whether the service must be awaited.
    var isAwaited: Bool { creator?.isAwaited ?? false }
    /// Whether somebody awaits the service that is being created.
    var isBeingPrepared: Bool { creator?.isBeingPrepared ?? false }
    /// Cancels what is being awaited, and waits until it has ended.
    nonisolated(nonsending) func cancelPreparation() async { await creator?.cancelPreparation() }

    /// Whether a request is for the provider of the service.
    func isProvider(wantedBy request: CellRequest) -> Bool {
        request.mayWantProvider && providerType.map(request.wants) ?? false
    }
}

// MARK: - Suppliers of what is there

/// A ready-made service, handed out when it has all that it requires.
///
/// What it requires and hasn't it is given as one that is created: where services require each other, all of them or
/// none. Thread-safe.
private final class ReadyMade: SharedSource, @unchecked Sendable {
    private let service: AnyCell
    private let isKnown = Atomic(true)

    init(_ service: AnyCell, of type: any Sendable.Type, by completer: Completer) {
        self.service = service
        super.init(of: type, .lazy, Maker(delegate: completer)) { service }
    }

    /// Whether it is known to have all that it requires; costs a load.
    var isWhole: Bool { isKnown.load(ordering: .acquiring) }

    func note(isWhole: Bool) {
        isKnown.store(isWhole, ordering: .releasing)
        if !isWhole { reset() }
    }

    /// The service, if it has all that it requires.
    ///
    /// - Parameter asker: Who asks for it.
    /// - Returns: The service.
    /// - Throws: What it lacks.
    func cell(for asker: Asker) throws(ServiceBoxError) -> AnyCell {
        isWhole ? service : try resolve(for: asker)
    }
}

/// Completes a ready-made service, as if it were made.
private final class Completer: MakerDelegate {
    private let name: String
    private let history: ServiceHistory
    private let weakBox: WeakSupplier?

    init(_ name: String, _ history: ServiceHistory, _ weakBox: WeakSupplier?) {
        self.name = name
        self.history = history
        self.weakBox = weakBox
    }

    func finish(_ service: AnyCell) throws -> (any Filling)? {
        guard let owner = weakBox?.owner else {
            throw ServiceBoxError(.boxIsGone(name: name), path: ServicePath([]))
        }
        return try owner.complete(name, history)
    }

    var generation: Int? { weakBox?.registry?.generation }
}

/// Supplies a service that was registered ready-made.
final class InstanceSupplier: ServiceSupplier {
    private let service: AnyCell
    let serviceType: any Sendable.Type
    let implementation: Any.Type
    private let name: String
    private let history: ServiceHistory
    private let weakBox: WeakSupplier?
    /// As long as there is none, the service is whole.
    private let lazyReadyMade = LazyReference<ReadyMade>()
    /// What properties point to that its own cell doesn't suit.
    private let lazyCells = LazyReference<KeptCells>()
    private let lazyProvider = LazyProvider()

    /// - Parameters:
    ///   - service: The service.
    ///   - type: The type that it is registered as.
    ///   - name: The name that it is registered under.
    ///   - history: What happens to it.
    ///   - weakBox: What leads to the box that completes it.
    ///   - isWhole: Whether it requires nothing.
    init(
        _ service: AnyCell, of type: any Sendable.Type, as name: String, _ history: ServiceHistory,
        in weakBox: WeakSupplier?, isWhole: Bool
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
    var instance: AnyObject? { service.instance }
    var present: AnyCell? { service }
    var step: ServicePath.Step? { lazyReadyMade.withObject { $0.isWhole ? nil : $0.step } }
    var hasFixedCells: Bool { lazyReadyMade.withObject { $0.isWhole } ?? true }
    var providerType: Any.Type? { LazyProvider.type(for: serviceType) }

    /// Kept, for properties that hold it weakly.
    var provider: AnyCell? {
        lazyProvider.cell(
            of: serviceType,
            from: FixedSource(of: serviceType, nil) { [readyMade] asker throws(ServiceBoxError) in
                try readyMade.cell(for: asker)
            })
    }

    func note(isWhole: Bool) {
        if isWhole, lazyReadyMade.object == nil { return }
        readyMade.note(isWhole: isWhole)
    }

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
        if let known = lazyCells.withObject({ $0.known(request) }) { return known }
        let held = isProvider(wantedBy: request) ? provider : service
        guard let new = held.flatMap(request.makeCell) else { return nil }
        return lazyCells.object(orCreate: KeptCells()).keep(new, for: request)
    }
}

/// A box, seen from the rooms below.
protocol RegistryOwner: AnyObject, Sendable {
    var registry: Registry { get }

    /// Finds what a ready-made service requires and hasn't; throws what it lacks.
    func complete(_ name: String, _ history: ServiceHistory) throws(ServiceBoxError) -> (any Filling)?

    /// Looks up the service of a property, and puts it into its slot if that is empty.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - property: The property.
    ///   - type: The type that was filled.
    ///   - object: The object that was filled, if that is known.
    /// - Returns: What came of it: filled, kept where somebody was quicker, or why the slot is empty.
    func fillLate(
        _ slot: Slot, _ property: PropertyRecord, of type: Any.Type, in object: ObjectIdentifier?
    ) -> Finding
}

/// Supplies a box that it doesn't keep alive, but what it fills does: the box's entry for itself.
final class WeakSupplier: ServiceSupplier {
    private let reference: WeakReference<any AnyObject & Sendable>
    let serviceType: any Sendable.Type
    private let lazyCells = LazyReference<SharedCells>()

    init<Box: RegistryOwner>(_ box: Box) {
        reference = WeakReference(box)
        serviceType = Box.self
    }

    /// The box, as long as it is there.
    var object: (any AnyObject & Sendable)? { reference.object }
    var owner: (any RegistryOwner)? { object as? any RegistryOwner }

    /// The box's registry, as long as the box is there.
    var registry: Registry? { owner?.registry }

    var kind: Registration.Kind { .box }

    /// A new one each time, since this would keep itself alive through it.
    var provider: AnyCell? {
        let source = FixedSource(of: serviceType, nil) { [self] _ throws(ServiceBoxError) in
            guard let object else {
                throw ServiceBoxError(.boxIsGone(name: Registration.boxName), path: ServicePath([]))
            }
            return ObjectCell(object, as: serviceType)
        }
        return LazyProvider().cell(of: serviceType, from: source)
    }

    func supply(_ request: CellRequest, for asker: Asker) -> AnyCell? {
        object.flatMap { object in
            lazyCells.object(orCreate: SharedCells())
                .cell(of: ObjectCell(object, as: serviceType), for: request)
        }
    }

    func presentCell(for request: CellRequest) -> AnyCell? { lazyCells.withObject { $0.present(request) } }
}
