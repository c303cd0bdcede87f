// Part of ServiceBox, released under the MIT License.
// What a box keeps of a registered service.

import Synchronization

/// A service under its name.
///
/// Subclasses know how to hand the service out.
class Registration: @unchecked Sendable {
    // `Sendable` is unchecked because this is no final class: it and its subclasses have `let`s of `Sendable` types
    // alone.
    final let name: String
    final let serviceType: Any.Type
    /// Counts registrations of a box upwards.
    final let number: Int

    init(name: String, serviceType: Any.Type, number: Int) {
        self.name = name
        self.serviceType = serviceType
        self.number = number
    }

    /// A cell that answers a request, or nil if the service's type does not fit it.
    func cell(for request: CellRequest) -> AnyCell? { nil }

    /// Whether `cell(for:)` answers with the same cell every time, so that it may be kept.
    var hasFixedCells: Bool { true }

    /// The type of the service itself, which may be registered as an interface.
    var implementation: Any.Type { serviceType }

    /// The service's own slots and table, where a walk has shown them.
    var wiring: Wiring? { nil }

    /// Tries again to see the service's slots and table, from outside its isolation.
    func rewire() {}
}

/// A service that was registered ready-made.
final class InstanceRegistration<Service: Sendable>: Registration, @unchecked Sendable {
    private let service: Service
    private let cells = Mutex<[CellRequest: AnyCell]>([:])
    private let learntWiring = AtomicLazyReference<Wiring>()

    init(_ service: Service, name: String, number: Int, wiring: Wiring?) {
        self.service = service
        super.init(name: name, serviceType: Service.self, number: number)
        if let wiring { _ = learntWiring.storeIfNil(wiring) }
    }

    override func cell(for request: CellRequest) -> AnyCell? {
        if let cell = cells.withLock({ $0[request] }) { return cell }
        guard let made = request.makeCell(of: service) else { return nil }
        return cells.withLock { cells in
            if let cell = cells[request] { return cell }
            cells[request] = made
            return made
        }
    }

    override var implementation: Any.Type { type(of: service as Any) }

    override var wiring: Wiring? { learntWiring.load() }

    override func rewire() {
        guard learntWiring.load() == nil, let wiring = Wiring(of: service) else { return }
        _ = learntWiring.storeIfNil(wiring)
    }
}

/// The box's entry for itself: it does not keep the box alive, but what it fills does.
final class SelfRegistration: Registration, @unchecked Sendable {
    static let reservedName = "serviceBox"

    private unowned let box: ServiceBox
    private let cells = Mutex<[CellRequest: WeakReference]>([:])

    private struct WeakReference: Sendable {
        weak let cell: AnyCell?
    }

    init(_ box: ServiceBox) {
        self.box = box
        super.init(name: Self.reservedName, serviceType: ServiceBox.self, number: 0)
    }

    override var hasFixedCells: Bool { false }

    /// The cell that filled objects share; it holds the box, so only they may hold it.
    override func cell(for request: CellRequest) -> AnyCell? {
        if let cell = cells.withLock({ $0[request]?.cell }) { return cell }
        guard let made = request.makeCell(of: box) else { return nil }
        return cells.withLock { cells in
            if let cell = cells[request]?.cell { return cell }
            cells[request] = WeakReference(cell: made)
            return made
        }
    }
}
