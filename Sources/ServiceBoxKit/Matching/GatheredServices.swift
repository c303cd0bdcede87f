// Part of ServiceBox, released under the MIT License.
// All services that fit a type, for a property that takes every one.

/// The services of a type, in the order of their registration, handed out as one array.
final class GatheredServices: Registration, @unchecked Sendable {
    private let element: Any.Type
    let sources: [Registration]

    /// Chooses the services that fit.
    ///
    /// - Parameters:
    ///   - element: The type that they have to fit.
    ///   - services: All that is registered, in order.
    ///   - name: The name of the property.
    init(of element: Any.Type, among services: [Registration], name: String) {
        self.element = element
        let request = CellRequest(type: element)
        sources = services.filter {
            !($0 is SelfRegistration) && $0.fit(request).isCertain
        }
        super.init(name: name, serviceType: element, number: 0, place: Place(file: #fileID, line: #line))
    }

    /// Whether one that does not fit here has the interface on an actor.
    ///
    /// - Parameter services: All that is registered.
    /// - Returns: Whether there is one.
    func leavesIsolated(of services: [Registration]) -> Bool {
        let request = CellRequest(type: element)
        return services.contains { $0.fit(request) == .isolated }
    }

    override var hasFixedCells: Bool { sources.allSatisfy(\.hasFixedCells) }

    override func fit(_ request: CellRequest) -> Fit { .fits }

    override func gathered(without failures: [FailedService]) -> [ServiceDescription] {
        sources.filter { source in !failures.contains { $0.service.describes(source) } }
            .map(ServiceDescription.init)
    }

    override func present(_ request: CellRequest) -> AnyCell? {
        if hasFixedCells, case .cell(let cell) = supply(request) { cell } else { nil }
    }

    override func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        let request = CellRequest(type: element)
        var cells: [AnyCell] = []
        var failures: [FailedService] = []
        for source in sources {
            switch source.supply(request, isEarly: isEarly) {
            case .cell(let cell), .partly(let cell, _): cells.append(cell)
            // A conformance that belongs to another actor than the one it was matched on.
            case .mismatch, .notKept: continue
            case .failure(let error, let source):
                failures.append(FailedService(service: .init(source), error: error))
            }
        }
        func gather<Element>(_: Element.Type) -> AnyCell {
            // Each source was asked for a cell of an `Element`.
            ListCell(cells.map { unsafeDowncast($0, to: Cell<Element>.self).value })
        }
        let cell = _openExistential(element, do: gather)
        return failures.isEmpty ? .cell(cell) : .partly(cell, failures: failures)
    }
}
