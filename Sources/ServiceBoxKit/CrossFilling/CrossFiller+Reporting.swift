// Part of ServiceBox, released under the MIT License.
// Reports on the properties of registered services.

extension CrossFiller {
    /// The report on a registered service that the box has inspected; fills nothing and creates nothing.
    ///
    /// - Returns: The result for each property; nil if it has none, or doesn't exist to be inspected.
    func report(on registration: Registration) -> FillReport? {
        // A service that isn't created yet or isn't kept has nothing to report.
        wiring(of: registration).flatMap { report(on: registration.name, $0) }
    }

    /// The same, or else the report on its last fill.
    func latestReport(on registration: Registration) -> FillReport? {
        report(on: registration) ?? registration.knownHistory?.lastFill
    }

    /// The report on a service by its name.
    func report(on name: String, _ wiring: Wiring) -> FillReport? {
        let program = filler.plannedProgram(for: wiring.current).program
        let record = program.record
        // A service with nothing to fill isn't worth a report.
        guard record.properties.contains(where: \.isAboutService) else { return nil }
        let deviations = record.properties.enumerated().compactMap { index, property in
            let finding: Finding? =
                switch property.source {
                case .slot(let position):
                    self.finding(program.source(at: position), property, at: position, wiring)
                case .line: self.finding(forLine: property, wiring)
                case .plain, .subject: nil
                }
            return finding.map { Deviation(index: index, finding: $0) }
        }
        return FillReport(record: record, deviations: deviations).about(name)
    }

    /// The report of a fill that has found the lists which this put there before, and kept them.
    func correct(_ report: FillReport, _ wiring: Wiring) -> FillReport {
        if !wiring.current.takesAllServices { return report }
        let deviations = report.deviations.compactMap { deviation -> Deviation? in
            guard case .kept = deviation.finding,
                case .slot(let position) = report.record.properties[deviation.index].source,
                wiring.fill(at: position) != nil
            else { return deviation }
            let failure = wiring.failure(for: .slot(position))
            return failure.map { Deviation(index: deviation.index, finding: $0) }
        }
        return report.record.report(deviations)
    }

    /// The finding for a slot, if it differs from the plan.
    private func finding(
        _ source: CellSource?, _ property: PropertyRecord, at position: Int, _ wiring: Wiring
    ) -> Finding? {
        guard let slot = wiring.slot(at: position) else { return .replaced }
        let planned = property.finding
        if planned.isOnRead {
            if slot.isEmpty { return nil }
            let service = registry.registration(named: property.serviceName)
            let holds = service?.presentCell(for: property.request).map(slot.holds) == true
            return holds ? service.map { .filled(ServiceDescription($0)) } : .kept
        }
        let failure = failure(of: property, for: .slot(position), wiring)
        let fill = wiring.fill(at: position)
        let hasLost = fill?.cell.isGone == true
        guard let source else { return slot.isEmpty || hasLost ? nil : .kept }
        if slot.isEmpty { return failure ?? source.service.map(Finding.empty) }
        // The service that it lost may have been replaced by one that is kept.
        if hasLost { return source.service.map(source.presentCell == nil ? Finding.notKept : Finding.empty) }
        if let fill, fill.service?.id == source.service?.id {
            // Some services of a collection may be missing.
            return source.service == nil ? failure : planned.ifKept
        }
        return source.presentCell.map(slot.holds) == true ? planned.ifKept : .kept
    }

    /// The finding for a line, if it differs from the plan.
    private func finding(forLine property: PropertyRecord, _ wiring: Wiring) -> Finding? {
        let (name, planned) = (property.name, property.finding)
        let isPlanned = planned.kind == .filled
        if wiring.object == nil { return isPlanned ? .notInout : nil }
        if let known = wiring.finding(forLine: name) {
            return isPlanned && planned.services.first?.id == known.services.first?.id ? nil : .kept
        }
        if let failure = failure(of: property, for: .line(name), wiring) { return failure }
        guard isPlanned else { return nil }
        let line = registry.lines(of: wiring.current.plan).first { $0.name == name }
        let isOutOfReach = !wiring.hasTable || line?.injection.isIsolated ?? true
        return isOutOfReach ? .wrongIsolation : planned.services.first.map(Finding.empty)
    }

    /// Why a property couldn't get its service; nil if that service has been replaced since.
    private func failure(of property: PropertyRecord, for key: Wiring.Key, _ wiring: Wiring) -> Finding? {
        guard let failure = wiring.failure(for: key) else { return nil }
        guard property.request.element == nil, let failed = failure.services.first else { return failure }
        let present = registry.registration(named: property.serviceName).map(ServiceDescription.init)
        return present?.id == failed.id ? failure : nil
    }
}

extension PropertyRecord {
    /// Whether it makes a service worth a report.
    fileprivate var isAboutService: Bool {
        switch finding {
        case .strippedBuild(isHole: true), .wrongIsolation: true
        default: source != .subject
        }
    }
}
