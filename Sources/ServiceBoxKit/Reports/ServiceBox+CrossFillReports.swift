// Part of ServiceBox, released under the MIT License.
// Cross-filling on demand, and what the services got from each other.

extension ServiceBox {
    /// Fills the registered services with each other now, and reports on each.
    ///
    /// Every use of the box does this for whatever was registered since the last one; call it yourself to decide
    /// when, or to read the reports. Only empty slots are written, so it may be called from anywhere, whatever the
    /// services do meanwhile. A line of a table is written once; it is left alone if its property holds a value, and
    /// waits for a use on its actor if it belongs to one.
    ///
    /// - Returns: A report for each service that has something to fill, sorted by the names of the services. A
    ///   strong cycle that slots close is noted there; what a table's closure or key path keeps is not known.
    /// - Complexity: O(*n*) for *n* properties of services, and as much again for each property in a cycle.
    @discardableResult
    public func crossFill() -> [FillReport] {
        settle()
        let services = sortedRegistrations
        let cycles = StrongCycles(among: services, of: self)
        return services.compactMap { crossFillReport(of: $0, cycles: cycles) }
    }

    private func crossFillReport(of registration: Registration, cycles: StrongCycles) -> FillReport? {
        if registration === selfRegistration { return nil }
        guard let wiring = registration.wiring else {
            // A service that is not made yet has nothing to report.
            guard registration.isOutOfReach else { return nil }
            return notWalkedReport(of: registration.implementation, serviceName: registration.name)
        }
        let program = program(for: wiring.plan)
        let record = program.record
        // A service with nothing to fill is no news.
        guard record.properties.contains(where: { $0.source != .subject }) else { return nil }
        let slotWrites = Dictionary(uniqueKeysWithValues: program.slotWrites.map { ($0.index, $0) })
        let lineWrites = Dictionary(uniqueKeysWithValues: program.lineWrites.map { ($0.index, $0) })
        var deviations: [Deviation] = []
        var notes: [PropertyRecord] = []
        for (index, property) in record.properties.enumerated() {
            let finding: Finding? =
                switch property.source {
                case .slot(let position): finding(of: slotWrites[index], in: wiring.slots[position])
                case .line: finding(of: lineWrites[index], named: property.name, in: wiring)
                case .plain, .subject: nil
                }
            if let finding { deviations.append(Deviation(index: index, finding: finding)) }
            if let path = cycles.path(through: property.name, of: registration) {
                notes.append(property.with(.strongCycle(path)))
            }
        }
        let whole = FillRecord(
            type: record.type, serviceName: registration.name, properties: record.properties + notes,
            box: self)
        return FillReport(whole, deviations: deviations)
    }

    /// What is to be said of a slot beside what was planned for it; nil where the plan came true.
    private func finding(of write: FillProgram.SlotWrite?, in slot: Slot) -> Finding? {
        guard let write else { return slot.isEmpty ? nil : .kept }
        if slot.isEmpty {
            switch write.source.supply(write.request) {
            case .cell(let cell): _ = slot.fillIfEmpty(with: cell)
            case .mismatch: return .typeMismatch(.init(write.source))
            case .failure(let error): return .failed(.init(write.source), error)
            }
        }
        // What takes all that fits gets another array each time.
        if write.request.element != nil { return nil }
        guard let cell = write.fixedCell ?? write.source.present(write.request) else { return .kept }
        return slot.holds(cell) ? nil : .kept
    }

    /// What is to be said of a line beside what was planned for it; nil where the plan came true.
    private func finding(of write: FillProgram.LineWrite?, named name: String, in wiring: Wiring) -> Finding?
    {
        guard let object = wiring.object else { return write == nil ? nil : .notInout }
        switch (wiring.state(ofLine: name), write) {
        case (.written, .some): return nil
        case (.some, _): return .kept
        case (nil, nil): return nil
        case (nil, .some(let write)):
            guard wiring.plan.shape != .actor, write.isUsable(on: object) else { return .wrongIsolation }
            if case .failure(let error) = write.source.supply(write.line.injection.request) {
                return .failed(.init(write.source), error)
            }
            return .typeMismatch(.init(write.source))
        }
    }
}
