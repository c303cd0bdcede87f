// Part of ServiceBox, released under the MIT License.
// What supplies the cells of properties: how a registration fits, all services of a type, and what a property gets.

extension Registration {
    /// How the service fits a request; creates nothing.
    ///
    /// A service that is there is judged by the type that it is registered as, and else by its own.
    func fit(_ request: CellRequest) -> Fit {
        // What is gone is known by what it was.
        if isStopped, parametersType == nil, !supplier.isProvider(wantedBy: request) {
            let fit = request.fit(serviceType)
            return fit.isCertain ? fit : request.fit(supplier.implementation)
        }
        switch kind {
        case .instance:
            let isExact = serviceType == request.wanted
            // A cell that was made on an actor must not be met elsewhere.
            if !isExact, TypeName.isProtocol(request.wanted) {
                let fit = request.fit(supplier.implementation)
                if fit.dependsOnActor { return fit }
            }
            return supplier.presentCell(for: request) == nil ? .no : isExact ? .exact : .fits
        case .provided, .box: return supplier.isProvider(wantedBy: request) ? .fits : request.fit(serviceType)
        case .fromParameters: return supplier.isProvider(wantedBy: request) ? .fits : .no
        }
    }

    /// Whether a property would be the only one to hold a service, and weakly, so that it is gone at once.
    ///
    /// A factory that hands out what others keep is known by what a fill gets from it.
    func isDropped(by request: CellRequest) -> Bool {
        guard request.isWeak, case .provided(.transient) = kind else { return false }
        return !supplier.isProvider(wantedBy: request)
    }
}

/// All services of a type, in the order of their registration.
final class ServiceCollection: Sendable {
    private let element: Any.Type
    /// The services that fit.
    let services: [Registration]
    /// Whether others fit on another actor.
    let dependsOnActor: Bool

    /// Chooses the services that fit.
    ///
    /// - Parameters:
    ///   - element: The type that they have to fit.
    ///   - candidates: The services to choose from, in order.
    init(of element: Any.Type, among candidates: [Registration]) {
        self.element = element
        let fits = candidates.map { $0.isBox ? .no : $0.fit(CellRequest(type: element)) }
        services = zip(candidates, fits).filter(\.1.isCertain).map(\.0)
        dependsOnActor = fits.contains(where: \.dependsOnActor)
    }

    var names: [String] { services.map(\.name) }

    /// What came of asking all of them.
    struct Supply {
        /// A cell with their array.
        let list: AnyListCell
        let supplied: [ServiceDescription]
        let failures: [FailedService]

        var finding: Finding? { failures.isEmpty ? nil : .gatheredPartly(supplied, failures) }
    }

    /// Asks all of them for their services, which may create these.
    ///
    /// - Parameter asker: Who asks for them.
    /// - Returns: Their cell, and which of them failed.
    func supply(for asker: Asker = .code) -> Supply {
        let request = CellRequest(type: element)
        var cells: [AnyCell] = []
        var supplied: [ServiceDescription] = []
        var failures: [FailedService] = []
        for service in services {
            do throws(ServiceBoxError) {
                // Nil for a conformance that belongs to another actor than the one it was matched on.
                guard let cell = try service.supplier.supply(request, for: asker) else { continue }
                cells.append(cell)
                supplied.append(ServiceDescription(service))
            } catch {
                failures.append(FailedService(service: ServiceDescription(service), error: error))
            }
        }
        func gather<Element>(_: Element.Type) -> AnyListCell {
            // Each service was asked for a cell of an `Element`.
            ListCell(cells.map { $0.value(as: Element.self) })
        }
        return Supply(list: _openExistential(element, do: gather), supplied: supplied, failures: failures)
    }
}

/// What a property gets its cells from: a service that fits, or all services of a type.
enum CellSource: Sendable {
    /// A service, and the cell if it is always the same.
    case service(Registration, CellRequest, fixedCell: AnyCell?)
    case all(ServiceCollection, fixedCell: AnyCell?)

    init(_ registration: Registration, for request: CellRequest) {
        self = .service(registration, request, fixedCell: registration.supplier.fixedCell(for: request))
    }

    init(_ services: ServiceCollection) {
        let isFixed = services.services.allSatisfy(\.supplier.hasFixedCells)
        self = .all(services, fixedCell: isFixed ? services.supply().list : nil)
    }

    /// The service; nil for all services of a type.
    var service: ServiceDescription? {
        if case .service(let service, _, _) = self { ServiceDescription(service) } else { nil }
    }

    /// The cell, if it is always the same.
    var fixedCell: AnyCell? {
        switch self {
        case .service(_, _, let cell), .all(_, let cell): cell
        }
    }

    /// The cell that properties have, if there is one; creates nothing.
    var presentCell: AnyCell? {
        switch self {
        case .service(let service, let request, let cell):
            cell ?? service.supplier.presentCell(for: request)
        case .all(_, let cell): cell
        }
    }

    /// Supplies a cell, which may create services.
    ///
    /// - Parameter asker: Who asks for it.
    /// - Returns: The cell, and what there is to say beside what was planned; nil if the property gets all that it
    ///   was to get.
    func supply(for asker: Asker = .code) -> (cell: AnyCell?, finding: Finding?) {
        if let fixedCell { return (fixedCell, nil) }
        switch self {
        case .all(let services, _):
            let supply = services.supply(for: asker)
            return (supply.list, supply.finding)
        case .service(let service, let request, _):
            do throws(ServiceBoxError) {
                guard let cell = try service.supplier.supply(request, for: asker) else {
                    return (nil, .typeMismatch(ServiceDescription(service)))
                }
                // Held weakly here, and by nobody else.
                return request.hasLost(cell) ? (nil, .notKept(ServiceDescription(service))) : (cell, nil)
            } catch {
                return (nil, .failed(ServiceDescription(service), error))
            }
        }
    }
}

extension Registry {
    /// The services that fit a type, and whether they do so wherever that is asked.
    ///
    /// - Parameter type: The type; an optional one asks for what it wraps.
    /// - Returns: The preferred one alone if there is a preference, or none if that doesn't fit; else those alone that
    ///   are registered as the very type, if any are.
    func registrations(fitting type: Any.Type) -> (services: [Registration], holdAnywhere: Bool) {
        let wanted = unwrapped(type)
        let request = CellRequest(type: type)
        func holdAnywhere(_ fits: [Fit]) -> Bool {
            !TypeName.isProtocol(wanted) || Isolation.isNone && !fits.contains(where: \.dependsOnActor)
        }
        if let preference = preference(for: wanted) {
            guard let service = registration(named: preference.name) else { return ([], true) }
            let fit = service.fit(request)
            return (fit.isPossible ? [service] : [], fit == .exact || holdAnywhere([fit]))
        }
        let exact =
            [entry].compactMap(\.self).filter { $0.serviceType == wanted }
            + registrations(of: wanted).filter { $0.parametersType == nil }
        if !exact.isEmpty { return (exact, true) }
        let fits = services.map { (service: $0, fit: $0.fit(request)) }
        return (fits.filter(\.fit.isCertain).map(\.service), holdAnywhere(fits.map(\.fit)))
    }
}
