// Part of ServiceBox, released under the MIT License.
// Sources of the cells that properties get: one service, or all services of a type.

extension Registration {
    /// How the service fits a request; creates nothing.
    ///
    /// A ready-made service is judged by its registered type, or else by its own type.
    func fit(_ request: CellRequest) -> Fit {
        switch kind {
        // A cast that fails would search all conformances of the program.
        case .instance where !Conformance.isPossible(of: implementation, to: request.target): return .no
        case .instance:
            let fits = presentCell(for: request) != nil
            if serviceType == request.wanted { return fits ? .fits : .no }
            if request.isBoundToActor(by: implementation) {
                return fits && request.mayBeBoundToActor(by: implementation) ? .fitsHere : .isolated
            }
            return fits ? .fits : .no
        case .provided, .box:
            if isProvider(wantedBy: request) { return .fits }
            let fit = request.fit(serviceType)
            // A stopped service that was ready-made is judged by both types that it had.
            return isStopped && !fit.isCertain ? request.fit(implementation) : fit
        case .fromParameters: return isProvider(wantedBy: request) ? .fits : .no
        }
    }

    /// Whether a cell created here for an actor's property may be used where that is read.
    func allows(_ cell: AnyCell, for request: CellRequest) -> Bool {
        if serviceType == request.wanted { return true }
        let content = cell.content.flatMap { unwrapped(value: $0) }.map { type(of: $0) }
        // One that was converted to a collection of an interface may have conformances of another actor.
        if content == request.wanted, TypeName.isProtocol(implementation),
            Metadata(request.wanted).hasInterfaceInside
        {
            return false
        }
        // A collection was converted, or is in an `AnyHashable`, and doesn't tell what it was.
        let service = content.flatMap { $0 == request.wanted ? nil : $0 } ?? implementation
        return !request.isBoundToActor(by: service) || request.mayBeBoundToActor(by: service)
    }

    /// Whether only the property would refer to a service, and weakly, so that it would be gone at once.
    ///
    /// That a factory returns an object kept elsewhere shows only when a fill gets it.
    func isDropped(by request: CellRequest) -> Bool {
        guard request.isWeak, case .provided(.transient) = kind else { return false }
        return !isProvider(wantedBy: request)
    }
}

/// All services of a type, in the order of their registration.
struct ServiceCollection: Sendable {
    /// The services that fit.
    let services: [Registration]
    /// The request for one of them.
    let request: CellRequest
    /// Whether other services fit on another actor.
    var dependsOnActor = false

    var names: [String] { services.map(\.name) }

    /// Whether one of them is transient and being created on this thread, and so can't be created for a list.
    var areBeingCreated: Bool {
        let (stack, steps) = (ConstructionStack.here, services.lazy.compactMap { $0.knownSupplier?.step })
        return steps.contains { !$0.traits.contains(.shared) && stack.value.hasCircle(to: $0) }
    }

    /// The result of resolving all of them.
    struct Supply {
        /// A cell with their array.
        let list: AnyListCell
        let supplied: [ServiceDescription]
        let failures: [FailedService]

        /// The finding for a property that has all of them, after those that its list has; nil if none has failed.
        func finding(after before: [ServiceDescription] = []) -> Finding? {
            failures.isEmpty ? nil : .gatheredPartly(before + supplied, failures)
        }
    }

    /// Resolves all of them, which may create services.
    func supply(for asker: Asker = .code) -> Supply {
        var cells: [AnyCell] = []
        var supplied: [ServiceDescription] = []
        var failures: [FailedService] = []
        for service in services {
            do throws(ServiceBoxError) {
                // Nil if a conformance is isolated to another actor than the one it was matched on.
                guard let cell = try service.supply(request, for: asker) else { continue }
                cells.append(cell)
                supplied.append(ServiceDescription(service))
            } catch {
                failures.append(FailedService(service: ServiceDescription(service), error: error))
            }
        }
        func gather<Element>(_: Element.Type) -> AnyListCell {
            // Every cell was requested as an `Element`.
            ListCell(cells.map { unsafe $0.value(as: Element.self) })
        }
        let list = _openExistential(request.type, do: gather)
        return Supply(list: list, supplied: supplied, failures: failures)
    }
}

extension ServiceCollection {
    /// Chooses the services that fit a request for one of them, in the order of the candidates.
    init(for request: CellRequest, among candidates: [Registration]) {
        let fits = candidates.map { $0.fit(request) }
        self.init(
            services: zip(candidates, fits).filter(\.1.isCertain).map(\.0), request: request,
            dependsOnActor: fits.contains(where: \.dependsOnActor))
    }
}

/// Where a property gets its cell.
struct CellSource: Sendable {
    enum Origin {
        /// One service that fits.
        case service(Registration, CellRequest)
        /// All services of a type.
        case all(ServiceCollection)
    }

    let origin: Origin
    /// The cell, if it is always the same.
    let fixedCell: AnyCell?

    init(_ registration: Registration, for request: CellRequest) {
        origin = .service(registration, request)
        fixedCell = registration.fixedCell(for: request)
    }

    init(_ services: ServiceCollection) {
        origin = .all(services)
        let isFixed = services.services.allSatisfy(\.hasFixedCells)
        fixedCell = isFixed ? services.supply().list : nil
    }

    /// The service; nil for all services of a type.
    var service: ServiceDescription? {
        if case .service(let service, _) = origin { ServiceDescription(service) } else { nil }
    }

    /// The service whose cell isn't fixed, unless only an actor's properties get it.
    var changingService: Registration? {
        guard fixedCell == nil, case .service(let service, let request) = origin, request.actor == nil else {
            return nil
        }
        return service
    }

    /// The services that it supplies.
    var services: [Registration] {
        switch origin {
        case .service(let service, _): [service]
        case .all(let services): services.services
        }
    }

    /// The existing cell for the request, if there is one; creates nothing.
    var presentCell: AnyCell? {
        guard fixedCell == nil, case .service(let service, let request) = origin else { return fixedCell }
        return service.presentCell(for: request)
    }

    /// Supplies a cell, which may create services, and the finding if the result differs from the plan.
    func supply(for asker: Asker = .code) -> (cell: AnyCell?, finding: Finding?) {
        if let fixedCell { return (fixedCell, nil) }
        switch origin {
        case .all(let services):
            let supply = services.supply(for: asker)
            return (supply.list, supply.finding())
        case .service(let service, let request):
            do throws(ServiceBoxError) {
                guard let cell = try service.supply(request, for: asker),
                    request.actor == nil || service.allows(cell, for: request)
                else {
                    return (nil, .typeMismatch(ServiceDescription(service)))
                }
                // Only this property holds it, and weakly.
                return request.hasLost(cell) ? (nil, .notKept(ServiceDescription(service))) : (cell, nil)
            } catch {
                return (nil, .failed(ServiceDescription(service), error))
            }
        }
    }
}

extension Registry {
    /// The services that fit a type, and whether the answer is the same on every actor.
    ///
    /// - Parameter type: The type; for an optional, the type that it wraps.
    /// - Returns: Only the preferred service if there is a preference, or none if that doesn't fit; otherwise
    ///   only the services registered as exactly the type, if there are any.
    func registrations(fitting type: Any.Type) -> (services: [Registration], holdAnywhere: Bool) {
        let wanted = unwrapped(type)
        let request = CellRequest(type: type)
        func holdAnywhere(dependsOnActor: Bool) -> Bool {
            !dependsOnActor && (!TypeName.isProtocol(wanted) || Isolation.isNone)
        }
        if let preference = preference(for: wanted) {
            guard let service = registration(named: preference.name) else { return ([], true) }
            let fit = service.fit(request)
            let holdsAnywhere =
                service.serviceType == wanted || holdAnywhere(dependsOnActor: fit.dependsOnActor)
            return (fit.isPossible ? [service] : [], holdsAnywhere)
        }
        var exact = registrations(of: wanted)
        exact.removeAll { $0.parametersType != nil }
        if weakBox.serviceType == wanted { exact.insert(entry, at: 0) }
        if !exact.isEmpty { return (exact, true) }
        let all = services(fitting: request)
        return (all.services, holdAnywhere(dependsOnActor: all.dependsOnActor))
    }

    /// All services that fit a request for one of them, in order.
    ///
    /// - Complexity: O(*s* + *f*) for *s* services of the registry's own and *f* inherited ones that fit, once
    ///   the ancestors know theirs: each registry keeps the answer until a registration changes.
    func services(fitting request: CellRequest) -> ServiceCollection {
        if let known = lookUps.all(fitting: request.type, for: generation) {
            return ServiceCollection(services: known, request: request)
        }
        let (found, generation) = consistently { match(request) }
        if !found.dependsOnActor {
            lookUps.note(all: found.services, fitting: request.type, for: generation)
        }
        return found
    }

    private func match(_ request: CellRequest) -> ServiceCollection {
        let reorderings = ownReorderingCount
        let (own, lastNumber) = state.withLock { ($0.registrations, $0.lastNumber) }
        let isLong = own.elements.count > Self.few
        let known = isLong ? lookUps.matched(request.type, for: reorderings) : nil
        // Unless one is removed, the last ones are the latest.
        let new = own.elements.reversed().prefix { $0.number > known?.lastNumber ?? 0 }
        let found = ServiceCollection(for: request, among: Array(new).inOrder)
        let mine = (known?.services ?? []) + found.services
        if isLong, !found.dependsOnActor {
            lookUps.note((mine, lastNumber, reorderings), fitting: request.type)
        }
        let theirs = parent?.services(fitting: request)
        var dependsOnActor = found.dependsOnActor || theirs?.dependsOnActor == true
        let inherited = (theirs?.services ?? []).compactMap { service -> Registration? in
            guard own[service.name] == nil, case let version = inherit(service) else { return nil }
            // Only the registry's own version is matched again.
            let fit = version === service ? .fits : version.fit(request)
            dependsOnActor = dependsOnActor || fit.dependsOnActor
            return fit.isCertain ? version : nil
        }
        return ServiceCollection(
            services: inherited + mine, request: request, dependsOnActor: dependsOnActor)
    }
}
