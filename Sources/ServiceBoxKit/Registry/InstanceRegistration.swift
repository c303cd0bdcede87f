// Part of ServiceBox, released under the MIT License.
// Services that are there: registered ready-made, or the box itself.

import Synchronization

/// A service that was registered ready-made.
final class InstanceRegistration<Service: Sendable>: Registration, @unchecked Sendable {
    let service: Service
    private let cells = Guarded<[CellRequest: AnyCell]>([:])
    private let ownWiring: Wiring
    private let lazyProvider = AtomicLazyReference<ServiceProvider<Service>>()

    init(_ service: Service, name: String, number: Int, place: Place, wiring: Wiring) {
        self.service = service
        ownWiring = wiring
        super.init(name: name, serviceType: Service.self, number: number, place: place)
    }

    override func direct<Wanted>(_ type: Wanted.Type) throws(ServiceBoxError) -> Wanted? {
        Wanted.self == Service.self ? unsafeBitCast(service, to: Wanted.self) : nil
    }

    override func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        if let cell = cells.withLock({ $0[request] }) { return .cell(cell) }
        guard let made = makeCell(for: request) else { return .mismatch }
        return cells.withLock { cells in
            if let cell = cells[request] { return .cell(cell) }
            cells[request] = made
            return .cell(made)
        }
    }

    private func makeCell(for request: CellRequest) -> AnyCell? {
        request.wants(ServiceProvider<Service>.self)
            ? request.makeCell(of: provider) : request.makeCell(of: service)
    }

    /// Kept for properties that hold it weakly.
    private var provider: ServiceProvider<Service> {
        lazyProvider.load() ?? lazyProvider.storeIfNil(ServiceProvider(instance: service))
    }

    override func present(_ request: CellRequest) -> AnyCell? {
        if case .cell(let cell) = supply(request) { cell } else { nil }
    }

    /// By the type that it is registered as, and else by its own.
    override func fit(_ request: CellRequest) -> Fit {
        if present(request) == nil { return request.fit(implementation) == .isolated ? .isolated : .no }
        return Service.self == unwrapped(request.type) ? .exact : .fits
    }

    override var implementation: Any.Type { type(of: service as Any) }

    override var wiring: Wiring? { ownWiring }
}

/// The box's entry for itself: it does not keep the box alive, but what it fills does.
final class SelfRegistration: Registration, @unchecked Sendable {
    static let reservedName = "serviceBox"

    unowned let box: ServiceBox
    private let cells = LentCells()

    init(_ box: ServiceBox) {
        self.box = box
        super.init(
            name: Self.reservedName, serviceType: ServiceBox.self, number: 0,
            place: Place(file: #fileID, line: #line))
    }

    override var hasFixedCells: Bool { false }

    override func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        cells.cell(of: box, for: request).map(Supply.cell) ?? .mismatch
    }

    override func present(_ request: CellRequest) -> AnyCell? { cells.lent(for: request) }

    override func fit(_ request: CellRequest) -> Fit {
        if request.makeCell(of: box) == nil { return .no }
        return request.wants(ServiceBox.self) ? .exact : .fits
    }
}

/// Cells that only the slots they fill keep alive, and with them their service.
final class LentCells: Sendable {
    /// A class, since a copy of a struct with a weak constant ends the program in Swift 6.3.1.
    private final class Loan: Sendable {
        private weak let lent: AnyCell?
        /// The service of the cell, whose address means something as long as the cell is alive.
        private let object: ObjectIdentifier

        init(_ cell: AnyCell, of object: ObjectIdentifier) {
            lent = cell
            self.object = object
        }

        /// The cell, if it is still in use.
        var cell: AnyCell? { lent }

        func cell(of object: ObjectIdentifier) -> AnyCell? {
            self.object == object ? lent : nil
        }
    }

    private let loans = Guarded<[CellRequest: Loan]>([:])

    /// The cell that was handed out last, if a property still has it.
    func lent(for request: CellRequest) -> AnyCell? {
        loans.withLock { $0[request]?.cell }
    }

    /// The cell that all properties of a type share for the same object; a value gets a new one each time.
    ///
    /// - Parameters:
    ///   - service: The service as it is now.
    ///   - request: What the property asks for.
    /// - Returns: The cell, or nil if the service does not fit.
    func cell<Service: Sendable>(of service: Service, for request: CellRequest) -> AnyCell? {
        guard let object = classInstance(in: service).map(ObjectIdentifier.init) else {
            return request.makeCell(of: service)
        }
        if let cell = loans.withLock({ $0[request]?.cell(of: object) }) { return cell }
        guard let made = request.makeCell(of: service) else { return nil }
        return loans.withLock { loans in
            if let cell = loans[request]?.cell(of: object) { return cell }
            loans[request] = Loan(made, of: object)
            return made
        }
    }
}
