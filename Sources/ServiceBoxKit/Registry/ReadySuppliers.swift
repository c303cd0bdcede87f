// Part of ServiceBox, released under the MIT License.
// What supplies services that are there: those registered ready-made, and the box itself.

import Synchronization

/// Supplies a service that was registered ready-made.
final class InstanceSupplier<Service: Sendable>: ServiceSupplier {
    let service: Service
    private let cells = Guarded<[CellRequest: AnyCell]>([:])
    private let lazyProvider = AtomicLazyReference<ServiceProvider<Service>>()

    init(_ service: Service) {
        self.service = service
    }

    /// Kept, for properties that hold it weakly.
    var provider: ServiceProvider<Service> {
        lazyProvider.load() ?? lazyProvider.storeIfNil(ServiceProvider(instance: service))
    }

    var implementation: Any.Type { type(of: service as Any) }
    var hasFixedCells: Bool { true }

    func service<Wanted>(as type: Wanted.Type) -> Wanted? {
        Wanted.self == Service.self ? unsafeBitCast(service, to: Wanted.self) : nil
    }

    func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        presentCell(for: request).map(Supply.cell) ?? .mismatch
    }

    func presentCell(for request: CellRequest) -> AnyCell? {
        if let cell = cells.withLock({ $0[request] }) { return cell }
        let new =
            request.wants(ServiceProvider<Service>.self)
            ? request.makeCell(of: provider) : request.makeCell(of: service)
        guard let new else { return nil }
        return cells.withLock { cells in
            if let cell = cells[request] { return cell }
            cells[request] = new
            return new
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

    var implementation: Any.Type { Service.self }

    func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        service.flatMap { cells.cell(of: $0, for: request) }.map(Supply.cell) ?? .mismatch
    }

    func presentCell(for request: CellRequest) -> AnyCell? { cells.present(request) }
}
