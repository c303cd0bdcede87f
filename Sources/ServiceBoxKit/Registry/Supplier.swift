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
    /// Whether the service, if it is ready-made, has all that it requires; nil if it isn't.
    var wholeness: Wholeness? { get }
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

    /// Creates the service if that is the box's to do.
    func create() throws(ServiceBoxError)
}

extension ServiceSupplier {
    /// The type that the service is registered as.
    var serviceType: Any.Type { Service.self }
    var implementation: Any.Type { Service.self }
    var instance: AnyObject? { nil }
    var madeCell: OnceCell? { nil }
    var step: ServicePath.Step? { nil }
    var wholeness: Wholeness? { nil }
    var isUnmade: Bool { false }
    var hasFailed: Bool { false }
    var hasFixedCells: Bool { false }

    func service<Wanted>(as type: Wanted.Type) throws(ServiceBoxError) -> Wanted? { nil }

    func service<Wanted, Given>(
        as type: Wanted.Type, from parameters: Given
    ) throws(ServiceBoxError) -> Wanted? { nil }

    func create() throws(ServiceBoxError) {}
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

/// Whether a ready-made service has all that it requires.
///
/// Thread-safe.
final class Wholeness: Sendable {
    private let isKnown: Atomic<Bool>
    private let registration = AtomicLazyReference<Weak<Registration>>()
    private let complete: @Sendable (Registration) throws(ServiceBoxError) -> Void

    /// - Parameters:
    ///   - isKnown: Whether it requires nothing.
    ///   - complete: Fills what it still needs, and throws what it lacks then.
    init(isKnown: Bool, _ complete: @escaping @Sendable (Registration) throws(ServiceBoxError) -> Void) {
        self.isKnown = Atomic(isKnown)
        self.complete = complete
    }

    /// Whether nothing is left to ask; costs a load.
    var isCertain: Bool { isKnown.load(ordering: .acquiring) }

    /// Notes whose it is, once.
    func belong(to registration: Registration) { _ = self.registration.storeIfNil(Weak(registration)) }

    func note(_ isWhole: Bool) { isKnown.store(isWhole, ordering: .releasing) }

    /// Throws what the service lacks.
    func require() throws(ServiceBoxError) {
        if !isCertain, let registration = registration.load()?.object { try complete(registration) }
    }
}

/// Supplies a service that was registered ready-made.
final class InstanceSupplier<Service: Sendable>: ServiceSupplier {
    let service: Service
    let wholeness: Wholeness?
    private let cells = Guarded<[CellRequest: AnyCell]>([:])
    private let lazyProvider = AtomicLazyReference<ServiceProvider<Service>>()

    init(_ service: Service, _ wholeness: Wholeness) {
        self.service = service
        self.wholeness = wholeness
    }

    /// Kept, for properties that hold it weakly.
    var provider: ServiceProvider<Service> {
        let source = FixedSource(nil) { [service, wholeness] () throws(ServiceBoxError) in
            try wholeness?.require()
            return service
        }
        return lazyProvider.load() ?? lazyProvider.storeIfNil(ServiceProvider(source))
    }

    var kind: Registration.Kind { .instance }
    var implementation: Any.Type { type(of: service as Any) }
    var instance: AnyObject? { classInstance(in: service) }
    var hasFixedCells: Bool { wholeness?.isCertain ?? true }

    func service<Wanted>(as type: Wanted.Type) throws(ServiceBoxError) -> Wanted? {
        guard Wanted.self == Service.self else { return nil }
        try wholeness?.require()
        return unsafeBitCast(service, to: Wanted.self)
    }

    func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        guard let cell = presentCell(for: request) else { return .mismatch }
        if request.wants(ServiceProvider<Service>.self) { return .cell(cell) }
        do throws(ServiceBoxError) {
            try wholeness?.require()
            return .cell(cell)
        } catch {
            return .failure(error)
        }
    }

    func presentCell(for request: CellRequest) -> AnyCell? {
        cells.value(for: request) {
            let isForProvider = request.wants(ServiceProvider<Service>.self)
            return isForProvider ? request.makeCell(of: provider) : request.makeCell(of: service)
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
