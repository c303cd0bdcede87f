// Part of ServiceBox, released under the MIT License.
// What hands services out to properties and look-ups.

import Synchronization

/// What there is for a request.
enum Supply: Sendable {
    case cell(AnyCell)
    case mismatch
    case failure(ServiceBoxError)
    /// The property would hold the service weakly, and nobody else keeps it.
    case notKept
}

/// Hands out a service, or all services that fit.
///
/// Thread-safe.
protocol Supplier: AnyObject, Sendable {
    /// Answers a request that the service fits, which may create the service.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - isEarly: Whether it is for a slot of a service that is itself being filled, so that this one may be
    ///     filled after it.
    /// - Returns: What there is for it.
    func supply(_ request: CellRequest, isEarly: Bool) -> Supply

    /// The cell that properties of a kind have, if there is one; creates nothing.
    func presentCell(for request: CellRequest) -> AnyCell?

    /// Whether a request always gets the same cell, which may then be kept.
    var hasFixedCells: Bool { get }
}

/// Hands out one registered service.
///
/// Thread-safe.
protocol ServiceSupplier<Service>: Supplier {
    associatedtype Service: Sendable

    /// How the service came into the box.
    var kind: Registration.Kind { get }
    /// The type of the service itself, which may be registered as an interface.
    var implementation: Any.Type { get }
    /// The service, if it is a class instance and was registered ready-made.
    var instance: AnyObject? { get }
    /// Where the service lies once it is created, if it may be handed out from there.
    var madeCell: OnceCell? { get }
    /// What constructs the service, if something does.
    var step: ServicePath.Step? { get }
    /// Whether the service, if it is ready-made, is known to have all that it requires; nil if it isn't ready-made.
    var isWhole: Bool? { get }
    /// Whether nothing is known of the service because it was never created.
    var isUnmade: Bool { get }
    /// Whether the service couldn't be created when it was asked for.
    var hasFailed: Bool { get }

    /// The service, created if need be, if it is registered as exactly a type: without a cast and without a cell.
    func service<Wanted>(as type: Wanted.Type) throws(ServiceBoxError) -> Wanted?

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
    /// The type that the service is registered as.
    var serviceType: Any.Type { Service.self }
    var implementation: Any.Type { Service.self }
    var instance: AnyObject? { nil }
    var madeCell: OnceCell? { nil }
    var step: ServicePath.Step? { nil }
    var isWhole: Bool? { nil }
    var isUnmade: Bool { false }
    var hasFailed: Bool { false }
    var hasFixedCells: Bool { false }

    func service<Wanted>(as type: Wanted.Type) throws(ServiceBoxError) -> Wanted? { nil }

    func service<Wanted, Given>(
        as type: Wanted.Type, from parameters: Given
    ) throws(ServiceBoxError) -> Wanted? { nil }

    func create() throws(ServiceBoxError) {}
    func note(isWhole: Bool) {}
}

/// The cells that properties share, kept alive by the properties alone, and with them their service.
///
/// Thread-safe.
final class SharedCells: Sendable {
    private typealias Entries = [CellRequest: (cell: Weak<AnyCell>, service: ObjectIdentifier)]

    private let entries = Guarded(Entries())

    /// The cell that was handed out last, if a property still has it.
    func present(_ request: CellRequest) -> AnyCell? { entries.withLock { $0[request]?.cell.object } }

    /// The cell that all properties of a type share for the same object; a value gets a new one each time.
    ///
    /// - Parameters:
    ///   - service: The service as it is now.
    ///   - request: What the property asks for.
    /// - Returns: The cell, or nil if the service doesn't fit.
    func cell<Service: Sendable>(of service: Service, for request: CellRequest) -> AnyCell? {
        guard let identity = classInstance(in: service).map(ObjectIdentifier.init) else {
            return request.makeCell(of: service)
        }
        func known(_ entries: Entries) -> AnyCell? {
            guard let entry = entries[request], entry.service == identity, let cell = entry.cell.object
            else { return nil }
            // What a weak cell held may be gone, and the service be at its address. The caller holds the service, so
            // nothing ends under the lock.
            return request.hasLost(cell) ? nil : cell
        }
        if let cell = entries.withLock({ known($0) }) { return cell }
        guard let new = request.makeCell(of: service) else { return nil }
        return entries.withLock { entries in
            if let cell = known(entries) { return cell }
            entries[request] = (Weak(new), identity)
            return new
        }
    }
}

// MARK: - Suppliers of what is there

/// A ready-made service, handed out when it has all that it requires.
///
/// What it requires and hasn't it is given as one that is created: where services require each other, all of them or
/// none. Thread-safe.
private final class ReadyMade<Service: Sendable>: Sendable {
    let service: Service
    private let isKnown: Atomic<Bool>
    private let complete: @Sendable () throws(ServiceBoxError) -> Filling?
    private let lazySource = LazyReference<SharedSource<Service>>()

    init(
        _ service: Service, isWhole: Bool,
        _ complete: @escaping @Sendable () throws(ServiceBoxError) -> Filling?
    ) {
        self.service = service
        isKnown = Atomic(isWhole)
        self.complete = complete
    }

    /// Whether it is known to have all that it requires; costs a load.
    var isWhole: Bool { isKnown.load(ordering: .acquiring) }

    /// What completes the service.
    private var source: SharedSource<Service> {
        lazySource.object(
            orCreate: SharedSource(
                .lazy, Maker(finish: { [complete] _ in try complete() }, make: { [service] in service })))
    }

    var step: ServicePath.Step? { isWhole ? nil : source.step }

    func note(isWhole: Bool) {
        isKnown.store(isWhole, ordering: .releasing)
        if !isWhole { lazySource.object?.reset() }
    }

    /// The service, if it has all that it requires.
    ///
    /// - Parameter isEarly: Whether it is for a service that is itself being filled.
    /// - Returns: The service.
    /// - Throws: What it lacks.
    func resolve(isEarly: Bool = false) throws(ServiceBoxError) -> Service {
        if isWhole { return service }
        return isEarly ? try source.supply() : try source.resolve()
    }
}

/// Supplies a service that was registered ready-made.
final class InstanceSupplier<Service: Sendable>: ServiceSupplier {
    private let readyMade: ReadyMade<Service>
    private let cells = Guarded<[CellRequest: AnyCell]>([:])
    private let lazyProvider = LazyReference<ServiceProvider<Service>>()

    /// - Parameters:
    ///   - service: The service.
    ///   - isWhole: Whether it requires nothing.
    ///   - complete: Finds what it requires and hasn't; throws what it lacks.
    init(
        _ service: Service, isWhole: Bool,
        _ complete: @escaping @Sendable () throws(ServiceBoxError) -> Filling?
    ) {
        readyMade = ReadyMade(service, isWhole: isWhole, complete)
    }

    /// Kept, for properties that hold it weakly.
    var provider: ServiceProvider<Service> {
        lazyProvider.object(
            orCreate: ServiceProvider(
                FixedSource(nil) { [readyMade] () throws(ServiceBoxError) in try readyMade.resolve() }))
    }

    var kind: Registration.Kind { .instance }
    var implementation: Any.Type { type(of: readyMade.service as Any) }
    var instance: AnyObject? { classInstance(in: readyMade.service) }
    var step: ServicePath.Step? { readyMade.step }
    var isWhole: Bool? { readyMade.isWhole }
    var hasFixedCells: Bool { readyMade.isWhole }

    func note(isWhole: Bool) { readyMade.note(isWhole: isWhole) }

    func create() throws(ServiceBoxError) { _ = try readyMade.resolve() }

    func service<Wanted>(as type: Wanted.Type) throws(ServiceBoxError) -> Wanted? {
        guard Wanted.self == Service.self else { return nil }
        return unsafeBitCast(try readyMade.resolve(), to: Wanted.self)
    }

    func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        guard let cell = presentCell(for: request) else { return .mismatch }
        if request.wants(ServiceProvider<Service>.self) { return .cell(cell) }
        do throws(ServiceBoxError) {
            _ = try readyMade.resolve(isEarly: isEarly)
            return .cell(cell)
        } catch {
            return .failure(error)
        }
    }

    func presentCell(for request: CellRequest) -> AnyCell? {
        cells.value(for: request) {
            let isForProvider = request.wants(ServiceProvider<Service>.self)
            return isForProvider ? request.makeCell(of: provider) : request.makeCell(of: readyMade.service)
        }
    }
}

/// Supplies an object that it doesn't keep alive, but what it fills does: the box's entry for itself.
final class WeakSupplier<Service: AnyObject & Sendable>: ServiceSupplier {
    weak let service: Service?
    private let cells = SharedCells()

    init(_ service: Service) {
        self.service = service
    }

    var kind: Registration.Kind { .box }

    func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        service.flatMap { cells.cell(of: $0, for: request) }.map(Supply.cell) ?? .mismatch
    }

    func presentCell(for request: CellRequest) -> AnyCell? { cells.present(request) }
}
