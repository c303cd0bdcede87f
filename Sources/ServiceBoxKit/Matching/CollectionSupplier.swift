// Part of ServiceBox, released under the MIT License.
// How registrations fit requests, alone and all together.

extension Registration {
    /// How the service fits a request; creates nothing.
    ///
    /// A service that is there is judged by the type that it is registered as, and else by its own.
    func fit(_ request: CellRequest) -> Fit {
        switch kind {
        case .instance:
            if supplier.presentCell(for: request) != nil {
                return serviceType == unwrapped(request.type) ? .exact : .fits
            }
            return request.fit(supplier.implementation) == .isolated ? .isolated : .no
        case .provided(_, let provider): return request.wants(provider) ? .fits : request.fit(serviceType)
        case .fromParameters(_, let provider): return request.wants(provider) ? .fits : .no
        case .box: return request.fit(serviceType)
        }
    }

    /// Answers a request, which may create the service, unless it doesn't fit for certain.
    func supply(_ request: CellRequest, isEarly: Bool = false) -> Supply {
        fit(request).isPossible ? supplier.supply(request, isEarly: isEarly) : .mismatch
    }

    /// Whether a property would be the only one to hold a service, and weakly, so that it is gone at once.
    ///
    /// A factory that hands out what others keep is known by what a fill gets from it.
    func isDropped(by request: CellRequest) -> Bool {
        guard request.isWeak, case .provided(.transient, let provider) = kind else { return false }
        return !request.wants(provider)
    }
}

/// Supplies all services of a type, in the order of their registration, as one array.
final class CollectionSupplier: Supplier {
    private let element: Any.Type
    /// The services that fit.
    let services: [Registration]
    /// Whether a service fits only on the actor that its conformance belongs to.
    let leavesIsolated: Bool

    /// Chooses the services that fit.
    ///
    /// - Parameters:
    ///   - element: The type that they have to fit.
    ///   - candidates: The services to choose from, in order.
    init(of element: Any.Type, among candidates: [Registration]) {
        self.element = element
        let request = CellRequest(type: element)
        var leavesIsolated = false
        services = candidates.filter { candidate in
            if candidate.isBox { return false }
            let fit = candidate.fit(request)
            if fit == .isolated { leavesIsolated = true }
            return fit.isCertain
        }
        self.leavesIsolated = leavesIsolated
    }

    var hasFixedCells: Bool { services.allSatisfy(\.supplier.hasFixedCells) }

    func presentCell(for request: CellRequest) -> AnyCell? {
        hasFixedCells ? supply(request, isEarly: false).cell : nil
    }

    func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        let request = CellRequest(type: element)
        var cells: [AnyCell] = []
        var supplied: [ServiceDescription] = []
        var failures: [FailedService] = []
        for service in services {
            switch service.supplier.supply(request, isEarly: isEarly) {
            case .cell(let cell), .partly(let cell, _, _):
                cells.append(cell)
                supplied.append(ServiceDescription(service))
            // A conformance that belongs to another actor than the one it was matched on.
            case .mismatch, .notKept: continue
            case .failure(let error):
                failures.append(FailedService(service: ServiceDescription(service), error: error))
            }
        }
        func gather<Element>(_: Element.Type) -> AnyCell {
            // Each service was asked for a cell of an `Element`.
            ListCell(cells.map { unsafeDowncast($0, to: Cell<Element>.self).value })
        }
        let cell = _openExistential(element, do: gather)
        return failures.isEmpty ? .cell(cell) : .partly(cell, supplied, failures: failures)
    }
}

extension Supply {
    /// What there is to say of a property beside what was planned for it; nil if it gets all that it was to get.
    ///
    /// - Parameter service: The service that was asked for; nil for all services of a type.
    func finding(for service: ServiceDescription?) -> Finding? {
        switch (self, service) {
        case (.partly(_, let supplied, let failures), _): .gatheredPartly(supplied, failures)
        case (.mismatch, let service?): .typeMismatch(service)
        case (.failure(let error), let service?): .failed(service, error)
        case (.notKept, let service?): .notKept(service)
        default: nil
        }
    }
}

extension Registry {
    /// The services that fit a request; those alone that are registered as its very type, if any are.
    func registrations(fitting request: CellRequest) -> [Registration] {
        let isForBox = entry.map { request.wants($0.serviceType) } ?? false
        let fitting = all.filter { isForBox || !$0.isBox }
            .map { (service: $0, fit: $0.fit(request)) }.filter(\.fit.isCertain)
        let exact = fitting.filter { $0.fit == .exact }
        return (exact.isEmpty ? fitting : exact).map(\.service)
    }
}
