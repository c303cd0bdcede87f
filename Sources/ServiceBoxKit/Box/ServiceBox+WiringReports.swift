// Part of ServiceBox, released under the MIT License.
// What a registered service has got from the others.

extension ServiceBox {
    /// The report on a registered service that the box has looked into; fills nothing and makes nothing.
    ///
    /// - Parameter registration: The service.
    /// - Returns: What each of its properties has; nil if it has none, or is not there to be looked into.
    func wiringReport(of registration: Registration) -> FillReport? {
        // A service that is not made yet, or not kept, has nothing to be filled now.
        guard let wiring = registration.wiring else { return nil }
        let program = plannedProgram(for: wiring.plan).program
        let record = program.record
        // A service with nothing to fill is no news.
        guard record.properties.contains(where: \.isNews) else { return nil }
        let writes = Dictionary(uniqueKeysWithValues: program.slotWrites.map { ($0.index, $0) })
        var deviations: [Deviation] = []
        for (index, property) in record.properties.enumerated() {
            let finding: Finding? =
                switch property.source {
                case .slot(let position):
                    writes[index].finding(at: position, of: wiring, planned: property.finding)
                case .line where wiring.object == nil:
                    property.finding.kind == .filled ? .notInout : nil
                case .line:
                    wiring.failure(for: .line(property.name))
                        ?? wiring.state(ofLine: property.name).finding(planned: property.finding)
                case .plain, .subject: nil
                }
            if let finding { deviations.append(Deviation(index: index, finding: finding)) }
        }
        let whole = FillRecord(
            type: record.type, serviceName: registration.name, properties: record.properties, box: self)
        return FillReport(whole, deviations: deviations)
    }
}

extension PropertyRecord {
    /// Whether a service is worth a report for it.
    fileprivate var isNews: Bool {
        if case .strippedBuild(isHole: true) = finding { true } else { source != .subject }
    }
}

extension Optional<FillProgram.SlotWrite> {
    /// What is to be said of a slot beside what was planned for it.
    fileprivate func finding(at position: Int, of wiring: Wiring, planned: Finding) -> Finding? {
        guard let slot = wiring.slot(at: position) else { return .replaced }
        if slot.isEmpty {
            guard let self else { return nil }
            return wiring.failure(for: .slot(position)) ?? .empty(.init(self.source))
        }
        if let self, wiring.holdsFill(at: position, from: self.source) {
            // Of a collection some may be missing.
            return wiring.failure(for: .slot(position)) ?? planned.ifKept
        }
        guard let write = self, let cell = write.fixedCell ?? write.source.present(write.request) else {
            return .kept
        }
        return slot.holds(cell) ? planned.ifKept : .kept
    }
}

extension Wiring.LineState? {
    /// What is to be said of a line beside what was planned for it.
    fileprivate func finding(planned: Finding) -> Finding? {
        switch (self, planned) {
        case (.written, .filled): nil
        case (.written, _), (.kept, _): .kept
        case (nil, .filled): .wrongIsolation
        case (nil, _): nil
        }
    }
}
